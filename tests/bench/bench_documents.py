"""What running a document costs over running its chunks directly.

    python -m tests.bench.bench_documents [--rounds 3] [--glove FILE] PATH...

Direct: one process for each language, with the same code in the same order, the same stand-ins and as many
threads, in which a chunk that fails does not stop the next; no sandbox, nothing captured or compared. Both
are timed in turn, round by round, with the start of the languages; each figure is the median of the rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from harness.documents.engine import RunSettings, execute_document
from harness.documents.given_files import files_beside
from harness.documents.model import Document
from harness.documents.parse import parse_document
from harness.documents.track import RUNTIMES
from harness.model import Absent
from harness.runtimes.child import PINNED_THREADS
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import find_sandbox

ROOT = Path(__file__).parents[2]
STAND_INS = ROOT / "harness" / "workers" / "stand_ins"

PYTHON = """
import json, pathlib, traceback
names = {"__name__": "__main__"}
for code in json.loads(pathlib.Path("chunks.json").read_text()):
    try:
        exec(code, names)
    except Exception:
        traceback.print_exc()
"""
R = """
for (file in sort(list.files(pattern = "^chunk-.*[.]r$"))) try(source(file, print.eval = TRUE))
"""
JULIA = """
using REPL
module HarnessSession
    drawn(text) = nothing
end
push!(LOAD_PATH, {folder})
VERSION < v"1.7" && Base.include(HarnessSession, joinpath({folder}, "range", "range.jl"))
softly(e) = isdefined(REPL, :softscope) ? REPL.softscope(e) : REPL.softscope!(e)
for file in sort(filter(name -> endswith(name, ".julia"), readdir()))
    try
        for piece in Base.parse_input_line(read(file, String)).args
            piece isa LineNumberNode || Core.eval(Main, softly(Expr(:toplevel, piece)))
        end
    catch error
        showerror(stderr, error)
    end
end
"""


def commands(
    document: Document, registry: Registry, folder: Path, library: Path
) -> Iterator[tuple[list[str], dict[str, str]]]:
    """A process for each language, whose files are written to a folder."""
    for language in dict.fromkeys(chunk.language for chunk in document.chunks):
        codes = [chunk.code for chunk in document.chunks if chunk.language == language]
        launch = registry.session(RUNTIMES[language])
        if isinstance(launch, Absent):
            raise SystemExit(launch.reason)
        env = {**os.environ, **PINNED_THREADS, **launch.env}
        for place, code in enumerate(codes):
            (folder / f"chunk-{place:03}.{language}").write_text(code, encoding="utf-8")
        match language:
            case "python":
                (folder / "chunks.json").write_text(json.dumps(codes), encoding="utf-8")
                (folder / "run.py").write_text(PYTHON, encoding="utf-8")
                yield [sys.executable, "run.py"], env
            case "r":
                (folder / "run.r").write_text(R, encoding="utf-8")
                given = {"R_LIBS": str(library), "RETICULATE_PYTHON": sys.executable}
                yield ["Rscript", "run.r"], {**env, **given}
            case "julia":
                text = JULIA.replace("{folder}", json.dumps(str(STAND_INS / "julia")))
                (folder / "run.jl").write_text(text, encoding="utf-8")
                program = [word for word in launch.command if not word.endswith("session.jl")]
                yield [*program, "run.jl"], env


def directly(document: Document, registry: Registry, library: Path, packages: Path | None = None) -> float:
    """Seconds for the same chunks, one process for each language; ``packages`` are the Python session's."""
    with tempfile.TemporaryDirectory() as name:
        given_files = files_beside(document, Path(name))
        folder = Path(name) / given_files.place
        folder.mkdir(parents=True, exist_ok=True)
        for file, path in given_files.files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_bytes(path.read_bytes())
        given = list(commands(document, registry, folder, library))
        begun = time.perf_counter()
        for command, env in given:
            env = env if packages is None else {**env, "PYTHONPATH": str(packages)}
            done = subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False)
            if done.returncode:
                raise SystemExit(f"{command}: {done.stderr.decode()[-2000:]}")
        return time.perf_counter() - begun


def main() -> None:
    """Print a row for each document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--glove", type=Path, default=os.environ.get("HARNESS_GLOVE"))
    given = parser.parse_args()
    if given.glove:
        os.environ["HARNESS_GLOVE"] = str(given.glove)
    registry, sandbox = Registry.load(ROOT / "reference_impls"), find_sandbox(unsandboxed=True)
    plan = RunSettings(run_unevaluated=True, glove=Path(given.glove) if given.glove else None)
    print(sandbox.statement)
    print(f"{'document':36} {'here':>8} {'direct':>8} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as name:
        library = Path(name)
        for package in ("knitr", "torch"):
            known = subprocess.run(["Rscript", "-e", f"library({package})"], capture_output=True, check=False)
            if known.returncode:
                words = [
                    "R",
                    "CMD",
                    "INSTALL",
                    "--no-docs",
                    "--no-test-load",
                    "-l",
                    name,
                    str(STAND_INS / "r" / package),
                ]
                subprocess.run(words, capture_output=True, check=True)
        for path in given.paths:
            document = parse_document(path)
            here, direct = [], []
            for _ in range(given.rounds):
                here.append(
                    execute_document(
                        document, registry=registry, sandbox=sandbox, trust=True, plan=plan
                    ).seconds
                )
                direct.append(directly(document, registry, library))
            ratio = statistics.median(a / b for a, b in zip(here, direct, strict=True))
            medians = [statistics.median(seconds) for seconds in (here, direct)]
            print(f"{path.name:36} {medians[0]:8.2f} {medians[1]:8.2f} {ratio:7.2f}", flush=True)


if __name__ == "__main__":
    main()
