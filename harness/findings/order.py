"""Results that depend on the order of execution: going back, swapping neighbours, running all again."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from harness.documents.model import Chunk
from harness.findings.order_plan import Order, orders, sliced
from harness.findings.runs import LONG, DocumentRuns, Trial
from harness.findings.track import Step, Track, changed, tracks
from harness.model.article import Finding, Kind, Severity
from harness.sessions.statements import call, rows

SECONDS = 300.0
"""Time limit for the orders of one language, without the in-order runs that they are compared with."""

_MOST = 4
"""Chunks that one finding names."""


def order_of_execution(runs: DocumentRuns) -> Iterator[Finding]:
    """Run chunks in other orders that a reader at a prompt may use, and report what changes silently."""
    for track in tracks(runs):
        if len(track.chunks) > 1:
            yield from _Orders(track).findings()


class _Orders:
    """One language's chunks in other orders."""

    def __init__(self, track: Track) -> None:
        self._track = track
        self._first: dict[int, Step] = {}
        # From the second run, in which nothing is compiled any more.
        self._cost: dict[int, float] = {}

    def findings(self) -> Iterator[Finding]:
        track = self._track
        with track.runs.session(track.language) as trial:
            track.prepared(trial)
            steps = self._steps(trial, self._track.chunks)
            if len(steps) < len(track.chunks) or steps[-1].error is not None:
                track.runs.unchecked.append(
                    f"order of execution: {track.language} does not run a second time"
                )
                return
            self._first = {step.chunk.index: step for step in steps}
            again = self._steps(trial, self._track.chunks)
            generators = self._generators(trial)
            apart = [step for step in again if changed(self._first[step.chunk.index], step, track.language)]
            unsteady = self._unsteady() if apart else frozenset()
            hidden = next((step for step in apart if step.chunk.index not in unsteady), None)
            if hidden is not None:
                yield self._all_again(hidden)
            leaks = bool(apart) or again[-1].error is not None
            self._cost = {step.chunk.index: step.left.seconds for step in again}
            yield from self._others(
                trial, orders(track, generators | unsteady_names(track, unsteady) | track.reused), leaks
            )

    def _others(self, trial: Trial, planned: Sequence[Order], leaks: bool) -> Iterator[Finding]:
        track = self._track
        long = {index for index, seconds in self._cost.items() if seconds > LONG}
        begun = time.monotonic()
        causes: dict[tuple[str, int], tuple[Order, str]] = {}
        left_out = 0
        for order in planned:
            if order.key in causes:
                continue
            expected = sum(self._cost.get(chunk.index, 0.0) for chunk in order.sequence)
            late = time.monotonic() - begun + expected > SECONDS
            if late or trial.session.ended or any(chunk.index in long for chunk in order.sequence):
                left_out += 1
                continue
            how = self._tried(trial, order, fresh=leaks)
            if how:
                causes[order.key] = (order, how)
        for kind in dict.fromkeys(key[0] for key in causes):
            yield self._finding([cause for key, cause in causes.items() if key[0] == kind])
        if left_out:
            track.runs.unchecked.append(
                f"order of execution: {left_out} of {len(planned)} other orders of {track.language}, which "
                f"take more than {SECONDS:g} s together, or {LONG:g} s for one chunk"
            )

    def _tried(self, trial: Trial, order: Order, *, fresh: bool) -> str:
        """What an order changes silently; empty if nothing, or if there is an error to see."""
        if not fresh:
            return self._compared(trial, order)
        with self._track.runs.session(self._track.language) as other:
            self._track.prepared(other)
            return self._compared(other, order)

    def _compared(self, trial: Trial, order: Order) -> str:
        steps = self._steps(trial, order.sequence)
        if len(steps) < len(order.sequence) or steps[-1].error is not None:
            return ""
        for step in steps[-order.watched :]:
            how = changed(
                self._first[step.chunk.index], step, self._track.language, printed=order.printed_counts
            )
            if how:
                return f"line {step.chunk.line}: {how}" if order.watched > 1 else how
        return ""

    def _steps(self, trial: Trial, chunks: Iterable[Chunk]) -> list[Step]:
        """Evaluate chunks up to the first error."""
        steps: list[Step] = []
        for chunk in chunks:
            # Every chunk starts from the same seeds, so a difference is not just the next random numbers.
            self._track.seed(trial)
            steps.append(self._track.step(trial, chunk))
            if steps[-1].error is not None or trial.session.ended:
                break
        return steps

    def _unsteady(self) -> frozenset[int]:
        """Chunks that differ between two fresh sessions, in order."""
        with self._track.runs.session(self._track.language) as trial:
            self._track.prepared(trial)
            fresh = self._steps(trial, self._track.chunks)
        return frozenset(
            step.chunk.index
            for step in fresh
            if changed(self._first[step.chunk.index], step, self._track.language)
        )

    def _generators(self, trial: Trial) -> frozenset[str]:
        said = trial.code(call(self._track.language, "generators")).text
        return frozenset(name.strip() for (name,) in rows(said, "generator", 1))

    def _all_again(self, step: Step) -> Finding:
        how = changed(self._first[step.chunk.index], step, self._track.language)
        return self._track.runs.finding(
            step.chunk,
            Kind.ORDER,
            Severity.FRAGILE,
            f"all chunks in order, and once more in the same session{self._track.shortened}: {how}",
            "an earlier run leaves something behind that this chunk uses: only a fresh session gives what is "
            "published",
            smallest="all chunks, twice, without a restart",
        )

    def _finding(self, causes: Sequence[tuple[Order, str]]) -> Finding:
        track = self._track
        order, how = causes[0]
        short = msgspec.structs.replace(order, sequence=sliced(track, order))
        confirmed = len(short.sequence) < len(order.sequence) and self._tried_alone(short)
        lines = ", ".join(str(chunk.line) for chunk in (short if confirmed else order).sequence)
        evidence = f"{order.what}{track.shortened}, without an error: {how}"
        for other, said in causes[1:_MOST]:
            evidence += f"; so does line {other.line} after line {other.after}: {said}"
        if len(causes) > _MOST:
            evidence += f"; and {len(causes) - _MOST} more"
        return track.runs.finding(
            order.place,
            Kind.ORDER,
            Severity.FRAGILE,
            evidence,
            order.consequence,
            line=order.line,
            smallest=f"the chunks at lines {lines}, in this order",
        )

    def _tried_alone(self, order: Order) -> bool:
        with self._track.runs.session(self._track.language) as trial:
            self._track.prepared(trial)
            return bool(self._compared(trial, order))


def unsteady_names(track: Track, chunks: frozenset[int]) -> frozenset[str]:
    """Return the names that these chunks set, which differ from run to run by themselves."""
    return frozenset(
        name for statement in track.statements if statement.chunk in chunks for name in statement.sets
    )
