"""Is every damaged file refused with a sentence that names it? ``python -m tests.damage [COUNT] [KIND ...]``.

COUNT (100,000) damaged files of every kind that is read, in all, the same ones each time; each is read by the
project's own code, in a process of its own for each kind, with limits on time and memory. With Atheris
installed, files that lead to code not reached before are damaged further. What is read wrongly is made
smaller, left in build/damage, and printed; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SILENCE = 180.0
"""Seconds without a new file after which a process is ended."""


def main(arguments: Sequence[str]) -> int:
    """Read damaged files, and return 1 if any was read wrongly, else 0."""
    from tests.damage.kinds import KINDS

    parser = argparse.ArgumentParser(
        prog="python -m tests.damage", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("count", nargs="?", type=int, default=100_000, help="damaged files in all")
    parser.add_argument("kinds", nargs="*", help=f"of {', '.join(KINDS)}")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("build", "damage"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args(arguments)
    if unknown := sorted({*asked.kinds} - {*KINDS}):
        parser.error(f"no kind is called {', '.join(unknown)}; there are: {', '.join(KINDS)}")
    chosen = [kind for kind in KINDS.values() if not asked.kinds or kind.name in asked.kinds]
    how = "plain" if importlib.util.find_spec("atheris") is None else "guided"
    total = sum(kind.share for kind in chosen)
    counts = {kind.name: -(-asked.count * kind.share // total) for kind in chosen}
    print(
        f"{sum(counts.values()):,} damaged files of {len(counts)} kinds, {how}, seed {asked.seed}", flush=True
    )
    finds = 0
    summaries: dict[str, dict[str, Any]] = {}

    def one(name: str) -> tuple[str, dict[str, Any]]:
        return name, run(name, counts[name], asked.seed, asked.out.resolve() / name, how)

    with ThreadPoolExecutor(asked.jobs) as pool:
        for name, summary in pool.map(one, counts):
            summaries[name] = summary
            wrong = sum(find["count"] for find in summary["finds"])
            finds += len(summary["finds"])
            print(
                f"{name:10} {summary['inputs']:7,} files, {summary['refused']:7,} refused, {wrong:5,} read"
                f" wrongly in {len(summary['finds'])} ways, {summary['seconds']:5.0f} s",
                flush=True,
            )
            for find in summary["finds"]:
                last = find["what"].strip().splitlines()[-1][:200]
                print(f"    {find['count']} x {find['find']}: {last}\n      {find['file']}", flush=True)
    print(
        f"{sum(summary['inputs'] for summary in summaries.values()):,} files, {finds} finds,"
        f" {sum(summary['seconds'] for summary in summaries.values()):.0f} s of processor"
    )
    return int(finds > 0)


def run(name: str, count: int, seed: int, folder: Path, how: str) -> dict[str, Any]:
    """Read damaged files of one kind in a process of its own; its death is a find."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "tests.damage.one_kind", name, str(count), str(seed), str(folder), how]
    last = folder / "files" / "last"
    with (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=log, stderr=log, env=environment, start_new_session=True
        )
        try:
            while process.poll() is None:
                time.sleep(0.2)
                since = last if last.is_file() else folder
                if time.time() - since.stat().st_mtime > SILENCE:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    written = folder / f"{name}.json"
    if process.returncode == 0 and written.is_file():
        summary: dict[str, Any] = json.loads(written.read_text(encoding="utf-8"))
        return summary
    kept = folder / f"{name}_died"
    if last.is_file():
        kept.write_bytes(last.read_bytes())
    what = (folder / "log.txt").read_text(encoding="utf-8", errors="replace")[-3000:] or "nothing was printed"
    died = {
        "find": f"the process ended with {process.returncode}",
        "count": 1,
        "file": str(kept),
        "what": what,
    }
    return {"inputs": 0, "refused": 0, "seconds": 0.0, "finds": [died]}


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
