"""What is said of each published output, and why: one finding for each root cause."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import msgspec

from harness.documents.model import Chunk
from harness.documents.results import ChunkRun
from harness.findings import failing
from harness.findings.causes import Cause, named
from harness.findings.doubts import Context, doubt, number_pairs, used_packages
from harness.findings.judging_state import JudgingState
from harness.findings.names import last_line, names_in, upstream
from harness.findings.outputs import differs, kind_of, piece, produced, verdicts
from harness.findings.prose import code_in_prose, numbers_in_prose
from harness.findings.random_numbers import (
    clock_in,
    draw_here,
    draw_in,
    drawing_definitions,
    passing_in,
    seeds,
    unset_in,
)
from harness.findings.runs import DocumentRuns, first_line
from harness.findings.swapped import swapped_pairs
from harness.findings.versions import stated_versions, unsteady
from harness.model.article import Answer, Block, BlockKind, BlockVerdict, Finding, Kind

_ENOUGH = 3
"""Reproduced outputs of drawn numbers that show that the generator is the author's."""
_BY_CHANCE = 4
"""Digits on which two draws do not agree by chance."""
_LIKE = frozenset({BlockKind.REPRODUCED, BlockKind.FORMATTING})


class Judged(msgspec.Struct, frozen=True):
    """Every output with its answer, and the findings."""

    blocks: tuple[Block, ...]
    findings: tuple[Finding, ...]


def judged(runs: DocumentRuns) -> Judged:
    """Judge every output of a document; done once, with a second run where something differs.

    Parameters
    ----------
    runs : DocumentRuns
        The document.
    """
    return runs.once("judged", lambda: _Judge(runs).all())


def published_outputs(runs: DocumentRuns) -> Iterator[Finding]:
    """Yield the findings on what the document prints, one for each root cause."""
    yield from judged(runs).findings


class _Judge:
    def __init__(self, runs: DocumentRuns) -> None:
        self.runs = runs
        self.chunks = runs.document.chunks
        self.unseeded: dict[str, Cause] = {}
        self.unpinned: set[int] = set()
        self.seeded: set[str] = set()
        self.drawing: set[tuple[str, str]] = set()
        self.verdicts: dict[tuple[int, int], BlockVerdict] = {}
        self.answers: dict[tuple[int, int], tuple[Answer, str]] = {}
        self.swapped: dict[tuple[int, int], tuple[int, int]] = {}
        self.state: JudgingState

    def all(self) -> Judged:
        """Judge chunk after chunk: what fails or is skipped early is the cause of what differs later."""
        for chunk in self.chunks:
            for place, verdict in enumerate(verdicts(chunk, self.runs.published.of(chunk))):
                self.verdicts[chunk.index, place] = verdict
        self.state = JudgingState(runs=self.runs, context=self._context())
        self.swapped = swapped_pairs(self.runs.published, self.verdicts)
        for chunk in self.chunks:
            run = self.runs.published.of(chunk)
            cause = self._taken(chunk)
            if self._draws(chunk) is not None:
                self.unpinned.add(chunk.index)
            failed = self._failed(chunk, run, cause)
            for place, verdict in enumerate(self.verdicts[chunk.index, n] for n in range(len(chunk.output))):
                mine = failed or cause
                if failed is not None and failing.is_apart(chunk, run, place):
                    mine = cause
                self.answers[chunk.index, place] = self._answer(chunk, place, verdict, mine)
            self._taint(chunk, run, failed, cause)
        findings = tuple(cause.finding(self.runs) for cause in self.state.causes.merged())
        said = {key: answer for key, (answer, _) in self.answers.items()}
        prose = (*numbers_in_prose(self.runs, said), *code_in_prose(self.runs, self.state.context))
        return Judged(tuple(self._blocks()), (*findings, *prose))

    def _blocks(self) -> Iterator[Block]:
        patched = None
        if self.runs.patched is not self.runs.published and self.runs.patched.patched:
            patched = self.runs.patched
        for chunk in self.chunks:
            after = verdicts(chunk, patched.of(chunk)) if patched is not None and chunk.output else ()
            for place, block in enumerate(chunk.output):
                verdict = self.verdicts[chunk.index, place]
                answer, why = self.answers[chunk.index, place]
                yield Block(
                    line=block.line,
                    chunk=chunk.index,
                    language=chunk.language,
                    verdict=verdict,
                    patched=after[place] if after and after[place] != verdict else None,
                    said=answer,
                    why=why,
                    where=named(self.runs.document, chunk) if chunk.cell else "",
                )

    def _context(self) -> Context:
        good: Counter[str] = Counter()
        bad: Counter[str] = Counter()
        pinned: Counter[tuple[str, bool]] = Counter()
        for (index, _), verdict in self.verdicts.items():
            chunk = self.chunks[index]
            cone = upstream(self.chunks, chunk)
            names = unsteady(used_packages(self.chunks, cone), chunk.language)
            if verdict.numbers and any(draw_in(part.code, part.language) is not None for part in cone):
                pinned[chunk.language, verdict.kind in _LIKE] += 1
            good.update(names if verdict.kind in _LIKE else ())
            bad.update(names if verdict.kind is BlockKind.DIFFERS else ())
        here = {
            track.language: track.runtime.version
            for track in self.runs.published.tracks
            if track.runtime is not None
        }
        stated = {**stated_versions(self.runs.document), **self.runs.document.written_for}
        same = frozenset(
            language
            for (language, _), _ in pinned.items()
            if pinned[language, True] >= _ENOUGH and pinned[language, False] <= pinned[language, True] // 3
        )
        return Context(self.chunks, here, stated, good, bad, same)

    def _taken(self, chunk: Chunk) -> Cause | None:
        """The cause that a chunk's inputs come from, if they do not come from a sound run."""
        named_here = names_in(chunk.code, chunk.language)
        found = [self.state.tainted[chunk.language, name] for name in sorted(named_here.uses)
                 if (chunk.language, name) in self.state.tainted]  # fmt: skip
        return min(found, key=lambda cause: cause.chunk.index, default=None)

    def _draws(self, chunk: Chunk) -> int | None:
        """The line of a draw from a generator that nothing has seeded before; the first is kept."""
        if not self.runs.published.of(chunk).ran:
            return None
        line = draw_here(chunk.code, chunk.language, self.drawing)
        self.drawing |= {(chunk.language, name) for name in drawing_definitions(chunk.code, chunk.language)}
        above = "\n".join(chunk.code.split("\n")[: line or 0])
        seeded = chunk.language in self.seeded or seeds(above, chunk.language)
        if seeds(chunk.code, chunk.language):
            self.seeded.add(chunk.language)
        if line is None or seeded:
            return None
        said = "random numbers are drawn here, and no seed is set before"
        cause = Cause(Answer.NOBODY, chunk, line, said, kind=Kind.RANDOMNESS)
        self.unseeded.setdefault(chunk.language, cause)
        return line

    def _failed(self, chunk: Chunk, run: ChunkRun, taken: Cause | None) -> Cause | None:
        """The cause of a chunk's own failure, or of its not being run."""
        cause = failing.cause_of(self.state, chunk, run, taken)
        if cause is None:
            return None
        cause = self.state.causes.get(*cause) if isinstance(cause, tuple) else cause
        if run.error is not None and chunk.index != cause.chunk.index:
            cause.failing[chunk.index] = f"fails: {first_line(run.error.message, 120)}"
        return cause

    def _taint(self, chunk: Chunk, run: ChunkRun, failed: Cause | None, taken: Cause | None) -> None:
        unseeded = self.unseeded.get(chunk.language)
        cause = failed or taken
        if cause is None and chunk.index in self.unpinned:
            cause = unseeded
        code = chunk.code
        if failed is not None and failed is not taken and run.error is not None:
            code = failing.from_failure(chunk, run)
        lacking = names_in(failing.lacking_code(chunk, run), chunk.language).sets
        for name in names_in(chunk.code, chunk.language).sets - lacking:
            self.state.tainted.pop((chunk.language, name), None)
        if cause is not None:
            for name in names_in(code, chunk.language).sets:
                self.state.tainted[chunk.language, name] = cause

    def _answer(
        self, chunk: Chunk, place: int, verdict: BlockVerdict, cause: Cause | None
    ) -> tuple[Answer, str]:
        key = (chunk.index, place)
        if verdict.kind in _LIKE:
            return Answer.REPRODUCED, ""
        if key in self.swapped:
            return self._blame(self._swap(chunk, key), key, "")
        if verdict.kind is BlockKind.UNCHECKED and kind_of(chunk.output[place]) in ("error", "message"):
            if cause is not None:
                return self._blame(cause, key, "")
            own = Cause(Answer.HERE, chunk, 0, verdict.reason)
            return self._blame(self.state.causes.get(("reads", chunk.index, verdict.reason), own), key, "")
        if verdict.kind is BlockKind.UNCHECKED and cause is None:
            own = Cause(Answer.UNCHECKED, chunk, 0, verdict.reason)
            return self._blame(self.state.causes.get(("unchecked", verdict.reason), own), key, "")
        if cause is not None and (verdict.kind is not BlockKind.DIFFERS or cause.answer is not Answer.NOBODY):
            said = _differs(verdict) if verdict.kind is BlockKind.DIFFERS else ""
            return self._blame(cause, key, said)
        if verdict.kind is BlockKind.NOT_REPRODUCIBLE:
            own = Cause(Answer.UNCHECKED, chunk, 0, verdict.reason)
            return self._blame(self.state.causes.get(("not", chunk.index), own), key, "")
        return self._blame(self._different(chunk, place, verdict, cause), key, _differs(verdict))

    def _blame(self, cause: Cause, key: tuple[int, int], said: str) -> tuple[Answer, str]:
        cause.outputs[key] = said
        return cause.answer, cause.said

    def _different(self, chunk: Chunk, place: int, verdict: BlockVerdict, taken: Cause | None) -> Cause:
        """The cause of an output that differs although all that it needs is here."""
        if not produced(chunk, self.runs.published.of(chunk), place).strip():
            said = "the code above it prints nothing"
            return self.state.causes.get((said, chunk.index), Cause(Answer.UNCHECKED, chunk, 0, said))
        output = chunk.output[place]
        text = produced(chunk, self.runs.published.of(chunk), place)
        if not output.certain and output.info != "value" and number_pairs(output.text, text) is None:
            said = "it may be something else than what the code prints"
            return self.state.causes.get((said,), Cause(Answer.UNCHECKED, chunk, 0, said))
        passing = self._passing(chunk, piece(chunk, place))
        if passing is not None:
            return passing
        if taken is not None and not self._is_fixed(chunk, place):
            return self.state.causes.get(("unseeded", chunk.language), taken)
        unseeded = self.unseeded.get(chunk.language)
        if unseeded is not None and chunk.index in self.unpinned:
            return self.state.causes.get(("unseeded", chunk.language), unseeded)
        if (stand_in := self.state.stand_in(chunk)) is not None:
            return stand_in
        if (order := self._other_order(chunk)) is not None:
            return order
        why = doubt(self.state.context, chunk, output.text, text, verdict, piece(chunk, place))
        if why:
            return self.state.causes.get(("here", why), Cause(Answer.HERE, chunk, 0, why))
        # Only an accusation needs the second run.
        if differs(self.runs.published, self.runs.again, chunk, place):
            return self._unsteady(chunk, taken)
        return self._wrong(chunk, place, verdict)

    def _is_fixed(self, chunk: Chunk, place: int) -> bool:
        """Whether two fresh runs agree on numbers that no two draws would give by chance."""
        text = produced(chunk, self.runs.published.of(chunk), place)
        pairs = number_pairs(chunk.output[place].text, text)
        off = [right for left, right in pairs or () if left != right]
        return (
            bool(off)
            and all(len(re.sub(r"\D|[eE].*", "", right).lstrip("0")) >= _BY_CHANCE for right in off)
            and not differs(self.runs.published, self.runs.again, chunk, place)
        )

    def _wrong(self, chunk: Chunk, place: int, verdict: BlockVerdict) -> Cause:
        """A difference that is the document's own; those of one seed are one."""
        cone = upstream(self.chunks, chunk)
        drawn = next((part for part in cone if draw_in(part.code, part.language) is not None), None)
        line = chunk.output[place].after or last_line(chunk)
        whole = verdict.numbers > 1 and verdict.differing > verdict.numbers // 2
        key = ("drawn", drawn.index) if drawn is not None and whole else ("wrong", chunk.index, line)
        return self.state.causes.get(key, Cause(Answer.WRONG, chunk, line, _differs(verdict)))

    def _passing(self, chunk: Chunk, code: str) -> Cause | None:
        for found, said in (
            (clock_in(code), "it shows the time, or how long something took"),
            (passing_in(code), "it shows an address, an id or a temporary path"),
            (unset_in(code), "it shows memory that nothing has been written to"),
        ):
            if found is not None:
                return self.state.causes.get(
                    (said, chunk.index),
                    Cause(
                        Answer.NOBODY,
                        chunk,
                        found + chunk.code.count("\n", 0, max(0, chunk.code.find(code))),
                        said,
                    ),
                )
        return None

    def _unsteady(self, chunk: Chunk, taken: Cause | None) -> Cause:
        unseeded = self.unseeded.get(chunk.language)
        if taken is not None and taken is not unseeded:
            return taken
        if unseeded is not None:
            return self.state.causes.get(("unseeded", chunk.language), unseeded)
        first = next(
            (
                part
                for part in upstream(self.chunks, chunk)
                if self.runs.published.of(part).left is not None
                and draw_in(part.code, part.language) is not None
            ),
            chunk,
        )
        line = draw_in(first.code, first.language) or 0
        said = "two fresh runs print something else"
        if line:
            said = "random numbers are drawn here that no seed fixes"
        return self.state.causes.get(("runs", first.index), Cause(Answer.NOBODY, first, line, said))

    def _other_order(self, chunk: Chunk) -> Cause | None:
        """Cells that were not run from top to bottom, up to this one and what it depends on."""
        counts = [(c, c.execution_count) for c in self.chunks if c.index <= chunk.index and c.execution_count]
        needed = {part.index for part in upstream(self.chunks, chunk)}
        for (left, before), (right, after) in pairwise(counts):
            if after < before and (needed & {left.index, right.index} or len(counts) < 3):
                said = (
                    "the cells were not run from top to bottom: "
                    f"{named(self.runs.document, right)} stands below {named(self.runs.document, left)}"
                )
                return self.state.causes.get(("order",), Cause(Answer.NOBODY, right, 0, said))
        return None

    def _swap(self, chunk: Chunk, key: tuple[int, int]) -> Cause:
        other = self.swapped[key]
        first, second = sorted((key, other))
        there = self.chunks[second[0]]
        where = named(self.runs.document, there) if there.cell else f"line {there.output[second[1]].line}"
        said = f"this output and the one of {where} are swapped: each is what the other's code prints"
        return self.state.causes.get(("swapped", first), Cause(Answer.WRONG, self.chunks[first[0]], 0, said))


def _differs(verdict: BlockVerdict) -> str:
    if verdict.first is None:
        return "it differs"
    if verdict.numbers > 1 and verdict.differing > 1:
        return f"{verdict.first}; {verdict.differing} of {verdict.numbers} numbers differ"
    return str(verdict.first)
