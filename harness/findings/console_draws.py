"""Drawn numbers that may be of a stream that the document does not show: a console's, or what knitr kept."""

from __future__ import annotations

import re

from harness.documents.model import Chunk
from harness.findings.judging_state import JudgingState
from harness.findings.names import upstream
from harness.findings.random_numbers import draw_in, seeds

_SAID = "numbers are drawn without a seed too, and not all that was typed may be shown"
_KEPT = (
    "knitr keeps here what chunks gave (cache): what is drawn apart from its seed may be of an earlier run"
)
_KEEPS = re.compile(r"\bopts_chunk\$set\([^\n]*\bcache(?:\.\w+)?\s*=(?!\s*(?:FALSE|F|0|NULL)\b)")


def drawn_apart(state: JudgingState, chunk: Chunk) -> str:
    """Say that what is drawn in another transcript, or kept chunk, than its seed is shown; else nothing.

    What is typed at a prompt between two transcripts is not shown: who also draws without a seed may have
    drawn more there, or begun anew. A file that is run as a whole draws nothing in between. What knitr keeps
    of a chunk it does not draw again, and leaves the stream as it is.

    Parameters
    ----------
    state : JudgingState
        The document, with the first draw that nothing has seeded.
    chunk : Chunk
        One of its chunks, of which an output differs.
    """
    behind = upstream(state.chunks, chunk)
    drawing = [part for part in behind if draw_in(part.code, part.language) is not None]
    if any(map(_keeps, state.chunks)) and any(_draws_on(part) for part in drawing):
        return _KEPT
    first = drawing[0] if drawing else None
    if first is None or not first.prompts or first.language not in state.unseeded:
        return ""
    transcript = [first]
    for above in reversed(state.chunks[: first.index]):
        if transcript[-1].line - above.end_line > 1:
            break
        transcript.append(above)
    return "" if any(seeds(part.code, part.language) for part in transcript) else _SAID


def _keeps(chunk: Chunk) -> bool:
    """Whether knitr is told to keep what chunks give."""
    return chunk.language == "r" and (
        bool(chunk.options.get("cache")) or _KEEPS.search(chunk.code) is not None
    )


def _draws_on(chunk: Chunk) -> bool:
    """Whether a chunk of R draws from a stream that another one has begun."""
    return chunk.language == "r" and not seeds(chunk.code, "r")
