"""A small suite: one case of two stages, implementations good and bad, and a runtime that is not there."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from harness.cli import main
from harness.store.fixture_writer import write_fixture
from tests.unit.cli.recorded_toy import recorded_with_gone

CASE = """
[case]
name = "toy"
title = "Twice √x, and one"
origin = "made up"
fixture = "toy"
timeout = 60

[inputs]
x = ["n"]

[[stage]]
name = "twice"
inputs = ["x"]
shape = ["n"]
tolerance = { rule = "exact" }

[[stage]]
name = "more"
inputs = ["twice"]
shape = ["n"]
tolerance = { rule = "exact" }
"""
SOUND = "def twice(x):\n    return 2 * x\n\n\ndef more(twice):\n    return twice + 1\n"
SOURCES = {
    "toy.py": SOUND,
    "toy.same.py": SOUND,
    "toy.wrong.py": SOUND.replace("twice + 1", "twice + 1.5"),
    "toy.dies.py": "import os\n\n\n" + SOUND.replace("return twice + 1", "os._exit(3)"),
    "toy.hangs.py": "import time\n\n\n" + SOUND.replace("return twice + 1", "time.sleep(600)"),
    "toy.gone": "",
}
RUNTIME = """
[[runtime]]
id = "gone"
language = "Gone"
suffix = ".gone"
command = ["there-is-no-such-program"]
"""


def put_suite(folder: Path) -> Path:
    """Write the suite and its fixture into a folder."""
    case = folder / "suite" / "toy"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(CASE, encoding="utf-8")
    for name, source in SOURCES.items():
        (case / name).write_text(source, encoding="utf-8")
    (folder / "suite" / "suite.toml").write_text(RUNTIME, encoding="utf-8")
    write_fixture(
        folder / "suite" / "fixtures" / "toy",
        version=1,
        title="three numbers",
        origin="made up",
        licence="MIT",
        generator=[{"kind": "by hand"}],
        arrays={"x": np.array([1.0, 2.5, -3.0])},
        origins={"x": "made up"},
    )
    return folder / "suite"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return put_suite(tmp_path)


@pytest.fixture(scope="module")
def suite_of_module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One suite for what a module's tests have in common."""
    return put_suite(tmp_path_factory.mktemp("module"))


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HARNESS_GLOVE", raising=False)

    def call(*args: str | Path) -> Result:
        return CliRunner().invoke(main, [str(arg) for arg in args])

    return call


@pytest.fixture(scope="module")
def recorded_once(suite_of_module: Path) -> Path:
    """The toy suite, recorded while the runtime called gone was there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("HARNESS_GLOVE", raising=False)
        return recorded_with_gone(
            lambda *args: CliRunner().invoke(main, [str(arg) for arg in args]), suite_of_module
        )


@pytest.fixture
def recorded(recorded_once: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(recorded_once, tmp_path / "suite"))
