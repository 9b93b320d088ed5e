"""What the variables and functions of one program are called in the other."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from harness.programs.code_tokens import tokens_of_line
from harness.programs.match import Matching
from harness.programs.names import alike
from harness.programs.operands import TABLES
from harness.programs.replace import Side

_ALIKE = 0.7
"""Names without a counterpart by values from which on they may be the same."""
_MARKS = re.compile(r"[\[\]\"'$.]+")
_WORDS = frozenset(TABLES["words"])
_NAMED = frozenset({"set", "param", "loop", "element", "container"})


class CalledThere:
    """What the other program's names are called in one program, in a line of it.

    Parameters
    ----------
    sides : tuple of Side
        The two programs.
    matching : Matching
        Of their units.
    side : int
        Which program.

    Attributes
    ----------
    functions : dict of str to str
        What the other's functions are called.
    """

    def __init__(self, sides: tuple[Side, Side], matching: Matching, side: int) -> None:
        own, others = sides[side], sides[1 - side]
        self._function_of = tuple(
            {unit.site.line: unit.site.function for unit in one.units} for one in (own, others)
        )
        self._found: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self.functions: dict[str, str] = {}
        for pair in sorted(matching.pairs, key=lambda pair: (not pair.agrees, -pair.score)):
            one, other = own.units[(pair.a, pair.b)[side]], others.units[(pair.b, pair.a)[side]]
            if one.kind == other.kind == "return":
                self.functions.setdefault(other.name, one.name)
                continue
            if "return" in (one.kind, other.kind) or "part" in (one.kind, other.kind):
                continue
            names = self._found.setdefault((other.site.function, key(other.name)), [])
            if (entry := (one.site.function, one.name.removesuffix("[]"))) not in names:
                names.append(entry)
        for other in others.units:
            if other.kind in _NAMED:
                names = self._found.setdefault((other.site.function, key(other.name)), [])
                same = matching.equal[:, other.number] if side == 0 else matching.equal[other.number]
                for number in np.flatnonzero(same).tolist():
                    one = own.units[number]
                    if (
                        one.kind in _NAMED
                        and (entry := (one.site.function, one.name.removesuffix("[]"))) not in names
                    ):
                        names.append(entry)
        self._own = {
            (unit.site.function, unit.name.removesuffix("[]")): key(unit.name) for unit in own.units
            if unit.kind in _NAMED
        }  # fmt: skip

    def of(self, name: str, line: int, other: int, near: set[str]) -> list[str]:
        """What a name in a line of the other program is called in a line, the likeliest first."""
        scope, theirs = self._function_of[0].get(line, ""), self._function_of[1].get(other, "")
        wanted = key(name)
        found = [
            text for function in dict.fromkeys((theirs, ""))
            for where, text in self._found.get((function, wanted), ()) if where in (scope, "")
        ]  # fmt: skip
        if not found:
            found = [
                text for (where, text), own in self._own.items()
                if where in (scope, "") and alike(own, wanted) >= _ALIKE
            ]  # fmt: skip
            found.sort(key=lambda text: -alike(key(text), wanted))
        return sorted(dict.fromkeys(found), key=lambda text: text not in near)

    @staticmethod
    def variables(text: str) -> list[str]:
        """The variables of a text."""
        tokens = tokens_of_line(text)
        return [
            *dict.fromkeys(
                one.text for one, after in zip(tokens, [*tokens[1:], None], strict=True)
                if one.kind == "name" and one.text not in _WORDS and (after is None or after.text != "(")
            )
        ]  # fmt: skip


@lru_cache(maxsize=1 << 14)
def key(name: str) -> str:
    """A variable, or a column of a table, however its language writes it."""
    return _MARKS.sub(".", name.removesuffix("[]")).strip(".")
