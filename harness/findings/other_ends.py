"""Code that ends with another error than the document shows, or with one where it shows none, or none."""

from __future__ import annotations

import re

from harness.documents.model import Chunk
from harness.documents.results import ChunkRun
from harness.findings.causes import Cause
from harness.findings.judging_state import JudgingState
from harness.findings.outputs import kind_of
from harness.model.article import Answer, BlockKind

_OF_A_DEVICE = re.compile(r"\bcuda\b|\bGPUs?\b|\bnccl\b|\bmps\b|\bxpu\b", re.IGNORECASE)


def other_end(state: JudgingState, chunk: Chunk, run: ChunkRun) -> Cause | None:
    """Return the cause where a chunk ends otherwise than the document shows: what it sets may be else.

    Parameters
    ----------
    state : JudgingState
        What is known of the document up to the chunk.
    chunk, run : Chunk, ChunkRun
        The chunk, and how it ran.
    """
    places = [place for place, block in enumerate(chunk.output) if kind_of(block) == "error"]
    if run.left is None or (not places and run.error is None):
        return None
    if (
        places
        and run.error is not None
        and all(state.verdicts[chunk.index, place].kind is not BlockKind.UNCHECKED for place in places)
    ):
        return None
    if places and run.error is not None and chunk.prompts:
        return None  # one statement, which fails in both: what it leaves undone is the same
    said = "it ends here with another error than the document shows"
    if (
        run.error is not None
        and places
        and all("reads otherwise" in state.verdicts[chunk.index, place].reason for place in places)
    ):
        said = "the error that it ends with is worded otherwise here"
    if run.error is None:
        said = "the document shows an error here, and the code runs without one"
        if any(_OF_A_DEVICE.search(chunk.output[place].text) for place in places):
            said = "the error that the document shows is of a device, such as a GPU, which is not here"
    elif not places and not chunk.output:
        return None
    return state.causes.get(("ends", chunk.index), Cause(Answer.HERE, chunk, 0, said))
