"""Text that a report shows: nothing invisible, nothing that reorders its line, numbers in few digits."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from harness.model import Basis, Cell, ErrorStats, Mode, Precision, Verdict

LONGEST = 120
"""Characters of a name that a table shows."""

SIGNS = {
    Verdict.PASS: "✓",
    Verdict.FAIL: "✗",
    Verdict.XFAIL: "≈",
    Verdict.XPASS: "✗",
    Verdict.ERROR: "!",
    Verdict.TIMEOUT: "!",
    Verdict.UNSUPPORTED: "–",
    Verdict.NOT_RUN: "–",
}

# Controls, halves of surrogate pairs, marks of direction, and characters that Unicode says are none.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Write out what cannot be seen, or turns the line around, as ``\\u202e``; tabs and newlines stay."""
    if text.isprintable():
        return text
    return _INVISIBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def short(text: str, longest: int = LONGEST) -> str:
    """The beginning of a text that is too long for a table."""
    text = visible(text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def number(value: float | None) -> str:
    """Three digits; nothing for None."""
    if value is None:
        return ""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:.3g}"


def share(value: float) -> str:
    """An error as a share of its limit, in words; no number says how far beyond a limit of 0 it is."""
    return "beyond the limit" if math.isinf(value) else f"{number(value)} of limit"


def seconds(value: float | None) -> str:
    """A time in a unit that fits."""
    if value is None:
        return ""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return "0 s" if value == 0 else f"{value / 1e-9:.3g} ns"


def index(place: Iterable[int] | None) -> str:
    """The place of an element, or nothing."""
    return "" if place is None else f"[{', '.join(map(str, place))}]"


def limit(cell: Cell) -> str:
    """A cell's limit and where it comes from, or nothing: ``limit 3e-16 (derived)``."""
    if cell.limit is None:
        return "" if cell.basis is None else f"{cell.basis} limit"
    basis = "" if cell.basis is None else f" ({cell.basis})"
    return f"limit {cell.limit:.3g}{basis}"


def figures(cell: Cell) -> str:
    """The errors of a cell's comparison, its limit, and what could not be decided, in one line."""
    stats = cell.stats
    relation = f"relation: {cell.relation}" if cell.relation else ""
    if stats is None:
        return relation
    undecided = f"{counted(stats.count, 'element')}, {cell.undecided:,} undecidable" if cell.undecided else ""
    parts = [
        *errors(stats),
        limit(cell),
        undecided,
        f"sample {short(cell.worst_sample)}" if cell.worst_sample else "",
        relation,
    ]
    return "; ".join(filter(None, parts))


def wrong(cell: Cell) -> list[str]:
    """The first wrong elements of a cell, a line for each."""
    return [
        f"{index(element.index)}: {element.actual}, and {element.due} is due"
        + (f", limit {element.limit:.3g}" if element.limit is not None else "")
        for element in cell.wrong
    ]


def errors(stats: ErrorStats) -> list[str]:
    """The errors of a comparison; where one side alone has NaN or an infinity, that first."""
    at = f" at {index(stats.max_abs_index)}" if stats.max_abs_index is not None else ""
    largest = f"max abs {stats.max_abs:.3g}{at}, max rel {stats.max_rel:.3g}, {stats.max_ulp:.3g} ULP"
    without = _no_numbers(stats)
    return without if without and not stats.max_abs else [*without, largest]


def _no_numbers(stats: ErrorStats) -> list[str]:
    """Say where one side alone is NaN or infinite; the other errors are of pairs in which both are finite."""
    return [
        text
        for number, text in (
            (stats.nan_mismatch, "not a number on one side"),
            (stats.inf_mismatch, "infinite on one side, or of another sign"),
        )
        if number
    ]


def on_the_reference_s_inputs(cell: Cell, isolated: Verdict | None) -> str:
    """What was observed of a chained cell's stage when it got the reference's inputs; empty if nothing.

    Parameters
    ----------
    cell : Cell
        A cell that differs.
    isolated : Verdict or None
        The same stage's verdict in isolation, if there is a cell of it.
    """
    if cell.mode is not Mode.CHAINED or cell.verdict is Verdict.XPASS or isolated is None:
        return ""
    begin = f"on the reference's inputs it is {isolated}"
    match isolated:
        case Verdict.FAIL | Verdict.XFAIL:
            proved = cell.basis is not Basis.COARSE
            return f"{begin}: {'the error is made in this stage' if proved else 'it differs there too'}"
        case Verdict.PASS:
            return f"{begin}: it is off only with its own implementation's inputs"
        case _:
            return f"{begin}: whether the stage is off by itself was not observed"


def case_label(case: str, precision: Precision) -> str:
    """A case's name, with the precision where it is not float64."""
    return case if precision is Precision.FLOAT64 else f"{case} {precision}"


def how(cell: Cell) -> str:
    """Mode, precision and check of a cell."""
    return f"{cell.mode}, {cell.precision}, {cell.check}"


def listed(names: Iterable[str], *, last: str = "and") -> str:
    """Names as a sentence lists them."""
    *before, end = list(names) or [""]
    return f"{', '.join(before)} {last} {end}" if before else end


def counted(n: int, singular: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{n:,} {singular if n == 1 else many or f'{singular}s'}"


def cut(names: Iterable[str], most: int = 6) -> str:
    """The first few names, and how many more there are."""
    names = list(names)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
