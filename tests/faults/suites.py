"""A suite of one case whose implementations each meet one fault, and a run of it by the real command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import numpy as np
import numpy.typing as npt

from harness.model import Absent
from harness.runtimes.registry import Launch, Registry
from harness.store.fixture_writer import write_fixture
from tests.faults import sources
from tests.faults.matrix import DEADLY, WORKERS, Trial, seen_as

HERE = Path(__file__).parent
MARKER = "HARNESS_FAULTS"
"""In the environment of everything that a run starts."""
LENGTH = 20_000
"""Numbers in the fixture: more bytes than the injector's pipes take, so that whoever writes them waits."""
CASE = """
[case]
name = "toy"
title = "Twice, one more, one less"
origin = "made up"
fixture = "x"
reference = "echo"
timeout = {timeout}

[inputs]
x = ["n"]
"""
STAGE = """
[[stage]]
name = "{name}"
inputs = ["{value}"]
shape = ["n"]
tolerance = {{ rule = "exact" }}
"""
SOUND = "\n\n".join(
    f"def {name}({value}):\n    return {value} {how}\n"
    for name, value, how in (("twice", "x", "* 2"), ("more", "twice", "+ 1"), ("less", "more", "- 1"))
)


class Ran(NamedTuple):
    """What a run left."""

    trials: tuple[Trial, ...]
    code: int
    printed: str
    out: Path
    temporary: Path
    marker: str


def launches(names: Sequence[str]) -> dict[str, Launch | Absent]:
    """How workers of the matrix are started, or why they cannot be."""
    found = {}
    for name in names:
        worker = WORKERS[name]
        with mock.patch.dict(os.environ, {"HARNESS_JULIA_HOSTING": worker.hosting} if worker.hosting else {}):
            found[name] = Registry.load(HERE).launch(worker.runtime)
    return found


def run(
    folder: Path,
    trials: Sequence[Trial],
    launches: Mapping[str, Launch],
    timeout: float,
    limit: float = 900.0,
) -> Ran:
    """Write a suite with an implementation for each trial, and run it.

    Parameters
    ----------
    folder : Path
        Empty.
    trials : sequence of Trial
        Each has a worker of its own.
    launches : mapping of str to Launch
        How the workers are started, by name.
    timeout : float
        Seconds that a call may take.
    limit : float
        Seconds after which the command itself hangs: it is killed, and its code is -9.
    """
    suite, temporary, marker = folder / "suite", folder / "tmp", uuid.uuid4().hex
    temporary.mkdir(parents=True)
    write(suite, trials, launches, timeout)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    env = inherited | {"TMPDIR": str(temporary), MARKER: marker}
    out = folder / "out"
    with (folder / "printed").open("wb") as printed:
        process = subprocess.Popen(
            [sys.executable, "-m", "harness", "run", "--suite", str(suite), "--out", str(out)],
            stdin=subprocess.DEVNULL, stdout=printed, stderr=printed, env=env, cwd=HERE.parents[1],
        )  # fmt: skip
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    text = (folder / "printed").read_text(encoding="utf-8", errors="replace")
    return Ran(tuple(trials), process.returncode, text, out, temporary, marker)


def write(suite: Path, trials: Sequence[Trial], launches: Mapping[str, Launch], timeout: float) -> None:
    """Write the suite: the reference in a worker that needs nothing, NumPy as it is, and the trials."""
    case = suite / "toy"
    case.mkdir(parents=True)
    stages = (("twice", "x"), ("more", "twice"), ("less", "more"))
    text = CASE.format(timeout=timeout) + "".join(STAGE.format(name=n, value=v) for n, v in stages)
    (case / "case.toml").write_text(text, encoding="utf-8")
    (case / "toy.echo").write_text("", encoding="utf-8")
    (case / "toy.py").write_text(SOUND, encoding="utf-8")
    write_x(suite, np.arange(1.0, LENGTH + 1))
    marks = suite / "marks"
    marks.mkdir()
    waits = [
        f"{marks / trial.id}:{'less:2' if WORKERS[trial.worker].late else 'more:1'}"
        for trial in trials
        if trial.state == "idle"
    ]
    stanzas = [stanza("echo", ".echo", [sys.executable, "-I", "-S", str(HERE / "echo.py"), *waits], {})]
    stanzas += [_member(suite, trial, launches[trial.worker]) for trial in trials]
    (suite / "suite.toml").write_text("\n".join(stanzas), encoding="utf-8")


def write_x(suite: Path, x: npt.NDArray[np.float64]) -> None:
    """Write the fixture x, which has one array of that name."""
    write_fixture(
        suite / "fixtures" / "x",
        version=1,
        title="t",
        origin="o",
        licence="MIT",
        generator=[{"kind": "literal"}],
        arrays={"x": x},
        origins={"x": "o"},
    )


def stanza(name: str, suffix: str, command: Sequence[str], env: Mapping[str, str]) -> str:
    """A runtime of a suite."""
    pairs = ", ".join(f"{json.dumps(key)} = {json.dumps(value)}" for key, value in env.items())
    return (
        f'[[runtime]]\nid = "{name}"\nlanguage = "{name}"\nsuffix = "{suffix}"\n'
        f"command = {json.dumps(list(command))}\nenv = {{ {pairs} }}\n"
    )


def _member(suite: Path, trial: Trial, launch: Launch) -> str:
    """Write what one trial needs, and return its stanza."""
    worker, marks = WORKERS[trial.worker], suite / "marks" / trial.id
    suffix = f".{trial.id}{sources.SUFFIXES[worker.language]}"
    fault = trial.fault if trial.state in ("starting", "mid-call") else ""
    (suite / "toy" / f"toy{suffix}").write_text(
        sources.source(worker.language, marks, fault), encoding="utf-8"
    )
    stage, count = trial.target
    spec = {"state": trial.state, "fault": trial.fault, "stage": stage, "count": count, "marks": str(marks)}
    spec["ends"] = seen_as(trial) in DEADLY
    marks.with_name(f"{trial.id}.json").write_text(json.dumps(spec), encoding="utf-8")
    program, *rest = launch.command
    env, flags = dict(launch.env), list(worker.flags)
    folder = suite / "first" / trial.id
    if trial.state == "starting" and trial.fault in ("import_raises", "import_hangs", "exit0"):
        place = sources.preload(worker.language, worker.in_python, trial.fault, folder, worker.preload)
        if worker.in_python:
            env["PYTHONPATH"] = str(place)
        elif worker.preload == "NODE_OPTIONS":
            env[worker.preload] = f"--require {place}"
        else:
            flags += [worker.preload, str(place)]
    elif trial.fault == "exit0" and worker.in_python:
        folder.mkdir(parents=True)
        (folder / "sitecustomize.py").write_text(sources.ENDS_AT_A_SIGNAL, encoding="utf-8")
        env["PYTHONPATH"] = str(folder)
    if worker.name == "juliacall":
        env |= {"PYTHON_JULIACALL_COMPILE": "min", "PYTHON_JULIACALL_OPTLEVEL": "0"}
    injector = [sys.executable, "-I", "-S", str(HERE / "inject.py"), f"{marks}.json"]
    return stanza(trial.id, suffix, [*injector, program, *flags, *rest], env)
