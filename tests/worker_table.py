"""Which checks our own workers pass: ``python -m tests.worker_table [RUNTIME...]`` writes docs/workers.md.

With runtimes named it checks these, and leaves the other columns as they are.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from harness.audit.worker_checks.bench import Finding, Outcome
from harness.audit.worker_checks.suite import CHECKS, check_worker
from harness.model import Absent
from harness.runtimes.registry import Registry

PAGE = Path(__file__).parents[1] / "docs" / "workers.md"
BEGIN, END = "<!-- written by tests/worker_table.py -->\n", "<!-- end -->\n"
RUNTIMES = (
    "numpy", "torch", "jax", "jax-jit", "r", "julia", "julia-process", "octave", "node", "c", "c-fast", "cpp",
    "fortran", "onnx", "program",
)  # fmt: skip
"""The columns; ``julia-process`` is Julia where it is not embedded."""
PASSES, LACKS = "pass", "-"
_PATIENCE = 180.0

Column = Mapping[str, str]
"""By check, what stands in the table."""


def hosting(runtime: str) -> str:
    """How Julia is hosted in a column."""
    return {"julia": "juliacall", "julia-process": "process"}.get(runtime, "")


def checked(runtime: str) -> list[Finding]:
    """Make all checks of one worker."""
    if how := hosting(runtime):
        os.environ["HARNESS_JULIA_HOSTING"] = how
    launch = Registry.load(Path()).launch(runtime.removesuffix("-process"))
    if isinstance(launch, Absent):
        sys.exit(f"{runtime} is not here: {launch.reason}")
    with tempfile.TemporaryDirectory(prefix="worker-table-", ignore_cleanup_errors=True) as kept:
        return check_worker(launch, Path(kept), patience=_PATIENCE)


def column_of(findings: Iterable[Finding]) -> Column:
    """What stands in the table of one worker; a check that fails ends the program."""
    shown = {Outcome.PASS: PASSES, Outcome.NOT_OFFERED: LACKS}
    if failed := [each for each in findings if each.outcome is Outcome.FAIL]:
        sys.exit("\n".join(f"{each.check}: {each.got}" for each in failed))
    return {each.check: shown[each.outcome] for each in findings}


def read_table(text: str) -> dict[str, Column]:
    """By runtime, its column of the page; checks that all pass are left out of the page."""
    rows = [_cells(line) for line in text.partition(BEGIN)[2].partition(END)[0].splitlines() if "|" in line]
    heads = [number for number, row in enumerate(rows) if not row[0]]
    if not heads:
        return {}
    head, lines = rows[heads[-1]], rows[heads[-1] + 2 :]
    return {
        runtime: {check.name: PASSES for check in CHECKS} | {row[0]: row[place] for row in lines}
        for place, runtime in enumerate(head)
        if runtime
    }


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def written(columns: Mapping[str, Column]) -> str:
    """The tables, without the marks around them."""
    lines = ["| worker | passed | not offered |", "|---|---|---|"]
    for name, column in columns.items():
        counts = [sum(cell == kind for cell in column.values()) for kind in (PASSES, LACKS)]
        lines.append(f"| `{name}` | {counts[0]} | {counts[1]} |")
    lines += ["", "Passed (`pass`) and not offered (`-`), of the checks that not every worker passes:", ""]
    lines += [_row("", list(columns)), "|" + "---|" * (len(columns) + 1)]
    for check in CHECKS:
        cells = [column[check.name] for column in columns.values()]
        if LACKS in cells:
            lines.append(_row(check.name, cells))
    together = [
        check.name for check in CHECKS if all(each[check.name] == PASSES for each in columns.values())
    ]
    lines += ["", f"All of them pass the other {len(together)}: {', '.join(together)}."]
    return "\n" + "\n".join(lines) + "\n\n"


def _row(first: str, cells: Sequence[str]) -> str:
    return f"| {' | '.join([first, *cells])} |"


def main(names: Sequence[str]) -> None:
    """Check workers, and write the page."""
    text = PAGE.read_text(encoding="utf-8")
    known = read_table(text)
    for name in names or RUNTIMES:
        print(name, flush=True)
        known[name] = column_of(checked(name))
        columns = {each: known[each] for each in RUNTIMES if each in known}
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}{written(columns)}{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
