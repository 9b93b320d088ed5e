"""What each example costs: lines that a person writes, and the time of a run beside that of bare scripts.

A bare script loads the same inputs in one language, calls the same functions one after another, and prints
the last value. `python examples/cost.py [NAME...]` writes one for each language, runs them in turn, and then
`harness run`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness.conformance.plan import make_plan
from harness.model import Case, Stage
from harness.runtimes.registry import find_provision

HERE = Path(__file__).parent
JULIA = find_provision("julia")
ENV = dict(JULIA.env) if JULIA is not None else {}


def main(names: list[str]) -> None:
    """Print a line for each example."""
    for path in sorted(HERE.glob("*/*/case.toml")):
        suite = path.parent.parent
        if not names or suite.name in names:
            print(row(suite), flush=True)


def row(suite: Path) -> str:
    """The table's line: name, lines of case.toml, of sources, seconds of the run, of the scripts, ratio."""
    (planned,) = make_plan(suite).cases
    case, folder = planned.case, planned.reference.path.parent
    sources = [each.path for each in planned.implementations]
    run = timed([sys.executable, "-m", "harness", "run", "--suite", str(suite)], suite.parent)
    counts = f"{lines(folder / 'case.toml')} | {' + '.join(str(lines(each)) for each in sources)}"
    if any(each.suffix == ".toml" for each in sources):
        return f"| {suite.name} | {counts} | {run:.0f} | | |"  # Executables are called for each stage.
    scripts = seconds_of_scripts(suite, case, sources)
    return f"| {suite.name} | {counts} | {run:.0f} | {scripts:.1f} | {run / scripts:.1f} |"


def lines(path: Path) -> int:
    """Lines that hold something; of a command, those of the file that it runs too."""
    text = path.read_text(encoding="utf-8")
    named = re.findall(r'"([\w.]+)"', text) if path.name.endswith(".program.toml") else []
    beside = [path.parent / name for name in named if (path.parent / name).is_file()]
    return sum(bool(line.strip()) for line in text.splitlines()) + sum(map(lines, beside))


def timed(command: list[str], folder: Path) -> float:
    """The seconds of a command; the results of a run go elsewhere."""
    with tempfile.TemporaryDirectory() as out:
        words = [*command, "--out", out] if "run" in command else command
        begun = time.perf_counter()
        done = subprocess.run(
            words, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, **ENV}
        )
        assert done.returncode in (0, 5), done.stderr[-2000:]
        return time.perf_counter() - begun


def seconds_of_scripts(suite: Path, case: Case, sources: list[Path]) -> float:
    """The seconds of one bare script in each language, one after another."""
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        export = [sys.executable, "-m", "harness", "export", case.name, "--suite", str(suite)]
        subprocess.run([*export, "--out", str(folder / "vectors")], check=True, capture_output=True)
        return sum(timed(written(folder, case, source), folder) for source in sources)


def written(folder: Path, case: Case, source: Path) -> list[str]:
    """Write a bare script, and return its command."""
    path = folder / f"bare_{source.name}"
    rows = (folder / "vectors" / case.name / "index.tsv").read_text(encoding="utf-8").splitlines()
    head = rows[0].split("\t")
    samples: dict[str, dict[str, str]] = {}
    for each in rows[1:]:
        known = dict(zip(head, each.split("\t"), strict=True))
        if known["mode"] == "chained":
            samples[known["sample"]] = dict(pair.split("=") for pair in known["inputs"].split())
    write = {".py": in_python, ".R": in_r, ".jl": in_julia}[source.suffix]
    path.write_text(write(case, source, samples), encoding="utf-8")
    julia = [str(JULIA.executable), "--startup-file=no"] if JULIA is not None else []
    command = {".py": [sys.executable], ".R": ["Rscript", "--vanilla"], ".jl": julia}[source.suffix]
    return [*command, str(path)]


def in_python(case: Case, source: Path, samples: dict[str, dict[str, str]]) -> str:
    """The script in Python."""
    torch = source.stem.endswith("_torch")
    load = "torch.from_numpy(np.load({}))" if torch else "np.load({})"
    text = [source.read_text(encoding="utf-8"), "import numpy as np", "_own = dict(globals())"]
    for inputs in samples.values():
        for name, path in inputs.items():
            text.append(f"v_{name} = {load.format(repr(f'vectors/{case.name}/{path}'))}")
        for stage in case.stages:
            text.append(f"_value = _own[{stage.name!r}]({given(stage)})")
            names = [output.name for output in stage.outputs]
            if len(names) == 1:
                text.append(f"v_{names[0]} = _value")
                continue
            by_name = f"list(map(_value.get, {names!r}))"
            text.append(f"_value = {by_name} if isinstance(_value, dict) else _value")
            text.append(f"{', '.join(f'v_{name}' for name in names)} = _value")
    return "\n".join([*text, f"print(v_{list(case.values)[-1]})", ""])


def given(stage: Stage) -> str:
    """A stage's arguments."""
    return ", ".join(f"v_{name}" for name in stage.inputs)


def in_r(case: Case, source: Path, samples: dict[str, dict[str, str]]) -> str:
    """The script in R."""
    text = ['source("vectors/conforms.R")', "own <- new.env()", f'sys.source("{source}", own)']
    for inputs in samples.values():
        for name, path in inputs.items():
            text.append(f'v_{name} <- conforms_npy("vectors/{case.name}/{path}")')
        for stage in case.stages:
            text.append(f"value <- own${stage.name}({given(stage)})")
            names = [output.name for output in stage.outputs]
            if len(names) == 1:
                text.append(f"v_{names[0]} <- value")
                continue
            for at, name in enumerate(names, start=1):
                text.append(f'v_{name} <- if (is.null(names(value))) value[[{at}]] else value[["{name}"]]')
    return "\n".join([*text, f"print(v_{list(case.values)[-1]})", ""])


def in_julia(case: Case, source: Path, samples: dict[str, dict[str, str]]) -> str:
    """The script in Julia."""
    text = ['include("vectors/conforms.jl")', f'module Own\ninclude("{source}")\nend']
    text.append("scalar(array) = ndims(array) == 0 ? array[] : array")
    for inputs in samples.values():
        for name, path in inputs.items():
            text.append(f'v_{name} = scalar(Conforms.conforms_npy("vectors/{case.name}/{path}"))')
        for stage in case.stages:
            text.append(f"value = Own.{stage.name}({given(stage)})")
            names = [output.name for output in stage.outputs]
            if len(names) == 1:
                text.append(f"v_{names[0]} = value")
                continue
            for at, name in enumerate(names, start=1):
                text.append(f"v_{name} = value isa NamedTuple ? value.{name} : value[{at}]")
    return "\n".join([*text, f"println(v_{list(case.values)[-1]})", ""])


if __name__ == "__main__":
    main(sys.argv[1:])
