"""What the outputs of a document say together of the machine that they were made on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from harness.findings.carried import of_a_generator
from harness.findings.judging_context import Context
from harness.findings.judging_state import Key
from harness.findings.names import upstream
from harness.findings.outputs import LIKE, piece, produced
from harness.findings.pins import pins_of
from harness.findings.quotes import kept_in
from harness.findings.r_versions import draws_otherwise
from harness.findings.random_numbers import (
    clock_in,
    draw_in,
    machine_in,
    says,
    seeds,
)
from harness.findings.runs import DocumentRuns
from harness.findings.slices import statements_behind
from harness.findings.torch_streams import is_uniform, since_the_seed
from harness.findings.used_packages import used_packages
from harness.findings.versions import (
    generation,
    printed_versions,
    same_versions,
    stated_versions,
    unsteady,
)
from harness.model.article import BlockKind, BlockVerdict

_ENOUGH = 3
"""Reproduced outputs that show something: of drawn numbers, that the generator is the author's."""


def context_of(runs: DocumentRuns, verdicts: Mapping[Key, BlockVerdict]) -> Context:
    """Return what the outputs of a document say together: of versions, of packages, of the generator.

    Parameters
    ----------
    runs : DocumentRuns
        The document.
    verdicts : mapping
        By chunk and place, how each output compares.
    """
    chunks = runs.document.chunks
    good: Counter[str] = Counter()
    bad: Counter[str] = Counter()
    pinned: Counter[tuple[str, bool]] = Counter()
    alike: Counter[str] = Counter()
    unlike: Counter[str] = Counter()
    chance: Counter[str] = Counter()
    for (index, place), verdict in verdicts.items():
        chunk = chunks[index]
        cone = upstream(chunks, chunk)
        names = unsteady(used_packages(chunks, cone), chunk.language)
        drawn = any(draw_in(part.code, part.language) is not None for part in cone)
        # What R draws otherwise than by sample() is the same in all its versions, and says nothing of that.
        drawn = drawn and (chunk.language != "r" or any(draws_otherwise(part.code, "") for part in cone))
        if verdict.numbers and (drawn or of_a_generator(cone, piece(chunk, place))):
            pinned[chunk.language, verdict.kind in LIKE] += 1
        alike[chunk.language] += verdict.kind in LIKE
        shown = piece(chunk, place)
        plain = not says(shown) and machine_in(shown) is None and clock_in(shown) is None
        unseeded = draw_in(statements_behind(cone, shown), chunk.language) is not None and not any(
            seeds(part.code, part.language) for part in chunks[: index + 1]
        )
        differs = verdict.kind is BlockKind.DIFFERS and plain
        (chance if unseeded else unlike)[chunk.language] += differs
        good.update(names if verdict.kind in LIKE else ())
        bad.update(names if verdict.kind is BlockKind.DIFFERS else ())
    # What is drawn without a seed is another each time, and no version's; where nothing is as published,
    # what was read as a draw may be all that is known of the document.
    unlike.update({language: many for language, many in chance.items() if alike[language] < _ENOUGH})
    here = {
        track.language: track.runtime.version for track in runs.published.tracks if track.runtime is not None
    }
    document = runs.document
    # What a session printed of itself is surer than what a header or a sentence says; of two generations
    # of a language in one document, some of it was run in the one that is not here.
    stated: dict[str, str] = {}
    for said in (stated_versions(document), document.written_for, printed_versions(document)):
        for language, version in said.items():
            first, mine = stated.get(language, version), here.get(language, version)
            mixed = generation(first) not in (generation(version), generation(mine))
            stated[language] = first if mixed else version
    same = frozenset(
        language
        for (language, _), _ in pinned.items()
        if pinned[language, True] >= _ENOUGH and pinned[language, False] <= pinned[language, True] // 3
    )
    versions = frozenset(
        name
        for (index, place), verdict in verdicts.items()
        for name in same_versions(
            chunks,
            piece(chunks[index], place),
            chunks[index].output[place].text,
            produced(chunks[index], runs.published.of(chunks[index]), place),
        )
    )
    pins = pins_of(document.path) if alike["python"] or unlike["python"] else {}
    # A file may have been changed after the document was run: what it pins is believed where the
    # package's outputs bear it out.
    borne_out = frozenset(
        name
        for name, pin in pins.items()
        if pin.same
        and good.get(name, alike["python"]) >= _ENOUGH
        and bad.get(name, unlike["python"]) <= good.get(name, alike["python"]) // 3
    )
    # Without being asked for by its name, Int64 is what integers are on machines of 64 bits alone.
    as_wide = frozenset(
        chunks[index].language
        for (index, place), verdict in verdicts.items()
        if verdict.kind in LIKE
        and "Int64" in chunks[index].output[place].text
        and not any("Int64" in part.code for part in upstream(chunks, chunks[index]))
    )
    quotes = kept_in(
        (
            chunks[index].output[place].text,
            produced(chunks[index], runs.published.of(chunks[index]), place),
            verdict.kind in LIKE,
        )
        for (index, place), verdict in verdicts.items()
        if chunks[index].language == "r"
    )
    # Most documents draw nothing so, and what leads to each output takes its time.
    uniform = any("torch.manual_seed(" in part.code for part in chunks) and any(
        verdict.kind in LIKE
        and verdict.numbers >= _ENOUGH
        and chunks[index].language == "python"
        and is_uniform(
            since_the_seed(chunks, chunks[index], piece(chunks[index], place)),
            statements_behind(upstream(chunks, chunks[index]), piece(chunks[index], place)),
        )
        for (index, place), verdict in verdicts.items()
    )
    return Context(
        chunks,
        here,
        stated,
        good,
        bad,
        same,
        alike,
        unlike,
        versions | borne_out,
        pins,
        as_wide,
        quotes,
        same_uniform=uniform,
    )
