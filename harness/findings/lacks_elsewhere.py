"""An error that a document shows, and another one in its place, because something above is missing."""

from __future__ import annotations

from harness.documents.model import Chunk
from harness.documents.surroundings import undefined_name
from harness.findings.causes import Cause
from harness.findings.judging_state import JudgingState
from harness.findings.names import set_by
from harness.model.article import Answer, Kind
from harness.sessions.session import CodeError


def lacks_elsewhere(state: JudgingState, chunk: Chunk, error: CodeError, taken: Cause | None) -> Cause | None:
    """Return what is missing above a chunk that shows an error, where it ends for that reason here.

    Parameters
    ----------
    state : JudgingState
        What is known of the chunks before it.
    chunk, error : Chunk, CodeError
        The chunk, and how it ends here.
    taken : Cause or None
        The cause that its inputs come from, if they do not come from a sound run.
    """
    name = undefined_name(error)
    shown = {undefined_name(CodeError(message=block.text)) for block in chunk.output}
    if not name or name in shown:
        return None
    lost = state.tainted.get((chunk.language, name))
    if lost is not None and lost.kind is Kind.NEEDS_PACKAGE:
        return lost
    if chunk.language != "r":
        return None
    if taken is not None and taken.answer is Answer.UNCHECKED:
        return taken
    packages = (cause for cause in state.causes.all() if cause.kind is Kind.NEEDS_PACKAGE)
    above = [cause for cause in packages if cause.chunk.language == "r" and cause.chunk.index <= chunk.index]
    return above[-1] if above and not set_by(state.chunks, name, "r") else None
