"""How fast the reproduced streams are, next to the languages: `python -m tests.bench.bench_streams`.

Each figure is the best of several runs, in million numbers a second of processor time on one core. "plain" is
NumPy alone, "here" is with Numba where it is installed, "live" is the language itself where it is installed,
"ratio" is here to live.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple, get_args

from harness.streams import julia, kernels, numpy, r, torch
from harness.streams.r_uniforms import Kind

COUNT = 1_000_000
RUNS = 4
UNIFORM, NORMAL, OTHER = 20.0, 5.0, 0.0


class Case(NamedTuple):
    """One stream: what draws it here, and the same expression in its language."""

    name: str
    target: float
    draw: Callable[[], Any]
    language: str
    expression: str


def _r(kind: str, draw: str) -> tuple[str, str]:
    return "r", f"{{suppressWarnings(set.seed(1, {kind!r})); function() {draw}}}".replace("'", '"').replace(
        'L"E', "L'E"
    )


def _runif(kind: Kind) -> Case:
    stream = r.set_seed(1, kind)
    return Case(f"R runif {kind}", UNIFORM, lambda: stream.runif(COUNT), *_r(kind, "runif(n)"))


def _cases() -> list[Case]:
    cases = [_runif(kind) for kind in get_args(Kind)]
    s = r.set_seed(1)
    twister = "Mersenne-Twister"
    cases += [
        Case("R rnorm", NORMAL, lambda: s.rnorm(COUNT), *_r(twister, "rnorm(n)")),
        Case("R rexp", OTHER, lambda: s.rexp(COUNT), *_r(twister, "rexp(n)")),
        Case(
            "R sample(1000, n, TRUE)",
            OTHER,
            lambda: s.sample(1000, COUNT, True),
            *_r(twister, "sample(1000,n,TRUE)"),
        ),
    ]
    for name, g in (("MersenneTwister", julia.MersenneTwister(1)), ("Xoshiro", julia.Xoshiro(1))):
        rng = f"{name}(1)"
        cases += [
            Case(f"{name} rand", UNIFORM, partial(g.rand, COUNT), "julia", f"r = {rng}; () -> rand(r, n)"),
            Case(
                f"{name} rand Float32",
                UNIFORM,
                partial(g.rand, COUNT, dtype="Float32"),
                "julia",
                f"r = {rng}; () -> rand(r, Float32, n)",
            ),
            Case(f"{name} randn", NORMAL, partial(g.randn, COUNT), "julia", f"r = {rng}; () -> randn(r, n)"),
            Case(
                f"{name} randexp",
                OTHER,
                partial(g.randexp, COUNT),
                "julia",
                f"r = {rng}; () -> randexp(r, n)",
            ),
            Case(
                f"{name} rand(1:1000)",
                OTHER,
                partial(g.rand, range(1, 1001), COUNT),
                "julia",
                f"r = {rng}; () -> rand(r, 1:1000, n)",
            ),
        ]
    t = torch.Generator(1)
    for dtype in get_args(torch.DType):
        cases += [
            Case(
                f"torch rand {dtype}",
                UNIFORM,
                partial(t.rand, COUNT, dtype),
                "torch",
                f"t.rand(n, dtype=t.{dtype})",
            ),
            Case(
                f"torch randn {dtype}",
                NORMAL,
                partial(t.randn, COUNT, dtype),
                "torch",
                f"t.randn(n, dtype=t.{dtype})",
            ),
        ]
    cases.append(
        Case("torch randint", OTHER, lambda: t.randint(0, 10, COUNT), "torch", "t.randint(0, 10, (n,))")
    )
    state = numpy.RandomState(1)
    cases += [
        Case("NumPy rand", UNIFORM, lambda: state.rand(COUNT), "", ""),
        Case("NumPy randn", NORMAL, lambda: state.randn(COUNT), "", ""),
    ]
    return cases


def _rate(draw: Callable[[], Any]) -> float:
    draw()
    best = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        draw()
        best = min(best, time.process_time() - start)
    return COUNT / best / 1e6


def _live(cases: list[Case]) -> dict[str, float]:
    """Million numbers a second of each case in its own language; a language that is missing gives nothing."""
    rates: dict[str, float] = {}
    for language, command in (("r", _r_script), ("julia", _julia_script), ("torch", _torch_script)):
        mine = [case for case in cases if case.language == language]
        call = command([case.expression for case in mine])
        if call is None:
            continue
        done = subprocess.run(
            call, capture_output=True, text=True, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
        )
        lines = done.stdout.split()
        rates |= {
            case.name: COUNT / float(seconds) / 1e6
            for case, seconds in zip(mine, lines, strict=True)
            if seconds != "missing"
        }
    return rates


R_SCRIPT = """
n <- COUNT
timed <- function(draw) sum(system.time(for (k in 1:5) draw())[1:2]) / 5
best <- function(draw) { draw(); min(sapply(1:RUNS, function(i) timed(draw))) }
"""
JULIA_SCRIPT = """
using Random
const n = COUNT
clock() = ccall(:clock, Clong, ()) / 1e6
timed(draw) = (t = clock(); draw(); clock() - t)
best(draw) = (draw(); minimum(timed(draw) for _ in 1:RUNS))
"""
TORCH_SCRIPT = """
import time, torch as t
n = COUNT
t.set_num_threads(1)
def timed(draw):
    start = time.process_time()
    draw()
    return time.process_time() - start
def best(draw):
    draw()
    return min(timed(draw) for _ in range(RUNS))
"""


def _filled(script: str, lines: list[str]) -> str:
    return "\n".join([script.replace("COUNT", str(COUNT)).replace("RUNS", str(RUNS)), *lines])


def _r_script(expressions: list[str]) -> list[str] | None:
    executable = shutil.which("Rscript")
    body = _filled(R_SCRIPT, [f'cat(format(best({e}), digits = 6), "\\n")' for e in expressions])
    return None if executable is None else [executable, "--vanilla", "-e", body]


def _julia_script(expressions: list[str]) -> list[str] | None:
    executable = os.environ.get("PYTHON_JULIACALL_EXE") or shutil.which("julia")
    lines = [f'println(try best(let; {e}; end) catch; "missing" end)' for e in expressions]
    return (
        None if executable is None else [executable, "--startup-file=no", "-e", _filled(JULIA_SCRIPT, lines)]
    )


def _torch_script(expressions: list[str]) -> list[str] | None:
    body = _filled(TORCH_SCRIPT, [f"print(best(lambda: {e}))" for e in expressions])
    return None if find_spec("torch") is None else [sys.executable, "-c", body]


def main() -> int:
    """Print the table; the exit code is 1 where a target is missed."""
    cases = _cases()
    here = [_rate(case.draw) for case in cases]
    compiled = kernels.compiled
    kernels.compiled = lambda function: None  # type: ignore[assignment]
    plain = [_rate(case.draw) for case in cases]
    kernels.compiled = compiled
    live = _live(cases)
    print(f"million numbers a second, one core, {COUNT:,} at a time")
    print(f"{'stream':32}{'target':>8}{'here':>9}{'plain':>9}{'live':>9}{'ratio':>8}")
    missed = 0
    for case, with_numba, without in zip(cases, here, plain, strict=True):
        own = live.get(case.name)
        missed += with_numba < case.target
        print(
            f"{case.name:32}{case.target or '':>8}{with_numba:9.1f}{without:9.1f}"
            f"{'' if own is None else f'{own:.1f}':>9}{'' if own is None else f'{with_numba / own:.2f}':>8}"
            f"{'   below target' if with_numba < case.target else ''}"
        )
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
