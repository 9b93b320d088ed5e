"""Do sound implementations stay within the derived limits, whatever the inputs?

``python tests/limits [COUNT [CASE ...]]``: COUNT (10,000) random well-posed inputs of every stage of each
case, those of tests/suites included, in all four languages and every precision that the case has. A stage
takes what the reference returned upstream of it on the random inputs; one input in five is run chained too.
One input in ten has the dimensions of the case's fixture, the others have smaller ones. Ends with 1 if
anything was beyond its limit.
"""

from __future__ import annotations

import queue
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from drawn_inputs import CASES, draw, draw_sizes
from drawn_suites import SUITES
from one_chunk import DEADLINE, Chunk, Subject, Tally, held_stages, judge

from harness.conformance.hosts import workers
from harness.conformance.live import LiveHost
from harness.model import Absent, Case, Mode
from harness.runtimes.oracle import find_oracle
from harness.runtimes.oracle_worker import OracleWorker
from harness.runtimes.registry import Registry
from harness.store.cases import load_case

SUITE = Path(__file__).parents[2] / "reference_impls"
OTHERS = Path(__file__).parents[1] / "suites"
"""Suites outside of attention, and what is known to have no derived limit there, `OPEN`."""
OPEN = OTHERS / "open.toml"
RUNTIMES = ("numpy", "torch", "r", "julia")
CHUNK = 20
"""Inputs of the same sizes, which a worker is given at once."""
FULL_SIZES = 10
"""Of so many chunks the first has the dimensions of the case's fixture."""
CHAINED = 5
"""Of so many chunks the first is run chained too."""
ORACLES = 2
"""Chunks that are worked on at the same time, each with an oracle of its own."""


def fuzz(
    folder: Path,
    *,
    count: int,
    chunk_of: int = CHUNK,
    cases: Sequence[str] = CASES,
    runtimes: Sequence[str] = RUNTIMES,
    suite: Path = SUITE,
    on_chunk: Callable[[str, Tally], None] = lambda case, tally: None,
) -> Iterator[tuple[str, Tally]]:
    """Hold every implementation against the limits on random inputs.

    Parameters
    ----------
    folder : Path
        For files that are made on the way.
    count : int
        Inputs of each case.
    chunk_of : int
        How many have the same sizes and are judged at once.
    cases, runtimes : sequence of str
        Which; the reference's runtime is added.
    suite : Path
        The folder of the cases' folders; those that it lacks are in tests/suites.
    on_chunk : callable
        Called with the case and what came of it so far, after each chunk.

    Yields
    ------
    str, Tally
        A case, and what came of it.
    """
    registry = Registry.load(suite)
    launch = find_oracle()
    if isinstance(launch, Absent):
        raise SystemExit(f"no oracle: {launch.reason}")
    oracles: queue.SimpleQueue[OracleWorker] = queue.SimpleQueue()
    hosted = tuple(dict.fromkeys(("numpy", *runtimes)))
    with ExitStack() as stack:
        hosts, absent = stack.enter_context(workers(registry, hosted, threading.Event()))
        if absent:
            raise SystemExit(
                "; ".join(f"no {absence.runtime}: {absence.reason}" for absence in absent.values())
            )
        for number in range(ORACLES):
            worker = OracleWorker.start("oracle", launch, stderr=folder / f"oracle_{number}.stderr")
            stack.callback(worker.kill)
            oracles.put(worker)
        pool = stack.enter_context(ThreadPoolExecutor(max_workers=ORACLES))
        for name in cases:
            where = suite if (suite / name).is_dir() else OTHERS
            subject = _subject(where / name, registry, hosts, runtimes)
            tally = Tally()
            waiting: set[Future[Tally]] = set()
            for chunk in _chunks(subject.case, count, chunk_of):
                waiting.add(pool.submit(judge, subject, chunk, oracles))
                if len(waiting) > ORACLES:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        tally.add(future.result())
                    on_chunk(name, tally)
            for future in waiting:
                tally.add(future.result())
            yield name, tally


def _subject(
    folder: Path, registry: Registry, hosts: Mapping[str, LiveHost], runtimes: Sequence[str]
) -> Subject:
    case = load_case(folder)
    implementations = registry.implementations(folder)
    reference = next(
        implementation for implementation in implementations if implementation.id == case.reference
    )
    arity = {stage.name: len(stage.inputs) for stage in case.stages}
    loaded, dtypes = {}, {}
    for implementation in implementations:
        if implementation.runtime not in runtimes and implementation.id != reference.id:
            continue
        worker = hosts[implementation.runtime].worker
        assert worker is not None
        there = worker.load(implementation.path, arity, deadline=DEADLINE)
        for problem in there.problems.values():
            raise problem
        loaded[implementation.id] = (worker, there)
        dtypes[implementation.id] = worker.info.dtypes if implementation.runtime in runtimes else ()
    known = tomllib.loads(OPEN.read_text(encoding="utf-8"))["not_derived"]
    return Subject(case, held_stages(case, known.get(case.name, ())), reference, loaded, dtypes)


def _chunks(case: Case, count: int, size: int) -> Iterator[Chunk]:
    """The same inputs in every precision; they depend on the case's name and their number alone."""
    for number, first in enumerate(range(0, count, size)):
        rng = np.random.default_rng([*case.name.encode(), number])
        drawn = SUITES.get(case.name)
        sizes = drawn.sizes(rng) if drawn else draw_sizes(case, rng, full=number % FULL_SIZES == 0)
        samples = [
            drawn.arrays(sizes, rng) if drawn else draw(case, sizes, rng)
            for _ in range(min(size, count - first))
        ]
        modes = (Mode.ISOLATED, Mode.CHAINED) if number % CHAINED == 0 else (Mode.ISOLATED,)
        for precision in case.precisions:
            arrays = {}
            for name in samples[0]:
                array = np.stack([sample[name] for sample in samples])
                arrays[name] = array.astype(precision.value) if array.dtype.kind == "f" else array
            yield Chunk(number, modes, sizes, precision, arrays)


def main(arguments: Sequence[str]) -> int:
    """Print the largest uses of each case, and every false alarm."""
    given = arguments[:1] if arguments and arguments[0].isdigit() else ("10000",)
    known = (*CASES, *SUITES)
    count, cases = int(given[0]), tuple(arguments[1:] if given[0] in arguments[:1] else arguments) or known
    if count < 1 or not set(cases) <= set(known):
        print(
            f"usage: python tests/limits [COUNT [CASE ...]], with cases of {', '.join(known)}",
            file=sys.stderr,
        )
        return 2
    alarms = 0
    begun = said = time.perf_counter()
    reported: dict[str, int] = {}

    def on_chunk(case: str, tally: Tally) -> None:
        nonlocal said
        for alarm in tally.alarms[reported.get(case, 0) : 20]:
            print(f"    ALARM {alarm}", file=sys.stderr, flush=True)
        reported[case] = len(tally.alarms)
        if time.perf_counter() - said > 10.0:
            said = time.perf_counter()
            text = f"{case}: {tally.inputs} inputs, {max(tally.uses.values(), default=0.0):.3f} used"
            print(text, file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        for case, tally in fuzz(Path(folder), count=count, cases=cases, on_chunk=on_chunk):
            alarms += len(tally.alarms)
            print(
                f"{case}: {count} inputs, {len(tally.uses)} places, {tally.arrays} arrays, "
                f"{tally.elements} elements, {tally.undecided} undecided, {len(tally.alarms)} alarms, "
                f"{time.perf_counter() - begun:.0f} s"
            )
            largest = sorted(((used, place) for place, used in tally.uses.items()), reverse=True)
            for used, place in largest[:5]:
                print(f"    {used:.3f} of the limit: {', '.join(place[1:])}")
            for alarm in tally.alarms[:20]:
                print(f"    ALARM {alarm}")
            sys.stdout.flush()
            begun = time.perf_counter()
    return 1 if alarms else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
