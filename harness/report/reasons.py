"""Why cells were not judged, or only coarsely, grouped by reason. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from harness.model import OF_A_STAGE, Basis, Cell, Check, Mode, Record, Verdict
from harness.model.once import once
from harness.model.outcome import JUDGED, has_numbers
from harness.report import view
from harness.report.places import Place, named, place_of
from harness.report.text import case_label, counted, cut, listed, short

UNJUDGED = frozenset({Verdict.NOT_RUN, Verdict.UNSUPPORTED})
"""Verdicts that say nothing of the numbers."""

_NAMED = 6


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """The cells that share a reason, in running order."""

    reason: str
    cells: tuple[Cell, ...]

    @property
    def places(self) -> tuple[Place, ...]:
        """The outputs of these cells."""
        return tuple(dict.fromkeys(map(place_of, self.cells)))

    @property
    def implementations(self) -> tuple[str, ...]:
        """The implementations of these cells."""
        return tuple(dict.fromkeys(cell.implementation for cell in self.cells))


def not_judged(record: Record) -> tuple[Group, ...]:
    """The cells that were not judged, by reason, the largest group first."""
    cells = _ordered(record, lambda cell: cell.verdict in UNJUDGED)
    return grouped((cell.reason or "no reason is given", cell) for cell in cells)


@once
def coarse(record: Record) -> tuple[Group, ...]:
    """The cells of outputs that have only coarse limits, by reason, the largest group first."""
    stronger = _stronger(record)
    cells = _ordered(record, lambda cell: _is_coarse(cell) and place_of(cell) not in stronger)
    return grouped((cell.weaker_because or "no limit is known", cell) for cell in cells)


@once
def coarse_in_part(record: Record) -> tuple[Group, ...]:
    """As `coarse`, of outputs that are compared with the truth as well, in other elements or samples.

    Each output has one reason: that of its first cell.
    """
    stronger = _stronger(record)
    cells = _ordered(record, lambda cell: _is_coarse(cell) and place_of(cell) in stronger)
    why: dict[Place, str] = {}
    for cell in cells:
        why.setdefault(place_of(cell), cell.weaker_because or "no limit is known")
    return grouped((why[place_of(cell)], cell) for cell in cells)


def _is_coarse(cell: Cell) -> bool:
    if cell.basis is not Basis.COARSE or cell.check not in OF_A_STAGE or cell.verdict not in JUDGED:
        return False
    # Where there are no numbers, such as of a missing function, nothing was compared.
    return has_numbers(cell) or cell.verdict is not Verdict.FAIL or not cell.reason


def _stronger(record: Record) -> set[Place]:
    """Outputs with a limit that is not coarse."""
    return {
        place_of(cell)
        for cell in record.cells
        if cell.basis is not Basis.COARSE and cell.check in OF_A_STAGE and cell.verdict in JUDGED
    }


def _compared_with(record: Record) -> set[tuple[Place, str]]:
    """Return the references that others were compared with coarsely, in their undecided elements too."""
    return {(place_of(cell), cell.against) for cell in record.cells if _is_coarse(cell)}


def undecidable(record: Record) -> tuple[str, ...]:
    """A line for each output of which elements could not be judged: how many, and what they depend on."""
    lines: dict[tuple[Place, str], str] = {}
    compared = _compared_with(record)
    for cell in _ordered(record, lambda cell: bool(cell.undecided)):
        if (place_of(cell), cell.implementation) in compared:
            continue
        count = cell.elements or (0 if cell.stats is None else cell.stats.count)
        of = f"{counted(count, 'element')}, " if count else ""
        why = next(
            (
                sample_verdict.reason
                for sample_verdict in cell.by_sample
                if sample_verdict.undecided and sample_verdict.reason
            ),
            cell.reason,
        )
        text = f"{of}{cell.undecided:,} undecidable" + (f": {short(why, 400)}" if why else "")
        lines.setdefault((place_of(cell), why), f"{named(place_of(cell))}: {text}")
    return tuple(dict.fromkeys(lines.values()))


def undecided_sentence(record: Record) -> str:
    """How many elements of which outputs nobody is judged by, and why; nothing where all were decided.

    Of an output that several implementations have, it is the most of any, on its own inputs.
    """
    worst = _undecided(record)
    if not worst:
        return ""
    n, whole = undecided_elements(record), sum(cell.elements for cell in worst.values())
    of = f" of {counted(whole, 'element')}" if whole else f" {'element' if n == 1 else 'elements'}"
    why = dict.fromkeys(filter(None, (short(cell.weaker_because, 400) for cell in worst.values())))
    where_it_is = cut(map(named, worst))
    return f"{n:,}{of} of {where_it_is} could not be judged" + (f": {cut(why)}." if why else ".")


def undecided_elements(record: Record) -> int:
    """How many elements nobody is judged by, as `undecided_sentence` counts them."""
    return sum(cell.undecided for cell in _undecided(record).values())


def _undecided(record: Record) -> dict[Place, Cell]:
    """Return, for each output with undecided elements, the cell that has the most."""
    worst: dict[Place, Cell] = {}
    compared = _compared_with(record)
    for cell in _ordered(record, lambda cell: bool(cell.undecided) and cell.mode is Mode.CHAINED):
        if cell.check is not Check.ORACLE and cell.basis is not Basis.COARSE:
            continue
        if (place_of(cell), cell.implementation) in compared:
            continue
        if cell.undecided > worst.setdefault(place_of(cell), cell).undecided:
            worst[place_of(cell)] = cell
    return worst


def lines(record: Record) -> tuple[tuple[str, str], ...]:
    """What was not judged, or only coarsely, or cannot be decided, with its reason; and where that is."""
    return (
        *((unjudged_line(group), where(group)) for group in not_judged(record)),
        *((coarse_sentence([group]), where(group)) for group in coarse(record)),
        *((coarse_sentence([group], "in part"), where(group)) for group in coarse_in_part(record)),
        *((line, "") for line in undecidable(record)),
    )


def where(group: Group) -> str:
    """Which outputs of which implementations a group is about, in a few words."""
    cases: dict[str, list[str]] = {}
    for case, stage, precision in group.places:
        cases.setdefault(case_label(short(case), precision), []).append(short(stage))
    if len(cases) == 1:
        outputs = "".join(f"{case}: {cut(stages)}" for case, stages in cases.items())
    else:
        outputs = cut(f"{counted(len(stages), 'stage')} of {case}" for case, stages in cases.items())
    return f"{outputs} ({cut(group.implementations)})"


def unjudged_line(group: Group) -> str:
    """One line on cells that were not judged."""
    return f"{counted(len(group.cells), 'cell')} not judged: {short(group.reason, 400)}"


def coarse_sentence(groups: Iterable[Group], how: str = "only") -> str:
    """How many stages were compared coarsely only, or in part, and why; nothing where none was."""
    counts = [(len(group.places), short(group.reason, 400)) for group in groups]
    if not counts:
        return ""
    whole = sum(n for n, _ in counts)
    verb = "was" if whole == 1 else "were"
    begin = f"{counted(whole, 'stage')} {verb} compared coarsely {how}"
    if len(counts) == 1:
        return f"{begin}: {counts[0][1]}."
    parts = [f"{n} because {reason}" for n, reason in counts[:_NAMED]]
    parts += [f"{sum(n for n, _ in counts[_NAMED:])} for other reasons"] if len(counts) > _NAMED else []
    return f"{begin}: {listed(parts)}."


def _ordered(record: Record, kept: Callable[[Cell], bool]) -> tuple[Cell, ...]:
    """Return the cells that are kept, in running order; only these are sorted, which saves time."""
    cells = tuple(filter(kept, record.cells))
    return view.ordered(msgspec.structs.replace(record, cells=cells)) if cells else ()


def grouped(pairs: Iterable[tuple[str, Cell]]) -> tuple[Group, ...]:
    """Cells by reason, the largest group first."""
    groups: dict[str, list[Cell]] = {}
    for reason, cell in pairs:
        groups.setdefault(reason, []).append(cell)
    ranked = sorted(groups.items(), key=lambda group: -len(group[1]))
    return tuple(Group(reason=reason, cells=tuple(cells)) for reason, cells in ranked)
