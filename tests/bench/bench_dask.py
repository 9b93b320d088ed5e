"""Dask over TCP against one process: `python -m tests.bench.bench_dask [CASES [ROUNDS]]`.

A suite of CASES (500) small cases is generated, each in two implementations of NumPy. ROUNDS (3) times it is
run by `harness run --dask` with one Dask worker, with two, each bound to a processor of its own, and by one
process (`harness run`). The workers stay; a first run, which sends the suite and starts the languages, is not
counted. Medians of the record's seconds; the efficiency of two workers, and the memory of the command while
it runs.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

from harness.store.record import read_record
from tests.integration.dask_cluster import Cluster, write_suite

HARNESS = [sys.executable, "-m", "harness", "run"]


class Memory(threading.Thread):
    """The resident memory of a process, twice a second, with what it had written of its record by then."""

    def __init__(self, process: psutil.Process, partial: Path) -> None:
        super().__init__(daemon=True)
        self.process, self.partial = process, partial
        self.seen: list[tuple[int, float]] = []

    def run(self) -> None:
        while True:
            try:
                mebibytes = self.process.memory_info().rss / 2**20
                if self.partial.exists():
                    self.seen.append((self.partial.stat().st_size, mebibytes))
            except (psutil.Error, OSError):
                return
            time.sleep(0.5)

    def said(self) -> str:
        """The memory after a tenth of the record, half of it, and all."""
        if not self.seen:
            return "-"
        last = self.seen[-1][0]
        at = (next(memory for size, memory in self.seen if size >= part * last) for part in (0.1, 0.5, 1.0))
        return " / ".join(f"{memory:.0f}" for memory in at) + " MiB after 10 / 50 / 100 % of the record"


def timed(suite: Path, out: Path, *options: str) -> tuple[float, float, str]:
    """Seconds of a run by its record, processor seconds of the command, and its memory."""
    shutil.rmtree(out, ignore_errors=True)
    process = psutil.Popen(
        [*HARNESS, "--suite", str(suite), "--out", str(out), *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    memory = Memory(process, out / "results.jsonl.partial")
    memory.start()
    _, _, usage = os.wait4(process.pid, 0)
    memory.join()
    footer = read_record(out / "results.jsonl").footer
    assert footer is not None
    assert not {"ERROR", "TIMEOUT"} & footer.counts.keys(), footer.counts
    return footer.seconds, usage.ru_utime + usage.ru_stime, memory.said()


def main(count: int = 500, rounds: int = 3) -> None:
    """Measure, and print."""
    processors = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        os.environ["HARNESS_CACHE"] = str(folder / "cache")
        suite = write_suite(folder, count)
        (folder / "dask").mkdir()
        cluster = Cluster(folder / "dask")
        try:
            for number in (1, 2):
                worker = cluster.worker(f"--resources=number={number}")
                psutil.Process(worker.pid).cpu_affinity([processors[(number - 1) % len(processors)]])
                if number == 1:
                    one = [_measured(suite, folder, cluster.address) for _ in range(rounds + 1)][1:]
            two = [_measured(suite, folder, cluster.address) for _ in range(rounds + 1)][1:]
            here = [timed(suite, folder / "here")[0] for _ in range(rounds)]
        finally:
            cluster.close()
    load = os.getloadavg()[1]
    serial, alone, both = (
        statistics.median(seconds) for seconds in (here, [x[0] for x in one], [x[0] for x in two])
    )
    parent = statistics.median(x[1] for x in two)
    print(f"{count} cases, medians of {rounds}, load {load:.1f} on {len(processors)} processors")
    print(f"one process           {serial:8.1f} s")
    print(f"Dask, one worker      {alone:8.1f} s   {serial / alone:.2f} times as fast as one process")
    print(
        f"Dask, two workers     {both:8.1f} s   {serial / both:.2f} times; efficiency {alone / both / 2:.2f}"
    )
    print(f"the command itself    {parent:8.1f} s of a processor, {1000 * parent / count:.1f} ms a case")
    print(f"its memory            {two[-1][2]}")


def _measured(suite: Path, folder: Path, address: str) -> tuple[float, float, str]:
    return timed(suite, folder / "dask-results", "--dask", address)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
