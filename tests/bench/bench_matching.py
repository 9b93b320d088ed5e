"""How long variables take to be matched: `python -m tests.bench.bench_matching [--variables N]`.

Two programs that are made up, the second with other names, some values transposed, flattened, in a loop
instead of at once, counted from 1, or wrong; the same of vectors alone; and a recorded pair of
`tests/programs`, repeated with other numbers each time. Seconds are those of the processor, for the machine
may be busy; `--profile` says where they go.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import time
import tomllib
from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from harness.programs.alignment import LIMITS
from harness.programs.launch import as_program, record
from harness.programs.match import Matching, match
from harness.programs.trace import Event, Site, Trace, Value
from harness.programs.units import Unit, units_of
from harness.sessions.sandbox import find_sandbox

PAIR = Path(__file__).parents[1] / "programs" / "fifth" / "parcels"
GOAL = 2.0
WORDS = (
    *("height", "weight", "mean", "total", "rate", "score", "index", "count", "ratio", "variance", "slope"),
    *("error", "rest", "limit", "share", "age", "distance", "speed", "price", "volume", "signal", "noise"),
    *("phase", "gain", "loss", "depth", "width", "area", "angle", "mass", "charge", "energy"),
)
OPERATORS = ("+", "-", "*", "/", "**", "sum", "mean", "sqrt", "exp", "log", "dot", "sort", "cumsum", "max")
Made = Callable[[np.random.Generator], list[Value]]


def single(rng: np.random.Generator) -> list[Value]:
    return [np.asarray(rng.standard_normal())]


def whole(rng: np.random.Generator) -> list[Value]:
    return [np.asarray(rng.integers(0, 100))]


def vector(rng: np.random.Generator) -> list[Value]:
    return [rng.standard_normal(int(rng.choice([5, 20, 100])))]


def matrix(rng: np.random.Generator) -> list[Value]:
    return [rng.standard_normal((int(rng.choice([3, 10])), int(rng.choice([4, 8]))))]


def numbers(rng: np.random.Generator) -> list[Value]:
    return [rng.integers(0, 50, int(rng.choice([5, 20, 100])))]


def loop(rng: np.random.Generator) -> list[Value]:
    return [np.asarray(item) for item in rng.standard_normal(int(rng.choice([4, 20, 100])))]


def texts(rng: np.random.Generator) -> list[Value]:
    return [np.array([WORDS[k] for k in rng.integers(0, len(WORDS), 6)], dtype=object)]


MIXED: dict[Made, float] = {
    single: 0.3, whole: 0.1, vector: 0.2, matrix: 0.15, numbers: 0.1, loop: 0.1, texts: 0.05
}  # fmt: skip


def made_up(variables: int, kinds: dict[Made, float], seed: int = 0) -> tuple[list[Unit], list[Unit]]:
    """The units of two programs with so many variables each, of which one in ten differs."""
    rng = np.random.default_rng(seed)
    first, second = _empty(), _empty()
    for number in range(variables):
        make = list(kinds)[rng.choice(len(kinds), p=list(kinds.values()))]
        values = make(rng)
        words = [*rng.choice(WORDS, 2), str(number)]
        reads = tuple(int(one) for one in rng.integers(max(0, number - 20), number, 2)) if number else ()
        operators = tuple(map(str, rng.choice(OPERATORS, 3)))
        wrong = rng.random() < 0.1 and make is not texts
        _set(first, "_".join(words), number, values, reads, operators)
        other = [value * 1.25 if wrong else value for value in values]
        renamed = "".join(words[:2]).title() + words[2] if rng.random() < 0.7 else f"v{number}"
        _set(second, renamed, number, _laid(other, rng), reads, operators)
    return units_of(first), units_of(second)


def _empty() -> Trace:
    return Trace({}, {0: 0}, {0: 0}, [], {}, complete=True)


def _set(
    trace: Trace,
    name: str,
    number: int,
    values: list[Value],
    reads: tuple[int, ...],
    operators: tuple[str, ...],
) -> None:
    names = tuple(trace.sites[read].name for read in reads)
    trace.sites[number] = Site(number, "made", number + 1, "set", name, "", names, operators, ())
    for occurrence, value in enumerate(values, 1):
        trace.events.append(Event(len(trace.events), number, 0, occurrence, {"": value}))


def _laid(values: list[Value], rng: np.random.Generator) -> list[Value]:
    """As another language has it: a half of what can be laid otherwise is."""
    if rng.random() < 0.5:
        return values
    if len(values) > 1:
        return [np.stack(values)]
    if values[0].ndim == 2:
        return [values[0].T if rng.random() < 0.5 else values[0].ravel()]
    return [values[0] + 1] if values[0].dtype.kind == "i" else values


def repeated(variables: int) -> tuple[list[Unit], list[Unit]]:
    """The units of a pair's two programs, recorded, several times over, with other numbers each time."""
    pair = tomllib.loads((PAIR / "pair.toml").read_text(encoding="utf-8"))
    sandbox = find_sandbox(unsandboxed=True)
    sides = [
        units_of(record(as_program(PAIR / pair[side]), sandbox, limits=LIMITS).trace) for side in ("a", "b")
    ]
    least = min(sum(unit.kind != "part" for unit in units) for units in sides)
    first, second = (_copies(units, ceil(variables / least)) for units in sides)
    return first, second


def _copies(units: list[Unit], times: int) -> list[Unit]:
    made: list[Unit] = []
    places = 1 + max(unit.last for unit in units)
    for turn in range(times):
        for unit in units:
            changes: dict[str, Any] = {
                name: {one + turn * len(units) for one in getattr(unit, name)} for name in ("inputs", "users")
            }
            changes["values"] = [
                value * (1 + 0.1 * turn) if value.dtype.kind == "f" else value for value in unit.values
            ]
            changes["site"] = msgspec.structs.replace(unit.site, name=f"{unit.site.name}{turn or ''}")
            changes["places"] = [place + turn * places for place in unit.places]
            made.append(msgspec.structs.replace(unit, number=len(made), **changes))
    return made


def timed(a: list[Unit], b: list[Unit]) -> tuple[float, Matching]:
    begun = time.process_time()
    made = match(a, b)
    return time.process_time() - begun, made


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variables", type=int, default=500)
    parser.add_argument("--profile", action="store_true", help="where the time goes")
    given = parser.parse_args()
    timed(*made_up(10, MIXED))
    programs = {
        "made up, mixed": made_up(given.variables, MIXED),
        "made up, vectors": made_up(given.variables, {vector: 1.0}),
        f"{PAIR.name}, repeated": repeated(given.variables),
    }
    print(f"{'':20} {'variables':>11} {'s':>7}  goal {GOAL:g}")
    for name, (a, b) in programs.items():
        profile = cProfile.Profile()
        if given.profile:
            profile.enable()
        seconds, made = timed(a, b)
        profile.disable()
        sizes = "x".join(str(sum(unit.kind != "part" for unit in units)) for units in (a, b))
        agreeing = sum(pair.agrees for pair in made.variables)
        said = "met" if seconds <= GOAL else "missed"
        print(
            f"{name:20} {sizes:>11} {seconds:7.2f}  {said}; {agreeing} of {len(made.variables)} agree",
            flush=True,
        )
        if given.profile:
            pstats.Stats(profile).sort_stats("cumulative").print_stats(25)


if __name__ == "__main__":
    main()
