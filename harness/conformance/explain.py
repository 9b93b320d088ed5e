"""Explains failing samples by known divergences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from harness.conformance.own_inputs import OwnComparison, OwnInputs
from harness.conformance.sides import Sides
from harness.model import (
    OF_A_STAGE,
    Basis,
    Case,
    Cell,
    Check,
    Failure,
    Identity,
    KnownDivergence,
    Measure,
    Mode,
    Precision,
    Published,
    SampleVerdict,
    Source,
    Verdict,
)
from harness.numerics.size import size_of

_WITHIN = {
    None: "",
    Basis.DERIVED: " within the derived limit",
    Basis.STATED: " within the stated tolerance",
    Basis.MEASURED: " within the measured tolerance",
    Basis.COARSE: " to half the digits",
}


class _Explained(msgspec.Struct, frozen=True, kw_only=True):
    """A failing sample, and the known divergence that explains it; or why none does.

    ``is_own`` says that the reference, on the same inputs, gives something else; ``coarse`` is why that could
    be compared coarsely only.
    """

    result: SampleVerdict
    id: str = ""
    is_own: bool = False
    coarse: str = ""


class Explainer:
    """Explains one implementation's cells, a stage after those that it takes."""

    def __init__(
        self, sides: Sides, known: list[KnownDivergence], cells: list[Cell], own_inputs: OwnInputs
    ) -> None:
        self.sides = sides
        self.case = sides.case
        self.known = known
        self.own_inputs = own_inputs
        self.roots = set(self._roots(cells))
        # By precision and sample, the outputs that follow from an unexplained failure.
        self.spoiled: dict[tuple[Precision, str], set[str]] = {}

    def explained(self, cell: Cell) -> Cell:
        """Return a cell whose explained samples are XFAIL."""
        before = samples_of(cell)
        failing = [sample_verdict for sample_verdict in before if sample_verdict.verdict is Verdict.FAIL]
        explanations = self._explained(cell, failing)
        after = tuple(
            explanations[sample_verdict.sample].result
            if sample_verdict.sample in explanations
            else sample_verdict
            for sample_verdict in before
        )
        if cell.mode is Mode.CHAINED and cell.check in OF_A_STAGE:
            for sample_verdict in after:
                if sample_verdict.verdict is Verdict.FAIL:
                    key = (cell.precision, sample_verdict.sample)
                    self.spoiled.setdefault(key, set()).update(downstream(self.case, cell.stage))
        return _with_samples(cell, after, explanations) if explanations else cell

    def _roots(self, cells: Iterable[Cell]) -> Iterable[tuple[str, Precision, str]]:
        """Samples that show a known divergence of a stage, within its range, chained."""
        for cell in cells:
            for known in self.known:
                if known.stage and cell.mode is Mode.CHAINED and covers(self.case, known, cell):
                    for sample in samples_of(cell):
                        if sample.verdict is Verdict.FAIL and not _objection(
                            known, self._size(known, cell, sample), sample
                        ):
                            yield known.id, cell.precision, sample.sample

    def _explained(self, cell: Cell, failing: Sequence[SampleVerdict]) -> dict[str, _Explained]:
        """Explain each failing sample, if any known divergence is about the cell."""
        direct = [known for known in self.known if covers(self.case, known, cell)]
        follows = [known for known in self.known if _follows(self.case, known, cell)]
        if not (direct or follows):
            return {}
        explained = {s.sample: self._shown(cell, s, direct) for s in failing}
        heirs: dict[str, tuple[SampleVerdict, KnownDivergence]] = {}
        for sample_verdict in failing:
            source = next(
                (known for known in follows if self._may_inherit(cell, sample_verdict, known)), None
            )
            if source is not None and not explained[sample_verdict.sample].id:
                heirs[sample_verdict.sample] = (sample_verdict, source)
        # The reference is called for these only.
        judged = self.own_inputs(cell.stage, tuple(heirs)) if heirs else {}
        for sample, (sample_verdict, source) in heirs.items():
            explained[sample] = _inherited(sample_verdict, source, judged[sample], self.case.reference)
        return explained

    def _shown(self, cell: Cell, failing: SampleVerdict, direct: list[KnownDivergence]) -> _Explained:
        """Explain a sample that may show a known divergence itself."""
        objections = []
        for known in direct:
            size = self._size(known, cell, failing)
            objection = _objection(known, size, failing)
            if not objection:
                reason = f"{failing.reason}; {_expected_size(known, size)}"
                result = msgspec.structs.replace(failing, verdict=Verdict.XFAIL, reason=reason)
                return _Explained(result=result, id=known.id)
            objections.append(objection)
        reason = "; ".join([*objections, failing.reason])
        return _Explained(result=msgspec.structs.replace(failing, reason=reason))

    def _may_inherit(self, cell: Cell, failing: SampleVerdict, known: KnownDivergence) -> bool:
        """Whether a sample is off by numbers, and known divergences explain all failures before it."""
        return (
            (known.id, cell.precision, failing.sample) in self.roots
            and cell.stage not in self.spoiled.get((cell.precision, failing.sample), ())
            and self._measured("absolute", cell, failing) is not None
        )

    def _size(self, known: KnownDivergence, cell: Cell, sample_verdict: SampleVerdict) -> float | None:
        return self._measured(known.measure or "absolute", cell, sample_verdict)

    def _measured(self, measure: Measure, cell: Cell, sample_verdict: SampleVerdict) -> float | None:
        """Return the size of a difference.

        None unless both sides are there, in the right shape and dtype, and finite but for expected NaN.
        """
        actual, expected = (
            self.sides.actual(cell, sample_verdict.sample),
            self.sides.expected(cell, sample_verdict.sample),
        )
        # Without a largest error nothing was compared: a shape or dtype is wrong.
        if (
            sample_verdict.max_abs is None
            or isinstance(actual, Failure)
            or isinstance(expected, Failure | Published)
        ):
            return None
        if not self.case.values[cell.stage].nan and not np.isfinite(actual).all():
            return None
        return size_of(measure, actual, expected)


def _inherited(
    failing: SampleVerdict, known: KnownDivergence, judged: OwnComparison, reference: str
) -> _Explained:
    """Explain a sample that may inherit a known divergence, by the reference's values on the same inputs."""
    of = f"known divergence {known.id!r} of {known.stage}"
    if judged.verdict is Verdict.PASS:
        same = f"on its own inputs {reference} gives the same{_WITHIN[judged.basis]}"
        reason = f"{failing.reason}; follows from {of}: {same}"
        coarse = f"on its own inputs, which follow from {of}: {judged.weaker_because or 'no limit is known'}"
        return _Explained(
            result=msgspec.structs.replace(failing, verdict=Verdict.XFAIL, reason=reason),
            id=known.id,
            coarse=coarse if judged.basis is Basis.COARSE else "",
        )
    if judged.verdict is Verdict.FAIL:
        reason = f"more than what it inherits from {of}: on its own inputs {judged.reason}; {failing.reason}"
        return _Explained(result=msgspec.structs.replace(failing, reason=reason), is_own=True)
    reason = f"that it follows from {of} could not be shown: {judged.reason}"
    return _Explained(result=msgspec.structs.replace(failing, verdict=Verdict.NOT_RUN, reason=reason))


def _with_samples(cell: Cell, after: tuple[SampleVerdict, ...], explained: dict[str, _Explained]) -> Cell:
    """Return a cell with new verdicts on its samples; the worst failing one is the cell's."""
    changed = msgspec.structs.replace(cell, by_sample=after if cell.by_sample else ())
    if cell.verdict is not Verdict.FAIL:
        return changed
    for verdict in (Verdict.FAIL, Verdict.NOT_RUN):
        left = [e for e in explained.values() if e.result.verdict is verdict]
        if left:
            where = f"{left[0].result.sample}: " if len(after) > 1 else ""
            return msgspec.structs.replace(
                changed,
                verdict=verdict,
                reason=f"{where}{left[0].result.reason}",
                source=cell.source if verdict is Verdict.FAIL else Source.NONE,
                inherited=verdict is Verdict.FAIL and cell.inherited and not any(e.is_own for e in left),
            )
    worst = next((s for s in after if s.sample == cell.worst_sample), after[0])
    coarse = dict.fromkeys(e.coarse for e in explained.values() if e.coarse)
    if coarse and cell.basis is not Basis.COARSE:
        # The verdict rests on no limit that the cell has.
        changed = msgspec.structs.replace(
            changed, basis=Basis.COARSE, limit=None, weaker_because="; ".join(coarse)
        )
    return msgspec.structs.replace(
        changed,
        verdict=Verdict.XFAIL,
        divergence=next(e.id for e in explained.values()),
        reason=worst.reason,
    )


def _objection(known: KnownDivergence, size: float | None, failing: SampleVerdict) -> str:
    """Say why a known divergence does not explain a sample's difference of this size; empty if it does."""
    if size is None:
        return f"known divergence {known.id!r} is a difference of finite numbers, and this is not"
    if known.at_most is None or size > known.at_most:
        return (
            f"larger than known divergence {known.id!r} allows: {size:.6g} where at most "
            f"{known.at_most or 0.0:.6g} ({known.measure})"
        )
    if known.at_least is None or size < known.at_least:
        return (
            f"smaller than known divergence {known.id!r} says: {size:.6g} where at least "
            f"{known.at_least or 0.0:.6g} ({known.measure})"
        )
    if not known.is_of_sample(failing.sample):
        return f"known divergence {known.id!r} is not known of sample {failing.sample}"
    least, most = known.elements or (0, failing.beyond)
    if failing.beyond > most:
        return (
            f"more elements than known divergence {known.id!r} allows: {failing.beyond} where at most {most}"
        )
    if failing.beyond < least:
        return (
            f"fewer elements than known divergence {known.id!r} says: {failing.beyond} where at least {least}"
        )
    return ""


def _expected_size(known: KnownDivergence, size: float | None) -> str:
    return f"{known.measure} {size:.3g}, known to be {known.at_least:.3g} to {known.at_most:.3g}"


def samples_of(cell: Cell) -> tuple[SampleVerdict, ...]:
    """A cell's samples; of a cell that has none, itself as one."""
    if cell.by_sample:
        return cell.by_sample
    return (
        SampleVerdict(
            sample=cell.worst_sample,
            verdict=cell.verdict,
            reason=cell.reason,
            max_abs=None if cell.stats is None else cell.stats.max_abs,
            beyond=0 if cell.stats is None else cell.stats.beyond,
        ),
    )


def covers(case: Case, known: KnownDivergence, cell: Cell) -> bool:
    """Whether a known divergence is about what a cell compares."""
    if known.identity:
        return cell.check is Check.IDENTITY and (cell.stage, cell.against) == _sides(case, known.identity)
    return cell.stage == known.stage and cell.check in OF_A_STAGE


def _follows(case: Case, known: KnownDivergence, cell: Cell) -> bool:
    return not known.identity and cell.inherited and cell.stage in downstream(case, known.stage)


def _sides(case: Case, identity_id: str) -> tuple[str, str]:
    identity: Identity = next(i for i in case.identities if i.id == identity_id)
    return identity.left, identity.right


def downstream(case: Case, name: str) -> set[str]:
    """Return all outputs that are computed from an output, directly or not."""
    reached = {name}
    for stage in case.stages:
        if reached.intersection(stage.inputs):
            reached.update(value.name for value in stage.outputs)
    return reached - {name}
