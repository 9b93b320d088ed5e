"""What a record says, for somebody who never saw one."""

from __future__ import annotations

from typing import Literal

import msgspec

from harness.errors import ExitCode
from harness.model import Cell, Check, Record, Verdict
from harness.report import view
from harness.report.text import counted, listed, short

State = Literal["agreement", "divergence", "failure", "partial", "nothing"]

_NAMED = 3


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict over a whole run, and what else has to be said of it."""

    state: State
    word: str
    text: str
    notes: tuple[str, ...]


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
    judged = [cell for cell in view.ordered(record) if cell.verdict in view.JUDGED]
    if record.footer is None or record.footer.partial:
        return _sentence(record, "partial", "PARTIAL", _partial(record))
    if not judged:
        return _sentence(
            record, "nothing", "NOTHING COMPARED", "Nothing was compared: this run says nothing."
        )
    if broken := [cell for cell in record.cells if cell.verdict in {Verdict.ERROR, Verdict.TIMEOUT}]:
        return _sentence(record, "failure", "FAILURE", _broken(broken) + _divergence(record))
    if text := _divergence(record):
        return _sentence(record, "divergence", "DIVERGENCE", text.strip())
    if view.exit_code(record) is not ExitCode.OK:
        return _sentence(
            record, "failure", "COMPLAINT", "What was compared agrees, but the run is not complete."
        )
    return _sentence(record, "agreement", "AGREEMENT", _agreement(judged))


def sources(record: Record) -> str:
    """How many cells were live, replayed and not run."""
    if not record.cells:
        return "There are no cells."
    whole = view.summary(record.cells)
    parts = [
        f"{whole.live:,} live" + (" (computed in this run)" if whole.live else ""),
        f"{whole.replayed:,} replayed" + (" (from recordings)" if whole.replayed else ""),
        f"{whole.not_run:,} not run",
    ]
    if unsupported := whole.counts.get(Verdict.UNSUPPORTED, 0):
        parts.append(f"{unsupported:,} unsupported by their language")
    return f"{counted(whole.total, 'comparison')}: {', '.join(parts)}."


def _sentence(record: Record, state: State, word: str, text: str) -> Sentence:
    return Sentence(state=state, word=word, text=text, notes=tuple(_notes(record)))


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
    who = listed(dict.fromkeys(short(cell.language) for cell in judged))
    n = len({cell.case for cell in judged})
    cases = "the one case" if n == 1 else f"all {n} cases"
    held = sum(cell.verdict is Verdict.PASS for cell in judged)
    printed = sum(cell.check is Check.PUBLISHED for cell in judged)
    text = f"{who} compute the same thing in {cases}: {held:,} comparisons are within their limits"
    return f"{text}, {printed:,} of them against printed digits." if printed else f"{text}."


def _broken(cells: list[Cell]) -> str:
    who = listed(dict.fromkeys(_named(cell) for cell in cells))
    where = list(dict.fromkeys(short(cell.case) for cell in cells))
    more = f" and {len(where) - _NAMED} more" if len(where) > _NAMED else ""
    return (
        f"{who} could not be judged in {', '.join(where[:_NAMED])}{more}:"
        f" {counted(len(cells), 'comparison')} ended in an error or ran out of time."
    )


def _named(cell: Cell) -> str:
    """The language; of several implementations in one, the implementation."""
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
