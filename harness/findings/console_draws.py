"""Numbers from a console that may be of a stream which the document does not show."""

from __future__ import annotations

from harness.documents.model import Chunk
from harness.findings.judging_state import JudgingState
from harness.findings.names import upstream
from harness.findings.random_numbers import draw_in, seeds

_SAID = "numbers are drawn without a seed too, and not all that was typed may be shown"


def drawn_apart(state: JudgingState, chunk: Chunk) -> str:
    """Say that a transcript shows what is drawn in another one than its seed; empty where it may.

    What is typed at a prompt between two transcripts is not shown: who also draws without a seed may have
    drawn more there, or begun anew. A file that is run as a whole draws nothing in between.

    Parameters
    ----------
    state : JudgingState
        The document, with the first draw that nothing has seeded.
    chunk : Chunk
        One of its chunks, of which an output differs.
    """
    behind = upstream(state.chunks, chunk)
    first = next((part for part in behind if draw_in(part.code, part.language) is not None), None)
    if first is None or not first.prompts or first.language not in state.unseeded:
        return ""
    transcript = [first]
    for above in reversed(state.chunks[: first.index]):
        if transcript[-1].line - above.end_line > 1:
            break
        transcript.append(above)
    return "" if any(seeds(part.code, part.language) for part in transcript) else _SAID
