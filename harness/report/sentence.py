"""The outcome of a record in plain sentences, for readers who do not know the harness."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from harness.model import (
    Basis,
    Cell,
    Check,
    Outcome,
    Precision,
    Record,
    RunOutcome,
    Source,
    Verdict,
    outcome_of,
    runtime_of,
)
from harness.model.outcome import JUDGED, NO_ANSWER, NOT_STARTED, REFUSED, REQUIRED, has_numbers, is_published
from harness.report import agreement, article_sections, reasons, view
from harness.report.agreement import but_for, named
from harness.report.text import counted, cut, listed, short
from harness.report.text import figures as text_of

_NAMED = 3
_NOTES = 8


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a whole run in words; ``articles`` is on the documents."""

    outcome: Outcome
    text: str
    notes: tuple[str, ...]
    articles: str = ""


def verdict(record: Record) -> Sentence:
    """Say what a run found.

    Parameters
    ----------
    record : Record
        A run, whole or not.

    Returns
    -------
    Sentence
        The outcome is `outcome_of`'s. ``text`` says who agrees or where they part, which stages were compared
        coarsely only, which runtime is missing, and what was not judged; ``notes`` what is known, why the
        outcome is no agreement, and why a runtime was not run.
    """
    run_outcome = outcome_of(record)
    of_outcome: dict[Outcome, Callable[[Record, RunOutcome], str]] = {
        Outcome.AGREEMENT: _agreement,
        Outcome.DIVERGENCE: _divergence,
        Outcome.INCOMPLETE: _incomplete,
        Outcome.FAULT: _fault,
    }
    parts = [of_outcome[run_outcome.outcome](record, run_outcome), *_limits_of_it(record)]
    return Sentence(
        outcome=run_outcome.outcome,
        text=" ".join(filter(None, parts)),
        notes=tuple(_notes(record, run_outcome)),
        articles=article_sections.sentence(record.documents),
    )


def articles_alone(record: Record) -> bool:
    """Whether the record is of documents, and of nothing that was to be compared."""
    return bool(record.documents) and not record.cells


def sources(record: Record) -> str:
    """How many cells were live, replayed and not run; what the reference repeats is none of them."""
    cells = [cell for cell in record.cells if cell.check is not Check.REPEAT]
    if not cells:
        return "No implementation was compared."
    whole = view.summary(cells)
    published = sum(is_published(cell.implementation) and cell.source is Source.LIVE for cell in cells)
    by_articles = f", {published:,} of them by the articles' own code" if published else ""
    parts = [
        f"{whole.live:,} live" + (f" (computed in this run{by_articles})" if whole.live else ""),
        f"{whole.replayed:,} replayed" + (" (from snapshots)" if whole.replayed else ""),
        f"{whole.not_run:,} not run",
    ]
    if unsupported := whole.counts.get(Verdict.UNSUPPORTED):
        parts.append(f"{unsupported:,} unsupported by their language")
    return f"{counted(whole.total, 'comparison')}: {', '.join(parts)}."


def _notes(record: Record, run_outcome: RunOutcome) -> list[str]:
    notes = []
    known = view.known_divergences(record)
    if shown := [k for k in known if k.shown]:
        names = listed(short(k.id) for k in shown)
        which = "difference is" if len(shown) == 1 else "differences are"
        notes.append(f"{len(shown)} {which} known and explained: {names}.")
    why = (
        []
        if articles_alone(record)
        else [reason for reason in run_outcome.reasons if not _of_absent(record, reason)]
    )
    notes += [short(reason, 400) for reason in why[:_NOTES]]
    if len(why) > _NOTES:
        notes.append(f"And {len(why) - _NOTES} more reasons.")
    for absent in record.header.absent:
        notes.append(f"{absent.language} was not run live: {short(absent.reason, 400)}.")
    return notes


def _of_absent(record: Record, reason: str) -> bool:
    """Whether a reason says no more than that a runtime is missing, which has a note of its own."""
    return not reason.startswith(REQUIRED) and any(
        reason.endswith(f"was not run: {absent.reason}") for absent in record.header.absent
    )


def _limits_of_it(record: Record) -> list[str]:
    """What was compared coarsely only, what is missing, and what was not judged, each in a sentence."""
    # A runtime that was not looked for, since its snapshots are replayed, is not missing.
    absent = {
        a.runtime: short(a.language) for a in record.header.absent if not a.reason.startswith(NOT_STARTED)
    }
    asked = {runtime_of(cell.implementation) for cell in record.cells}
    judged = {runtime_of(cell.implementation) for cell in record.cells if cell.verdict in JUDGED}
    missing = [language for runtime, language in absent.items() if runtime in asked - judged]
    verb = "is missing here and was" if len(missing) == 1 else "are missing here and were"
    unjudged = [
        cell
        for cell in record.cells
        if cell.verdict is Verdict.NOT_RUN
        and (runtime_of(cell.implementation) not in absent or cell.reason.startswith(REFUSED))
    ]
    groups = reasons.grouped((cell.reason or "no reason is given", cell) for cell in unjudged)
    sentences = [_unjudged(group) for group in groups[:_NAMED]]
    if len(groups) > _NAMED:
        sentences.append(
            f"{counted(sum(len(group.cells) for group in groups[_NAMED:]), 'more cell')} not judged."
        )
    return [
        _part(record),
        _replayed(record),
        reasons.coarse_sentence(reasons.coarse(record)),
        reasons.coarse_sentence(reasons.coarse_in_part(record), "in part"),
        reasons.undecided_sentence(record),
        f"{listed(missing)} {verb} not compared." if missing else "",
        *_left_out(record),
        *_copies(record),
        *sentences,
    ]


def _unjudged(group: reasons.Group) -> str:
    """Say whose cells were not judged if their snapshots were refused; else how many, and why."""
    if not group.reason.startswith(REFUSED):
        return f"{reasons.unjudged_line(group).rstrip('.')}."
    names = list(dict.fromkeys(map(named, group.cells)))
    verb = "was" if len(names) == 1 else "were"
    return f"{listed(names)} {verb} not compared: {short(group.reason, 400).rstrip('.')}."


def left_out(record: Record) -> list[str]:
    """Say what was chosen only in part, and how much of it: 1 of 3 samples."""
    kinds = record.header.left_out.items()
    return [f"{part.chosen:,} of {part.of:,} {kind}" for kind, part in kinds]


def _part(record: Record) -> str:
    """What the run leaves out because it was not chosen."""
    parts = [
        f"{words} (without {cut(map(short, part.names), _NAMED)})"
        for words, part in zip(left_out(record), record.header.left_out.values(), strict=True)
    ]
    return f"Only a part was chosen: {', '.join(parts)}." if parts else ""


def replayed(record: Record) -> list[str]:
    """Name the implementations of which snapshots were compared, and not what they compute in this run."""
    cells = (cell for cell in record.cells if cell.source is Source.REPLAYED and cell.verdict in JUDGED)
    return list(dict.fromkeys(map(named, cells)))


def _replayed(record: Record) -> str:
    names = replayed(record)
    verb = "was" if len(names) == 1 else "were"
    return f"{listed(names)} {verb} replayed from snapshots, not run." if names else ""


def _copies(record: Record) -> list[str]:
    """Name the implementations that are copies of the reference."""
    copies: dict[str, list[str]] = {}
    for case, names in record.header.copies.items():
        for name in names:
            copies.setdefault(short(name), []).append(short(case))
    return [
        f"{name} is the reference's own file in {cut(cases)}: that they agree says nothing."
        for name, cases in copies.items()
    ]


def _left_out(record: Record) -> list[str]:
    """Say which languages lack a precision, and how many cells that leaves out."""
    cells_left_out: dict[tuple[str, Precision], int] = {}
    for cell in record.cells:
        if cell.verdict is Verdict.UNSUPPORTED:
            key = (short(cell.language), cell.precision)
            cells_left_out[key] = cells_left_out.get(key, 0) + 1
    return [
        f"{language} has no {precision}: left out of {counted(n, 'cell')}."
        for (language, precision), n in cells_left_out.items()
    ]


def _incomplete(record: Record, run_outcome: RunOutcome) -> str:
    failing = len(view.failing(record))
    if record.footer is None or record.footer.partial:
        reason = record.footer.reason if record.footer else "it has no last line"
        text = f"This run did not end ({short(reason) or 'no reason is given'}): what follows is only a part."
        return f"{text} {counted(failing, 'comparison')} had failed by then." if failing else text
    if not any(cell.verdict in JUDGED for cell in record.cells):
        return "Nothing was compared: this run says nothing."
    ours = [cell for cell in view.ordered(record) if not is_published(cell.implementation)]
    begin = f"What was compared agrees{but_for(ours)}, but not everything was compared"
    if failing:
        begin = f"{counted(failing, 'comparison')} failed, and not everything was compared"
    return f"{begin}: {_first(run_outcome)}"


def _agreement(record: Record, _found: RunOutcome) -> str:
    return _ARTICLES if articles_alone(record) else agreement.text_of(record)


def _fault(record: Record, run_outcome: RunOutcome) -> str:
    broken = [cell for cell in record.cells if cell.verdict in NO_ANSWER]
    if not broken:
        return f"This run has a fault: {_first(run_outcome)}"
    return f"{_broken(broken)} {_off(record)}".strip()


def _divergence(record: Record, run_outcome: RunOutcome) -> str:
    if articles_alone(record):
        return _ARTICLES
    ours = [cell for cell in view.ordered(record) if not is_published(cell.implementation)]
    return _off(record) or f"What was compared agrees{but_for(ours)}, but: {_first(run_outcome)}"


def _first(run_outcome: RunOutcome) -> str:
    """The weightiest reason, as a sentence, and how many more there are."""
    others = len(run_outcome.reasons) - 1
    more = f" There {'is' if others == 1 else 'are'} {others} more below."
    return f"{short(run_outcome.reasons[0], 400).rstrip('.')}.{more if len(run_outcome.reasons) > 1 else ''}"


_ARTICLES = "Published articles were run, and compared with what they print."


def _broken(cells: list[Cell]) -> str:
    who = listed(dict.fromkeys(named(cell) for cell in cells))
    where = list(dict.fromkeys(short(cell.case) for cell in cells))
    more = f" and {len(where) - _NAMED} more" if len(where) > _NAMED else ""
    return (
        f"{who} could not be judged in {', '.join(where[:_NAMED])}{more}:"
        f" {counted(len(cells), 'comparison')} ended in an error or ran out of time."
    )


def _off(record: Record) -> str:
    """Who is off, and where to look first; nothing if nobody is."""
    divergences = [
        divergence for divergence in view.divergences(record) if divergence.cell.verdict is Verdict.FAIL
    ]
    gone = _gone(record)
    if not divergences:
        return gone
    proved = [divergence for divergence in divergences if divergence.cell.basis is not Basis.COARSE]
    if not proved:
        return f"{_coarse(record, divergences)} {gone}".strip()
    return f"{_proved(record, proved)}{_coarse_elsewhere(proved, divergences)} {gone}".strip()


def _gone(record: Record) -> str:
    """Name the known divergences that no longer show, and say what to do."""
    names = dict.fromkeys(
        short(cell.divergence or cell.stage) for cell in record.cells if cell.verdict is Verdict.XPASS
    )
    if not names:
        return ""
    one = len(names) == 1
    return (
        f"{'A known divergence no longer shows' if one else 'Known divergences no longer show'}:"
        f" {listed(names)}. Remove {'it' if one else 'them'} from case.toml, or find out what changed."
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
        f"{who} {does} not compute what is expected {_where(record, divergences)}. Look first at the step"
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
    }[cell.check]


def _coarse(record: Record, divergences: list[view.Divergence]) -> str:
    """Say that they differ by coarse rules only, which do not prove who is off."""
    cell = divergences[0].cell
    who = listed(
        dict.fromkeys([*(named(divergence.cell) for divergence in divergences), short(cell.against)])
    )
    look = f"Look first at the step {short(cell.stage)} of {short(cell.case)}"
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
    whole = len({cell.case for cell in record.cells})
    return f"in {off} of {whole} cases" if whole > 1 else f"in {short(divergences[0].cell.case)}"
