"""Inputs a second through all stages: `python -m tests.bench.bench_fuzz [CASE [SECONDS [IMPL,...]]]`.

`harness fuzz` in NumPy, PyTorch, R and Julia, or in the implementations that are named, judging included;
beside it, Hypothesis alone, which draws the same shapes and calls the case's NumPy and PyTorch functions in
one process, and compares nothing.
"""

from __future__ import annotations

import os
import runpy
import sys
import time
from pathlib import Path

import numpy as np
import psutil

from harness.conformance.plan import make_plan
from harness.fuzz.session import session

SUITE = Path(__file__).parents[2] / "reference_impls"


LANGUAGES = "numpy,torch,r,julia"


def searched(case: str, seconds: float, implementations: tuple[str, ...]) -> float:
    """Inputs a second of a search; says what was searched, and what processors took for each input."""
    whole = make_plan(SUITE, cases=(case,), precisions=("float64",), implementations=implementations)
    with session(whole) as opened:
        hunt = opened.hunt
        hunt.warm_up()
        before = busy()
        hunt.run(seconds=seconds)
        each = (busy() - before) / hunt.tally.inputs
        tally = hunt.tally
        names = ", ".join(subject.id for subject in (hunt.reference, *hunt.others))
        print(f"{case}, {names}: {tally.judged} of {tally.inputs} judged, {len(hunt.findings)} off")
        print(f"{1000 * each:.2f} ms of a processor for each input; load {os.getloadavg()[0]:.1f}")
        return tally.inputs / tally.seconds


def busy() -> float:
    """Seconds of a processor that this process and those that it started, and that still run, have taken."""
    here = psutil.Process()
    times = [process.cpu_times() for process in (here, *here.children(recursive=True))]
    return sum(each.user + each.system for each in times)


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


def main(case: str = "four_word", seconds: str = "15", implementations: str = LANGUAGES) -> None:
    """Measure, and print."""
    ours, theirs = searched(case, float(seconds), tuple(implementations.split(","))), alone(case)
    print(f"harness fuzz: {ours:.0f} inputs a second; Hypothesis in one process: {theirs:.0f}")
    print(f"{ours / theirs:.1f} times as many")


if __name__ == "__main__":
    main(*sys.argv[1:4])
