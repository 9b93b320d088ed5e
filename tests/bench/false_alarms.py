"""How much of the derived limits do sound implementations use, at most, on random inputs?

``python tests/bench/false_alarms.py [COUNT [CASE ...]]``: COUNT inputs (10,000) of each case, in all four
languages. Ends with 1 if anything was beyond its limit.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from harness.conformance.gather import gather
from harness.conformance.judge import rule_of
from harness.conformance.live import workers
from harness.conformance.observe import Observed, Observer
from harness.conformance.oracle import oracle, with_truth
from harness.conformance.plan import Plan, PlannedCase, make_plan
from harness.model import Failure, Fixture, Mode, Precision, Truth
from harness.numerics.truth import error_of
from harness.runtimes.oracle import find_oracle

ROOT = Path(__file__).parents[2]
CASES = (
    "einsum_multi_head", "four_word", "four_word_r_seed", "multi_head", "self_attention", "token_attention",
)  # fmt: skip
CHUNK = 250
"""Inputs that are held in memory at once."""

Place = tuple[str, str, str, Mode, Precision]
"""Implementation, case, output, mode and precision."""


def random_fixture(fixture: Fixture, rng: np.random.Generator, first: int, count: int) -> Fixture:
    """Inputs of the same shapes: normal draws of a random scale; integers are permuted.

    Scores grow with the square of the scale: up to 2, so that no softmax is one element alone.
    """
    samples = {}
    for number in range(first, first + count):
        arrays = {}
        for name, array in fixture.arrays(next(iter(fixture.samples))).items():
            if array.dtype.kind == "f":
                scale = np.exp2(rng.uniform(-6, 1))
                arrays[name] = scale * rng.normal(size=array.shape)
            else:
                arrays[name] = rng.permutation(array.ravel()).reshape(array.shape)
        samples[f"random_{number}"] = arrays
    sha256 = f"{fixture.sha256}, random inputs from {first}, {count}"
    return msgspec.structs.replace(fixture, shared={}, samples=samples, labels={}, sha256=sha256)


def largest_uses(
    folder: Path,
    runtimes: tuple[str, ...],
    cases: tuple[str, ...],
    count: int,
    on_chunk: Callable[[int, float], None] = lambda done, used: None,
) -> dict[Place, float]:
    """The largest error/limit of every stage over ``count`` random inputs, in every implementation."""
    shutil.copytree(ROOT / "reference_impls", folder / "suite", dirs_exist_ok=True)
    (folder / "suite" / "fixtures").unlink(missing_ok=True)
    (folder / "suite" / "fixtures").symlink_to(ROOT / "fixtures")
    plan = _without_tolerances(make_plan(folder / "suite", cases=cases, implementations=runtimes))
    stop = threading.Event()
    found: dict[Place, float] = {}
    with workers(plan.registry, plan.runtimes, stop) as (hosts, absent):
        assert not absent, absent
        observers: list[Observer] = list(hosts.values())
        with oracle(find_oracle(), folder / "cache", threading.Event()) as seer:
            for number, chunk in enumerate(_chunks(plan, count), start=1):
                for item, told in with_truth(gather(chunk, observers, stop), seer):
                    if item.refusal is not None or item.implementation not in item.planned.implementations:
                        continue
                    for mode, observed, truths in (
                        (Mode.CHAINED, item.chained, told.chained),
                        (Mode.ISOLATED, item.isolated, told.isolated),
                    ):
                        for name, used in _uses(item.planned, observed, truths):
                            place = (
                                item.implementation.id, item.planned.case.name, name, mode, item.precision,
                            )  # fmt: skip
                            found[place] = max(found.get(place, 0.0), used)
                shutil.rmtree(folder / "cache", ignore_errors=True)
                on_chunk(min(count, number * CHUNK), max(found.values()))
    return found


def _without_tolerances(plan: Plan) -> Plan:
    """The plan with a derived tolerance for every floating-point output."""

    def bare(planned: PlannedCase) -> PlannedCase:
        stages = tuple(
            msgspec.structs.replace(
                stage,
                outputs=tuple(
                    msgspec.structs.replace(value, tolerance=None) if value.dtype == "float" else value
                    for value in stage.outputs
                ),
            )
            for stage in planned.case.stages
        )
        return msgspec.structs.replace(planned, case=msgspec.structs.replace(planned.case, stages=stages))

    return msgspec.structs.replace(plan, cases=tuple(map(bare, plan.cases)))


def _chunks(plan: Plan, count: int) -> Iterator[Plan]:
    rng = np.random.default_rng(0)
    for first in range(0, count, CHUNK):
        size = min(CHUNK, count - first)
        yield msgspec.structs.replace(
            plan,
            cases=tuple(
                msgspec.structs.replace(planned, fixture=random_fixture(planned.fixture, rng, first, size))
                for planned in plan.cases
            ),
        )


def _uses(
    planned: PlannedCase, observed: Observed, truths: dict[tuple[str, str], Truth | Failure]
) -> Iterator[tuple[str, float]]:
    for stage in planned.case.stages:
        for value in stage.outputs:
            if rule_of(value).rule != "derived":
                continue
            for sample in planned.fixture.samples:
                answer, truth = observed[sample, stage.name], truths[sample, value.name]
                assert not isinstance(answer, Failure), answer
                assert isinstance(truth, Truth), truth
                error, limit = error_of(answer.outputs[value.name], truth), truth.limit
                with np.errstate(divide="ignore", invalid="ignore"):
                    used = np.where(error == 0.0, 0.0, error / limit)
                yield value.name, float(used.max())


def told(case: str, count: int, done: int, used: float) -> None:
    """How far it has come, for a person who waits."""
    print(f"{case}: {done} of {count} inputs, {used:.3f} used", file=sys.stderr, flush=True)


def main(count: int, cases: tuple[str, ...]) -> int:
    """Print the five largest uses of each case, and every false alarm."""
    alarms = 0
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            uses = largest_uses(
                Path(folder),
                ("numpy", "torch", "r", "julia"),
                (case,),
                count,
                partial(told, case, count),
            )
        beyond = {place: used for place, used in uses.items() if not used <= 1.0}
        alarms += len(beyond)
        print(f"{case}: {count} inputs, {len(uses)} limits, {len(beyond)} exceeded", flush=True)
        for used, place in sorted((used, place) for place, used in uses.items())[-5:]:
            print(f"    {used:.3f} of the limit: {', '.join(place)}", flush=True)
    return 1 if alarms else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, tuple(sys.argv[2:]) or CASES))
