"""Change the code that judges and reports, one small change at a time, and list what no test notices.

``python tests/mutation [--draw N] [--seed N] [GROUP ...]``; groups.toml has the groups, survivors.toml those
changes that make no difference, each with its reason. The exit code is 1 where a change survives that is not
listed, or where less than 95 % of the changes are noticed.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import random
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from constants import constants, passes, survives

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / ".nox" / "mutation" / "work"
MARKS = "not r and not julia and not torch and not node and not browser and not slow"
OPTIONS = ("-q", "-x", "-p", "no:cacheprovider", "-m", MARKS)
DUE = 0.95
"""How many of the changes the tests have to notice."""

# mutmut's exit codes for a change that tests passed with, or that no test reaches.
SURVIVED = frozenset({0, 5, 33})


class Change(NamedTuple):
    """One change of the code, as survivors.toml names it."""

    file: str
    function: str
    diff: str


class Result(NamedTuple):
    """What became of a group's changes."""

    total: int
    run: int
    survivors: tuple[Change, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the groups, print what survived, and return the exit code."""
    groups: dict[str, dict[str, list[str]]] = tomllib.loads((HERE / "groups.toml").read_text("utf-8"))
    listed = _listed()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(groups))
    parser.add_argument("--draw", type=int, help="run so many changes of each group, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--only", choices=("functions", "constants"), help="change nothing else")
    chosen = parser.parse_args(arguments)
    if unknown := [name for name in chosen.groups if name not in groups]:
        parser.error(f"there is no group {unknown[0]}: use one of {', '.join(groups)}")
    whole: list[Result] = []
    unlisted = 0
    for name in chosen.groups or groups:
        files = _files(groups[name])
        folder = _copy(name, files, groups[name])
        for kind, run_all in (
            ("functions", lambda f=folder: _functions(f, chosen.draw, chosen.seed)),
            ("constants", lambda f=folder, g=files, n=name: _constants(f, g, groups[n])),
        ):
            if chosen.only not in (None, kind):
                continue
            outcome = run_all()
            whole.append(outcome)
            new = [change for change in outcome.survivors if change not in listed]
            unlisted += len(new)
            noticed = outcome.run - len(outcome.survivors)
            print(
                f"{name}, {kind}: {outcome.total} changes, {outcome.run} run, {noticed} noticed, "
                f"{len(outcome.survivors) - len(new)} listed, {len(new)} not noticed and not listed",
                flush=True,
            )
            for change in new:
                print(f"\n{change.file}, {change.function}\n{change.diff}", flush=True)
    run = sum(result.run for result in whole)
    noticed = run - sum(len(result.survivors) for result in whole)
    share = noticed / run if run else 0.0
    print(f"{noticed} of {run} changes were noticed ({share:.1%}), {unlisted} are not listed")
    return int(unlisted > 0 or share < DUE)


def _listed() -> frozenset[Change]:
    text = (HERE / "survivors.toml").read_text("utf-8")
    return frozenset(
        Change(entry["file"], entry["function"], entry["diff"].strip())
        for entry in tomllib.loads(text)["survivor"]
    )


def _files(group: Mapping[str, Sequence[str]]) -> list[str]:
    def matches(patterns: Sequence[str]) -> set[str]:
        return {path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern)}

    return sorted(matches(group["files"]) - matches(group.get("without", ())))


def _options(group: Mapping[str, Sequence[str]]) -> list[str]:
    """What pytest is given: a group may leave out tests by words of their names."""
    return [*OPTIONS, *(("-k", f"not ({' or '.join(group['skip'])})") if "skip" in group else ())]


def _copy(name: str, files: Sequence[str], group: Mapping[str, Sequence[str]]) -> Path:
    """Copy the project, for mutmut to work in, with its settings."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    paths = [path for path in listing.split("\0") if path and (ROOT / path).is_file()]
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, folder / path)
    beside = {path.partition("/")[0] for path in paths} - {"harness", "tests", "pyproject.toml"}
    settings = {
        "source_paths": ["harness"],
        "only_mutate": list(files),
        "also_copy": sorted(beside),
        "pytest_add_cli_args": _options(group),
        "pytest_add_cli_args_test_selection": list(group["tests"]),
    }
    # JSON's lists of texts are TOML's.
    lines = ["", "[tool.mutmut]", *(f"{key} = {json.dumps(value)}" for key, value in settings.items())]
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return folder


def _functions(folder: Path, draw: int | None, seed: int) -> Result:
    """Let mutmut change the bodies of functions."""
    names: list[str] = []
    if draw is not None:
        # A name that is none: the changes are made and the tests mapped, and nothing is run.
        _mutmut(folder, "run", "none")
        known = sorted(name for name, _, _ in _outcomes(folder))
        names = random.Random(seed).sample(known, min(draw, len(known)))
    done = _mutmut(folder, "run", *names)
    outcomes = list(_outcomes(folder))
    run = [outcome for outcome in outcomes if outcome[2] is not None and (not names or outcome[0] in names)]
    if not run or (not names and len(run) < len(outcomes)):
        raise SystemExit(f"mutmut failed in {folder}:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    survivors = [
        Change(file, _function(name), _diff(folder, file, name))
        for name, file, code in run
        if code in SURVIVED
    ]
    return Result(len(outcomes), len(run), tuple(survivors))


def _constants(folder: Path, files: Sequence[str], group: Mapping[str, Sequence[str]]) -> Result:
    changes = [constant for file in files for constant in constants(folder, file)]
    if changes and not passes(folder, group["tests"], _options(group)):
        raise SystemExit(f"the tests fail without any change in {folder}")
    survivors = [
        Change(constant.file, constant.name, f"- {constant.old}\n+ {constant.new}")
        for constant in changes
        if survives(folder, constant, group["tests"], _options(group))
    ]
    return Result(len(changes), len(changes), tuple(survivors))


def _outcomes(folder: Path) -> Iterator[tuple[str, str, int | None]]:
    """Of every change that mutmut made: its name, its file, and the exit code of the tests, None: not run."""
    for path in sorted((folder / "mutants").rglob("*.meta")):
        results: dict[str, Any] = json.loads(path.read_text("utf-8"))
        file = path.relative_to(folder / "mutants").with_suffix("").as_posix()
        for name, code in results["exit_code_by_key"].items():
            yield name, file, code


def _function(name: str) -> str:
    """``Evaluator.judge`` of ``harness.conformance.evaluator.xǁEvaluatorǁjudge__mutmut_3``."""
    function = name.rpartition("__mutmut_")[0].rpartition(".")[2]
    return (
        function.removeprefix("xǁ").replace("ǁ", ".")
        if function.startswith("xǁ")
        else function.removeprefix("x_")
    )


def _diff(folder: Path, file: str, name: str) -> str:
    """The lines that a change takes and puts, without their indentation."""
    text = (folder / "mutants" / file).read_text("utf-8")
    changed = name.rpartition(".")[2]
    wanted = [f"{changed.rpartition('__mutmut_')[0]}__mutmut_orig", changed]
    sources = {
        node.name: (ast.get_source_segment(text, node) or "").splitlines()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in wanted
    }
    # The first line has the function's name, which is not the change.
    before, after = (sources[name][1:] for name in wanted)
    lines = [line for line in difflib.ndiff(before, after) if line[:1] in ("-", "+")]
    return "\n".join(f"{line[0]} {line[1:].strip()}" for line in lines)


def _mutmut(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("mutmut")
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(
        [program, *arguments, "--max-children", "1"],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


if __name__ == "__main__":
    raise SystemExit(main())
