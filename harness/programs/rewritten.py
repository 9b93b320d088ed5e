"""An expression of one program written as another would have it, in its language and with its names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from harness.programs.common_form import OF_AXIS, PLACE, TABLES, plus
from harness.programs.expressions import NOTHING, Node

_WRITTEN: tuple[Mapping[str, str], ...] = tuple(
    {row[0].split()[0]: row[place].split()[0] for row in TABLES["functions"] if row[place]}
    for place in range(3)
)
OPERATORS: Mapping[str, Mapping[str, str]] = TABLES["operators"]
_BUILT_IN = frozenset({"sum", "len", "abs", "max", "min", "sorted", "round", "any", "all"})
_OF_R = {of: name for name, of in OF_AXIS.items()}
_SPREADS = frozenset({"std0", "std1", "var0", "var1"})
_FORCE = {"<": 1, "<=": 1, ">": 1, ">=": 1, "==": 1, "!=": 1, "+": 2, "-": 2, "*": 3, "/": 3, "**": 4}
"""How tightly operators bind, of those that bind so in all languages."""
Named = Callable[[str], str | None]


class Unwritten(Exception):
    """What has no form in the other language."""


class Writer:
    """Writes expressions from `common_form`.

    Parameters
    ----------
    language : str
        In which.
    name_of : callable
        What a variable is called there; None where it has no counterpart.
    function_of : callable
        The same of a function that a program defines.
    module : str
        What stands before the functions of mathematics in Python; empty where there are only built-in ones.
    matrices : bool
        Whether what Julia multiplies without a dot are matrices.
    """

    def __init__(
        self, language: str, name_of: Named, function_of: Named, module: str = "np.", matrices: bool = False
    ) -> None:
        self._language, self._name_of, self._function_of = language, name_of, function_of
        self._module, self._matrices = module, matrices

    def text(self, node: Node) -> str:
        """The text of an expression.

        Raises
        ------
        Unwritten
            There is none.
        """
        match node.sort:
            case "number":
                return node.text
            case "text":
                return node.text if self._language != "julia" else '"' + node.text[1:-1] + '"'
            case "name":
                return self._found(self._name_of(node.text))
            case "constant":
                return str(TABLES["constants"][self._language][node.text]).format(module=self._module)
            case "unary" if node.text == "-":
                return "-" + self._inner(node.parts[0])
            case "unary":
                sign = {"python": "~", "r": "!", "julia": ".!"}[self._language]
                return sign + self._inner(node.parts[0])
            case "binary":
                return self._binary(node)
            case "choice":
                return self._choice(*map(self.text, node.parts))
            case "list" | "tuple":
                return self._list([self.text(one) for one in node.parts], node.sort)
            case "range":
                return self._range(node)
            case "index":
                return self._index(node)
            case "call":
                return self._call(node)
            case "own call":
                given = ", ".join(map(self._argument, node.parts))
                return f"{self._found(self._function_of(node.text))}({given})"
            case _:
                raise Unwritten(node.text)

    @staticmethod
    def _found(name: str | None) -> str:
        if name is None:
            raise Unwritten
        return name

    def _argument(self, node: Node) -> str:
        if node.sort == "named":
            return f"{self._name_of(node.text) or node.text}={self.text(node.parts[0])}"
        return self.text(node)

    def _inner(self, node: Node) -> str:
        text = self.text(node)
        return f"({text})" if node.sort in ("binary", "unary", "choice", "range") else text

    def _operand(self, node: Node, operator: str, right: bool) -> str:
        """What stands beside an operator, in brackets unless it binds more tightly in all languages."""
        own, around = _FORCE.get(node.text, 0), _FORCE.get(operator, 0)
        if (
            node.sort == "binary"
            and own
            and around
            and (own > around or (own == around and not right and own in (2, 3)))
        ):
            return self.text(node)
        return self._inner(node)

    def _binary(self, node: Node) -> str:
        operator = node.text
        first, second = (
            self._operand(one, operator, right) for one, right in zip(node.parts, (False, True), strict=True)
        )
        if operator == "times" and self._matrices:
            operator = "@"
        if operator == "//" and self._language == "julia":
            return f"fld.({first}, {second})"
        if operator in ("%", "rem") and self._language == "julia":
            return f"{'mod' if operator == '%' else 'rem'}.({first}, {second})"
        operator = OPERATORS[self._language].get("%" if operator == "rem" else operator, operator)
        return f"{first} {operator} {second}"

    def _choice(self, test: str, first: str, second: str) -> str:
        if self._language == "python":
            return f"({first} if {test} else {second})"
        return (
            f"(if ({test}) {first} else {second})"
            if self._language == "r"
            else f"(({test}) ? {first} : {second})"
        )

    def _list(self, parts: Sequence[str], sort: str) -> str:
        inside = ", ".join(parts)
        if self._language == "r":
            return f"c({inside})"
        if sort == "tuple":
            return f"({inside})"
        return f"{self._module}array([{inside}])" if self._module == "np." else f"[{inside}]"

    def _range(self, node: Node) -> str:
        if any(one.sort == "end" for one in node.parts):
            raise Unwritten
        if self._language == "python":
            before = self._module if self._module in ("np.", "torch.") else ""
            first, last = self.text(node.parts[0]), self.text(plus(node.parts[1], 1))
            return f"{before}{'arange' if before else 'range'}({first}, {last})"
        return ":".join(map(self._inner, node.parts))

    # ---- elements ------------------------------------------------------------------------------------

    def _index(self, node: Node) -> str:
        base = self.text(node.parts[0])
        parts = [
            self._element(one, base, number, len(node.parts) - 1) for number, one in enumerate(node.parts[1:])
        ]
        return f"{base}[{', '.join(parts)}]"

    def _element(self, one: Node, base: str, number: int, count: int) -> str:
        if one == NOTHING:
            return "" if self._language == "r" else ":"
        if self._language == "python":
            return self._of_python(one)
        size = base if self._language == "julia" else (
            f"length({base})" if count == 1 else f"dim({base})[{number + 1}]"
        )  # fmt: skip
        if one.sort == "range":
            return ":".join(self._bound(part, size) for part in one.parts)
        return self._bound(one, size)

    def _bound(self, one: Node, size: str) -> str:
        if one.sort != "end":
            return self._inner(one)
        last = "end" if self._language == "julia" else size
        return last if one.text == "0" else f"({last} - {one.text.lstrip('-')})"

    def _of_python(self, one: Node) -> str:
        if one.sort == "range":
            first, last = one.parts
            lower = "" if first.sort == "number" and first.text == "1" else self._from_zero(first)
            upper = (
                ""
                if last.sort == "end" and last.text == "0"
                else last.text
                if last.sort == "end"
                else self.text(last)
            )
            return f"{lower}:{upper}"
        return self._from_zero(one)

    def _from_zero(self, one: Node) -> str:
        if one.sort == "end":
            return str(int(one.text) - 1)
        return self.text(plus(one, -1)) if one.sort == "number" else self.text(one)

    # ---- functions -----------------------------------------------------------------------------------

    def _call(self, node: Node) -> str:
        name, _, axis = node.text.partition("|")
        given = [self.text(one) for one in node.parts]
        if name in ("nrow", "ncol"):
            return self._size(name == "ncol", given[0])
        if name == "transpose":
            form = {"python": "({}).T", "r": "t({})", "julia": "permutedims({})"}[self._language]
            return form.format(*given)
        if name in _SPREADS:
            return self._spread(name, axis, ", ".join(given))
        written = self._found(_WRITTEN[PLACE[self._language]].get(name))
        if axis:
            return self._along(written, axis, given[0])
        inside = ", ".join(given)
        if name == "dot" and self._language == "r":
            return f"sum({' * '.join(f'({one})' for one in given)})"
        if self._language == "python":
            return f"{self._before(written)}{written}({inside})"
        return f"{written}({inside})"

    def _before(self, written: str) -> str:
        if self._module == "math." and written in _BUILT_IN:
            return ""
        return "" if written == "len" or not self._module else self._module

    def _size(self, columns: bool, of: str) -> str:
        if self._language == "python":
            return f"{of}.shape[{int(columns)}]"
        return (
            f"{'ncol' if columns else 'nrow'}({of})"
            if self._language == "r"
            else f"size({of}, {1 + columns})"
        )

    def _along(self, written: str, axis: str, of: str) -> str:
        if axis not in "01" or written.endswith("."):
            raise Unwritten
        if self._language == "python":
            return f"{self._module}{written}({of}, {'dim' if self._module == 'torch.' else 'axis'}={axis})"
        if self._language == "julia":
            return f"vec({written}({of}, dims={int(axis) + 1}))"
        known = _OF_R.get((written, axis))
        return f"{known}({of})" if known else f"apply({of}, {2 - int(axis)}, {written})"

    def _spread(self, name: str, axis: str, of: str) -> str:
        short, less = name[:3], name[3]
        if self._language == "python":
            along = f", axis={axis}" if axis else ""
            if self._module == "torch.":
                return f"torch.{short}({of}{along.replace('axis', 'dim')}, unbiased={less == '1'})"
            return f"{self._module}{short}({of}{along}, ddof={less})"
        if self._language == "julia":
            along = f"dims={int(axis) + 1}, " if axis else ""
            text = f"{short}({of}; {along}corrected={str(less == '1').lower()})"
            return f"vec({text})" if axis else text
        if less == "1":
            one = {"std": "sd", "var": "var"}[short]
            return f"apply({of}, {2 - int(axis)}, {one})" if axis else f"{one}({of})"
        if axis:
            raise Unwritten
        square = f"mean(({of} - mean({of}))^2)"
        return f"sqrt({square})" if short == "std" else square
