"""Whether R's sample() as it was before R 3.6 gives what a document shows: it can still be run."""

from __future__ import annotations

from harness.documents.model import Chunk
from harness.documents.results import Execution
from harness.findings.difference import Difference
from harness.findings.judging_state import JudgingState
from harness.findings.outputs import verdicts
from harness.findings.sources import calls_the_language_alone
from harness.model.article import BlockKind

_OLDER = 'suppressWarnings(RNGkind(sample.kind = "Rounding")); '
"""Draws nothing, and set.seed() leaves it as it is."""
_LONGEST = 60.0
"""Seconds of a run that is made once more."""


def is_of_no_older_sample(state: JudgingState, one: Difference, place: int) -> bool:
    """Whether an output is another with R's older way to sample too.

    Parameters
    ----------
    state : JudgingState
        The document.
    one, place : Difference, int
        An output, and its place among those of its chunk. Packages draw in ways of their own: of what they
        draw, or take of the stream before it, the older way says nothing.
    """
    drawn = f"{one.since_the_seed}\n{one.behind}"
    if state.runs.published.seconds > _LONGEST or not calls_the_language_alone(drawn, one.above, "r"):
        return False
    run = state.runs.once("older samples", lambda: _older(state))
    if run is None:
        return False
    verdict = verdicts(one.chunk, run.of(one.chunk))[place]
    return run.of(one.chunk).error is None and verdict.kind is BlockKind.DIFFERS


def _older(state: JudgingState) -> Execution | None:
    """The run as published in which each session samples as before R 3.6 from its first chunk on."""
    first: dict[str, Chunk] = {}
    for chunk in state.chunks:
        if chunk.language == "r" and state.runs.published.of(chunk).ran:
            first.setdefault(chunk.track, chunk)
    return state.runs.with_code({chunk.index: f"{_OLDER}{chunk.code}" for chunk in first.values()})
