"""Who is off, in plain sentences, and where to look first."""

from __future__ import annotations

from harness.model import Basis, Cell, Check, Record, Verdict
from harness.model.outcome import has_numbers
from harness.report import totals, view
from harness.report.agreement import named
from harness.report.text import counted, cut, listed, short
from harness.report.text import figures as text_of

_NAMED = 3


def off(record: Record) -> str:
    """Who is off, and where to look first; nothing if nobody is."""
    divergences = [
        divergence for divergence in view.divergences(record) if divergence.cell.verdict is Verdict.FAIL
    ]
    gone = _gone(record)
    if not divergences:
        return gone
    proved = [divergence for divergence in divergences if divergence.cell.basis is not Basis.COARSE]
    odd = {d.cell: text for d in divergences if (text := _odd_one_out(record, d.cell))}
    accused = [divergence for divergence in proved if divergence.cell not in odd]
    if not proved:
        text = _coarse(record, divergences)
    elif accused:
        text = f"{_proved(record, accused)}{_coarse_elsewhere(proved, divergences)}"
    else:
        text = f"{_apart(record, proved)}{_coarse_elsewhere(proved, divergences)}"
    return " ".join(filter(None, [text, *list(dict.fromkeys(odd.values()))[:_NAMED], gone]))


def _odd_one_out(record: Record, cell: Cell) -> str:
    """Say that the reference is alone, where a majority of all agrees with one another; else nothing."""
    if cell.check is not Check.REFERENCE:
        return ""
    for stage in record.consensus:
        if (stage.case, stage.stage, stage.precision) != (cell.case, cell.stage, cell.precision):
            continue
        majority = stage.clusters[0]
        if cell.against in stage.by_majority and (cell.against,) in stage.clusters:
            who = listed(_name_of(record, cell.case, name) for name in majority)
            alone = _name_of(record, cell.case, cell.against)
            return (
                f"The reference is the odd one out: at the stage {short(cell.stage)} of {short(cell.case)}"
                f" {alone} is alone against {who}."
            )
    return ""


def _name_of(record: Record, case: str, implementation: str) -> str:
    of = (cell for cell in record.cells if (cell.case, cell.implementation) == (case, implementation))
    return next(map(named, of), short(implementation))


def _apart(record: Record, divergences: list[view.Divergence]) -> str:
    """Say who differs from a reference that is alone."""
    cell = divergences[0].cell
    reference = _name_of(record, cell.case, cell.against)
    who = listed(dict.fromkeys([*(named(d.cell) for d in divergences), reference]))
    return f"{who} differ {_where(record, divergences)}."


def _gone(record: Record) -> str:
    """Name the known divergences that no longer show, and say what to do."""
    names = dict.fromkeys(
        short(cell.divergence or cell.stage) for cell in record.cells if cell.verdict is Verdict.XPASS
    )
    if not names:
        return ""
    single = len(names) == 1
    return (
        f"{'A known divergence no longer shows' if single else 'Known divergences no longer show'}:"
        f" {listed(names)}. Remove {'it' if single else 'them'} from case.toml, or find out what changed."
    )


def _proved(record: Record, divergences: list[view.Divergence]) -> str:
    who = listed(dict.fromkeys(named(divergence.cell) for divergence in divergences))
    cell = divergences[0].cell
    stats = cell.stats
    # NaN and infinities are beyond any limit, but have no distance that is too large.
    by_size = stats is None or stats.beyond > stats.nan_mismatch + stats.inf_mismatch
    reason = short(cell.reason, 400).rstrip(".")
    what = _too_far(cell) if (has_numbers(cell) and by_size) or not reason else reason
    does = "does" if len({divergence.cell.implementation for divergence in divergences}) == 1 else "do"
    return (
        f"{who} {does} not compute what is expected {_where(record, divergences)}. Look first at the stage"
        f" {short(cell.stage)} of {short(cell.case)} in {named(cell)}: {what}."
    )


def _coarse_elsewhere(proved: list[view.Divergence], divergences: list[view.Divergence]) -> str:
    """Count the cases in which something differs by coarse rules only."""
    elsewhere = {divergence.cell.case for divergence in proved}
    cells = [divergence.cell for divergence in divergences if divergence.cell.case not in elsewhere]
    if not cells:
        return ""
    cases = list(dict.fromkeys(short(cell.case) for cell in cells))
    who = listed(dict.fromkeys([*map(named, cells), *(short(cell.against) for cell in cells)]))
    return (
        f" In {counted(len(cases), 'more case')} ({cut(cases, _NAMED)}) {who} differ by more than a coarse"
        " limit allows, which does not prove who is off."
    )


def _too_far(cell: Cell) -> str:
    return {
        Check.REFERENCE: f"it is too far from what {short(cell.against)} computes",
        Check.ORACLE: "it is too far from the true value",
        Check.REPEAT: "it is not what it was the first time",
        Check.IDENTITY: f"it is too far from {short(cell.against)}, which mathematics says is equal",
        Check.PUBLISHED: f"it would not print the digits of {short(cell.against)}",
        Check.EXPECTED: f"it is not the expected {short(cell.against)}",
    }[cell.check]


def _coarse(record: Record, divergences: list[view.Divergence]) -> str:
    """Say that they differ by coarse rules only, which do not prove who is off."""
    cell = divergences[0].cell
    who = listed(
        dict.fromkeys([*(named(divergence.cell) for divergence in divergences), short(cell.against)])
    )
    look = f"Look first at the stage {short(cell.stage)} of {short(cell.case)}"
    if cell.stats is None and cell.reason:
        # There were no numbers to compare: a function is missing, or its shape is another.
        return (
            f"{named(cell)} does not compute what is expected {_where(record, divergences)}. {look}:"
            f" {short(cell.reason, 400)}."
        )
    if cell.stats is not None and not cell.stats.beyond:
        where = _where(record, divergences)
        return f"{who} were compared coarsely only {where}. {look}: {short(cell.reason, 400)}."
    far = f" ({text_of(cell)})" if cell.stats is not None else ""
    return (
        f"{who} differ {_where(record, divergences)}. {look}: they are further apart than even a coarse limit"
        f" allows{far}. Who is off does not follow from it: the problem may be ill-conditioned."
    )


def _where(record: Record, divergences: list[view.Divergence]) -> str:
    off = len({divergence.cell.case for divergence in divergences})
    whole = totals.cases(record)
    return f"in {off} of {whole} cases" if whole > 1 else f"in {short(divergences[0].cell.case)}"
