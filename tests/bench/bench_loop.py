"""From save to verdict: `python -m tests.bench.bench_loop [CASE [ROUNDS]]`.

In a copy of the suite, `harness watch --case CASE` runs with warm workers. ROUNDS (20) times a source is
saved with one more comment, in each language in turn, and the time until its verdict is printed is taken;
beside it, a fresh `harness run` of the case. Medians, and their ratio.

Then the cold start: a fresh run in four languages, in turn with one of the slowest of them, whose start alone
its record has.
"""

from __future__ import annotations

import os
import queue
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from harness.store.record import FILE, read_record

ROOT = Path(__file__).parents[2]
HARNESS = [sys.executable, "-m", "harness"]
FRESH = 3
LANGUAGES = ("numpy", "torch", "r", "julia")


def watched(suite: Path, case: str, rounds: int) -> dict[str, list[float]]:
    """Seconds from save to verdict, by the ending of the file that was saved."""
    process = subprocess.Popen(
        [*HARNESS, "watch", "--suite", str(suite), "--case", case],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    assert process.stdout is not None
    stdout = process.stdout
    threading.Thread(target=lambda: [lines.put(line) for line in stdout], daemon=True).start()
    try:
        while "Ctrl-C ends" not in lines.get():
            pass
        sources = sorted(path for path in (suite / case).iterdir() if path.suffix in (".py", ".R", ".jl"))
        seconds: dict[str, list[float]] = {}
        for place in range(rounds):
            source = sources[place % len(sources)]
            begun = time.perf_counter()
            source.write_text(source.read_text(encoding="utf-8") + f"# {place}\n", encoding="utf-8")
            while "AGREEMENT" not in lines.get():
                pass
            seconds.setdefault(source.name.removeprefix(case), []).append(time.perf_counter() - begun)
        return seconds
    finally:
        process.kill()
        process.communicate()


def fresh(suite: Path, case: str, out: Path, *languages: str) -> float:
    """Seconds of a run that starts all its workers, or those of some languages."""
    begun = time.perf_counter()
    chosen = [word for name in languages for word in ("--impl", name)]
    subprocess.run(
        [*HARNESS, "run", "--suite", str(suite), "--case", case, "--out", str(out), *chosen],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - begun


def cold(suite: Path, case: str, out: Path) -> str:
    """How long a run in four languages takes, beside one of the slowest of them, and beside its start."""

    def starts() -> dict[str, float]:
        footer = read_record(out / FILE).footer
        assert footer is not None
        return {name: footer.start_up[name] for name in LANGUAGES if name in footer.start_up}

    fresh(suite, case, out, *LANGUAGES)
    slowest = max(starts().items(), key=lambda item: item[1])[0]
    every, one, start = [], [], []
    for _ in range(FRESH):
        every.append(fresh(suite, case, out, *LANGUAGES))
        one.append(fresh(suite, case, out, slowest))
        start.append(starts()[slowest])
    whole, alone, up = map(statistics.median, (every, one, start))
    return (
        f"cold: {whole:.2f} s in {len(LANGUAGES)} languages: {whole / up:.2f} times the start of {slowest}"
        f" alone ({up:.2f} s), {whole / alone:.2f} times a run with {slowest} alone ({alone:.2f} s)"
    )


def main(case: str = "four_word", rounds: int = 20) -> None:
    """Measure, and print."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name in ("reference_impls", "fixtures"):
            shutil.copytree(ROOT / name, folder / name)
        suite = folder / "reference_impls"
        again = statistics.median(fresh(suite, case, folder / "results") for _ in range(FRESH))
        by_ending = watched(suite, case, rounds)
        every = [second for seconds in by_ending.values() for second in seconds]
        middle = statistics.median(every)
        print(
            f"{case}: from save to verdict {middle:.3f} s (median of {len(every)}, largest {max(every):.3f})"
        )
        for ending, seconds in by_ending.items():
            print(f"    {ending:10} {statistics.median(seconds):.3f} s")
        print(f"a fresh run {again:.2f} s (median of {FRESH}): {again / middle:.1f} times as long")
        print(cold(suite, case, folder / "results"))
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]))
