"""Where a seed brings R's random numbers back to what the author's were, whatever failed above it.

R has one stream, and ``set.seed()`` says all of it but the kinds of its generators.
"""

from __future__ import annotations

import re

from harness.documents.model import Chunk
from harness.documents.results import ChunkRun
from harness.findings.carried import statements
from harness.findings.judging_state import JudgingState
from harness.findings.names import names_in
from harness.findings.random_numbers import draw_here, draw_in

_SEED = r"(?:base::)?set\.seed\((?!\s*(?:seed\s*=\s*)?NULL\b)"
_SEEDS = re.compile(rf"\s*{_SEED}")
_DEFINES = re.compile(r"\s*(?P<name>[A-Za-z.][\w.]*)\s*(?:<-|=)\s*function\b")
_ON_ITS_LINE = re.compile(rf"(?m)(?:^|\{{)\s*{_SEED}")


def begin(state: JudgingState, chunk: Chunk) -> None:
    """Keep whether the draws of a chunk of R are the author's.

    Parameters
    ----------
    state : JudgingState
        What is known of the document up to the chunk.
    chunk : Chunk
        The chunk, whose outputs are judged next.
    """
    if chunk.language in state.steady or _seeds_first(state, chunk):
        state.pinned.add(chunk.index)


def end(state: JudgingState, chunk: Chunk, run: ChunkRun, *, undone: bool) -> None:
    """Keep whether a chunk of R leaves the random stream as its author had it.

    Parameters
    ----------
    state : JudgingState
        What is known of the document up to the chunk.
    chunk, run : Chunk, ChunkRun
        The chunk, and how it ran.
    undone : bool
        Whether it seeds or draws what it does not in this run.
    """
    if undone:
        state.steady.discard(chunk.language)
    elif chunk.language == "r" and run.ran and run.error is None and _seeds(state, chunk):
        state.steady.add(chunk.language)


def _seeds(state: JudgingState, chunk: Chunk) -> bool:
    return any(_sets_a_seed(state, text) for _, _, text in statements(chunk.code, "r"))


def _seeds_first(state: JudgingState, chunk: Chunk) -> bool:
    """Whether a chunk sets a seed before it draws."""
    for _, _, text in statements(chunk.code, "r") if chunk.language == "r" else ():
        if (made := _DEFINES.match(text)) is not None:
            seed = _ON_ITS_LINE.search(text)
            if seed is not None and draw_in(text[: seed.start()], "r") is None:
                state.seeding.add(made["name"])
        elif _sets_a_seed(state, text):
            return True
        elif draw_here(text, "r", state.drawing) is not None:
            return False
    return False


def _sets_a_seed(state: JudgingState, text: str) -> bool:
    """Whether a statement sets a seed, or calls a function that does so before it draws."""
    if _DEFINES.match(text):
        return False
    return _SEEDS.match(text) is not None or bool(names_in(text, "r").uses & state.seeding)
