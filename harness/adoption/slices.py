"""The statements that a value of a program needs, back to values that are given."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from harness.adoption.pieces import RANDOM, SEEDS, Piece, Pieces
from harness.model import Frozen


class Set(Frozen, frozen=True, kw_only=True, order=True):
    """A variable as it is after a piece."""

    at: int
    name: str


class Slice(Frozen, frozen=True, kw_only=True):
    """What a value needs.

    Attributes
    ----------
    pieces : tuple of int
        The statements, in order; definitions that read variables of theirs are among them.
    given : tuple of Set
        The values at which it ends.
    outside : tuple of int
        Definitions and imports that need nothing of it.
    unseeded : Piece or None
        A statement that draws random numbers which no seed fixes.
    """

    pieces: tuple[int, ...]
    given: tuple[Set, ...]
    outside: tuple[int, ...]
    unseeded: Piece | None = None


class Slicer:
    """Slices of one program."""

    def __init__(self, program: Pieces) -> None:
        self.program = program
        self._pieces = program.pieces
        self._definitions = program.definitions
        self._imports = {name: each for each in self._pieces if each.sort == "import" for name in each.sets}
        self._always = {each.at for each in self._pieces if each.sort == "setting"}
        self._always |= {
            each.at for each in self._pieces if each.sort in ("import", "definition") and not each.sets
        }
        self._always |= {
            each.at for each in self._pieces if each.sort == "import" and program.program.language != "python"
        }

    def slice(self, wanted: Set, ends: Collection[Set]) -> Slice:
        """What a variable needs after a piece, where it ends at some values that are given.

        Parameters
        ----------
        wanted : Set
            The variable.
        ends : collection of Set
            Values that may be given; the wanted one is not.
        """
        walk = _Walk(self._pieces, self._definitions, self._imports, set(ends) - {wanted})
        walk.include(self._pieces[wanted.at], {wanted.name})
        walk.finish()
        inside = {each.at for each in walk.included}
        nested = walk.nested(inside, {each.name for each in walk.given})
        drawing = [each for each in walk.included if RANDOM in each.sets]
        seeded = any(SEEDS.search(each.text) for each in drawing)
        return Slice(
            pieces=tuple(sorted(inside | nested)),
            given=tuple(sorted(walk.given)),
            outside=tuple(sorted((walk.used - nested) | self._always)),
            unseeded=None if seeded or not drawing else min(drawing, key=lambda each: each.at),
        )


class _Walk:
    def __init__(
        self,
        pieces: tuple[Piece, ...],
        definitions: Mapping[str, Piece],
        imports: dict[str, Piece],
        ends: set[Set],
    ) -> None:
        self._pieces = pieces
        self._definitions = definitions
        self._imports = imports
        self._ends = ends
        self.included: list[Piece] = []
        self.given: set[Set] = set()
        self.used: set[int] = set()
        self._seen: set[tuple[str, int]] = set()
        self._due: list[tuple[str, int]] = []

    def include(self, piece: Piece, names: set[str]) -> None:
        """Take a piece for what it sets of some names, and ask for what it reads."""
        # What it does not set as a whole, it may leave as it was.
        self._due += [(name, piece.at) for name in names - piece.whole]
        if piece in self.included:
            return
        self.included.append(piece)
        self._due += [(name, piece.at) for name in self._read_by(piece)]

    def finish(self) -> None:
        """Follow what is asked for until nothing is."""
        while self._due:
            name, before = self._due.pop()
            if (name, before) in self._seen:
                continue
            self._seen.add((name, before))
            setter = self._setter(name, before)
            if setter is None:
                continue
            known = Set(at=setter.at, name=name)
            if known in self._ends:
                self.given.add(known)
            else:
                self.include(setter, {name})

    def _setter(self, name: str, before: int) -> Piece | None:
        for at in range(before - 1, -1, -1):
            piece = self._pieces[at]
            if piece.sort == "other" and name in piece.sets:
                return piece
        return None

    def _read_by(self, piece: Piece) -> Iterator[str]:
        """Variables that a piece reads, and those that functions read which it uses."""
        yield from piece.reads | piece.inner
        for definition in self._needed(piece.reads | piece.inner | piece.calls):
            yield from definition.inner | definition.reads

    def _needed(self, names: Collection[str]) -> Iterator[Piece]:
        waiting, seen = list(names), set(names)
        while waiting:
            name = waiting.pop()
            module = name.partition(".")[0]
            if module in self._imports:
                self.used.add(self._imports[module].at)
            found = self._definitions.get(name)
            if found is None:
                continue
            self.used.add(found.at)
            yield found
            more = (found.reads | found.inner | found.calls) - seen
            seen |= more
            waiting += more

    def nested(self, inside: set[int], given: set[str]) -> set[int]:
        """Definitions that read variables of the slice, or use such."""
        variables = given | {name for at in inside for name in self._pieces[at].sets}
        found: set[int] = set()
        while True:
            names = variables | {name for at in found for name in self._pieces[at].sets}
            more = {
                at for at in self.used - found
                if self._pieces[at].sort == "definition"
                and (self._pieces[at].inner | self._pieces[at].reads) & (names - self._pieces[at].sets)
            }  # fmt: skip
            if not more:
                return found
            found |= more
