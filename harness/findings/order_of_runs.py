"""Causes in how the cells of a notebook were run: one again, in another order, in another session."""

from __future__ import annotations

from harness.documents.model import Chunk
from harness.documents.results import Execution
from harness.findings import cell_order
from harness.findings.apart import values_apart
from harness.findings.causes import Cause, named
from harness.findings.evidence import is_cut_by_hand, numbers_in, slipped_for_certain
from harness.findings.judging_state import JudgingState
from harness.findings.no_proof import (
    is_in_one_place,
    not_numbered,
    undone_above,
)
from harness.findings.one_place import is_a_row_doubled, row_left_out
from harness.findings.outputs import LIKE, differs, produced, verdicts
from harness.findings.plain_slips import is_mistyped
from harness.model.article import Answer, BlockVerdict

_TIMES = (1, 2, 3)
"""How many times more a cell may have been run."""
_LONG = 12
"""Letters of a text with which no other session's has all but one in common."""


def ran_more_than_once(state: JudgingState, chunk: Chunk, place: int) -> Cause | None:
    """Return the cause where a cell that changes what it reads was run again, by its number and by a run.

    Parameters
    ----------
    state : JudgingState
        What is known of the document up to the chunk.
    chunk, place : Chunk, int
        The output.
    """
    mine = cell_order.may_have_run_again(state.runs.document, chunk)
    if not mine or not any(_gives_again(state, chunk, place, times) for times in _TIMES):
        return None
    said = f"{named(state.runs.document, mine[-1])} changes what it reads, and was run more than once"
    so = "whoever runs each cell once gets something else; with that cell run again, it is right"
    return state.causes.get(
        ("repeated", mine[-1].index), Cause(Answer.NOBODY, mine[-1], 0, said, consequence=so)
    )


def _gives_again(state: JudgingState, chunk: Chunk, place: int, times: int) -> bool:
    """Whether an output is reproduced where cells run so many times more."""
    again: Execution | None = state.runs.once(("repeated", times), lambda: state.runs.repeated(times))
    return again is not None and verdicts(chunk, again.of(chunk))[place].kind in LIKE


def _is_mistyped_in_a_text(published: str, printed: str) -> bool:
    """Whether one text in quotation marks alone differs, of many letters, and by a slip of the pen."""
    apart = values_apart(published, printed) or ()
    quoted = len(apart) == 1 and apart[0].what == "text" and apart[0].produced[:1] in ("'", '"')
    return quoted and len(apart[0].produced) >= _LONG and is_mistyped(apart[0])


def other_session(state: JudgingState, chunk: Chunk, place: int, verdict: BlockVerdict) -> Cause | None:
    """Return the cause where the numbers of the cells say that the outputs are of another session.

    Parameters
    ----------
    state : JudgingState
        What is known of the document up to the chunk.
    chunk, place : Chunk, int
        The output.
    verdict : BlockVerdict
        How it differs.
    """
    said = cell_order.numbered(state.runs.document, chunk)
    if said.apart:
        return state.causes.get(("session", said.apart), Cause(Answer.HERE, chunk, 0, said.apart))
    text = produced(chunk, state.runs.published.of(chunk), place)
    # No other session's number, or text, shares all signs but one with this one's.
    published = chunk.output[place].text
    slip = is_in_one_place(verdict) or slipped_for_certain(numbers_in(published, text))
    slip = slip or is_cut_by_hand(published, text) or _is_mistyped_in_a_text(published, text)
    # Nor does one print all rows but one within, or one of several twice.
    slip = slip or row_left_out(published, text) > 0 or is_a_row_doubled(published, text)
    told = "" if slip else not_numbered(state.runs.document, chunk) or undone_above(state, chunk, place)
    if told:
        return state.causes.get(("session", told), Cause(Answer.UNCHECKED, chunk, 0, told))
    if not said.disordered and not said.lost:
        return None
    ordered = state.runs.by_numbers
    if ordered is not None and verdicts(chunk, ordered.of(chunk))[place].kind in LIKE:
        told = said.disordered or "the cells were not run from top to bottom"
        so = "whoever runs it from top to bottom gets something else; in the order of the numbers it is right"
        return state.causes.get(("order",), Cause(Answer.NOBODY, chunk, 0, told, consequence=so))
    alone = not cell_order.may_have_run_again(state.runs.document, chunk)
    if slip:
        return None
    crossing = [
        state.verdicts[other, there].kind in LIKE
        for other in cell_order.spans_a_gap(state.runs.document)
        for there in range(len(state.chunks[other].output))
        if (other, there) in state.verdicts
    ]
    # Where all else is as published, what was run in cells that are gone left no trace in it.
    turned = ordered is not None and differs(state.runs.published, ordered, chunk, place)
    if alone and (cell_order.is_isolated(crossing) or (state.context.same_elsewhere and not turned)):
        return None
    told = f"{said.lost or said.disordered}: what it printed may be of another session"
    return state.causes.get(("session", told), Cause(Answer.HERE, chunk, 0, told))
