"""What a record says, for somebody who never saw one."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from harness.model import Basis, Cell, Check, Outcome, Record, RunOutcome, Source, Verdict, outcome_of
from harness.model.outcome import JUDGED, MISSING
from harness.report import articles, reasons, view
from harness.report.published import is_published
from harness.report.text import counted, listed, short
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
    found = outcome_of(record)
    of_outcome: dict[Outcome, Callable[[Record, RunOutcome], str]] = {
        Outcome.AGREEMENT: _agreement,
        Outcome.DIVERGENCE: _divergence,
        Outcome.INCOMPLETE: _incomplete,
        Outcome.FAULT: _fault,
    }
    parts = [of_outcome[found.outcome](record, found), *_limits_of_it(record)]
    return Sentence(
        outcome=found.outcome,
        text=" ".join(filter(None, parts)),
        notes=tuple(_notes(record, found)),
        articles=articles.sentence(record.documents),
    )


def articles_alone(record: Record) -> bool:
    """Whether the record is of documents, and of nothing that was to be compared."""
    return bool(record.documents) and not record.cells


def sources(record: Record) -> str:
    """How many cells were live, replayed and not run."""
    if not record.cells:
        return "No implementation was compared."
    whole = view.summary(record.cells)
    own = sum(is_published(cell.implementation) and cell.source is Source.LIVE for cell in record.cells)
    by_articles = f", {own:,} of them by the articles' own code" if own else ""
    parts = [
        f"{whole.live:,} live" + (f" (computed in this run{by_articles})" if whole.live else ""),
        f"{whole.replayed:,} replayed" + (" (from recordings)" if whole.replayed else ""),
        f"{whole.not_run:,} not run",
    ]
    if unsupported := whole.counts.get(Verdict.UNSUPPORTED, 0):
        parts.append(f"{unsupported:,} unsupported by their language")
    return f"{counted(whole.total, 'comparison')}: {', '.join(parts)}."


def _notes(record: Record, found: RunOutcome) -> list[str]:
    notes = []
    known = view.known_divergences(record)
    if shown := [one for one in known if one.shown]:
        names = listed(short(one.id) for one in shown)
        which = "difference is" if len(shown) == 1 else "differences are"
        notes.append(f"{len(shown)} {which} known and explained: {names}.")
    why = [] if articles_alone(record) else [one for one in found.reasons if not _of_absent(record, one)]
    notes += [short(one, 400) for one in why[:_NOTES]]
    if len(why) > _NOTES:
        notes.append(f"And {len(why) - _NOTES} more reasons.")
    for absent in record.header.absent:
        notes.append(f"{absent.language} was not run live: {short(absent.reason, 400)}.")
    return notes


def _of_absent(record: Record, reason: str) -> bool:
    """Whether a reason says no more than that a runtime is missing, which has a note of its own."""
    return not reason.startswith(MISSING) and any(
        reason.endswith(f"was not run: {one.reason}") for one in record.header.absent
    )


def _limits_of_it(record: Record) -> list[str]:
    """What was compared coarsely only, what is missing, and what was not judged, each in a sentence."""
    absent = {one.runtime: short(one.language) for one in record.header.absent}
    asked = {view.runtime_of(cell.implementation) for cell in record.cells}
    judged = {view.runtime_of(cell.implementation) for cell in record.cells if cell.verdict in JUDGED}
    missing = [language for runtime, language in absent.items() if runtime in asked - judged]
    verb = "is missing here and was" if len(missing) == 1 else "are missing here and were"
    unjudged = [
        cell
        for cell in record.cells
        if cell.verdict is Verdict.NOT_RUN and view.runtime_of(cell.implementation) not in absent
    ]
    groups = reasons.grouped((cell.reason or "no reason is given", cell) for cell in unjudged)
    told = [f"{reasons.unjudged_line(one).rstrip('.')}." for one in groups[:_NAMED]]
    if len(groups) > _NAMED:
        told.append(f"{counted(sum(len(one.cells) for one in groups[_NAMED:]), 'more cell')} not judged.")
    return [
        reasons.coarse_sentence(reasons.coarse(record)),
        reasons.undecided_sentence(record),
        f"{listed(missing)} {verb} not compared." if missing else "",
        *told,
    ]


def _incomplete(record: Record, found: RunOutcome) -> str:
    failing = len(view.failing(record))
    if record.footer is None or record.footer.partial:
        reason = record.footer.reason if record.footer else "it has no last line"
        text = f"This run did not end ({short(reason) or 'no reason is given'}): what follows is only a part."
        return f"{text} {counted(failing, 'comparison')} had failed by then." if failing else text
    if not any(cell.verdict in JUDGED for cell in record.cells):
        return "Nothing was compared: this run says nothing."
    begin = "What was compared agrees, but not everything was compared"
    if failing:
        begin = f"{counted(failing, 'comparison')} failed, and not everything was compared"
    return f"{begin}: {_first(found)}"


def _agreement(record: Record, _found: RunOutcome) -> str:
    if articles_alone(record):
        return _ARTICLES
    judged = [cell for cell in view.ordered(record) if cell.verdict in JUDGED]
    theirs = [cell for cell in judged if is_published(cell.implementation)]
    ours = [cell for cell in judged if not is_published(cell.implementation)]
    languages = list(dict.fromkeys(short(cell.language) for cell in ours))
    who = listed(languages)
    n = len({cell.case for cell in ours or theirs})
    cases = "the one case" if n == 1 else f"all {n} cases"
    held = sum(cell.verdict is Verdict.PASS for cell in judged)
    printed = sum(cell.check is Check.PUBLISHED for cell in judged)
    what = f"{who} compute the same thing"
    if len(languages) < 2:
        what = f"{who or 'The code of the articles'} computes what is expected"
    within = "is within its limit" if held == 1 else "are within their limits"
    text = f"{what} in {cases}: {counted(held, 'comparison')} {within}"
    text += f", {printed:,} of them against printed digits." if printed else "."
    return f"{text} {_published(theirs)}" if theirs and ours else text


def _fault(record: Record, found: RunOutcome) -> str:
    broken = [cell for cell in record.cells if cell.verdict in {Verdict.ERROR, Verdict.TIMEOUT}]
    if not broken:
        return f"This run has a fault: {_first(found)}"
    return f"{_broken(broken)} {_off(record)}".strip()


def _divergence(record: Record, found: RunOutcome) -> str:
    if articles_alone(record):
        return _ARTICLES
    return _off(record) or f"What was compared agrees, but: {_first(found)}"


def _first(found: RunOutcome) -> str:
    """The weightiest reason, as a sentence, and how many more there are."""
    more = f" There {'is' if len(found.reasons) == 2 else 'are'} {len(found.reasons) - 1} more below."
    return f"{short(found.reasons[0], 400).rstrip('.')}.{more if len(found.reasons) > 1 else ''}"


_ARTICLES = "Published articles were run, and compared with what they print."


def _published(cells: list[Cell]) -> str:
    """What the articles' own code computes; every cell was judged, and none failed."""
    n = len({cell.case for cell in cells})
    where = "one of them" if n == 1 else f"{n} of them"
    off = len({cell.case for cell in cells if cell.verdict is Verdict.XFAIL})
    known = f", but for what is known and explained in {off}" if off else ""
    return f"So does the code of the published articles, where it gets that far: in {where}{known}."


def _broken(cells: list[Cell]) -> str:
    who = listed(dict.fromkeys(_named(cell) for cell in cells))
    where = list(dict.fromkeys(short(cell.case) for cell in cells))
    more = f" and {len(where) - _NAMED} more" if len(where) > _NAMED else ""
    return (
        f"{who} could not be judged in {', '.join(where[:_NAMED])}{more}:"
        f" {counted(len(cells), 'comparison')} ended in an error or ran out of time."
    )


def _named(cell: Cell) -> str:
    """The language; of several implementations in one, the implementation; of an article, that it is one."""
    if is_published(cell.implementation):
        return f"{short(cell.language)} as published"
    return short(cell.implementation if "." in cell.implementation else cell.language)


def _off(record: Record) -> str:
    """Who is off, and where to look first; nothing if nobody is."""
    found = [one for one in view.divergences(record) if one.cell.verdict is Verdict.FAIL]
    if not found:
        gone = dict.fromkeys(
            short(cell.divergence or cell.stage) for cell in record.cells if cell.verdict is Verdict.XPASS
        )
        return f"A known difference no longer shows: {listed(gone)}." if gone else ""
    proved = [one for one in found if one.cell.basis is not Basis.COARSE]
    return _proved(record, proved) if proved else _coarse(record, found)


def _proved(record: Record, found: list[view.Divergence]) -> str:
    who = listed(dict.fromkeys(_named(one.cell) for one in found))
    cell = found[0].cell
    does = "does" if len({one.cell.implementation for one in found}) == 1 else "do"
    why = {
        Check.REFERENCE: f"it is too far from what {short(cell.against)} computes",
        Check.ORACLE: "it is too far from the true value",
        Check.REPEAT: "it is not what it was the first time",
        Check.IDENTITY: f"it is too far from {short(cell.against)}, which mathematics says is equal",
        Check.PUBLISHED: f"it would not print the digits of {short(cell.against)}",
    }[cell.check]
    return (
        f"{who} {does} not compute what is expected {_where(record, found)}. Look first at the step"
        f" {short(cell.stage)} of {short(cell.case)} in {_named(cell)}: {why}."
    )


def _coarse(record: Record, found: list[view.Divergence]) -> str:
    """They were compared coarsely only: who is off does not follow."""
    cell = found[0].cell
    who = listed(dict.fromkeys([*(_named(one.cell) for one in found), short(cell.against)]))
    look = f"Look first at the step {short(cell.stage)} of {short(cell.case)}"
    if cell.stats is not None and not cell.stats.beyond:
        return (
            f"{who} were compared coarsely only {_where(record, found)}. {look}: {short(cell.reason, 400)}."
        )
    far = f" ({text_of(cell)})" if cell.stats is not None else ""
    return (
        f"{who} differ {_where(record, found)}. {look}: they are further apart than even a coarse limit"
        f" allows{far}. Who is off does not follow from it: the problem may be ill-conditioned."
    )


def _where(record: Record, found: list[view.Divergence]) -> str:
    off = len({one.cell.case for one in found})
    whole = len({one.case for one in record.cells})
    return f"in {off} of {whole} cases" if whole > 1 else f"in {short(found[0].cell.case)}"
