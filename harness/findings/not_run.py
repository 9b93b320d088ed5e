"""Why a chunk was not run: its document does not run it, or the session had ended."""

from __future__ import annotations

from collections.abc import Hashable

from harness.documents.model import Chunk
from harness.documents.results import ChunkRun
from harness.findings.causes import Cause
from harness.findings.judging_state import JudgingState
from harness.model.article import Answer, Kind

Known = tuple[Hashable, Cause]


def skipped(state: JudgingState, chunk: Chunk, run: ChunkRun, taken: Cause | None) -> Known | Cause | None:
    """Return why a chunk was not run; None where it holds nothing to run.

    Parameters
    ----------
    state : JudgingState
        What is known of the chunks before it.
    chunk, run : Chunk, ChunkRun
        The chunk, and its result.
    taken : Cause or None
        The cause that its inputs come from, if they do not come from a sound run.
    """
    if not chunk.code.strip():
        return None
    if not chunk.evaluated and not state.runs.plan.run_unevaluated:
        said = "the document does not run this code (eval is false)"
        return (("skipped", said), Cause(Answer.UNCHECKED, chunk, 0, said)) if chunk.output else None
    if taken is not None and run.skipped.startswith("the session had ended"):
        return taken
    ended = next((cause for cause in reversed(state.causes.all()) if cause.chunk.language == chunk.language
                  and cause.kind is not Kind.EXCERPT and _ended(state, cause)), None)  # fmt: skip
    if ended is not None and run.skipped.startswith("the session had ended"):
        return ended
    return ("skipped", run.skipped), Cause(Answer.UNCHECKED, chunk, 0, run.skipped)


def _ended(state: JudgingState, cause: Cause) -> bool:
    error = state.runs.published.of(cause.chunk).error
    return error is not None and error.kind in ("time", "ended")
