"""Does one broken worker break its own cells, and nothing else? ``python -m tests.faults [WORKER ...]``.

Every fault that is possible in every state of every worker is made (`tests.faults.matrix`), several workers
with one each in a run of ``harness run``. What the runs leave is judged; what is wrong is printed, its suite
and its output are left in build/faults, and the exit code is then 1. The whole matrix, of all workers, is
counted in docs/faults.md.
"""

from __future__ import annotations

import argparse
import itertools
import os
import platform
import resource
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from harness.model import Absent
from harness.runtimes.registry import Launch
from tests.faults.judge import Wrong, judge
from tests.faults.matrix import STATES, WAITED_FOR, WORDS, WORKERS, Trial, seen_as, trials
from tests.faults.suites import launches, run

DOCS = Path(__file__).parents[2] / "docs" / "faults.md"
MARKS = ("<!-- counts: written by nox -s faults -->\n", "<!-- end of counts -->\n")


class Batch(NamedTuple):
    """Trials that share a run, and the seconds that a call may take in it."""

    trials: tuple[Trial, ...]
    timeout: float


def main(arguments: Sequence[str]) -> int:
    """Run the matrix, and return 1 if anything was wrong, else 0."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("workers", nargs="*", help=f"of {', '.join(WORKERS)}; all that can be started")
    parser.add_argument("--state", action="append", choices=STATES, help="this state; may be repeated")
    parser.add_argument("--fault", action="append", choices=list(WORDS), help="this fault; may be repeated")
    parser.add_argument("--out", type=Path, default=Path("build", "faults"))
    parser.add_argument("--jobs", type=int, default=(os.cpu_count() or 1) + 1, help="runs at a time")
    asked = parser.parse_args(arguments)
    if unknown := sorted({*asked.workers} - {*WORKERS}):
        parser.error(f"no worker is called {', '.join(unknown)}; there are: {', '.join(WORKERS)}")
    begun = time.monotonic()
    found: dict[str, Launch] = {}
    for name, launch in launches(asked.workers or list(WORKERS)).items():
        if isinstance(launch, Absent):
            print(f"{name} is left out: {launch.reason}")
        else:
            found[name] = launch
    chosen = [
        trial
        for trial in trials()
        if trial.worker in found
        and trial.state in (asked.state or STATES)
        and trial.fault in (asked.fault or WORDS)
    ]
    plan = list(batches(chosen))
    print(f"{len(chosen)} faults in {len(plan)} runs of harness run, {asked.jobs} at a time", flush=True)
    shutil.rmtree(asked.out, ignore_errors=True)

    def one(number: int) -> list[Wrong]:
        folder = asked.out.resolve() / f"{number:03}"
        ran = run(folder, plan[number].trials, found, plan[number].timeout)
        wrong = judge(ran)
        if not wrong:
            shutil.rmtree(folder)
        return wrong

    wrong = []
    with ThreadPoolExecutor(asked.jobs) as pool:
        for number, ones in enumerate(pool.map(one, range(len(plan)))):
            for trial, what in ones:
                print(f"{number:03} {trial.id if trial else 'the run'}: {what}", flush=True)
            wrong += ones
    seconds = time.monotonic() - begun
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = children.ru_utime + children.ru_stime
    counts = table(chosen, wrong)
    print(counts)
    print(
        f"{len(chosen)} faults in {len(plan)} runs, {len(wrong)} wrong, {seconds:.0f} s,"
        f" {busy:.0f} s of processor time",
        flush=True,
    )
    if len(chosen) == len(list(trials())):
        DOCS.write_text(
            with_counts(DOCS.read_text(encoding="utf-8"), counts, summary(plan, wrong, seconds, busy)),
            encoding="utf-8",
        )
    return int(bool(wrong) or not chosen)


def batches(chosen: Iterable[Trial]) -> Iterator[Batch]:
    """Put trials together that wait equally long; those that wait longest begin."""

    def kind(trial: Trial) -> tuple[int, bool]:
        late = WORKERS[trial.worker].late
        if seen_as(trial) not in WAITED_FOR or trial.state in ("idle", "shutdown"):
            # What is waited for after an idle state is a file that is loaded, or the end.
            return (2 if trial.state == "idle" and seen_as(trial) in WAITED_FOR else 3, late)
        return (0, False) if trial.state == "starting" else (1, late)

    for (waits, late), group in itertools.groupby(sorted(chosen, key=kind), kind):
        # A start of PyTorch, or of Julia in Python, takes the processor for seconds.
        size = 24 if waits == 0 else 6 if late else 12
        members = list(group)
        for at in range(0, len(members), size):
            yield Batch(tuple(members[at : at + size]), 60.0 if waits == 1 else 300.0)


def table(chosen: Sequence[Trial], wrong: Sequence[Wrong]) -> str:
    """How many faults were made in each state of each worker, as a table of Markdown."""
    counts = Counter((trial.worker, trial.state) for trial in chosen)
    names = [name for name in WORKERS if any(trial.worker == name for trial in chosen)]
    lines = [["worker", *STATES, "all", "wrong"]]
    lines.append(["---"] * len(lines[0]))
    for name in [*names, "all"]:
        row = [
            sum(n for (worker, of), n in counts.items() if of == state and name in (worker, "all"))
            for state in STATES
        ]
        bad = {one.trial for one in wrong if one.trial and name in (one.trial.worker, "all")}
        lines.append([name, *map(str, row), str(sum(row)), str(len(bad))])
    by_fault = Counter(trial.fault for trial in chosen)
    faults = ", ".join(f"{fault} {by_fault[fault]}" for fault in WORDS if by_fault[fault])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + f"\n\n{faults}"


def summary(plan: Sequence[Batch], wrong: Sequence[Wrong], seconds: float, busy: float) -> str:
    """What was run, on what, and how it came out, as a sentence."""
    made = sum(len(batch.trials) for batch in plan)
    cores = f"{os.cpu_count()} cores" if os.cpu_count() != 1 else "one core"
    return (
        f"The last run of the whole matrix made {made} faults in {len(plan)} runs of `harness run`, in"
        f" {seconds / 60:.0f} minutes on {cores}, of {platform.system()}, with {busy / 60:.0f} minutes of"
        f" processor time; {len(wrong)} came out wrong."
    )


def with_counts(text: str, counts: str, sentence: str) -> str:
    """A page of documentation with the counts between its marks.

    Raises
    ------
    ValueError
        It does not have them, once each and in order.
    """
    begin, end = MARKS
    before, _, rest = text.partition(begin)
    _, found, after = rest.partition(end)
    if not found or begin in after or end in before + after:
        raise ValueError(f"the page does not have the marks {begin.strip()} and {end.strip()}")
    return f"{before}{begin}\n{sentence}\n\n{counts}\n\n{end}{after}"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
