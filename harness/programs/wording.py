"""Which lines of two programs in one language are worded the same, and which nearly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from harness.programs.line_table import Line
from harness.programs.match import Pair
from harness.programs.syntax import Tree, labels, renamed, statements
from harness.programs.units import Unit

_LEAST = 3
"""Parts of a statement that says something."""
_NEAR = 0.7
"""Share of parts from which on two statements are taken for each other's, made wrong."""
_UNMATCHED = "?"
_MOST_UNMATCHED = 0.34
"""Share of parts that may be names without a counterpart."""


class Wording:
    """Which statements of two programs are worded the same, with each name for its counterpart.

    Parameters
    ----------
    a, b : sequence of Unit
        Of the two programs.
    pairs : sequence of Pair
        From `match`.
    language : str
        Of both.
    lines : tuple of sequence of str
        Of the two files.
    """

    def __init__(
        self,
        a: Sequence[Unit],
        b: Sequence[Unit],
        pairs: Sequence[Pair],
        language: str,
        lines: tuple[Sequence[str], Sequence[str]],
    ) -> None:
        self._counterparts = _counterparts(a, b, pairs)
        self._files: tuple[str, str] = (_file(a), _file(b))
        self._found = tuple(
            self._trees(side, language, lines[side], units) for side, units in ((0, a), (1, b))
        )
        self.same = self._same()

    def near(self, first: Line, second: Line) -> float:
        """From 0 to 1, how much of two lines is the same where one thing is not; 0 where nothing differs."""
        ones, others = self._found[0].get(first, []), self._found[1].get(second, [])
        return max((_near(one, other) for one in ones for other in others), default=0.0)

    def _same(self) -> tuple[frozenset[Line], frozenset[Line]]:
        """Lines of each of which all statements are worded as some of the other program's."""
        found: list[frozenset[Line]] = []
        for own, other in (self._found, self._found[::-1]):
            known = {tree for trees in other.values() for tree in trees}
            found.append(
                frozenset(
                    line for line, trees in own.items()
                    if all(tree in known and _is_telling(tree) for tree in trees)
                )
            )  # fmt: skip
        return found[0], found[1]

    def _trees(
        self, side: int, language: str, lines: Sequence[str], units: Sequence[Unit]
    ) -> dict[Line, list[Tree]]:
        function_of = {unit.site.line: unit.site.function for unit in units}
        return {
            (self._files[side], line): [self._named(tree, side, function_of.get(line, "")) for tree in trees]
            for line, trees in statements(language, lines).items()
        }

    def _named(self, tree: Tree, side: int, function: str) -> Tree:
        known = self._counterparts[side]

        def name_of(name: str) -> str:
            return known.get((function, name)) or known.get(("", name)) or _UNMATCHED

        return renamed(tree, name_of)


def _file(units: Sequence[Unit]) -> str:
    return Counter(unit.site.file for unit in units).most_common(1)[0][0] if units else ""


def _counterparts(
    a: Sequence[Unit], b: Sequence[Unit], pairs: Sequence[Pair]
) -> tuple[Mapping[tuple[str, str], str], Mapping[tuple[str, str], str]]:
    """For each name in a function of each program, one name that its counterpart has too."""
    found: tuple[dict[tuple[str, str], str], dict[tuple[str, str], str]] = {}, {}
    for pair in sorted(pairs, key=lambda pair: (not pair.agrees, -pair.score)):
        one, other = a[pair.a], b[pair.b]
        keys = _key(one), _key(other)
        if keys[0] not in found[0] and keys[1] not in found[1]:
            found[0][keys[0]] = found[1][keys[1]] = "%".join(keys[1])
    return found


def _key(unit: Unit) -> tuple[str, str]:
    function = "" if unit.kind == "return" else unit.site.function
    return function, unit.name.removesuffix("[]")


def _is_telling(tree: Tree) -> bool:
    """Whether no other statement is worded so by chance."""
    said = labels(tree)
    unmatched = said.count(("name", _UNMATCHED))
    if not unmatched and any(label[0] == "name" for label in said):
        return True
    return len(said) - unmatched >= _LEAST and unmatched <= _MOST_UNMATCHED * len(said)


def _near(one: Tree, other: Tree) -> float:
    first, second = Counter(labels(one)), Counter(labels(other))
    if min(first.total(), second.total()) < _LEAST or one == other:
        return 0.0
    share = 2 * (first & second).total() / (first.total() + second.total())
    return max(0.0, (share - _NEAR) / (1 - _NEAR))
