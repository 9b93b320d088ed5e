"""Measure all functions, write the table: ``python -m tests.functions FOLDER [COUNT]``.

Files may be kept in the folder. With a number of points a function, the table is written there alone, and the
package and the docs keep theirs.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from harness.oracle.function_errors import TABLE, WITHOUT_LIMIT, limit_of, table
from harness.runtimes.provision.julia import find_julia
from tests.functions.measure import COUNTS, FUNCTIONS, PRECISIONS, compute, measured, prepare
from tests.functions.table import markdown, plot, write_table

DOCS = Path("docs")
MARK = "<!-- table: {} -->"


def main(folder: Path, count: int | None = None) -> None:
    """Points, true values, every library's results, the table, and what docs/functions.md shows of it."""
    folder.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    jobs = [f"{function}-{precision}" for precision in PRECISIONS for function in FUNCTIONS]
    jobs = [job for job in jobs if not job.startswith("gammaln_negative") or job.endswith(("64", "32"))]
    for job in jobs:
        prepare(folder, *job.rsplit("-", 1), most=count or max(COUNTS.values()))
        print(f"{time.monotonic() - start:.0f} s: {job}", flush=True)
    if not (folder / "computed").is_file():
        compute(folder, jobs)
        (folder / "computed").touch()
    reports = {job: measured(folder, job) for job in jobs}
    write_table(
        TABLE if count is None else folder / TABLE.name,
        reports,
        {"r": _first_line("Rscript", "--version"), "julia": find_julia().version or ""},
    )
    if count is None:
        write_docs()


def write_docs() -> None:
    """Put the tables and the plot into the docs."""
    table.cache_clear()
    limit_of.cache_clear()
    limits: dict[str, dict[str, float | None]] = {
        precision: {
            name: None if name in WITHOUT_LIMIT else limit_of(name, 2.0**-bits)
            for name, entry in table()["functions"].items()
            if precision in entry
        }
        for precision, bits in PRECISIONS.items()
    }
    page = DOCS / "functions.md"
    text = page.read_text(encoding="utf-8")
    for precision in PRECISIONS:
        mark = MARK.format(precision)
        before, _, rest = text.partition(mark)
        after = rest.partition(MARK.format("end"))[2]
        shown = markdown(table(), precision, limits[precision])
        text = f"{before}{mark}\n\n{shown}\n\n{MARK.format('end')}{after}"
    page.write_text(text, encoding="utf-8")
    (DOCS / "images/function-errors.svg").write_text(plot(table(), limits), encoding="utf-8")


def _first_line(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return (done.stdout or done.stderr).splitlines()[0]


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:3]))
