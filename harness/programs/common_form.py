"""Expressions of Python, R and Julia in one form: the same functions by one name, elements counted from 1."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.programs.expressions import NOTHING, Node

TABLES: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_name("borrowed.toml").read_text(encoding="utf-8")
)
PLACE = {"python": 0, "r": 1, "julia": 2}
_KNOWN: tuple[dict[str, str], ...] = tuple(
    {name.rstrip("."): row[0].split()[0] for row in TABLES["functions"] for name in row[place].split()}
    for place in range(3)
)
_NOTHING = frozenset(TABLES["nothing"])
_CONSTANTS = {name: one for one, names in TABLES["constant_names"].items() for name in names}
OF_AXIS = {
    "colSums": ("sum", "0"),
    "rowSums": ("sum", "1"),
    "colMeans": ("mean", "0"),
    "rowMeans": ("mean", "1"),
}
"""R's functions of a matrix, by what each takes along which axis."""
_SPREAD = {"std": "std", "var": "var", "sd": "std"}
ONE, TWO, END = Node("number", "1"), Node("number", "2"), Node("end", "0")


def _hypotenuse(given: Sequence[Node]) -> Node:
    squares = tuple(Node("binary", "**", (one, TWO)) for one in given)
    return Node("call", "sqrt", (Node("binary", "+", squares),))


def _turned(given: Sequence[Node], over: Node, under: Node) -> Node:
    return Node("binary", "/", (Node("binary", "*", (given[0], over)), under))


_MADE_OF: Mapping[str, Callable[[Sequence[Node]], Node]] = {
    "hypot": _hypotenuse, "np.hypot": _hypotenuse,
}  # fmt: skip
"""Functions that not each language has, by what they are made of."""


def common_form(node: Node, language: str, table_spread: bool = False) -> Node:
    """An expression in the form that is the same in all languages.

    Functions are calls of the name that stands first in the table, with the axis or the divisor behind it;
    elements are counted from 1, and what is counted from the end is an ``end`` with how far it is from there.

    Parameters
    ----------
    node : Node
        From `expression`.
    language : str
        In which it is written.
    table_spread : bool
        Whether a method's standard deviation divides by n - 1, as that of a column of a table does.
    """
    return _Reader(language, table_spread).of(node)


class _Reader:
    def __init__(self, language: str, table_spread: bool) -> None:
        self._language, self._table_spread = language, table_spread

    def of(self, node: Node) -> Node:
        """The form of a part."""
        if node.sort == "name":
            if self._language == "python" and node.text.endswith(".T"):
                return Node("call", "transpose", (Node("name", node.text.removesuffix(".T")),))
            return Node("constant", _CONSTANTS[node.text]) if node.text in _CONSTANTS else node
        if node.sort in ("call", "method"):
            return self._call(node)
        if node.sort == "index":
            return self._index(node)
        return node._replace(parts=tuple(map(self.of, node.parts)))

    def _call(self, node: Node) -> Node:
        name = node.text
        if self._language == "python" and node.sort == "call":
            name = name.removeprefix("linalg.")
            short = name.rpartition(".")[2]
            name = short if short in _KNOWN[0] or short in _NOTHING or short in _SPREAD else name
        if self._language == "python" and name in ("arange", "np.arange", "range"):
            return self._range(node)
        named = {one.text: one.parts[0] for one in node.parts if one.sort == "named"}
        given = [self.of(one) for one in node.parts if one.sort != "named"]
        if name in _NOTHING and given and (len(given) == 1 or name == "setNames"):
            return given[0]
        if name in _MADE_OF:
            return _MADE_OF[name](given)
        if name == "c" and self._language == "r":
            return Node("list", "", tuple(given))
        if name in ("nrow", "ncol"):
            return Node("call", name, tuple(given))
        if name == "size" and len(given) == 2 and given[1].sort == "number":
            return Node("call", ("nrow", "ncol")[given[1].text != "1"], (given[0],))
        if self._language == "r" and name == "apply" and len(given) == 3 and given[1].sort == "number":
            axis = {"1": "1", "2": "0"}.get(given[1].text, "")
            return self._known(given[2].text, axis, [given[0]], {})
        if name in OF_AXIS:
            return self._known(*OF_AXIS[name], given, {})
        axis = next((named.pop(key).text for key in ("axis", "dim", "dims") if key in named), "")
        if axis and self._language == "julia":
            axis = str(int(axis) - 1) if axis.isdigit() else "?"
        return self._known(name, axis, given, named, node)

    def _known(
        self, name: str, axis: str, given: Sequence[Node], named: Mapping[str, Node], node: Node | None = None
    ) -> Node:
        if name in _SPREAD:
            return Node("call", f"{_SPREAD[name]}{self._divisor(node, named)}|{axis}", tuple(given))
        known = _KNOWN[PLACE[self._language]].get(name)
        if known is None:
            # It may be a function of the program.
            more = tuple(Node("named", key, (self.of(value),)) for key, value in named.items())
            sort = "own method" if node is not None and node.sort == "method" else "own call"
            return Node(sort, name, (*given, *more))
        if set(named) - {"na.rm"}:
            return Node("?", name)
        if self._language == "python" and known in ("max", "min") and len(given) == 2:
            known += "imum"
        if known in ("arctan", "arctan2"):
            known = "arctan2" if len(given) == 2 else "arctan"
        return Node("call", f"{known}|{axis}" if axis else known, tuple(given))

    def _divisor(self, node: Node | None, named: Mapping[str, Node]) -> str:
        """0 where a sum is divided by n, 1 where it is by n - 1."""
        if self._language != "python":
            return "0" if "corrected" in named else "1"
        if "ddof" in named or "correction" in named:
            return named.get("ddof", named.get("correction", ONE)).text
        if "unbiased" in named:
            return "0"
        of_torch = node is not None and node.text.startswith("torch.")
        of_table = node is not None and node.sort == "method" and self._table_spread
        return "1" if of_torch or of_table else "0"

    def _range(self, node: Node) -> Node:
        parts = [self.of(one) for one in node.parts]
        if len(parts) not in (1, 2) or any(one.sort == "named" for one in parts):
            return Node("?", "range")
        first = parts[0] if len(parts) == 2 else Node("number", "0")
        return Node("range", "", (first, plus(parts[-1], -1)))

    # ---- elements ------------------------------------------------------------------------------------

    def _index(self, node: Node) -> Node:
        base, *indices = node.parts
        if base.sort == "name" and base.text.endswith(".shape") and len(indices) == 1:
            which = {"0": "nrow", "1": "ncol"}.get(indices[0].text, "?")
            return Node("call", which, (Node("name", base.text.removesuffix(".shape")),))
        if any(one.sort == "named" and one.text != "drop" for one in indices):
            return Node("?", "index")
        kept = [one for one in indices if one.sort != "named"]
        return Node("index", "", (self.of(base), *(self._element(one, base) for one in kept)))

    def _element(self, one: Node, base: Node) -> Node:
        if one == NOTHING:
            return one
        if self._language == "python":
            if one.sort == "slice":
                first, last = one.parts
                lower = ONE if first == NOTHING else self._from_zero(first)
                upper = END if last == NOTHING else self._until(last)
                return Node("range", "", (lower, upper))
            return self._from_zero(one)
        if self._language == "r" and one.sort == "unary" and one.text == "-":
            inner = one.parts[0]
            if inner == ONE:
                return Node("range", "", (TWO, END))
            whole = inner.sort == "call" and inner.text in ("length", "nrow") and inner.parts[0] == base
            if whole or inner.sort == "name":
                # A name that one element is left out by is mostly how many there are.
                return Node("range", "", (ONE, Node("end", "-1")))
            return Node("?", "index")
        if self._language == "r" and one.sort == "call" and one.text == "length" and one.parts[0] == base:
            return END
        return self._with_end(self.of(one))

    def _with_end(self, node: Node) -> Node:
        if node.sort == "name" and node.text == "end":
            return END
        if node.sort == "binary" and node.text == "-" and node.parts[0] == Node("name", "end"):
            return (
                Node("end", f"-{node.parts[1].text}") if node.parts[1].sort == "number" else Node("?", "end")
            )
        if node.sort == "range":
            return node._replace(parts=tuple(map(self._with_end, node.parts)))
        return node

    def _from_zero(self, node: Node) -> Node:
        if node.sort == "number" and node.text.isdigit():
            return Node("number", str(int(node.text) + 1))
        if node.sort == "unary" and node.parts[0].sort == "number" and node.parts[0].text.isdigit():
            return Node("end", str(1 - int(node.parts[0].text)))
        # A variable that counts is counted as its language does.
        return self.of(node)

    def _until(self, node: Node) -> Node:
        """Up to where a slice goes that ends before an element which is counted from 0."""
        if node.sort == "unary" and node.parts[0].sort == "number" and node.parts[0].text.isdigit():
            return Node("end", str(-int(node.parts[0].text)))
        return self.of(node)


def plus(node: Node, more: int) -> Node:
    """A number or an expression and a whole number more."""
    if node.sort == "number" and node.text.isdigit():
        return Node("number", str(int(node.text) + more))
    if node.sort == "binary" and node.text in "+-" and node.parts[1] == ONE:
        had = 1 if node.text == "+" else -1
        if had + more == 0:
            return node.parts[0]
    return Node("binary", "+" if more > 0 else "-", (node, Node("number", str(abs(more)))))
