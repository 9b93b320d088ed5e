"""What published documents cost, whole: ``harness documents`` beside knitr, nbclient, Python and Julia.

    python -m tests.bench.bench_published [--rounds 3] PATH...

Each document is given to the command, and in turn to what its author would run: chunks of R to
``knitr::knit``, a notebook of Python to nbclient (what nbconvert executes notebooks with), other code of
Python to Python, as at its prompt, that of Julia to ``julia``, which shows what each chunk gives. What
fails stops neither. Then all of a language are given to one command. Shown are seconds of the processor, of
all processes together, and the ratio of these and of the seconds of a clock; then each language's median
ratio and range.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from harness.documents.evaluate import without_quiet_magics
from harness.documents.given_files import files_beside
from harness.documents.model import Document
from harness.documents.parse import parse_document
from harness.documents.track import RUNTIMES
from harness.model import Absent
from harness.runtimes.registry import Registry
from tests.bench.bench_short import ROOT, processor_seconds

PYTHON = """
import ast, json, pathlib, traceback
names = {"__name__": "__main__"}
for code in json.loads(pathlib.Path("chunks.json").read_text()):
    try:
        exec(compile(ast.Interactive(ast.parse(code).body), "<chunk>", "single"), names)
    except BaseException:
        traceback.print_exc()
"""
NBCLIENT = "from nbclient.cli import main; main()"
JULIA = """
using REPL, InteractiveUtils
softly(e) = isdefined(REPL, :softscope) ? REPL.softscope(e) : REPL.softscope!(e)
for file in sort(filter(name -> endswith(name, ".julia"), readdir()))
    try
        value = nothing
        code = read(file, String)
        for piece in Base.parse_input_line(code).args
            piece isa LineNumberNode || (value = Core.eval(Main, softly(Expr(:toplevel, piece))))
        end
        value === nothing || REPL.ends_with_semicolon(code) || Base.invokelatest(display, value)
    catch error
        showerror(stderr, error)
    end
end
"""


class Cost(NamedTuple):
    """Seconds of the processor and of the clock."""

    processor: float
    clock: float


def cost(command: Sequence[str], folder: Path) -> Cost:
    """What a command costs, with all that it starts."""
    begun = time.perf_counter()
    processor = processor_seconds(command, folder)
    return Cost(processor, time.perf_counter() - begun)


def language_of(document: Document) -> str:
    """The language of most of a document's chunks, of those that are run."""
    known = [chunk.language for chunk in document.chunks if chunk.language in RUNTIMES]
    return statistics.mode(known)


def directly(document: Document, folder: Path, registry: Registry) -> list[str]:
    """Write what the author would run into a folder, with the files beside the document; the command."""
    language = language_of(document)
    codes = [
        chunk.code
        for chunk in document.chunks
        if chunk.language == language and chunk.evaluated and chunk.code.strip()
    ]
    match language:
        case "r":
            (folder / "document.Rmd").write_text(
                "".join(f"```{{r, error = TRUE}}\n{code}\n```\n\n" for code in codes), encoding="utf-8"
            )
            return ["Rscript", "-e", "knitr::knit('document.Rmd', 'document.md', quiet = TRUE)"]
        case "python" if document.path.suffix == ".ipynb":
            shutil.copyfile(document.path, folder / "document.ipynb")
            kernel = ("--kernel_name", "python3")
            return [sys.executable, "-c", NBCLIENT, "--allow-errors", *kernel, "document.ipynb"]
        case "python":
            codes = [without_quiet_magics(code) for code in codes]
            (folder / "chunks.json").write_text(json.dumps([*filter(_is_python, codes)]), encoding="utf-8")
            (folder / "run.py").write_text(PYTHON, encoding="utf-8")
            return [sys.executable, "run.py"]
    launch = registry.session("julia")
    if isinstance(launch, Absent):
        raise SystemExit(launch.reason)
    for place, code in enumerate(codes):
        (folder / f"chunk-{place:03}.julia").write_text(code, encoding="utf-8")
    (folder / "run.jl").write_text(JULIA, encoding="utf-8")
    return [*(word for word in launch.command if not word.endswith("session.jl")), "run.jl"]


def _is_python(code: str) -> bool:
    try:
        ast.parse(code)
    except SyntaxError:
        return False
    return True


def spread(ratios: Sequence[float]) -> str:
    """The median of ratios and their range."""
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def main() -> None:
    """Print a row for each document, one for each language's in one command, and the median ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    registry = Registry.load(ROOT / "reference_impls")
    harness = [sys.executable, "-m", "harness", "documents", "--trust"]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
    rows: dict[str, list[tuple[Path, list[Cost], list[Cost]]]] = defaultdict(list)
    print(f"{'language':8} {'document':40} {'here':>7} {'directly':>9} {'ratio':>6} {'clock':>6}")
    for path in map(Path.resolve, given.paths):
        document = parse_document(path)
        language = language_of(document)
        with tempfile.TemporaryDirectory() as name:
            beside = files_beside(document, Path(name) / "given")
            folder = Path(name) / "run" / beside.place
            folder.mkdir(parents=True)
            for file, source in beside.files.items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_bytes(source.read_bytes())
            command = directly(document, folder, registry)
            here, direct = [], []
            for _ in range(given.rounds):
                here.append(cost([*harness, str(path)], folder))
                direct.append(cost(command, folder))
        rows[language].append((path, here, direct))
        seconds = [statistics.median(one.processor for one in costs) for costs in (here, direct)]
        ratios = [
            statistics.median(a[k] / max(b[k], 0.01) for a, b in zip(here, direct, strict=True))
            for k in (0, 1)
        ]
        figures = f"{seconds[0]:7.2f} {seconds[1]:9.2f} {ratios[0]:6.2f} {ratios[1]:6.2f}"
        print(f"{language:8} {path.name[:40]:40} {figures}", flush=True)
    for language, measured in rows.items():
        ratios = [
            statistics.median(a.processor / max(b.processor, 0.01) for a, b in zip(here, direct, strict=True))
            for _, here, direct in measured
        ]
        alone = sum(statistics.median(one.processor for one in direct) for _, _, direct in measured)
        together = statistics.median(
            processor_seconds([*harness, *(str(path) for path, _, _ in measured)], Path.cwd())
            for _ in range(given.rounds)
        )
        print(f"{language}: median of {len(ratios)} documents {spread(ratios)}; ", end="")
        print(f"all in one command {together:.2f} s, directly {alone:.2f} s: {together / alone:.2f}")


if __name__ == "__main__":
    main()
