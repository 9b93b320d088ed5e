"""What a record says, for somebody who never saw one."""

from __future__ import annotations

from typing import Literal

import msgspec

from harness.model import Cell, Check, Outcome, Record, Source, Verdict, outcome_of
from harness.model.outcome import JUDGED
from harness.report import articles, view
from harness.report.published import is_published
from harness.report.text import counted, listed, short

State = Literal["agreement", "divergence", "failure", "partial", "nothing"]

_NAMED = 3


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict over a whole run, and what else has to be said of it; ``articles`` is on the documents."""

    state: State
    word: str
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
        ``text`` is one or two sentences, ``notes`` say what was not run, what is known, and complaints.
    """
    judged = [cell for cell in view.ordered(record) if cell.verdict in JUDGED]
    if record.footer is None or record.footer.partial:
        return _sentence(record, "partial", "PARTIAL", _partial(record))
    if articles_alone(record):
        text = "Published articles were run, and held to what they print."
        if articles.wrong(record.documents):
            return _sentence(record, "divergence", "FINDINGS", text)
        return _sentence(record, "agreement", "SOUND", text)
    if not judged:
        return _sentence(
            record, "nothing", "NOTHING COMPARED", "Nothing was compared: this run says nothing."
        )
    if broken := [cell for cell in record.cells if cell.verdict in {Verdict.ERROR, Verdict.TIMEOUT}]:
        return _sentence(record, "failure", "FAILURE", _broken(broken) + _divergence(record))
    if text := _divergence(record):
        return _sentence(record, "divergence", "DIVERGENCE", text.strip())
    if outcome_of(record).outcome is not Outcome.AGREEMENT:
        return _sentence(
            record, "failure", "COMPLAINT", "What was compared agrees, but the run is not complete."
        )
    return _sentence(record, "agreement", "AGREEMENT", _agreement(judged))


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


def _sentence(record: Record, state: State, word: str, text: str) -> Sentence:
    about = articles.sentence(record.documents)
    return Sentence(state=state, word=word, text=text, notes=tuple(_notes(record)), articles=about)


def _notes(record: Record) -> list[str]:
    notes = []
    known = view.known_divergences(record)
    if shown := [one for one in known if one.shown]:
        names = listed(short(one.id) for one in shown)
        which = "difference is" if len(shown) == 1 else "differences are"
        notes.append(f"{len(shown)} {which} known and explained: {names}.")
    for absent in record.header.absent:
        notes.append(f"{absent.language} was not run live: {short(absent.reason, 400)}.")
    notes += [f"Complaint: {short(one, 400)}" for one in (record.footer.complaints if record.footer else ())]
    return notes


def _partial(record: Record) -> str:
    reason = record.footer.reason if record.footer else "it has no last line"
    text = f"This run did not end ({short(reason) or 'no reason is given'}): what follows is only a part."
    failing = len(view.failing(record))
    return f"{text} {counted(failing, 'comparison')} had failed by then." if failing else text


def _agreement(judged: list[Cell]) -> str:
    theirs = [cell for cell in judged if is_published(cell.implementation)]
    ours = [cell for cell in judged if not is_published(cell.implementation)]
    who = listed(dict.fromkeys(short(cell.language) for cell in ours))
    n = len({cell.case for cell in ours or theirs})
    cases = "the one case" if n == 1 else f"all {n} cases"
    held = sum(cell.verdict is Verdict.PASS for cell in judged)
    printed = sum(cell.check is Check.PUBLISHED for cell in judged)
    what = f"{who} compute the same thing" if ours else "The articles' own code computes what is expected"
    text = f"{what} in {cases}: {held:,} comparisons are within their limits"
    text += f", {printed:,} of them against printed digits." if printed else "."
    return f"{text} {_published(theirs)}" if theirs and ours else text


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


def _divergence(record: Record) -> str:
    found = [one for one in view.divergences(record) if one.cell.verdict is Verdict.FAIL]
    if not found:
        gone = dict.fromkeys(
            short(cell.divergence or cell.stage) for cell in record.cells if cell.verdict is Verdict.XPASS
        )
        return f" A known difference no longer shows: {listed(gone)}." if gone else ""
    who = listed(dict.fromkeys(_named(one.cell) for one in found))
    cell = found[0].cell
    does = "does" if len({one.cell.implementation for one in found}) == 1 else "do"
    off = len({one.cell.case for one in found})
    whole = len({one.case for one in record.cells})
    where = f"in {off} of {whole} cases" if whole > 1 else f"in {short(cell.case)}"
    why = {
        Check.REFERENCE: f"it is too far from what {short(cell.against)} computes",
        Check.ORACLE: "it is too far from the true value",
        Check.REPEAT: "it is not what it was the first time",
        Check.IDENTITY: f"it is too far from {short(cell.against)}, which mathematics says is equal",
        Check.PUBLISHED: f"it would not print the digits of {short(cell.against)}",
    }[cell.check]
    return (
        f" {who} {does} not compute what is expected {where}. Look first at the step {short(cell.stage)} of"
        f" {short(cell.case)} in {_named(cell)}: {why}."
    )
