"""Where a seed brings random numbers back to what the author's were, whatever failed above it.

R has one stream, and ``set.seed()`` says all of it but the kinds of its generators. So does NumPy's
``np.random.seed()`` of a document of Python that draws from NumPy's one stream alone.
"""

from __future__ import annotations

import re

from harness.documents.model import Chunk
from harness.documents.results import ChunkRun
from harness.findings.carried import statements
from harness.findings.judging_state import JudgingState
from harness.findings.names import names_in
from harness.findings.random_numbers import (
    draw_here,
    draw_in,
    generator_in,
    seeds_pythons_own,
    without_comments,
)

_SEED = r"(?:base::)?set\.seed\((?!\s*(?:seed\s*=\s*)?NULL\b)"
_SEEDS = re.compile(rf"\s*{_SEED}")
_DEFINES = re.compile(r"\s*(?P<name>[A-Za-z.][\w.]*)\s*(?:<-|=)\s*function\b")
_SEEDS_NUMPY = re.compile(r"(?:np|numpy)\.random\.seed\(\s*(?:seed\s*=\s*)?\d+\s*\)")
_OF_NUMPY = re.compile(r"\b(?:np|numpy)\.random\.(?!default_rng|RandomState|Generator)\w+")
"""What moves NumPy's one stream."""
_ON_ITS_LINE = re.compile(rf"(?m)(?:^|\{{)\s*{_SEED}")


def begin(state: JudgingState, chunk: Chunk) -> None:
    """Keep whether the draws of a chunk are the author's.

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
    """Keep whether a chunk leaves the random stream as its author had it.

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
    elif run.ran and run.error is None and _seeds(state, chunk):
        state.steady.add(chunk.language)


def _seeds(state: JudgingState, chunk: Chunk) -> bool:
    if not _has_one_stream(state, chunk.language):
        return False
    return any(_sets_a_seed(state, text, chunk.language) for text in _texts(chunk))


def _seeds_first(state: JudgingState, chunk: Chunk) -> bool:
    """Whether a chunk sets a seed before it draws."""
    language = chunk.language
    for text in _texts(chunk) if _has_one_stream(state, language) else ():
        if language == "r" and (made := _DEFINES.match(text)) is not None:
            seed = _ON_ITS_LINE.search(text)
            if seed is not None and draw_in(text[: seed.start()], "r") is None:
                state.seeding.add(made["name"])
        elif _sets_a_seed(state, text, language):
            return True
        elif draw_here(text, language, state.drawing) is not None:
            return False
    return False


def _texts(chunk: Chunk) -> list[str]:
    return [text for _, _, text in statements(chunk.code, chunk.language)]


def _has_one_stream(state: JudgingState, language: str) -> bool:
    """Whether one seed says all random numbers of a language in a document."""
    if language != "python":
        return language == "r"
    code = "\n".join(part.code for part in state.chunks if part.language == "python")
    if seeds_pythons_own(code) or generator_in(code) is not None:
        return False
    return draw_in(_OF_NUMPY.sub("", without_comments(code)), "python") is None


def _sets_a_seed(state: JudgingState, text: str, language: str) -> bool:
    """Whether a statement sets a seed, or calls a function of R that does so before it draws."""
    if language == "python":
        return _SEEDS_NUMPY.match(text) is not None
    if _DEFINES.match(text):
        return False
    return _SEEDS.match(text) is not None or bool(names_in(text, "r").uses & state.seeding)
