"""Two traces that programs wrote with ``probe``: which entry is which, and the first that differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from harness.errors import ArrayFileError, UsageError
from harness.model.outcome import Outcome
from harness.numerics.relations import relation_of
from harness.programs.alignment import Aligned, matches_of, place_of, shown, unmatched_of
from harness.programs.launch import Recorded
from harness.programs.match import Matching, Pair, match
from harness.programs.program import Program, Where
from harness.programs.relation import pair_of_values
from harness.programs.replace import Side
from harness.programs.said import Alignment, Divergence
from harness.programs.trace import Site, Trace, Value
from harness.programs.units import Unit
from harness.store.arrays import ONLY, read_array_file

INDEX = "trace.jsonl"
_ALIKE = 0.6
"""How alike the names of two probes are that are the same although their values differ."""


class Entry(msgspec.Struct, frozen=True):
    """A line of a trace: the name of a probe, the file of its value, and where it was called."""

    name: str
    file: str
    at: str = ""
    line: int = 0


def is_trace(path: Path) -> bool:
    """Whether a path is a trace's folder, and not a program's file."""
    return path.is_dir() or path.name == INDEX


def read_trace(folder: Path) -> Side:
    """A trace's folder as one side of a comparison, in the order of its entries.

    Parameters
    ----------
    folder : Path
        What ``probe`` wrote: files of arrays, and ``trace.jsonl``, which names them.

    Raises
    ------
    UsageError
        It is no such folder, a line of it is no entry, or a file is not there or cannot be read.
    """
    index = folder / INDEX if folder.is_dir() else folder
    folder = index.parent
    if not index.is_file():
        raise UsageError(f"is no trace: it holds no {INDEX}", path=folder, advice="harness new probe python")
    entries: list[Entry] = []
    units: dict[str, Unit] = {}
    lines = index.read_text(encoding="utf-8", errors="replace").splitlines()
    for number, line in enumerate(lines, 1):
        try:
            entry = msgspec.json.decode(line, type=Entry)
        except msgspec.DecodeError as error:
            raise UsageError(f"line {number} is no entry of a trace: {error}", path=index) from error
        if Path(entry.file).name != entry.file:
            raise UsageError(f"line {number}: {entry.file!r} is not in its folder", path=index)
        value = _value(folder / entry.file)
        entries.append(entry)
        unit = units.get(entry.name)
        if unit is None:
            site = Site(len(units) + 1, folder.name, number, "set", entry.name, "", (), (), ())
            unit = units[entry.name] = Unit(len(units), site, "", [], [], set(), set(), [], [], [])
        unit.values.append(value)
        unit.places.append(number - 1)
        unit.occurrences.append(len(unit.values))
        unit.calls.append(-1)
        unit.sources.append(frozenset())
    if not entries:
        raise UsageError("is a trace without an entry", path=folder)
    listing = tuple(f"{one.name}{f'  ({one.at}:{one.line})' if one.at else ''}" for one in entries)
    program = Program(
        path=folder, language="trace", listing=listing,
        places=tuple(Where(folder.name, number) for number in range(1, len(entries) + 1)),
    )  # fmt: skip
    trace = Trace({}, {0: 0}, {0: 0}, [], {}, complete=True)
    recorded = Recorded(program=program, trace=trace, trials={}, printed="", messages="", seconds=0.0)
    return Side(recorded, [*units.values()])


def _value(path: Path) -> Value:
    try:
        value = read_array_file(path)[ONLY]
    except ArrayFileError as error:
        raise UsageError(error.message, path=path) from error
    return value.reshape(()) if value.size == 1 else value


def aligned_traces(
    a: Path, b: Path, *, given: Mapping[str, str] | None = None, ignored: Iterable[str] = ()
) -> Aligned:
    """Match the entries of two traces, and say which differ, in the order of the first.

    Nothing is run, so that nothing is proved: the first that differs is a place to look at.

    Parameters
    ----------
    a, b : Path
        Folders that ``probe`` wrote.
    given, ignored
        As in `harness.programs.match.match`.

    Raises
    ------
    UsageError
        A folder cannot be used, or a name is not there.
    """
    first, second = read_trace(a), read_trace(b)
    matching = match(first.units, second.units, given=given, ignored=ignored)
    sure = [
        pair for pair in matching.variables
        if pair.agrees or pair.evidence["names"] >= _ALIKE or first.units[pair.a].name in (given or {})
    ]  # fmt: skip
    matching = Matching(
        pairs=sure, variables=sure, equal=matching.equal, differing=matching.differing,
        compared=matching.compared,
    )  # fmt: skip
    divergences = _divergences(first, second, sure)
    matches = matches_of(first, second, matching)
    unmatched = {
        "a": unmatched_of(first, {one.a.name for one in matches}),
        "b": unmatched_of(second, {one.b.name for one in matches}),
    }
    agreeing = sum(pair.agrees for pair in sure)
    if divergences:
        outcome = Outcome.DIVERGENCE
        top = divergences[0]
        nth = f", the {top.occurrence}. time" if top.occurrence > 1 else ""
        sentence = f"the first that differs is {top.a.name} ({top.a.at}) and {top.b.name} ({top.b.at}){nth}"
    elif not agreeing:
        outcome, sentence = Outcome.INCOMPLETE, "no entry of one could be matched with an entry of the other"
    elif all(unmatched.values()):
        outcome = Outcome.INCOMPLETE
        sentence = f"{agreeing} agree, and each trace has some that the other has not: name them with --map"
    else:
        outcome, sentence = Outcome.AGREEMENT, f"all {agreeing} that could be matched agree"
    said = Alignment(
        outcome=outcome, sentence=sentence, matches=matches, divergences=divergences, unmatched=unmatched
    )
    return Aligned(said, first, second, matching)


def _divergences(a: Side, b: Side, pairs: list[Pair]) -> tuple[Divergence, ...]:
    sizes = {size for side in (a, b) for unit in side.units for size in unit.values[0].shape}
    found = []
    for pair in pairs:
        if not pair.agrees:
            one = a.units[pair.a]
            occurrence = min(pair.compared.occurrence, len(one.values) - 1)
            found.append((one.places[occurrence], occurrence, pair))
    made: list[Divergence] = []
    for _, occurrence, pair in sorted(found, key=lambda item: item[0]):
        one, other = a.units[pair.a], b.units[pair.b]
        values = pair_of_values(one, other, occurrence)
        made.append(
            Divergence(
                rank=len(made) + 1, a=place_of(a, one), b=place_of(b, other), kind="unproved",
                occurrence=occurrence + 1, relation=relation_of(*values, sizes),
                why="a later probe that differs" if made else "the first that differs; those before it agree",
                values=(shown(values[0]), shown(values[1])),
            )
        )  # fmt: skip
    return tuple(made)
