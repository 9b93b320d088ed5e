"""What short documents cost, whole: ``harness documents`` beside knitr, nbclient and Julia alone.

    python -m tests.bench.bench_short [--rounds 3] [LANGUAGE...]

Twelve documents of two to forty chunks are written, four for each language. Each is given to the command, and
in turn to what its author would run: ``knitr::knit``, ``jupyter execute`` (what nbconvert executes notebooks
with), ``julia FILE``. Then all four of a language are given to one command. Seconds are those of the
processor, of all processes together, which a busy machine changes little: each process is looked at every
few milliseconds, for those of a sandbox are waited for by nobody who would be told. Medians of the rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil

from harness.model import Absent
from harness.runtimes.child import PINNED_THREADS
from harness.runtimes.registry import Registry

ROOT = Path(__file__).parents[2]
_EVERY = 0.01
"""Seconds between looks at the processes."""

Cells = Sequence[tuple[str, str]]


def sums(assign: str, call: str, count: int) -> Cells:
    """Cells that each set a name and show a sum."""
    return [(f"{assign.format(n)}\n{call.format(n)}", str(n * (n + 1) // 2)) for n in range(1, count + 1)]


R: dict[str, Cells] = {
    "two chunks": [("x <- c(1, 2, 3)\nmean(x)", "[1] 2"), ("x * 2", "[1] 2 4 6")],
    "forty chunks": [(code, f"[1] {out}") for code, out in sums("x{0} <- seq_len({0})", "sum(x{0})", 40)],
    "models": [
        ("fit <- lm(mpg ~ wt, data = mtcars)\nround(coef(fit)[[2]], 2)", "[1] -5.34"),
        ("round(tapply(mtcars$mpg, mtcars$cyl, mean)[[1]], 2)", "[1] 26.66"),
        ("plot(mtcars$wt, mtcars$mpg)\nnrow(anova(fit))", "[1] 2"),
    ],
    "two seconds": [
        ("set.seed(1)\nm <- matrix(rnorm(160000), 400)\nsum(svd(m)$d > 0)", "[1] 400"),
        ("length(replicate(20000, median(rnorm(20))))", "[1] 20000"),
    ],
}
PYTHON: dict[str, Cells] = {
    "two cells": [("x = [1, 2, 3]\nsum(x)", "6"), ("max(x)", "3")],
    "forty cells": sums("x{0} = list(range({0} + 1))", "sum(x{0})", 40),
    "numpy": [
        ("import numpy as np\na = np.arange(6).reshape(2, 3)\na.sum(axis=0)", "array([3, 5, 7])"),
        ("int((a @ a.T)[0, 1])", "14"),
    ],
    "two seconds": [("total = 0\nfor i in range(10_000_000):\n    total += i % 7\ntotal", "29999994")],
}
JULIA: dict[str, Cells] = {
    "two cells": [("x = [1, 2, 3]\nsum(x)", "6"), ("y = maximum(x)", "3")],
    "thirty cells": sums("x{0} = collect(1:{0})", "sum(x{0})", 30),
    "linear algebra": [
        ("using LinearAlgebra\nA = [2.0 1.0; 1.0 3.0]\ndet(A)", "5.0"),
        ("using Statistics\nmean([1, 2, 4])", "2.3333333333333335"),
        ("struct P\n    x::Int\nend\nsum(P(i).x for i in 1:3)", "6"),
    ],
    "two seconds": [
        ("f(n) = n < 2 ? n : f(n - 1) + f(n - 2)\nf(38)", "39088169"),
        ("s = sum(sqrt(i) for i in 1:2_000_000)\nround(Int, s)", "1885618790"),
    ],
}


def written(folder: Path, language: str, number: int, cells: Cells) -> Path:
    """Write a document, as its author would publish it."""
    if language == "python":
        path = folder / f"{number}.ipynb"
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        body = [
            {
                "cell_type": "code",
                "execution_count": place,
                "metadata": {},
                "source": code,
                "outputs": [
                    {
                        "output_type": "execute_result",
                        "execution_count": place,
                        "metadata": {},
                        "data": {"text/plain": out},
                    }
                ],
            }
            for place, (code, out) in enumerate(cells, 1)
        ]
        notebook = {"cells": body, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 4}
        path.write_text(json.dumps(notebook), encoding="utf-8")
        return path
    fence, suffix = ("{r}", "Rmd") if language == "r" else ("julia", "md")
    path = folder / f"{number}.{suffix}"
    parts = [f"```{fence}\n{code}\n```\n\n```\n{out}\n```\n" for code, out in cells]
    path.write_text("# A document\n\n" + "\n".join(parts), encoding="utf-8")
    return path


def directly(path: Path, language: str, cells: Cells, registry: Registry) -> list[str]:
    """Return the command that a document's author runs."""
    if language == "r":
        out = str(path.with_suffix(".out"))
        return ["Rscript", "-e", f"knitr::knit({json.dumps(str(path))}, {json.dumps(out)}, quiet = TRUE)"]
    if language == "python":
        copy = path.with_suffix(".copy.ipynb")
        shutil.copyfile(path, copy)
        return [sys.executable, "-c", "from nbclient.cli import main; main()", str(copy)]
    launch = registry.session("julia")
    if isinstance(launch, Absent):
        raise SystemExit(launch.reason)
    script = path.with_suffix(".jl")
    script.write_text("".join(f"display(begin\n{code}\nend)\n" for code, _ in cells if "struct" not in code))
    return [*(word for word in launch.command if not word.endswith("session.jl")), str(script)]


def processor_seconds(command: Sequence[str], folder: Path) -> float:
    """Processor seconds of a command and of all processes below it."""
    environment = {**os.environ, **PINNED_THREADS}
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    root = psutil.Process(process.pid)
    seen: dict[int, float] = {}
    while process.poll() is None:
        for member in _with_children(root):
            try:
                times = member.cpu_times()
            except psutil.Error:
                continue
            seen[member.pid] = max(seen.get(member.pid, 0.0), times.user + times.system)
        time.sleep(_EVERY)
    if process.returncode not in (0, 1, 5):
        raise SystemExit(f"{command}: exit code {process.returncode}")
    return sum(seen.values())


def _with_children(root: psutil.Process) -> Iterator[psutil.Process]:
    try:
        yield from (root, *root.children(recursive=True))
    except psutil.Error:
        return


def main() -> None:
    """Print a row for each document, one for each language's four in one command, and the median ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="*", default=["r", "python", "julia"])
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    registry = Registry.load(ROOT / "reference_impls")
    harness = [sys.executable, "-m", "harness", "documents", "--trust"]
    environment_path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
    os.environ["PYTHONPATH"] = environment_path
    ratios: list[float] = []
    print(f"{'language':9} {'document':16} {'here':>7} {'directly':>9} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for language in given.languages:
            documents = {"r": R, "python": PYTHON, "julia": JULIA}[language]
            all_direct, paths = 0.0, []
            for number, (title, cells) in enumerate(documents.items()):
                path = written(folder, language, number, cells)
                paths.append(str(path))
                command = directly(path, language, cells, registry)
                here, direct = [], []
                for _ in range(given.rounds):
                    here.append(processor_seconds([*harness, str(path)], folder))
                    direct.append(processor_seconds(command, folder))
                all_direct += statistics.median(direct)
                ratio = statistics.median(a / b for a, b in zip(here, direct, strict=True))
                ratios.append(ratio)
                medians = statistics.median(here), statistics.median(direct)
                print(f"{language:9} {title:16} {medians[0]:7.2f} {medians[1]:9.2f} {ratio:6.2f}", flush=True)
            together = statistics.median(
                processor_seconds([*harness, *paths], folder) for _ in range(given.rounds)
            )
            ratio = together / all_direct
            print(
                f"{language:9} {'all in one':16} {together:7.2f} {all_direct:9.2f} {ratio:6.2f}", flush=True
            )
    print(f"median of {len(ratios)} documents: {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
