"""The expressions of a Python program, rewritten so that what they are made of is recorded too.

Values pass through a function that records them and returns them as they are, or, where a plan says so, what
another program had there. Names of hooks have one leading underscore: two would be mangled in classes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from types import NoneType
from typing import Any

from harness.programs.recorders.python_syntax import dotted, line_of

SHOWING = frozenset({"print", "format", "round", "str", "repr", "write", "info"})
_NO_DATA = frozenset({
    "range", "zip", "enumerate", "open", "super", "isinstance", "hasattr", "getattr", "iter", "reversed",
    "map", "filter", "print", "type", "len", "str", "repr", "format", "join", "split", "strip", "lower",
    "upper", "replace", "encode", "decode", "items", "keys", "values", "copy", "append", "no_grad", "Path",
    "default_rng", "RandomState", "seed", "locals", "globals", "vars", "eval", "exec",
})  # fmt: skip
"""Calls that make no numbers, or just what they were given."""
_LONGEST = 48
_ALONE = (ast.Name, ast.Attribute, ast.Constant, ast.UnaryOp)
_MOST_ALONE = 64
_SETTING = frozenset({"set", "element", "container", "loop"})

Adding = Callable[[int, str, str, str, "ast.AST | None", Sequence[int], Sequence[str], bool, str], int]


class Expressions:
    """Rewrites expressions; the statements around them are another's.

    Parameters
    ----------
    add : callable
        Takes the fields of a site except its number; returns its number.
    lines : sequence of str
        Those of the file.
    """

    def __init__(self, add: Adding, lines: Sequence[str]) -> None:
        self._add = add
        self._lines = lines
        self._function = ""
        self._around: tuple[str, ...] = ()
        self._beyond = frozenset[str]()
        self._control: list[int] = []
        self._over: list[ast.expr] = []

    def inside(self, node: ast.expr) -> tuple[ast.expr, tuple[int, ...]]:
        """An expression whose parts are recorded, and the sites of those; the whole is the caller's."""
        found: list[int] = []
        self._parts_of(node, found)
        return node, tuple(found)

    def piece(self, node: ast.expr) -> tuple[ast.expr, tuple[int, ...]]:
        """The same for an expression that is itself only a part of what its statement sets."""
        found: list[int] = []
        node = self._part(node, found)
        return node, tuple(found)

    def shown(self, value: ast.expr, node: ast.AST) -> ast.expr:
        """Values that a call prints, also those inside of formatted texts."""
        if isinstance(value, ast.JoinedStr):
            for part in value.values:
                if isinstance(part, ast.FormattedValue):
                    part.value = self.shown(part.value, node)
            return value
        if isinstance(value, ast.Starred) and isinstance(
            value.value, (ast.Name, ast.Attribute, ast.Subscript)
        ):
            value.value = self.shown(value.value, node)
        if isinstance(value, (ast.Constant, ast.Starred)):
            return value
        if isinstance(value, ast.Call):
            named = value.func
            if isinstance(named, ast.Attribute) and named.attr in ("round", "tolist", "item", "copy"):
                # x.round(3), np.round(x, 3): what is rounded counts.
                if dotted(named.value) in ("np", "numpy", "math") and value.args:
                    value.args[0] = self.shown(value.args[0], node)
                else:
                    named.value = self.shown(named.value, node)
                return value
            plain = value.args[0] if value.args and not isinstance(value.args[0], ast.Call) else None
            if isinstance(named, ast.Name) and value.args and (
                named.id in ("round", "float", "int") or (named.id == "list" and plain is not None)
            ):  # fmt: skip
                value.args[0] = self.shown(value.args[0], node)
                return value
            if (isinstance(named, ast.Name) and named.id in SHOWING) or (
                isinstance(named, ast.Attribute) and named.attr in ("format", "join")
            ):
                value.args = [self.shown(argument, node) for argument in value.args]
                return value
        if (
            isinstance(value, ast.BinOp)
            and isinstance(value.op, ast.Mod)
            and isinstance(value.left, ast.Constant)
        ):
            value.right = self.shown(value.right, node)
            return value
        if isinstance(value, ast.Tuple):
            value.elts = [self.shown(item, node) for item in value.elts]
            return value
        if isinstance(value, (ast.ListComp, ast.GeneratorExp)) and _rounds(value.elt):
            over = [one.iter for one in value.generators]
            self._over += over
            value.elt = self.shown(value.elt, node)
            del self._over[-len(over) :]
            return value
        name = dotted(value) or "shown"
        inner, parts = self.inside(value)
        return self.call("_hr", self.site(value, "shown", name, inner, parts), inner)

    def a_lambda(self, node: ast.Lambda, name: str) -> None:
        """Record what a function without a name gives."""
        if getattr(node, "_seen", False):
            return
        node._seen = True  # type: ignore[attr-defined]
        body, parts = self.inside(node.body)
        node.body = self.call("_hr", self.site(node, "return", name, body, parts), body)

    # ---- hooks ---------------------------------------------------------------------------------------

    def site(
        self, node: ast.AST, kind: str, name: str, reads: ast.AST | None, parts: Sequence[int] = (),
        element: str = "",
    ) -> int:  # fmt: skip
        """A new site; hooks in what it reads are left out."""
        line = line_of(node, self._lines)
        if reads is not None and self._over:
            # What an element of a comprehension is of comes from what that goes over.
            reads = ast.Module([reads, *map(ast.Expr, self._over)], [])  # type: ignore[list-item]
        beyond = kind in _SETTING and name.removesuffix("[]").partition(".")[0] in self._beyond
        control = (*self._control, *parts)
        return self._add(line, kind, name, self._function, reads, control, self._around, beyond, element)

    def call(self, hook: str, site: int, value: ast.expr) -> ast.expr:
        """A call of a hook with a value."""
        made = ast.Call(
            ast.Name(hook, ast.Load()), [ast.Name("_hr_f", ast.Load()), ast.Constant(site), value], []
        )
        return ast.copy_location(made, value)

    # ---- parts ---------------------------------------------------------------------------------------

    def _parts_of(self, node: ast.AST, found: list[int]) -> None:
        """Wrap what an expression is made of, in place."""
        if isinstance(node, ast.Lambda):
            self.a_lambda(node, "lambda")
            return
        if isinstance(node, ast.Call):
            # What is called is no value; what its method is of may be one.
            if isinstance(node.func, ast.Attribute):
                node.func.value = self._part(node.func.value, found)
            elif not isinstance(node.func, ast.Name):
                self._parts_of(node.func, found)
            line = line_of(node, self._lines)
            node.args = self._each(node.args, found, line)
            for keyword in node.keywords:
                keyword.value = self._part(keyword.value, found, line)
            return
        if isinstance(node, ast.Dict):
            line = node.lineno if len(node.values) <= _MOST_ALONE else 0
            node.values = self._each(node.values, found, line)
            return
        if isinstance(node, ast.Yield) and node.value is not None:
            value, parts = self.inside(node.value)
            node.value = self.call("_hr", self.site(node, "return", self._function, value, parts), value)
            return
        if isinstance(node, (ast.YieldFrom, ast.Await, ast.NamedExpr)):
            node.value = self._part(node.value, found)
            return
        if isinstance(node, (ast.Yield, ast.JoinedStr)):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Lambda):
                    self.a_lambda(inner, "lambda")
            return
        over = [one.iter for one in getattr(node, "generators", ())]
        self._over += over
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.Slice) or (isinstance(node, ast.Subscript) and field == "slice"):
                continue
            if isinstance(value, ast.expr):
                setattr(node, field, self._part(value, found))
            elif isinstance(value, list):
                value[:] = self._each(value, found)
        del self._over[len(self._over) - len(over) :]

    def _each(self, items: Iterable[Any], found: list[int], line: int = 0) -> list[Any]:
        made: list[Any] = []
        for item in items:
            if isinstance(item, ast.comprehension):
                item.iter = self._part(item.iter, found)
                item.ifs = self._each(item.ifs, found)
            made.append(self._part(item, found, line) if isinstance(item, ast.expr) else item)
        return made

    def _part(self, node: ast.expr, found: list[int], line: int = 0) -> ast.expr:
        # A name or a number that alone is handed on in a line of its own is what may be wrong there.
        alone = line and node.lineno != line and isinstance(node, _ALONE)
        alone = alone and not (isinstance(node, ast.Constant) and isinstance(node.value, (str, NoneType)))
        if not alone and not _is_part(node):
            self._parts_of(node, found)
            return node
        text = ast.unparse(node)
        name = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
        own: list[int] = []
        self._parts_of(node, own)
        site = self.site(node, "part", name, node, own)
        found.append(site)
        return self.call("_hr_part", site, node)


def _rounds(node: ast.expr) -> bool:
    """Whether the elements of a list are rounded, or made a text, only to be shown."""
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        return _rounds(node.elt)
    if isinstance(node, ast.JoinedStr):
        return True
    named = node.func if isinstance(node, ast.Call) else None
    return (isinstance(named, ast.Name) and named.id in SHOWING) or (
        isinstance(named, ast.Attribute) and named.attr in ("round", "format")
    )


def _is_part(node: ast.AST) -> bool:
    """Whether a piece of an expression makes a new value, which is worth to be recorded."""
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        return name not in _NO_DATA and not name.startswith("_hr")
    if isinstance(node, ast.BinOp):
        return not (isinstance(node.op, ast.Mod) and isinstance(node.left, (ast.Constant, ast.JoinedStr)))
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.operand, ast.Constant)
    if isinstance(node, ast.Subscript):
        return any(isinstance(inner, (ast.Slice, ast.Compare)) for inner in ast.walk(node.slice))
    return isinstance(node, (ast.Compare, ast.IfExp, ast.ListComp))
