"""The audit of source files: each fault is written into a suite of its own and run for real."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from harness.audit.audit_context import DEAD, AuditContext, killer, limit_of, undecided
from harness.audit.boundary import same_bits
from harness.audit.inputs import Inputs
from harness.audit.observed import answered, equal, of_stage, reached
from harness.audit.proofs import (
    derived_in,
    is_derived,
    proof_by_rounding,
    same_truths,
    within_zero,
)
from harness.audit.substitutes import substitutes
from harness.audit.types import Change, Fate, InjectedFault, Level, Mutant, Tried
from harness.conformance.helpers import helper_files
from harness.conformance.live import LiveHost
from harness.conformance.lookup import value_of
from harness.conformance.observe import Job
from harness.conformance.oracle import OracleClient
from harness.conformance.script_interpreted import functions_beside
from harness.model import Cell, Failure, Implementation, Mode, Observed, Precision, Stage, Truths


class SourceAudit:
    """One implementation of one case in one precision, whose source is changed.

    Parameters
    ----------
    implementation : Implementation
        The sound one.
    inputs : Inputs
        What it is tried on.
    host : Host
        Its runtime.
    prover : Oracle
        Evaluates changed NumPy sources.
    folder : Path
        An empty folder, which becomes the suite of the changed sources.
    twins : sequence of Change
        Those of the reference's source.
    """

    def __init__(
        self,
        implementation: Implementation,
        inputs: Inputs,
        host: LiveHost,
        prover: OracleClient,
        folder: Path,
        twins: Sequence[Change],
    ) -> None:
        self.implementation = implementation
        self.inputs = inputs
        self.host = host
        self.prover = prover
        self.folder = folder
        self.twins = twins
        self.changes: Sequence[Change] = ()
        self._already_failing: dict[int, set[str]] = {}

    def run(self, changes: Sequence[Change], uses: Mapping[str, frozenset[str]]) -> Iterator[Tried]:
        """Try every change that means something in this precision."""
        context = self.inputs.stored()
        self.changes = changes
        for number, change in enumerate(changes):
            if change.fault is InjectedFault.SINGLE_INSIDE and context.precision is not Precision.FLOAT64:
                continue
            stages = reached(context.case, uses, change.definition)
            yield self._try(number, change, stages, context)

    def _try(self, number: int, change: Change, stages: tuple[Stage, ...], context: AuditContext) -> Tried:
        mutant = Mutant(
            level=Level.SOURCE,
            case=context.case.name,
            implementation=self.implementation.id,
            precision=context.precision,
            fault=change.fault,
            place=change.place,
        )
        if not stages:
            return Tried(mutant=mutant, fate=Fate.EQUIVALENT, reason="no stage uses it")
        changed = self._write(number, change, self.implementation)
        places: Iterable[tuple[str, AuditContext]] = [("the fixture", context)]
        if change.fault is InjectedFault.MAXIMUM:
            # With small inputs a softmax may be unchanged; larger ones make the exponential overflow.
            places = chain(places, self.inputs.large())
        cells: list[Cell] = []
        for name, place in places:
            cells = self._judged(place, changed, stages)
            killer = self._killer(place, cells)
            if killer is not None:
                reason = f"{name}: {killer.verdict} {killer.stage}: {killer.reason}"
                return Tried(mutant=mutant, fate=Fate.KILLED, reason=reason)
        proof = self._proof(context, number, change, changed, stages)
        whole = self.inputs.whole()
        if not proof and whole is not None:
            cells = self._judged(whole, changed, stages)
            killer = self._killer(whole, cells)
            if killer is not None:
                reason = f"with all repetitions: {killer.verdict} {killer.stage}: {killer.reason}"
                return Tried(mutant=mutant, fate=Fate.KILLED, reason=reason)
        tells = self._search(changed, stages)
        if proof:
            return Tried(mutant=mutant, fate=Fate.EQUIVALENT, reason=proof, tells=tells)
        used = max((cell.stats.used for cell in cells if cell.stats is not None), default=0.0)
        reason = undecided(cells) or f"PASS, {used:.3g} of the limit used"
        if why := self._untrue(context, changed, stages):
            reason = f"{reason}; its true values are not known: {why}"
        return Tried(mutant=mutant, fate=Fate.SURVIVED, reason=reason, tells=tells)

    def _write(self, number: int, change: Change, sound: Implementation) -> Implementation:
        name = f"{sound.path.stem}.m{number}{sound.path.suffix}"
        path = self.folder / sound.path.parent.name / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(change.data or change.text.encode())
        helpers = dict(helper_files(sound.path))
        for function, content in functions_beside(sound.path).items():
            helpers[f"{path.stem}/{Path(function).name}"] = content
        declared = sound.path.with_name("case.toml")
        if declared.is_file():
            # Compiled languages read there what their functions take.
            helpers[declared.name] = declared.read_bytes()
        for helper, content in helpers.items():
            beside = path.parent / helper
            beside.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(content)
        return msgspec.structs.replace(sound, id=f"{sound.id}.m{number}", path=path)

    def _judged(
        self, context: AuditContext, changed: Implementation, stages: tuple[Stage, ...]
    ) -> list[Cell]:
        """Judge the first sample; if it shows no fault, judge the others.

        A stage is left out where the reference gives nothing to judge by: on other inputs it need not end.
        """
        samples = tuple(context.planned.fixture.samples)
        stages = answered(context, stages)
        cells: list[Cell] = []
        if not stages:
            return cells
        for some in (samples[:1], samples[1:]):
            if some:
                cells += context.judge(changed, self._observed(context, changed, stages, some), stages)
            if self._killer(context, cells) is not None:
                break
        return cells

    def _killer(self, context: AuditContext, cells: list[Cell]) -> Cell | None:
        """Return the first cell that finds a fault which the sound source does not have on these inputs."""
        if killer(cells) is None:
            return None
        if id(context) not in self._already_failing:
            samples = tuple(context.planned.fixture.samples)
            stages = answered(context, context.case.stages)
            sound = self._observed(context, self.implementation, stages, samples)
            judged = context.judge(self.implementation, sound, stages)
            self._already_failing[id(context)] = {cell.stage for cell in judged if cell.verdict in DEAD}
        return killer(cell for cell in cells if cell.stage not in self._already_failing[id(context)])

    def _observed(
        self,
        context: AuditContext,
        implementation: Implementation,
        stages: tuple[Stage, ...],
        samples: tuple[str, ...],
    ) -> Observed:
        fixture = context.planned.fixture
        job = Job(
            case=msgspec.structs.replace(context.case, stages=stages),
            fixture=msgspec.structs.replace(
                fixture, samples={name: fixture.samples[name] for name in samples}
            ),
            implementation=implementation,
            precision=context.precision,
        )
        return self.host.isolated(job, context.upstream, None)

    def _proof(
        self,
        context: AuditContext,
        number: int,
        change: Change,
        changed: Implementation,
        stages: tuple[Stage, ...],
    ) -> str:
        """Prove that a change computes the same on the fixture; empty if that cannot be shown."""
        samples = tuple(context.planned.fixture.samples)
        before = self._observed(context, self.implementation, stages, samples)
        after = self._observed(context, changed, stages, samples)
        same = equal(before, after)
        values = sum(
            len(observation.outputs)
            for observation in before.values()
            if not isinstance(observation, Failure)
        )
        bits = f"not one bit changes in {values} values"
        reference = context.planned.reference
        # True values are the same without the rounding of what is computed, so they say nothing about it.
        rounds = change.fault is InjectedFault.SINGLE_INSIDE and not same
        if self.implementation.runtime == reference.runtime and is_derived(context.case) and not rounds:
            if self._true_values_stay(context, self.implementation, changed, stages):
                return f"{f'{bits}, and their' if same else 'the'} true values are the same in balls"
        elif same:
            return bits
        elif noise := self._noise(context, before, after, stages):
            return f"not one bit changes but in {', '.join(noise)}, zero but for rounding, within the limit"
        if change.fault is InjectedFault.SINGLE_INSIDE:
            return proof_by_rounding(before, after, self.inputs.truths())
        twin = self._twin(change)
        if twin is not None:
            # The change of the mathematics does not depend on the library.
            there = self._write(number, twin, reference)
            if self._true_values_stay(context, reference, there, stages):
                return "the same change of the reference leaves the true values the same in balls"
        moved = tuple(stage for stage in stages if not equal(of_stage(before, stage), of_stage(after, stage)))
        inputs = [self._substitute(context, change.fault, of_stage(after, stage), stage) for stage in moved]
        if inputs and all(inputs):
            return f"it is the sound source where {', '.join(inputs)}; the true values are the same in balls"
        return ""

    def _substitute(self, context: AuditContext, fault: InjectedFault, after: Observed, stage: Stage) -> str:
        """Find an input with which the sound source returns the same bits, and the reference the old ones."""
        samples = tuple(context.planned.fixture.samples)
        reference = context.planned.reference
        for name, other in substitutes(context, stage, fault):
            if not equal(after, self._observed(other, self.implementation, (stage,), samples)):
                continue
            if same_truths(
                self._true(context, reference, (stage,), Mode.ISOLATED, samples),
                self._true(other, reference, (stage,), Mode.ISOLATED, samples),
            ):
                return name
        return ""

    def _twin(self, change: Change) -> Change | None:
        """Find the same change of the reference's source: by its text, else by its place."""

        def alike(changes: Sequence[Change]) -> list[Change]:
            return [c for c in changes if (c.definition, c.fault) == (change.definition, change.fault)]

        words = (change.definition, change.was, change.now)
        said = [twin for twin in self.twins if (twin.definition, twin.was, twin.now) == words]
        if said:
            return said[0]
        theirs, ours = alike(self.twins), alike(self.changes)
        return theirs[ours.index(change)] if len(theirs) == len(ours) else None

    def _noise(
        self, context: AuditContext, before: Observed, after: Observed, stages: tuple[Stage, ...]
    ) -> list[str]:
        """Return the outputs that change; empty if one of them is further from zero than its limit."""
        changed = []
        for stage in stages:
            for value in stage.outputs:
                for sample in context.planned.fixture.samples:
                    old, new = (value_of(observed, sample, stage, value) for observed in (before, after))
                    if isinstance(old, Failure) or isinstance(new, Failure):
                        return []
                    if same_bits(old, new):
                        continue
                    limit = limit_of(context, sample, stage, value)
                    if limit is None or not all(within_zero(array, limit) for array in (old, new)):
                        return []
                    changed.append(value.name)
        return list(dict.fromkeys(changed))

    def _true_values_stay(
        self, context: AuditContext, sound: Implementation, changed: Implementation, stages: tuple[Stage, ...]
    ) -> bool:
        if not is_derived(context.case):
            return False
        # On the reference's values, each with its rounding; or on true values, some of which are zero.
        names = tuple(context.planned.fixture.samples)
        parts = [some for some in (names[:1], names[1:]) if some]

        def same(some: tuple[str, ...], mode: Mode) -> bool:
            # A fault shows in the first sample, or takes all the oracle's time there.
            true, other = (self._true(context, which, stages, mode, some) for which in (sound, changed))
            return same_truths(true, other)

        return any(all(same(some, mode) for some in parts) for mode in (Mode.ISOLATED, Mode.CHAINED))

    def _untrue(self, context: AuditContext, changed: Implementation, stages: tuple[Stage, ...]) -> str:
        """Return why a changed source's true values are unknown; empty if they are not, or nobody asks."""
        runtime = context.planned.reference.runtime
        if self.implementation.runtime != runtime or not is_derived(context.case):
            return ""
        first = tuple(context.planned.fixture.samples)[:1]
        truths = self._true(context, changed, stages, Mode.ISOLATED, first)
        return next((truth.reason for truth in truths.values() if isinstance(truth, Failure)), "")

    def _true(
        self,
        context: AuditContext,
        implementation: Implementation,
        stages: tuple[Stage, ...],
        mode: Mode,
        samples: tuple[str, ...],
    ) -> Truths:
        case = derived_in(context.case, frozenset(stage.name for stage in stages))
        fixture = context.planned.fixture
        fixture = msgspec.structs.replace(fixture, samples={name: fixture.samples[name] for name in samples})
        planned = msgspec.structs.replace(
            context.planned, case=case, fixture=fixture, reference=implementation
        )
        upstream = context.upstream if mode is Mode.ISOLATED else {}
        return self.prover.truths(planned, context.precision, mode, upstream)

    def _search(self, changed: Implementation, stages: tuple[Stage, ...]) -> str:
        """Find inputs that distinguish it from the sound source; empty if none of those tried does."""
        for name, context in self.inputs.others():
            cell = self._killer(context, self._judged(context, changed, stages))
            if cell is not None:
                return f"{name}: {cell.verdict} {cell.stage}: {cell.reason}"
        return ""
