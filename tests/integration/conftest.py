"""Stand-alone scripts, run by their languages where nothing of the harness can be found; a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.runtimes.provision.julia import find_julia
from tests import interpreted
from tests.integration.in_browser import axe, browser
from tests.integration.interpreted_workers import node, octave
from tests.integration.worker_hosts import hosted

__all__ = ["axe", "browser", "hosted", "node", "octave", "run_by_itself", "run_script"]

RunScript = Callable[[str, Path], "subprocess.CompletedProcess[str]"]

# To import libraries takes longer than to run a script: each is the program of a process that has them.
IMPORTED = {"numpy": ("numpy", "pandas"), "torch": ("torch",)}
FORKS = """
import importlib, json, os, runpy, sys

for name in sys.argv[1:]:
    importlib.import_module(name)

for line in sys.stdin:
    path, out, err = json.loads(line)
    child = os.fork()
    if not child:
        os.chdir(os.path.dirname(path))
        for number, name in ((1, out), (2, err)):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.argv = [path]
        runpy.run_path(path, run_name="__main__")
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def interpreter(runtime: str) -> list[str]:
    if runtime in {"numpy", "torch"}:
        return [sys.executable, "-I"]
    executable = shutil.which("Rscript" if runtime == "r" else "julia")
    if runtime == "julia":
        executable = executable or find_julia().executable
    if executable is None:
        pytest.skip(f"no interpreter of {runtime} is on the PATH")
    # Scripts run once: to interpret them takes a sixth of the time of compiling them.
    return [executable, "--compile=min", "-O0"] if runtime == "julia" else [executable]


def run_alone(runtime: str, path: Path) -> subprocess.CompletedProcess[str]:
    command = [*interpreter(runtime), str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=path.parent, check=False)


@pytest.fixture
def run_by_itself() -> RunScript:
    """Runs a script of a runtime in its folder, in a process that nothing else has used."""
    return run_alone


@pytest.fixture(scope="module")
def run_script(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunScript]:
    """Runs a script of a runtime in its folder."""
    servers: dict[str, subprocess.Popen[str]] = {}
    printed = tmp_path_factory.mktemp("printed")

    def run(runtime: str, path: Path) -> subprocess.CompletedProcess[str]:
        if runtime not in IMPORTED or sys.platform == "win32":
            return run_alone(runtime, path)
        if runtime not in servers:
            command = [*interpreter(runtime), "-c", FORKS, *IMPORTED[runtime]]
            servers[runtime] = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        server = servers[runtime]
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(
            json.dumps([str(path.resolve()), str(printed / "out"), str(printed / "err")]) + "\n"
        )
        server.stdin.flush()
        code = int(server.stdout.readline())
        out, err = ((printed / name).read_text(encoding="utf-8") for name in ("out", "err"))
        return subprocess.CompletedProcess([str(path)], code, out, err)

    yield run
    for server in servers.values():
        server.communicate()


@pytest.fixture(scope="module")
def compiled_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder of these tests."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARNESS_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="module")
def interpreted_sessions() -> Iterator[None]:
    """Sessions of Julia start and answer in a third of the time, where nothing is computed for long."""
    with interpreted.interpreted_sessions():
        yield


@pytest.fixture(scope="module")
def interpreted_programs() -> Iterator[None]:
    """Programs in Julia are recorded in half of the time, where they compute for a moment."""
    with interpreted.interpreted_programs():
        yield
