"""Run a case, and documents, many times in one process: ``python -m tests.soak [PROGRAMME [COUNT]]``.

Every sample is written to results/soak as it is taken; results/soak.svg shows all that is there. The exit
code is 1 where something grows over the second half.
"""

from __future__ import annotations

import contextlib
import csv
import gc
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.documents.engine import execute_document
from harness.documents.parse import parse_document
from harness.model import Outcome, Verdict, outcome_of
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import find_sandbox
from tests.soak.judge import QUANTITIES, growing, sample
from tests.soak.plot import plot

PROGRAMMES = {"four_word": 1000, "documents": 200}
"""Runs of the case, and sessions of documents."""
OUT = Path("results/soak")
SUITE = Path("reference_impls").resolve()
DOCUMENT = """```python
import numpy as np
print(np.arange(4).sum())
```

```r
sum(0:3)
```
"""
LANGUAGES = 2


def runs_of_a_case(folder: Path) -> None:
    """One run of four_word in NumPy and R: all that was computed passes."""
    plan = make_plan(SUITE, cases=("four_word",), implementations=("numpy", "r"), precisions=("float64",))
    record = run(plan, out=folder / "out")
    assert outcome_of(record).outcome is Outcome.AGREEMENT, outcome_of(record)
    assert {cell.verdict for cell in record.cells} == {Verdict.PASS}


def runs_of_a_document(folder: Path) -> None:
    """One run of a document: a session of Python and one of R, each in its sandbox."""
    execution = execute_document(
        parse_document(folder / "document.md"),
        registry=Registry.load(SUITE),
        sandbox=find_sandbox(unsandboxed=False),
        trust=True,
    )
    printed = [chunk.left.text.strip() for chunk in execution.chunks if chunk.left is not None]
    assert printed == ["6", "[1] 6"], execution


def main(only: str = "", count: str = "") -> int:
    """Take all samples, draw them, and say what grows."""
    OUT.mkdir(parents=True, exist_ok=True)
    for name in [only] if only else PROGRAMMES:
        with temporary() as folder:
            take(name, int(count or PROGRAMMES[name]), folder)
    files = {name: OUT / f"{name}.csv" for name in PROGRAMMES}
    samples = {f"{name} ({unit(name)})": read(path) for name, path in files.items() if path.exists()}
    OUT.with_suffix(".svg").write_text(plot(samples), encoding="utf-8")
    said = [f"{name}: {what}" for name, series in samples.items() for what in growing(series)]
    print("\n".join(said) if said else "nothing grows")
    return bool(said)


def take(name: str, count: int, folder: Path) -> None:
    """Run a programme, and write a line after each run."""
    once, times = runs_of_a_case, count
    if name == "documents":
        (folder / "document.md").write_text(DOCUMENT, encoding="utf-8")
        once, times = runs_of_a_document, count // LANGUAGES
    with (OUT / f"{name}.csv").open("w", encoding="utf-8") as file:
        print(*QUANTITIES, sep=",", file=file, flush=True)
        for _ in range(times):
            once(folder)
            gc.collect()
            print(*sample(folder / "tmp").values(), sep=",", file=file, flush=True)


def read(path: Path) -> dict[str, list[float]]:
    """The samples of a file, by quantity."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {quantity: [float(row[quantity]) for row in rows] for quantity in QUANTITIES}


def unit(name: str) -> str:
    """What one run of a programme is."""
    return f"{LANGUAGES} sessions a run" if name == "documents" else "NumPy and R"


@contextlib.contextmanager
def temporary() -> Iterator[Path]:
    """A folder for everything that is written, which is the one for temporary files of all processes too."""
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = Path(name)
        (folder / "tmp").mkdir()
        before = os.environ.get("TMPDIR")
        os.environ["TMPDIR"], tempfile.tempdir = str(folder / "tmp"), None
        try:
            yield folder
        finally:
            tempfile.tempdir = None
            if before is None:
                del os.environ["TMPDIR"]
            else:
                os.environ["TMPDIR"] = before


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
