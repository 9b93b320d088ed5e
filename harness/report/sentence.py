"""The outcome of a record in plain sentences, for readers who do not know the harness."""

from __future__ import annotations

from collections.abc import Callable, Set

import msgspec

from harness.model import (
    Cell,
    Check,
    Mode,
    Outcome,
    Precision,
    Record,
    RunOutcome,
    Source,
    Verdict,
    outcome_of,
    runtime_of,
)
from harness.model.once import once
from harness.model.outcome import JUDGED, NO_ANSWER, NOT_STARTED, NOTHING_DUE, REFUSED, REQUIRED, is_published
from harness.report import agreement, article_sections, reasons, totals, view
from harness.report.agreement import but_for, named
from harness.report.known import known_divergences
from harness.report.text import counted, cut, listed, short
from harness.report.who_is_off import off

_NAMED = 3
_NOTES = 8


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a whole run in words; ``articles`` is on the documents."""

    outcome: Outcome
    text: str
    notes: tuple[str, ...]
    articles: str = ""


@once
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
    whole = totals.whole(record, repeats=False)
    if whole is None:
        return "No implementation was compared."
    published = sum(
        is_published(cell.implementation) and cell.source is Source.LIVE
        for cell in record.cells
        if cell.check is not Check.REPEAT
    )
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
    known = known_divergences(record)
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
    compared = {_run_of(cell) for cell in record.cells if cell.verdict in JUDGED}
    coarse = reasons.coarse(record)
    told = {group.reason for group in coarse[:_NAMED]}
    again = [group for group in groups if group.reason.removeprefix(NOTHING_DUE) in told]
    groups = tuple(group for group in groups if group not in again)
    sentences = [_unjudged(group, compared) for group in groups[:_NAMED]]
    if again:
        count = counted(sum(len(group.cells) for group in again), "cell")
        sentences.insert(0, f"{count} not judged for the same reason{'s' if len(again) > 1 else ''}.")
    if len(groups) > _NAMED:
        sentences.append(
            f"{counted(sum(len(group.cells) for group in groups[_NAMED:]), 'more cell')} not judged."
        )
    return [
        _part(record),
        _replayed(record),
        reasons.coarse_sentence(coarse),
        reasons.coarse_sentence(reasons.coarse_in_part(record), "in part"),
        reasons.undecided_sentence(record),
        f"{listed(missing)} {verb} not compared." if missing else "",
        *_left_out(record),
        *_copies(record),
        *sentences,
    ]


def _run_of(cell: Cell) -> tuple[str, str, Precision]:
    return cell.case, cell.implementation, cell.precision


def _unjudged(group: reasons.Group, compared: Set[tuple[str, str, Precision]]) -> str:
    """Say whose cells were not judged if their snapshots were refused; else how many, and why.

    ``compared`` are the implementations in a case and precision of which other cells were judged.
    """
    if not group.reason.startswith(REFUSED):
        return f"{reasons.unjudged_line(group).rstrip('.')}."
    whole = [cell for cell in group.cells if _run_of(cell) not in compared]
    rest = [cell for cell in group.cells if _run_of(cell) in compared]
    isolated = all(cell.mode is Mode.ISOLATED for cell in rest)
    some = " on the reference's inputs" if isolated else f" in {counted(len(rest), 'cell')}"
    parts = [f"{_were(cells)} not compared{how}" for cells, how in ((whole, ""), (rest, some)) if cells]
    return f"{', and '.join(parts)}: {short(group.reason, 400).rstrip('.')}."


def _were(cells: list[Cell]) -> str:
    names = list(dict.fromkeys(map(named, cells)))
    return f"{listed(names)} {'was' if len(names) == 1 else 'were'}"


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
    """Say which languages, or files in them, lack something, and how many cells that leaves out."""
    cells_left_out: dict[str, int] = {}
    for cell in record.cells:
        if cell.verdict is Verdict.UNSUPPORTED:
            what = _lacking(cell)
            cells_left_out[what] = cells_left_out.get(what, 0) + 1
    return [f"{what}: left out of {counted(n, 'cell')}." for what, n in cells_left_out.items()]


def _lacking(cell: Cell) -> str:
    language, lacks = short(cell.language), f"has no {cell.precision}"
    if not cell.reason or cell.reason == f"{runtime_of(cell.implementation)} {lacks}":
        return f"{language} {lacks}"
    if cell.reason.endswith(lacks):
        return f"{language}: not all files have {cell.precision}"
    return f"{language}: {short(cell.reason)}"


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
    return f"{_broken(broken)} {off(record)}".strip()


def _divergence(record: Record, run_outcome: RunOutcome) -> str:
    if articles_alone(record):
        return _ARTICLES
    ours = [cell for cell in view.ordered(record) if not is_published(cell.implementation)]
    return off(record) or f"What was compared agrees{but_for(ours)}, but: {_first(run_outcome)}"


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
