"""A row for each document of a folder: what was read of it, what is said of it, and what that costs.

    python -m tests.strangers.table FOLDER [--bare] [--deadline 60] [--packages FOLDER] [--out FILE]

The documents are other people's: none is part of this repository. ``documents.tsv`` beside this file lists
those that were measured. Every *wrong* is printed below the table with what was published and what the code
prints, to be judged by eye; ``--out`` keeps all answers as JSON, one line a document.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from harness.documents.engine import RunSettings
from harness.documents.parse import KINDS, is_rendered, parse_document
from harness.errors import HarnessError
from harness.findings.articles import examine_all
from harness.model.article import Answer, Examined, Severity
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import Limits, find_sandbox
from tests.bench.bench_documents import directly

ROOT = Path(__file__).parents[2]
HEAD = ("document", "outputs", "read", *map(str, Answer), "findings wrong", "seconds", "bare")


class Row(msgspec.Struct, frozen=True):
    """One document with what is said of it; ``bare`` is the time of its code in a plain interpreter."""

    path: str
    examined: Examined
    bare: float | None = None

    def cells(self, folder: Path) -> tuple[str, ...]:
        """The figures, in the order of the table's head."""
        name = str(Path(self.path).relative_to(folder))
        examined = self.examined
        if examined.problem or examined.failure:
            return (name, (examined.problem or examined.failure)[:80], *("",) * (len(HEAD) - 2))
        said = Counter(block.answer for block in examined.blocks)
        return (
            name,
            str(examined.shown),
            str(len(examined.blocks)),
            *(str(said[answer]) for answer in Answer),
            str(sum(finding.severity is Severity.WRONG for finding in examined.findings)),
            f"{examined.seconds:.1f}",
            "" if self.bare is None else f"{self.bare:.1f}",
        )


def documents_in(folder: Path) -> list[Path]:
    """The documents in a folder and below it; not the Markdown that another document is rendered to."""
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in KINDS and path.is_file())
    sources = {path.with_suffix("") for path in found if path.suffix.lower() in (".rmd", ".qmd")}
    made = {path for path in found if path.suffix == ".md" and path.with_suffix("") in sources}
    return [path for path in found if path not in made and not is_rendered(path)]


def rows(paths: Iterable[Path], plan: RunSettings, *, bare: bool) -> Iterator[Row]:
    """Run documents one by one."""
    sandbox = find_sandbox()
    for path in paths:
        (examination,) = examine_all([path], sandbox=sandbox, plan=plan, suite=None)
        yield Row(str(path), examination.examined, _bare(path, plan.packages) if bare else None)


def _bare(path: Path, packages: Path | None) -> float | None:
    """Seconds of the code alone; None where it cannot be run so."""
    try:
        document = parse_document(path)
        with tempfile.TemporaryDirectory() as library:
            return directly(document, Registry.load(ROOT / "reference_impls"), Path(library), packages)
    except (HarnessError, SystemExit, KeyError):
        return None


def wrong(row: Row) -> Iterator[str]:
    """Everything that is called wrong in a document, to be judged by eye."""
    for finding in row.examined.findings:
        if finding.severity is Severity.WRONG:
            yield f"{row.path}: {finding.place}: {finding.smallest}\n    {finding.evidence}"
            yield from (f"    - {text}" for text in finding.follows)


def markdown(table: list[tuple[str, ...]]) -> str:
    """The table with its sums."""
    sums = ["all"]
    for column in range(1, len(HEAD)):
        numbers = [float(row[column]) for row in table if row[column].replace(".", "").isdigit()]
        sums.append(f"{sum(numbers):g}")
    lines = [HEAD, ("---",) * len(HEAD), *table, tuple(sums)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bare", action="store_true", help="time the code in a plain interpreter too")
    parser.add_argument("--deadline", type=float, default=60.0, help="seconds for one chunk")
    parser.add_argument("--packages", type=Path, help="a folder of Python packages for the documents")
    parser.add_argument("--out", type=Path, help="a file for all answers, as JSON lines")
    given = parser.parse_args()
    plan = RunSettings(
        packages=given.packages, limits=Limits(chunk_seconds=given.deadline), roots=(given.folder,)
    )
    found: list[Row] = []
    begun = time.perf_counter()
    for row in rows(documents_in(given.folder), plan, bare=given.bare):
        found.append(row)
        print("  ".join(row.cells(given.folder)), flush=True)
        if given.out is not None:
            with given.out.open("ab") as file:
                file.write(msgspec.json.encode(row) + b"\n")
    print(f"\n{markdown([row.cells(given.folder) for row in found])}\n")
    for row in found:
        for line in wrong(row):
            print(line)
    print(f"{len(found)} documents in {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
