"""Calls of Python that change nothing of what they are called on, or given: plots, and methods of frames."""

from __future__ import annotations

import ast
import re

from harness.documents.continued import parsed

_PLOTTERS = "alt altair ax ax1 ax2 axes axs fig go matplotlib mpl plotly plt px pylab seaborn sns"
PLOTTERS = frozenset(_PLOTTERS.split())
"""How packages that only plot, and the parts of their figures, are called by nearly all authors."""
_PLOTS = """
area axhline axvline bar barh barplot box boxplot contour contourf density distplot errorbar fill_between
heatmap hexbin hist histplot imshow kde kdeplot line matshow pairplot pcolormesh pie plot plot_surface
quiver scatter scatterplot semilogx semilogy stem step violinplot
"""
_OF_FRAMES = """
agg any all astype corr count cov crosstab describe dropna fillna groupby head isin isna isnull melt
notna notnull nunique pivot_table quantile rename reset_index round set_index sort_index sort_values tail
to_frame to_numpy value_counts
"""
GIVES_NEW = frozenset(_PLOTS.split()) | frozenset(_OF_FRAMES.split())
"""Methods that give something new, where they are not told to work in place."""
_IN_PLACE = re.compile(r"\binplace\s*=\s*(?!False)|\bout\s*=")
_OF_A_FRAME = frozenset({"n", "frac", "replace", "weights", "random_state", "axis", "ignore_index"})
"""What the method ``sample`` of frames is told, and that of no generator."""
_ROOTED = re.compile(r"^\s*([^\W\d]\w*)\.", re.MULTILINE)


def only_read(code: str) -> frozenset[str]:
    """Return the names on which statements of Python call nothing but what gives something new.

    Parameters
    ----------
    code : str
        Some code: of each statement, the first method that is called on the name counts.
    """
    if not _ROOTED.search(code):
        return frozenset()
    tree = parsed(code)
    called: dict[str, bool] = {}
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Expr) and (first := _first_call(node.value)) is not None:
            name, call = first
            called[name] = called.get(name, True) and _gives_new(call)
    return frozenset(name for name, new in called.items() if new)


def changes_nothing(code: str) -> bool:
    """Whether all that code calls plots, or gives something new.

    Parameters
    ----------
    code : str
        A statement of Python.
    """
    tree = parsed(code)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree is not None else []
    return bool(calls) and all(_gives_new(call) or is_plot(call) for call in calls)


def is_plot(call: ast.Call) -> bool:
    """Whether a call is one of a package that plots: it draws what it is given, and leaves it as it is.

    Parameters
    ----------
    call : ast.Call
        A call; of seaborn's, one that loads data is none.
    """
    whole: ast.expr = call.func
    while isinstance(whole, ast.Attribute | ast.Subscript | ast.Call):
        whole = whole.func if isinstance(whole, ast.Call) else whole.value
    return isinstance(whole, ast.Name) and whole.id in PLOTTERS


def _gives_new(call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute) or _IN_PLACE.search(ast.unparse(call)):
        return False
    given = {keyword.arg for keyword in call.keywords}
    return call.func.attr in GIVES_NEW or (call.func.attr == "sample" and bool(given & _OF_A_FRAME))


def _first_call(node: ast.expr) -> tuple[str, ast.Call] | None:
    """The name that a chain of calls begins with, and the first of them."""
    first: ast.Call | None = None
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(node, ast.Call):
            first, node = node, node.func
        else:
            node = node.value
    return (node.id, first) if isinstance(node, ast.Name) and first is not None else None
