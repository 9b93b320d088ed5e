"""Names whose values are not what the author had: what is computed from them may be another value too.

Code that failed, was skipped or draws without a seed leaves them behind, and so does what it hands on.
"""

from __future__ import annotations

import re

from harness.documents.model import Chunk
from harness.documents.results import ChunkRun
from harness.findings import failing, seeded_anew
from harness.findings.beyond_names import Beyond, beyond_names
from harness.findings.carried import statements
from harness.findings.causes import Cause
from harness.findings.failure_lines import from_failure, lacking_code
from harness.findings.judging_state import JudgingState
from harness.findings.left_as_it_was import only_sampled, unchanged_by
from harness.findings.names import names_in, parts_set_in
from harness.findings.random_numbers import draw_here, generator_in
from harness.findings.reached import handed_to, reached_names
from harness.model.article import Kind

_NO_VALUE = re.compile(r"\s*(?:from|import|def|class|async|@)\b")


def taken_from(state: JudgingState, chunk: Chunk) -> Cause | None:
    """Return the cause that a chunk's inputs come from, if they do not come from a sound run.

    Parameters
    ----------
    state : JudgingState
        What is known of the document up to the chunk.
    chunk : Chunk
        The chunk.
    """
    named_here = names_in(chunk.code, chunk.language)
    found = [state.tainted[chunk.language, name] for name in sorted(named_here.uses)
             if (chunk.language, name) in state.tainted]  # fmt: skip
    return min(found, key=lambda cause: cause.chunk.index, default=None)


def tainted_names(state: JudgingState, chunk: Chunk) -> frozenset[str]:
    """Return the names of a chunk's language whose values are not the author's.

    Parameters
    ----------
    state : JudgingState
        What is known of the document up to the chunk.
    chunk : Chunk
        The chunk.
    """
    return frozenset(name for language, name in state.tainted if language == chunk.language)


def taint(
    state: JudgingState,
    chunk: Chunk,
    run: ChunkRun,
    failed: Cause | None,
    taken: Cause | None,
    *,
    whole: bool,
) -> None:
    """Keep what a chunk leaves that is not what the author had, and forget what it sets anew.

    Parameters
    ----------
    state : JudgingState
        What is known of the document up to the chunk.
    chunk, run : Chunk, ChunkRun
        The chunk, and how it ran.
    failed, taken : Cause or None
        The causes of its own failure, and of what its inputs are.
    whole : bool
        Whether all that it sets is of that cause, and not only what is computed from such values.
    """

    def draws(text: str) -> bool:
        return draw_here(text, chunk.language, state.drawing) is not None

    unseeded = state.unseeded.get(chunk.language)
    drawn = taken is None and chunk.index in state.unpinned
    carried = unseeded if drawn else taken
    # From a failure on nothing was set as the author had it; above it, what is computed from such values.
    left = "" if failed is None else chunk.code
    if failed is not None and run.error is not None:
        left = from_failure(chunk, run)
    tainted = tainted_names(state, chunk)
    lacking = names_in(lacking_code(chunk, run), chunk.language).sets
    for name in names_in(chunk.code, chunk.language).sets - lacking:
        state.tainted.pop((chunk.language, name), None)
    if carried is not None:
        same: frozenset[str] = frozenset()
        if carried is unseeded and not any(generator_in(part.code) for part in state.chunks):
            same = only_sampled(chunk.code, chunk.language) - parts_set_in(chunk.code, chunk.language)
        reached = reached_names(
            chunk.code,
            chunk.language,
            tainted,
            lambda text: draws(text) if drawn else whole,
        )
        _mark(state, chunk, reached - same, failed or carried)
    if failed is not None:
        same = frozenset()
        if run.error is not None and failed is not taken:
            same = unchanged_by(left, chunk.language, run.error.message)
        written = names_in(left, chunk.language).sets - same
        parts = parts_set_in(left, chunk.language)
        _mark(state, chunk, written | parts | _shared(state, chunk, parts), failed)
        if chunk.language == "python" and failed.kind is Kind.NEEDS_PACKAGE:
            _mark(state, chunk, handed_to(left, tainted_names(state, chunk)), failed)
    undone: frozenset[Beyond] = frozenset()
    if failed is not None:
        undone = beyond_names(f"{left}\n{lacking_code(chunk, run)}", chunk.language)
        for what in undone:
            state.beyond.setdefault((chunk.language, what), failed)
        if run.error is not None and failing.lacks_a_package(run.error):
            state.beyond.setdefault((chunk.language, "session"), failed)
    seeded_anew.end(state, chunk, run, undone="stream" in undone)


def _shared(state: JudgingState, chunk: Chunk, names: frozenset[str]) -> frozenset[str]:
    """The variables that names were made of above: a view shares what it holds with what it is of."""
    above = [part for part in state.chunks if part.language == chunk.language and part.index < chunk.index]
    made = [one for part in above for one in statements(part.code, part.language) if names]
    plain = {name for sets, _, text in made if not _NO_VALUE.match(text) for name in sets}
    return frozenset(name for sets, uses, _ in made if sets & names for name in uses & plain)


def _mark(state: JudgingState, chunk: Chunk, names: frozenset[str], cause: Cause) -> None:
    for name in names:
        state.tainted[chunk.language, name] = cause
        state.touched.setdefault((chunk.language, name), cause)
