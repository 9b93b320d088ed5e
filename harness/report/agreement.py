"""What an agreement says: who computes the same thing, and what is known to differ."""

from __future__ import annotations

from harness.model import Basis, Cell, Check, Mode, Record, Rest, Verdict
from harness.model.outcome import BY_VALUE, JUDGED, is_published
from harness.report import view
from harness.report.text import counted, cut, listed, short

_NAMED = 3


def text_of(record: Record) -> str:
    """Say who computes the same thing, but for known divergences, and who differs throughout as known."""
    judged = [cell for cell in view.ordered(record) if cell.verdict in JUDGED]
    theirs = [cell for cell in judged if is_published(cell.implementation)]
    ours = [cell for cell in judged if not is_published(cell.implementation)]
    rest = record.rest or Rest()
    n = len({cell.case for cell in ours or theirs}) + rest.cases
    cases = "the one case" if n == 1 else f"all {n} cases"
    if (part := record.header.left_out.get("cases")) is not None:
        cases = f"{n} of {part.of} cases"
    if (part := record.header.left_out.get("samples")) is not None:
        cases += f", in {part.chosen:,} of {part.of:,} samples"
    sound = _sound(ours)
    as_expected = [cell for cell in ours if cell.implementation in sound]
    differing = [cell for cell in ours if cell.implementation not in sound and cell.check is not Check.REPEAT]
    names = _names(as_expected)
    compared = [cell for cell in judged if cell.check is not Check.REPEAT]
    wells = rest.by.values()
    passed = sum(cell.verdict is Verdict.PASS for cell in compared) + sum(well.compared for well in wells)
    printed = sum(cell.check is Check.PUBLISHED for cell in compared) + sum(well.printed for well in wells)
    roughly = _all_coarse(compared) and not wells
    limit = "coarse limit" if roughly else "limit"
    within = f"is within its {limit}" if passed == 1 else f"are within their {limit}s"
    text = f"{counted(passed, 'comparison')} {within}"
    data = sum(cell.check is Check.EXPECTED for cell in compared) + sum(well.data for well in wells)
    what_else = [(printed, "printed digits"), (data, "expected values that the case has as data")]
    text += "".join(f", {n:,} of them against {what}" for n, what in what_else if n) + "."
    who = _names(differing)
    known = _named_divergences(_of_stages(differing))
    differs = f"{listed(who)} {'differs' if len(who) == 1 else 'differ'} as is known{known}"
    if ours and not names:
        return f"{differs} in {cases}, and nothing else was compared."
    but = but_for(as_expected)
    names, partly = _in_all(as_expected, n, rest)
    what = f"{listed(names)} {'agree' if but else 'compute the same thing'}"
    if roughly:
        what = f"{listed(names)} agree roughly, to half of their digits,"
    if len(names) < 2:
        what = f"{listed(names) or 'The code of the articles'} computes what is expected"
    text = f"{what}{but} in {cases}{partly}: {text}"
    if differing:
        text += f" {differs}."
    text += _broken_identities(ours)
    return f"{text} {_published(theirs)}" if theirs and ours else text


def _all_coarse(cells: list[Cell]) -> bool:
    """Whether no value was held against more than a coarse limit: a small error does not show in any."""
    return {cell.basis for cell in cells if cell.check in BY_VALUE} == {Basis.COARSE}


def agreeing(record: Record) -> set[str]:
    """Return the suite's implementations with a chained output that passed.

    The reference counts where another implementation agrees with it.
    """
    ours = [cell for cell in record.cells if not is_published(cell.implementation)]
    return _sound(ours) & {cell.implementation for cell in ours}


def _sound(cells: list[Cell]) -> set[str]:
    passed = [
        cell
        for cell in cells
        if cell.verdict is Verdict.PASS and cell.mode is Mode.CHAINED and cell.check in BY_VALUE
    ]
    sound = {cell.implementation for cell in passed}
    return sound | {cell.against for cell in passed if cell.check is Check.REFERENCE}


def _of_stages(cells: list[Cell]) -> list[Cell]:
    """Cells in which a stage differs as a known divergence says; identities are within one implementation."""
    return [cell for cell in cells if cell.verdict is Verdict.XFAIL and cell.check is not Check.IDENTITY]


def _named_divergences(cells: list[Cell]) -> str:
    """The known divergences of these cells, in brackets."""
    names = dict.fromkeys(short(cell.divergence) for cell in cells if cell.divergence)
    return f" ({cut(names, _NAMED)})" if names else ""


def but_for(cells: list[Cell]) -> str:
    """Name the known divergences of stages that these cells show, as exceptions from the agreement."""
    known = _of_stages(cells)
    n = len({cell.divergence for cell in known})
    return f" but for {counted(n, 'known divergence')}{_named_divergences(known)}" if known else ""


def _broken_identities(cells: list[Cell]) -> str:
    broken = [cell for cell in cells if cell.verdict is Verdict.XFAIL and cell.check is Check.IDENTITY]
    if not broken:
        return ""
    n = len({cell.divergence for cell in broken})
    does = "identity does" if n == 1 else "identities do"
    return f" {n} {does} not hold, as is known{_named_divergences(broken)}."


def _names(cells: list[Cell]) -> list[str]:
    """Their languages; of a second implementation in one, its name."""
    return list(dict.fromkeys(map(named, cells)))


def _in_all(cells: list[Cell], n: int, rest: Rest) -> tuple[list[str], str]:
    """Those who were compared in all ``n`` cases, and in how many the others were, if two are in all."""
    cases: dict[str, set[str]] = {}
    for cell in cells:
        cases.setdefault(named(cell), set()).add(cell.case)
    of_rest: dict[str, int] = {}
    for name, well in rest.by.items():
        who = short(name if "." in name else well.language)
        # Two of one name are in the same cases, as far as is known.
        of_rest[who] = max(of_rest.get(who, 0), well.cases)
    times = {name: len(theirs) + of_rest.get(name, 0) for name, theirs in cases.items()}
    whole = [name for name, count in times.items() if count == n]
    if len(whole) < 2 or len(whole) == len(cases):
        return list(cases), ""
    by_count: dict[int, list[str]] = {}
    for name, count in times.items():
        if name not in whole:
            by_count.setdefault(count, []).append(name)
    parts = [f"{listed(names)} in {count} of them" for count, names in sorted(by_count.items(), reverse=True)]
    return whole, f", {listed(parts)}"


def _published(cells: list[Cell]) -> str:
    """What the articles' own code computes; every cell was judged, and none failed."""
    n = len({cell.case for cell in cells})
    where = "one of them" if n == 1 else f"{n} of them"
    off = [cell for cell in cells if cell.verdict is Verdict.XFAIL]
    in_cases = len({cell.case for cell in off})
    known = f", but for what is known and explained in {in_cases}{_named_divergences(off)}" if off else ""
    return f"So does the code of the published articles, where it gets that far: in {where}{known}."


def named(cell: Cell) -> str:
    """The language; of several implementations in one, the implementation; of an article, that it is one."""
    if is_published(cell.implementation):
        return f"{short(cell.language)} as published"
    return short(cell.implementation if "." in cell.implementation else cell.language)
