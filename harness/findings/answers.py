"""What is said of each published output, and why: one finding for each root cause."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from harness.documents.model import Chunk
from harness.documents.results import ChunkRun
from harness.findings import failing, seeded_anew
from harness.findings.causes import Cause, named
from harness.findings.changed_code import outdated
from harness.findings.console_draws import drawn_apart
from harness.findings.context import context_of
from harness.findings.cut_digits import cut_digits
from harness.findings.differing import cause_of_difference, how, is_swap, swapped
from harness.findings.doubts import difference_at, doubt
from harness.findings.failure_lines import is_apart
from harness.findings.firm_ground import NOT_TOLD, lacks_ground, rest_of, without_ground
from harness.findings.judging_context import Context
from harness.findings.judging_state import JudgingState, Key
from harness.findings.meant_to_fail import ends_itself
from harness.findings.more_digits import falsely_rounded
from harness.findings.names import names_in
from harness.findings.no_proof import is_exchanged_in_print
from harness.findings.other_ends import other_end
from harness.findings.outputs import LIKE, kind_of, verdicts
from harness.findings.proof import proven
from harness.findings.prose import code_in_prose
from harness.findings.prose_claims import said_of_outputs
from harness.findings.random_numbers import (
    draw_here,
    drawing_definitions,
    seeds,
)
from harness.findings.reached import depends_on
from harness.findings.runs import DocumentRuns, first_line
from harness.findings.swapped import swapped_pairs
from harness.findings.tainted_names import taint, tainted_names, taken_from
from harness.findings.too_many import are_too_many, reproduced_in, roots_of
from harness.findings.typing_slips import typed
from harness.findings.vectors_beside import vectors_are_right
from harness.findings.worth_a_look import in_prose, is_no_claim, worth_a_look
from harness.model.article import Answer, Block, BlockKind, BlockVerdict, Finding, Kind, Suspect


class Judged(msgspec.Struct, frozen=True):
    """Every output with its answer, the findings, and what is worth a look though it is none."""

    blocks: tuple[Block, ...]
    findings: tuple[Finding, ...]
    suspects: tuple[Suspect, ...] = ()


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
            seeded_anew.begin(self.state, chunk)
            cause = taken = taken_from(self.state, chunk)
            tainted = tainted_names(self.state, chunk)
            unpinned = self._draws(chunk) is not None
            if unpinned:
                self.state.unpinned.add(chunk.index)
            nobodys = cause is not None and cause.answer is Answer.NOBODY
            # A single statement that draws is another one in each run, whatever the text says of it.
            drawn = unpinned and "\n" not in chunk.code.strip()
            if chunk.doubtful and (nobodys or cause is None) and not drawn:
                own = Cause(Answer.UNCHECKED, chunk, 0, chunk.doubtful)
                cause = self.state.causes.get(("doubtful", chunk.doubtful), own)
            failed = self._failed(chunk, run, cause) or other_end(self.state, chunk, run)
            for place, verdict in enumerate(self.verdicts[chunk.index, n] for n in range(len(chunk.output))):
                if self.only not in (None, (chunk.index, place)):
                    continue
                mine = failed or cause
                if failed is not None and is_apart(chunk, run, place):
                    mine = cause
                if mine is not None and mine is taken and not depends_on(chunk, place, tainted):
                    mine = None
                self.answers[chunk.index, place] = self._answer(chunk, place, verdict, mine)
            left_undone = None if taken is None and ends_itself(chunk, run) else failed
            taint(self.state, chunk, run, left_undone, cause, whole=cause is not taken)
        if self.whole is not None:
            return Judged((), ())
        self._doubt_the_many()
        for key, cause in proven(self.state, self.answers, _accusation):
            self._accuse(key, cause)
        for found in (typed, falsely_rounded, cut_digits, outdated):
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
        suspects = (*worth_a_look(self.state, self.answers), *in_prose(self.runs.document, prose))
        findings += tuple(finding for finding in prose if not is_no_claim(finding))
        return Judged(tuple(self._blocks()), findings, suspects)

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
            roots = roots_of(self.state, many)
            right = reproduced_in(self.state, self.answers, language)
            for cause in accused:
                why = drawn_apart(self.state, cause.chunk) or lacks_ground(
                    self.state, cause, rests[id(cause)]
                )
                if why and vectors_are_right(self.state, self.answers, cause, rests[id(cause)]):
                    why = ""
                if cause.outputs and are_too_many(roots, right):
                    why = f"{roots - 1} more are like it"
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
