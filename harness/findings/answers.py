"""What is said of each published output, and why: one finding for each root cause."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from harness.documents.model import Chunk
from harness.documents.results import ChunkRun
from harness.findings import failing
from harness.findings.beyond_names import beyond_names
from harness.findings.causes import Cause, named
from harness.findings.changed_code import outdated
from harness.findings.context import context_of
from harness.findings.differing import cause_of_difference, how, is_swap, swapped
from harness.findings.doubts import difference_at, doubt
from harness.findings.failure_lines import from_failure, is_apart, lacking_code
from harness.findings.firm_ground import NOT_TOLD, lacks_ground, rest_of, without_ground
from harness.findings.judging_context import Context
from harness.findings.judging_state import JudgingState, Key
from harness.findings.left_as_it_was import only_sampled, unchanged_by
from harness.findings.more_digits import falsely_rounded
from harness.findings.names import names_in, parts_set_in
from harness.findings.no_proof import is_exchanged_in_print
from harness.findings.outputs import LIKE, kind_of, verdicts
from harness.findings.proof import proven
from harness.findings.prose import code_in_prose
from harness.findings.prose_claims import said_of_outputs
from harness.findings.random_numbers import (
    draw_here,
    drawing_definitions,
    generator_in,
    seeds,
)
from harness.findings.reached import depends_on, handed_to, reached_names
from harness.findings.runs import DocumentRuns, first_line
from harness.findings.swapped import swapped_pairs
from harness.findings.too_many import are_too_many, reproduced_in
from harness.findings.typing_slips import typed
from harness.model.article import Answer, Block, BlockKind, BlockVerdict, Finding, Kind

_OF_A_DEVICE = re.compile(r"\bcuda\b|\bGPUs?\b|\bnccl\b|\bmps\b|\bxpu\b", re.IGNORECASE)


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


def _accusation(runs: DocumentRuns, context: Context, key: Key) -> Cause | None:
    """Return what an output of a part of a document is accused of, as it would be of the whole."""
    judge = _Judge(runs, context, key)
    judge.all()
    causes = (cause for cause in judge.state.causes.all() if key in cause.outputs)
    return next(
        (cause for cause in causes if cause.answer is Answer.WRONG and cause.kind is not Kind.CHUNK_FAILS),
        None,
    )


class _Judge:
    def __init__(self, runs: DocumentRuns, whole: Context | None = None, only: Key | None = None) -> None:
        self.runs, self.whole, self.only = runs, whole, only
        self.chunks = runs.document.chunks
        self.seeded: set[str] = set()
        self.verdicts: dict[Key, BlockVerdict] = {}
        self.answers: dict[Key, tuple[Answer, str]] = {}
        self.swapped: dict[Key, Key] = {}
        self.state: JudgingState

    def all(self) -> Judged:
        """Judge chunk after chunk: what fails or is skipped early is the cause of what differs later."""
        for chunk in self.chunks:
            for place, verdict in enumerate(verdicts(chunk, self.runs.published.of(chunk))):
                self.verdicts[chunk.index, place] = verdict
        context = self.whole or context_of(self.runs, self.verdicts)
        context = msgspec.structs.replace(context, chunks=self.chunks)
        self.state = JudgingState(runs=self.runs, context=context, verdicts=self.verdicts)
        self.swapped = swapped_pairs(self.runs.published, self.verdicts) if self.only is None else {}
        for chunk in self.chunks:
            run = self.runs.published.of(chunk)
            cause = taken = self._taken(chunk)
            tainted = self._tainted(chunk)
            unpinned = self._draws(chunk) is not None
            if unpinned:
                self.state.unpinned.add(chunk.index)
            nobodys = cause is not None and cause.answer is Answer.NOBODY
            # A single statement that draws is another one in each run, whatever the text says of it.
            drawn = unpinned and "\n" not in chunk.code.strip()
            if chunk.doubtful and (nobodys or cause is None) and not drawn:
                own = Cause(Answer.UNCHECKED, chunk, 0, chunk.doubtful)
                cause = self.state.causes.get(("doubtful", chunk.doubtful), own)
            failed = self._failed(chunk, run, cause) or self._other_error(chunk, run)
            for place, verdict in enumerate(self.verdicts[chunk.index, n] for n in range(len(chunk.output))):
                if self.only not in (None, (chunk.index, place)):
                    continue
                mine = failed or cause
                if failed is not None and is_apart(chunk, run, place):
                    mine = cause
                if mine is not None and mine is taken and not depends_on(chunk, place, tainted):
                    mine = None
                self.answers[chunk.index, place] = self._answer(chunk, place, verdict, mine)
            self._taint(chunk, run, failed, cause, whole=cause is not taken)
        if self.whole is not None:
            return Judged((), ())
        self._doubt_the_many()
        for key, cause in proven(self.state, self.answers, _accusation):
            self._accuse(key, cause)
        for found in (typed, falsely_rounded, outdated):
            for key, cause in found(self.state, self.answers):
                self._accuse(key, cause)
        findings = tuple(cause.finding(self.runs) for cause in self.state.causes.merged())
        said = {key: answer for key, (answer, _) in self.answers.items()}
        prose = (
            *said_of_outputs(self.runs, said),
            *code_in_prose(self.runs, self.state),
        )
        prose = tuple(
            without_ground(finding, rest_of(self.state, self.answers, finding.language)) for finding in prose
        )
        return Judged(tuple(self._blocks()), (*findings, *prose))

    def _accuse(self, key: Key, cause: Cause) -> None:
        """Take an output from what held its accusation back."""
        for other in self.state.causes.all():
            if other.outputs.pop(key, None) is not None and not (other.outputs or other.failing):
                self.state.causes.drop(other)
        self.answers[key] = self._blame(self.state.causes.known(cause), key, "")

    def _doubt_the_many(self) -> None:
        """Take accusations back for which a document gives no ground, or of which there are too many."""
        by_language: dict[str, list[Cause]] = {}
        for cause in self.state.causes.all():
            if cause.answer is Answer.WRONG:
                by_language.setdefault(cause.chunk.language, []).append(cause)
        for language, accused in by_language.items():
            rests = {id(cause): rest_of(self.state, self.answers, language, cause) for cause in accused}
            many = [cause for cause in accused if cause.outputs]
            right = reproduced_in(self.state, self.answers, language)
            for cause in accused:
                why = lacks_ground(self.state, cause, rests[id(cause)])
                if cause.outputs and are_too_many(len(many), right):
                    why = f"{len(many) - 1} more are like it"
                if why:
                    cause.doubted(f"{NOT_TOLD}: {why}", Answer.UNCHECKED)
                    self.answers |= dict.fromkeys(cause.outputs, (cause.answer, cause.said))

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
        set_here = {(chunk.language, name) for name in names_in(chunk.code, chunk.language).sets}
        self.state.drawing -= set_here
        self.state.drawing |= {
            (chunk.language, name) for name in drawing_definitions(chunk.code, chunk.language)
        }
        line = draw_here(chunk.code, chunk.language, self.state.drawing)
        above = "\n".join(chunk.code.split("\n")[: line or 0])
        seeded = chunk.language in self.seeded or seeds(above, chunk.language)
        if seeds(chunk.code, chunk.language):
            self.seeded.add(chunk.language)
        if line is None or seeded:
            return None
        said = "random numbers are drawn here, and no seed is set before"
        cause = Cause(Answer.NOBODY, chunk, line, said, kind=Kind.RANDOMNESS)
        self.state.unseeded.setdefault(chunk.language, cause)
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

    def _other_error(self, chunk: Chunk, run: ChunkRun) -> Cause | None:
        """The cause where a chunk ends otherwise than the document shows: what it sets may be else."""
        places = [place for place, block in enumerate(chunk.output) if kind_of(block) == "error"]
        if run.left is None or (not places and run.error is None):
            return None
        if (
            places
            and run.error is not None
            and all(self.verdicts[chunk.index, place].kind is not BlockKind.UNCHECKED for place in places)
        ):
            return None
        if places and run.error is not None and chunk.prompts:
            return None  # one statement, which fails in both: what it leaves undone is the same
        said = "it ends here with another error than the document shows"
        if (
            run.error is not None
            and places
            and all("reads otherwise" in self.verdicts[chunk.index, place].reason for place in places)
        ):
            said = "the error that it ends with is worded otherwise here"
        if run.error is None:
            said = "the document shows an error here, and the code runs without one"
            if any(_OF_A_DEVICE.search(chunk.output[place].text) for place in places):
                said = "the error that the document shows is of a device, such as a GPU, which is not here"
        elif not places and not chunk.output:
            return None
        return self.state.causes.get(("ends", chunk.index), Cause(Answer.HERE, chunk, 0, said))

    def _taint(
        self, chunk: Chunk, run: ChunkRun, failed: Cause | None, taken: Cause | None, *, whole: bool
    ) -> None:
        unseeded = self.state.unseeded.get(chunk.language)
        drawn = taken is None and chunk.index in self.state.unpinned
        carried = unseeded if drawn else taken
        # From a failure on nothing was set as the author had it; above it, what is computed from such values.
        left = "" if failed is None else chunk.code
        if failed is not None and run.error is not None:
            left = from_failure(chunk, run)
        tainted = self._tainted(chunk)
        lacking = names_in(lacking_code(chunk, run), chunk.language).sets
        for name in names_in(chunk.code, chunk.language).sets - lacking:
            self.state.tainted.pop((chunk.language, name), None)
        if carried is not None:
            same: frozenset[str] = frozenset()
            if carried is unseeded and not any(generator_in(part.code) for part in self.chunks):
                same = only_sampled(chunk.code, chunk.language) - parts_set_in(chunk.code, chunk.language)
            reached = reached_names(
                chunk.code,
                chunk.language,
                tainted,
                lambda text: self._draws_in(text, chunk.language) if drawn else whole,
            )
            self._mark(chunk, reached - same, failed or carried)
        if failed is not None:
            same = frozenset()
            if run.error is not None and failed is not taken:
                same = unchanged_by(left, chunk.language, run.error.message)
            parts = parts_set_in(left, chunk.language)
            self._mark(chunk, (names_in(left, chunk.language).sets - same) | parts, failed)
            if chunk.language == "python" and failed.kind is Kind.NEEDS_PACKAGE:
                self._mark(chunk, handed_to(left, self._tainted(chunk)), failed)
        if failed is not None:
            for what in beyond_names(f"{left}\n{lacking_code(chunk, run)}", chunk.language):
                self.state.beyond.setdefault((chunk.language, what), failed)
            if run.error is not None and failing.lacks_a_package(run.error):
                self.state.beyond.setdefault((chunk.language, "session"), failed)

    def _mark(self, chunk: Chunk, names: frozenset[str], cause: Cause) -> None:
        for name in names:
            self.state.tainted[chunk.language, name] = cause
            self.state.touched.setdefault((chunk.language, name), cause)

    def _tainted(self, chunk: Chunk) -> frozenset[str]:
        """The names of a chunk's language whose values are not the author's."""
        return frozenset(name for language, name in self.state.tainted if language == chunk.language)

    def _draws_in(self, text: str, language: str) -> bool:
        return draw_here(text, language, self.state.drawing) is not None

    def _answer(
        self, chunk: Chunk, place: int, verdict: BlockVerdict, cause: Cause | None
    ) -> tuple[Answer, str]:
        key = (chunk.index, place)
        if verdict.kind in LIKE:
            return Answer.REPRODUCED, ""
        if key in self.swapped and self._is_swap(key, tainted=cause is not None):
            return self._blame(swapped(self.state, chunk, key, self.swapped[key]), key, "")
        if verdict.kind is BlockKind.UNCHECKED and kind_of(chunk.output[place]) in ("error", "message"):
            if cause is not None:
                return self._blame(cause, key, "")
            own = Cause(Answer.HERE, chunk, 0, verdict.reason)
            return self._blame(self.state.causes.get(("reads", chunk.index, verdict.reason), own), key, "")
        if verdict.kind is BlockKind.UNCHECKED and cause is None:
            own = Cause(Answer.UNCHECKED, chunk, 0, verdict.reason)
            return self._blame(self.state.causes.get(("unchecked", verdict.reason), own), key, "")
        if cause is not None and (verdict.kind is not BlockKind.DIFFERS or cause.answer is not Answer.NOBODY):
            said = how(verdict) if verdict.kind is BlockKind.DIFFERS else ""
            if said and cause.answer is Answer.WRONG and (other := self._doubtful(chunk, place)):
                return self._blame(other, key, said)
            return self._blame(cause, key, said)
        if verdict.kind is BlockKind.NOT_REPRODUCIBLE:
            own = Cause(Answer.UNCHECKED, chunk, 0, verdict.reason)
            return self._blame(self.state.causes.get(("not", chunk.index), own), key, "")
        return self._blame(cause_of_difference(self.state, chunk, place, verdict, cause), key, how(verdict))

    def _is_swap(self, key: Key, *, tainted: bool) -> bool:
        """Whether two outputs that stand in each other's place do so for certain."""
        other = self.swapped[key]
        # What is not as the author had it may be what exchanges two values, but not two computations.
        if tainted and not is_exchanged_in_print(self.state, key, other):
            return False
        return is_swap(self.state, key, other) and is_swap(self.state, other, key)

    def _doubtful(self, chunk: Chunk, place: int) -> Cause | None:
        """The cause of an output below an accusation that may differ for another reason too."""
        why = doubt(difference_at(self.state, (chunk.index, place)))
        return self.state.causes.get(("here", why), Cause(Answer.HERE, chunk, 0, why)) if why else None

    def _blame(self, cause: Cause, key: tuple[int, int], said: str) -> tuple[Answer, str]:
        cause.outputs[key] = said
        return cause.answer, cause.said
