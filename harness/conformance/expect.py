"""Inherited failures, and differences that are known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

import msgspec

from harness.conformance.explain import Explainer, covers, samples_of
from harness.conformance.own_inputs import OwnComparison, OwnInputs
from harness.conformance.samples import in_samples
from harness.conformance.sides import Sides
from harness.model import OF_A_STAGE, Basis, Case, Cell, KnownDivergence, Mode, Verdict


def mark_inherited(cells: list[Cell]) -> list[Cell]:
    """Mark the chained failures that vanish when the stage is given the reference's inputs."""
    isolated = [cell for cell in cells if cell.mode is Mode.ISOLATED and cell.check in OF_A_STAGE]
    sound = {(cell.stage, cell.precision) for cell in isolated if cell.verdict is Verdict.PASS}
    # Some elements of an output may be compared with the truth, and others with the reference.
    sound -= {(cell.stage, cell.precision) for cell in isolated if cell.verdict is Verdict.FAIL}
    return [
        msgspec.structs.replace(cell, inherited=True)
        if cell.mode is Mode.CHAINED
        and cell.check in OF_A_STAGE
        and cell.verdict is not Verdict.PASS
        and (cell.stage, cell.precision) in sound
        else cell
        for cell in cells
    ]


def expect_divergences(
    implementation: str, cells: list[Cell], sides: Sides, own_inputs: OwnInputs | None = None
) -> list[Cell]:
    """Turn the failures that are known into XFAIL, and known ones that no longer show into XPASS.

    A sample is XFAIL where it shows a difference of finite numbers, of the right shape and dtype, of a size
    within the range of a known divergence. So it is where it inherits such a difference: where the reference,
    on the implementation's own inputs, gives the same. Where the reference gives something else the sample
    stays FAIL, and where it gives nothing, NOT_RUN. A cell is XFAIL where all its failing samples are; else
    its reason says what no known divergence explains.

    Parameters
    ----------
    implementation : str
        Whose cells these are.
    cells : list of Cell
        In one case; any precisions.
    sides : Sides
        The arrays that they compare.
    own_inputs : callable, optional
        Compares with the reference on the implementation's own inputs; asked only of what may inherit.
        Without it nothing is shown to inherit.
    """
    all_known = sides.case.known_divergences
    known = [
        known_divergence
        for known_divergence in all_known
        if fnmatchcase(implementation, known_divergence.implementation)
    ]
    if not known:
        return cells
    explainer = Explainer(sides, known, cells, own_inputs or _nobody)
    # An inherited difference is explained before the stage's own.
    order = {name: place for place, name in enumerate(sides.case.values)}
    explained = {
        place: explainer.explained(cells[place])
        for place in sorted(range(len(cells)), key=lambda place: order[cells[place].stage])
    }
    return [_healed(known, explained[place], cells, sides.case) for place in range(len(cells))]


def _nobody(name: str, samples: Iterable[str]) -> dict[str, OwnComparison]:
    """Stands for a reference that cannot be called."""
    judged = OwnComparison(verdict=Verdict.NOT_RUN, reason="there is no reference to call")
    return dict.fromkeys(samples, judged)


def _healed(known: list[KnownDivergence], cell: Cell, before: list[Cell], case: Case) -> Cell:
    """Return XPASS for a cell whose known divergence has ended: in its precision, or in a sample it names."""
    for known_divergence in known:
        # A coarse comparison does not detect most differences.
        if cell.basis is Basis.COARSE or not covers(case, known_divergence, cell):
            continue
        showing = {
            sample_verdict.sample
            for other in before
            if other.precision is cell.precision and covers(case, known_divergence, other)
            for sample_verdict in samples_of(other)
            if sample_verdict.verdict is Verdict.FAIL
        }
        due = [s.sample for s in samples_of(cell) if known_divergence.is_of_sample(s.sample)]
        if cell.verdict is Verdict.PASS and due and not showing:
            return _ended(cell, known_divergence, due, "")
        named = [sample for sample in due if sample in known_divergence.samples and sample not in showing]
        passed = [s.sample for s in cell.by_sample if s.sample in named and s.verdict is Verdict.PASS]
        if cell.verdict in (Verdict.PASS, Verdict.XFAIL) and passed:
            return _ended(cell, known_divergence, passed, f" {in_samples(passed, cell.samples)}")
    return cell


def _ended(cell: Cell, known: KnownDivergence, samples: Sequence[str], where: str) -> Cell:
    by_sample = tuple(
        msgspec.structs.replace(s, verdict=Verdict.XPASS)
        if s.verdict is Verdict.PASS and s.sample in samples
        else s
        for s in cell.by_sample
    )
    return msgspec.structs.replace(
        cell,
        verdict=Verdict.XPASS,
        by_sample=by_sample,
        divergence=known.id,
        reason=f"known divergence {known.id!r} no longer shows{where}; it ends when: {known.ends_when}",
    )
