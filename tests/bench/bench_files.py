"""How fast large files are read and written: `python -m tests.bench.bench_files [CELLS] [WORDS] [ROUNDS]`.

A record is read side by side with the standard library's json, which checks nothing, and word vectors with a
dictionary of all of them, as tutorials build one. Every round makes all calls once. A figure is the median
over the rounds; "ratio" is how many times as fast as its peer the harness is.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import numpy as np

from harness.model import (
    Basis,
    Cell,
    Check,
    ErrorStats,
    Footer,
    Header,
    Mode,
    Precision,
    SampleVerdict,
    Source,
    Verdict,
)
from harness.report import html, junit, markdown
from harness.report.table import write_csv
from harness.store.glove import read_vectors
from harness.store.record import RecordWriter, read_record
from harness.store.record_line import SCHEMA

HEADER = Header(
    schema=SCHEMA,
    harness="0",
    protocol=1,
    started="2026-01-01T00:00:00Z",
    suite="bench",
    python="3",
    platform="",
    cpu="",
    cores=1,
    locale="C",
)


def cells(count: int) -> Iterator[Cell]:
    """Cells of cases of 250 stages, by four implementations."""
    stats = ErrorStats(count=12, max_abs=1e-16, max_abs_index=(0, 2), max_ulp=1.0, ulp_histogram=(11, 1))
    for number in range(count):
        yield Cell(
            case=f"case_{number // 1000}",
            stage=f"stage_{number % 1000 // 4}",
            implementation=("numpy", "torch", "r", "julia")[number % 4],
            language="",
            mode=Mode.CHAINED,
            precision=Precision.FLOAT64,
            check=Check.ORACLE,
            against="truth",
            source=Source.LIVE,
            verdict=Verdict.PASS,
            stats=stats,
            limit=4.5e-16,
            samples=1,
            basis=Basis.DERIVED,
            by_sample=(SampleVerdict(sample="default", verdict=Verdict.PASS, used=0.25, max_abs=1e-16),),
        )


def write(path: Path, lines: list[Cell]) -> None:
    """A whole record."""
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        for line in lines:
            writer.write(line)
        writer.footer(Footer(partial=False, seconds=0.0))


def read_with_json(path: Path) -> list[object]:
    """What a script would do."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_into_a_dictionary(path: Path) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    """What a tutorial would do."""
    table = {}
    with path.open(encoding="utf-8") as file:
        for line in file:
            word, *numbers = line.split()
            table[word] = np.asarray(numbers, dtype=np.float32)
    return table


@contextmanager
def timed(seconds: list[float]) -> Iterator[None]:
    """Processor time of what is within."""
    begin = time.process_time()
    yield
    seconds.append(time.process_time() - begin)


def main(count: int = 100_000, words: int = 400_000, rounds: int = 5) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        path, vectors = Path(folder, "results.jsonl"), Path(folder, "vectors.txt")
        lines = list(cells(count))
        write(path, lines)
        record = read_record(path)
        numbers = " ".join(["-0.12345"] * 50)
        with vectors.open("w", encoding="utf-8") as file:
            file.writelines(f"w{number} {numbers}\n" for number in range(words))
        wanted = [f"w{number}" for number in range(0, words, max(1, words // 100))]
        calls: dict[str, Callable[[], object]] = {
            f"record of {count:,} cells, read": lambda: read_record(path),
            "  json.loads": lambda: read_with_json(path),
            "  written": lambda: write(Path(folder, "again.jsonl"), lines),
            "  as a page": lambda: html.render(record),
            "  as JUnit": lambda: junit.render(record),
            "  as Markdown": lambda: markdown.render(record),
            "  as CSV": lambda: write_csv(record),
            f"100 of {words:,} word vectors, read": lambda: read_vectors(vectors, wanted, dimensions=50),
            "  all into a dictionary": lambda: read_into_a_dictionary(vectors),
        }
        seconds: dict[str, list[float]] = {name: [] for name in calls}
        for _ in range(rounds):
            for name, call in calls.items():
                with timed(seconds[name]):
                    call()
    print(f"processor time, medians of {rounds}\n{'':40}{'s':>8}{'ratio':>8}")
    peers = {"  json.loads", "  all into a dictionary"}
    whole = ""
    for name, taken in seconds.items():
        whole = whole if name.startswith(" ") else name
        ratio = f"{median(taken) / median(seconds[whole]):8.2f}" if name in peers else ""
        print(f"{name:40}{median(taken):8.2f}{ratio}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
