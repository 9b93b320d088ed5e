"""Which other orders of a document's chunks are worth a run: planned from its statements, without results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from harness.documents.model import Chunk
from harness.findings.track import Track
from harness.sessions.statements import text_of


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """One other order of chunks.

    Attributes
    ----------
    key : tuple of str and int
        Orders of one key have one cause: the first that changes something is reported.
    after : int
        The line of the chunk that makes the difference.
    kept : frozenset of int
        Chunks without which it is another order.
    sequence : tuple of Chunk
        What is run, in a session that has run nothing, or everything in order.
    watched : int
        How many of its last chunks are compared with those of the run in document order.
    printed_counts : bool
        Whether printed text is compared, or only what the chunk sets.
    place, line : Chunk, int
        Where a finding stands.
    what, consequence : str
        What the order is, and what it does to a reader.
    """

    key: tuple[str, int]
    after: int
    kept: frozenset[int]
    sequence: tuple[Chunk, ...]
    watched: int
    printed_counts: bool
    place: Chunk
    line: int
    what: str
    consequence: str


def orders(track: Track, generators: frozenset[str]) -> list[Order]:
    """Plan the orders of a language's chunks, the shorter ones first.

    Parameters
    ----------
    track : Track
        The chunks.
    generators : frozenset of str
        Names that hold random generators, or differ from run to run: what reads them differs anyway.
    """
    planned = [*_swapped(track, generators), *_back(track, generators), *_put_back(track, generators)]
    return sorted(planned, key=lambda order: len(order.sequence))


def inputs(track: Track, chunk: Chunk) -> frozenset[str]:
    """Data that a chunk takes from earlier ones, also through the functions that it calls."""
    used: set[str] = set()
    made: set[str] = set()
    for statement in track.of(chunk):
        if statement.kind != "definition":
            used |= (statement.reads | statement.inner) - made
        made |= statement.sets
    reached = _through_definitions(track, used)
    return frozenset(reached & track.data)


def outputs(track: Track, chunk: Chunk) -> frozenset[str]:
    """Data that a chunk sets."""
    return _sets(track, chunk) & track.data


def sliced(track: Track, order: Order) -> tuple[Chunk, ...]:
    """The chunks of an order that its last ones need."""
    kept: list[Chunk] = []
    wanted: set[str] = set()
    for place, chunk in enumerate(reversed(order.sequence)):
        statements = track.of(chunk)
        sets = _sets(track, chunk)
        needed = place < order.watched or chunk.index in order.kept or sets & wanted
        if needed or any(statement.kind == "import" for statement in statements):
            kept.append(chunk)
            # A chunk that sets a name again does not need the one that set it before.
            wanted = (wanted - (sets - inputs(track, chunk))) | _through_definitions(
                track, _read(track, chunk)
            )
    return tuple(reversed(kept))


def needed_for(track: Track, target: Chunk) -> tuple[Chunk, ...]:
    """Return a chunk after those that set or define what it needs, or import if it imports nothing itself."""
    imports = not any(statement.kind == "import" for statement in track.of(target))
    kept = [target]
    wanted = _wants(track, target)
    for chunk in reversed([c for c in track.chunks if c.index < target.index]):
        sets = _sets(track, chunk)
        if sets & wanted or (imports and any(statement.kind == "import" for statement in track.of(chunk))):
            kept.append(chunk)
            wanted = (wanted - sets) | _wants(track, chunk)
    return tuple(reversed(kept))


def _wants(track: Track, chunk: Chunk) -> set[str]:
    """Names that a chunk does not set before it uses them."""
    wanted: set[str] = set()
    made: set[str] = set()
    for statement in track.of(chunk):
        wanted |= (statement.reads | statement.inner) - made - statement.sets
        made |= statement.sets
    # A function may use what is only set after it.
    return wanted - made


def _through_definitions(track: Track, names: Iterable[str]) -> set[str]:
    reached = set(names)
    while True:
        more = {
            name
            for statement in track.statements
            if statement.kind == "definition" and statement.sets & reached
            for name in statement.inner
        }
        if more <= reached:
            return reached
        reached |= more


def _acts(track: Track, chunk: Chunk) -> bool:
    return any(statement.kind == "other" for statement in track.of(chunk))


def _swapped(track: Track, generators: frozenset[str]) -> Iterator[Order]:
    """Swap neighbours of which neither sets what the other reads or sets."""
    for place, (left, right) in enumerate(pairwise(track.chunks)):
        named = [_sets(track, chunk) for chunk in (left, right)]
        used = [inputs(track, chunk) | _read(track, chunk) for chunk in (left, right)]
        apart = not (named[0] & (used[1] | named[1]) or named[1] & used[0])
        shared = used[0] & used[1] & generators
        if apart and not shared and _acts(track, left) and _acts(track, right):
            yield Order(
                key=("swapped", right.index),
                after=right.line,
                kept=frozenset(),
                sequence=(*track.chunks[:place], right, left),
                watched=2,
                printed_counts=True,
                place=left,
                line=left.line,
                what=f"this chunk after the one at line {right.line}, of which neither names what the other "
                "sets",
                consequence="the two look independent, and are not: one changes what the other finds",
            )


def _sets(track: Track, chunk: Chunk) -> frozenset[str]:
    return frozenset(name for statement in track.of(chunk) for name in statement.sets)


def _read(track: Track, chunk: Chunk) -> frozenset[str]:
    return frozenset(name for statement in track.of(chunk) for name in statement.reads | statement.inner)


def _back(track: Track, generators: frozenset[str]) -> Iterator[Order]:
    """Repeat an earlier chunk after a later one has set what it reads."""
    for place, chunk in enumerate(track.chunks):
        taken = inputs(track, chunk)
        if taken & generators or not _acts(track, chunk):
            continue
        reached = taken | (_through_definitions(track, _read(track, chunk)) & track.defined)
        for later, other in enumerate(track.chunks[place + 1 :], place + 1):
            names = _anew(track, other) & reached
            if not names:
                continue
            # The chunk sets it itself, a loop variable for example: it hardly reads it from elsewhere.
            listed = ", ".join(sorted(names - outputs(track, chunk) or names))
            yield Order(
                key=("back", chunk.index),
                after=other.line,
                kept=frozenset((chunk.index, other.index)),
                sequence=(*track.chunks[: later + 1], chunk),
                watched=1,
                # If later chunks update a value, a chunk that shows it is meant to show the current one.
                printed_counts=not names & inputs(track, other),
                place=chunk,
                line=chunk.line,
                what=f"this chunk once more, after the one at line {other.line} has set {listed}",
                consequence="whoever goes back to an earlier chunk gets another result: its names mean "
                "something else by then",
            )


def _anew(track: Track, chunk: Chunk) -> frozenset[str]:
    """Return the names that a chunk sets or defines by other code than the last chunk before it."""
    code = {
        statement: _bare(text_of(track.runs.code(track.chunk_of(statement)), statement))
        for statement in track.statements
    }
    names: set[str] = set()
    for statement in track.of(chunk):
        for name in statement.sets:
            earlier = [
                other for other in track.statements if name in other.sets and other.chunk < chunk.index
            ]
            if earlier and code[earlier[-1]] != code[statement]:
                names.add(name)
    return frozenset(names)


def _bare(code: str) -> str:
    """Code without its blanks and comments."""
    return "".join("".join(line.partition("#")[0].split()) for line in code.splitlines())


def _put_back(track: Track, generators: frozenset[str]) -> Iterator[Order]:
    """Repeat an earlier chunk after a later one has set the same names, and go on from there."""
    for place, chunk in enumerate(track.chunks):
        taken = inputs(track, chunk)
        if taken & generators:
            continue
        for later, other in enumerate(track.chunks[place + 1 :], place + 1):
            if taken & outputs(track, other):
                # It reads what was set since, so it sets something else: `_back` plans that.
                break
            # An update of a name does not set it anew.
            names = (outputs(track, chunk) & outputs(track, other)) - inputs(track, other) - generators
            user = _user(track, track.chunks[later + 1 :], names)
            if user is None:
                continue
            end = track.chunks.index(user)
            listed = ", ".join(sorted(names))
            them = "it" if len(names) == 1 else "them"
            yield Order(
                key=("put back", chunk.index),
                after=other.line,
                kept=frozenset((chunk.index, other.index)),
                sequence=(*track.chunks[: later + 1], chunk, *track.chunks[later + 1 : end + 1]),
                watched=1,
                printed_counts=True,
                place=chunk,
                line=chunk.line,
                what=f"this chunk once more after the one at line {other.line}, which sets {listed} too, and "
                f"then the one at line {user.line}",
                consequence=f"running it again puts the first {listed} back, and what follows uses {them}",
            )


def _user(track: Track, chunks: Sequence[Chunk], names: frozenset[str]) -> Chunk | None:
    """Return the first chunk that reads one of the names from an earlier chunk."""
    for chunk in chunks:
        if inputs(track, chunk) & names:
            return chunk
        names -= outputs(track, chunk)
    return None
