"""Inherited failures, and differences that are known."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

import msgspec
import numpy as np

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
    Verdict,
)
from harness.numerics.size import size_of


def mark_inherited(cells: list[Cell]) -> list[Cell]:
    """Mark the chained failures that vanish when the stage is given the reference's inputs."""
    sound = {
        (cell.stage, cell.precision)
        for cell in cells
        if cell.mode is Mode.ISOLATED and cell.verdict is Verdict.PASS and cell.check in OF_A_STAGE
    }
    return [
        msgspec.structs.replace(cell, inherited=True)
        if cell.mode is Mode.CHAINED
        and cell.check in OF_A_STAGE
        and cell.verdict is not Verdict.PASS
        and (cell.stage, cell.precision) in sound
        else cell
        for cell in cells
    ]


def expect_divergences(implementation: str, cells: list[Cell], sides: Sides) -> list[Cell]:
    """Turn the failures that are known into XFAIL, and known ones that no longer show into XPASS.

    A sample is XFAIL where it shows a difference of finite numbers, of the right shape and dtype, of a size
    within the range of a known divergence; or where it inherits such a difference. A cell is XFAIL where all
    its failing samples are; else its reason says what no known divergence explains.

    Parameters
    ----------
    implementation : str
        Whose cells these are.
    cells : list of Cell
        In one case; any precisions.
    sides : Sides
        The arrays that they compare.
    """
    all_known = sides.case.known_divergences
    known = [
        known_divergence
        for known_divergence in all_known
        if fnmatchcase(implementation, known_divergence.implementation)
    ]
    if not known:
        return cells
    explainer = _Explainer(sides, known, cells)
    return [_healed(known, explainer.explained(cell), cells, sides.case) for cell in cells]


class _Explainer:
    """Which failing samples known divergences explain."""

    def __init__(self, sides: Sides, known: list[KnownDivergence], cells: list[Cell]) -> None:
        self.sides = sides
        self.case = sides.case
        self.known = known
        self.roots = set(self._roots(cells))

    def explained(self, cell: Cell) -> Cell:
        """A cell whose failing samples are XFAIL where they are explained."""
        direct = [
            known_divergence for known_divergence in self.known if _covers(self.case, known_divergence, cell)
        ]
        follows = [
            known_divergence for known_divergence in self.known if _follows(self.case, known_divergence, cell)
        ]
        if not (direct or follows):
            return cell
        told = [
            self._sample(cell, sample, direct, follows) if sample.verdict is Verdict.FAIL else (sample, "")
            for sample in _samples(cell)
        ]
        ids = [name for sample_verdict, name in told if sample_verdict.verdict is Verdict.XFAIL]
        samples = tuple(sample_verdict for sample_verdict, _ in told)
        changed = msgspec.structs.replace(cell, by_sample=samples if cell.by_sample else ())
        if cell.verdict is not Verdict.FAIL:
            return changed
        left = [sample for sample in samples if sample.verdict is Verdict.FAIL]
        if left:
            where = f"{left[0].sample}: " if len(samples) > 1 else ""
            return msgspec.structs.replace(changed, reason=f"{where}{left[0].reason}")
        worst = next((sample for sample in samples if sample.sample == cell.worst_sample), samples[0])
        return msgspec.structs.replace(changed, verdict=Verdict.XFAIL, divergence=ids[0], reason=worst.reason)

    def _roots(self, cells: Iterable[Cell]) -> Iterable[tuple[str, Precision, str]]:
        """Samples that show a known divergence of a stage, within its range, chained."""
        for cell in cells:
            for known in self.known:
                if known.stage and cell.mode is Mode.CHAINED and _covers(self.case, known, cell):
                    for sample in _samples(cell):
                        if sample.verdict is Verdict.FAIL and not _objection(
                            known, self._size(known, cell, sample)
                        ):
                            yield known.id, cell.precision, sample.sample

    def _sample(
        self,
        cell: Cell,
        sample_verdict: SampleVerdict,
        direct: list[KnownDivergence],
        follows: list[KnownDivergence],
    ) -> tuple[SampleVerdict, str]:
        """A failing sample, XFAIL with the divergence's id where it is explained."""
        objections = []
        for known in direct:
            size = self._size(known, cell, sample_verdict)
            objection = _objection(known, size)
            if not objection:
                reason = f"{sample_verdict.reason}; {_told(known, size)}"
                return msgspec.structs.replace(sample_verdict, verdict=Verdict.XFAIL, reason=reason), known.id
            objections.append(objection)
        for known in follows:
            shown = (known.id, cell.precision, sample_verdict.sample) in self.roots
            if shown and self._measured("absolute", cell, sample_verdict) is not None:
                reason = (
                    f"{sample_verdict.reason}; follows from known divergence {known.id!r} of {known.stage}"
                )
                return msgspec.structs.replace(sample_verdict, verdict=Verdict.XFAIL, reason=reason), known.id
        reason = "; ".join([*objections, sample_verdict.reason])
        return msgspec.structs.replace(sample_verdict, reason=reason), ""

    def _size(self, known: KnownDivergence, cell: Cell, sample_verdict: SampleVerdict) -> float | None:
        return self._measured(known.measure or "absolute", cell, sample_verdict)

    def _measured(self, measure: Measure, cell: Cell, sample_verdict: SampleVerdict) -> float | None:
        """How large a difference is; None unless both sides are there, in the right shape and dtype, and
        finite but for expected NaN."""
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


def _objection(known: KnownDivergence, size: float | None) -> str:
    """Why a known divergence does not explain a difference of a size; empty if it does."""
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
    return ""


def _told(known: KnownDivergence, size: float | None) -> str:
    return f"{known.measure} {size:.3g}, known to be {known.at_least:.3g} to {known.at_most:.3g}"


def _healed(known: list[KnownDivergence], cell: Cell, before: list[Cell], case: Case) -> Cell:
    """A cell that passes although it is known not to, in its precision, anywhere."""
    for known_divergence in known:
        # A coarse comparison does not see most differences.
        told = cell.verdict is Verdict.PASS and cell.basis is not Basis.COARSE
        covered = told and _covers(case, known_divergence, cell)
        if covered and not any(
            other.verdict is Verdict.FAIL
            and other.precision is cell.precision
            and _covers(case, known_divergence, other)
            for other in before
        ):
            return msgspec.structs.replace(
                cell,
                verdict=Verdict.XPASS,
                divergence=known_divergence.id,
                reason=f"known divergence {known_divergence.id!r} no longer shows;"
                f" it ends when: {known_divergence.ends_when}",
            )
    return cell


def _samples(cell: Cell) -> tuple[SampleVerdict, ...]:
    if cell.by_sample:
        return cell.by_sample
    largest = None if cell.stats is None else cell.stats.max_abs
    sample = cell.worst_sample
    return (SampleVerdict(sample=sample, verdict=cell.verdict, reason=cell.reason, max_abs=largest),)


def _covers(case: Case, known: KnownDivergence, cell: Cell) -> bool:
    if known.identity:
        return cell.check is Check.IDENTITY and (cell.stage, cell.against) == _sides(case, known.identity)
    return cell.stage == known.stage and cell.check in OF_A_STAGE


def _follows(case: Case, known: KnownDivergence, cell: Cell) -> bool:
    return not known.identity and cell.inherited and cell.stage in _downstream(case, known.stage)


def _sides(case: Case, identity_id: str) -> tuple[str, str]:
    identity: Identity = next(one for one in case.identities if one.id == identity_id)
    return identity.left, identity.right


def _downstream(case: Case, name: str) -> set[str]:
    reached = {name}
    for stage in case.stages:
        if reached.intersection(stage.inputs):
            reached.update(value.name for value in stage.outputs)
    return reached - {name}
