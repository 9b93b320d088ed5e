"""Inputs a second through all stages: `python -m tests.bench.bench_fuzz [CASE [SECONDS [BATCH]]]`.

`harness fuzz` in all languages that are there, judging included; beside it, Hypothesis alone, which draws
the same shapes and calls the case's NumPy and PyTorch functions in one process, and compares nothing.
"""

from __future__ import annotations

import runpy
import sys
import time
from pathlib import Path

import numpy as np

from harness.conformance.plan import make_plan
from harness.fuzz.session import session

SUITE = Path(__file__).parents[2] / "reference_impls"


def searched(case: str, seconds: float, batch: int) -> float:
    """Inputs a second of a search."""
    whole = make_plan(SUITE, cases=(case,), precisions=("float64",))
    with session(whole, batch=batch) as opened:
        opened.hunt.warm_up()
        opened.hunt.run(seconds=seconds)
        tally = opened.hunt.tally
        names = ", ".join(subject.id for subject in (opened.hunt.reference, *opened.hunt.others))
        print(f"{case}, {names}: {tally.judged} of {tally.inputs} judged, {len(opened.hunt.findings)} off")
        return tally.inputs / tally.seconds


def alone(case: str, count: int = 500) -> float:
    """Inputs a second of Hypothesis with NumPy and PyTorch in this process."""
    import hypothesis
    import torch
    from hypothesis import strategies as st
    from hypothesis.extra import numpy as hnp

    (planned,) = make_plan(SUITE, cases=(case,)).cases
    arrays = planned.fixture.arrays(next(iter(planned.fixture.samples)))
    numbers = st.floats(-1e3, 1e3)
    drawn = st.fixed_dictionaries(
        {name: hnp.arrays(np.float64, array.shape, elements=numbers) for name, array in arrays.items()}
    )
    folder = SUITE / case
    ours, theirs = (runpy.run_path(str(folder / f"{case}{suffix}")) for suffix in (".py", "_torch.py"))
    done = 0

    def call(given: dict[str, np.ndarray]) -> None:
        nonlocal done
        done += 1
        with np.errstate(all="ignore"):
            for functions, values in (
                (ours, dict(given)),
                (theirs, {name: torch.from_numpy(array) for name, array in given.items()}),
            ):
                for stage in planned.case.stages:
                    values[stage.name] = functions[stage.name](*[values[name] for name in stage.inputs])

    settings = hypothesis.settings(
        max_examples=count, deadline=None, database=None, suppress_health_check=list(hypothesis.HealthCheck)
    )
    test = settings(hypothesis.given(drawn)(call))
    begun = time.perf_counter()
    test()
    return done / (time.perf_counter() - begun)


def main(case: str = "four_word", seconds: float = 15.0, batch: int = 256) -> None:
    """Measure, and print."""
    ours, theirs = searched(case, seconds, batch), alone(case)
    print(f"harness fuzz: {ours:.0f} inputs a second; Hypothesis in one process: {theirs:.0f}")
    print(f"{ours / theirs:.1f} times as many")


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(float, sys.argv[2:3]), *map(int, sys.argv[3:4]))
