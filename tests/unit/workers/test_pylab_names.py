"""What pylab brings to a session, with and without matplotlib."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from harness.workers import pylab_names
from harness.workers.pylab_names import as_calls


@pytest.fixture
def matplotlib(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """One with a single function, or none."""
    installed = request.param
    pylab = ModuleType("matplotlib.pylab")
    pylab.__dict__.update(plot=len, sum="matplotlib's", _own=1)
    made = {"matplotlib.pylab": pylab, "matplotlib.pyplot": pylab, "matplotlib": ModuleType("matplotlib")}

    def given(name: str) -> ModuleType:
        if not installed:
            raise ModuleNotFoundError("No module named 'matplotlib'")
        return made[name]

    monkeypatch.setattr(importlib, "import_module", given)
    monkeypatch.setattr(pylab_names, "find_spec", lambda name: object() if installed else None)


def run(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(as_calls(code), names)
    return names


@pytest.mark.parametrize("matplotlib", [False], indirect=True)
@pytest.mark.parametrize(
    "code", ["%pylab inline", "x = 1\n%pylab", "from pylab import *  # all", "from matplotlib.pylab import *"]
)
def test_without_matplotlib_numpys_names_are_there_and_it_is_said_to_be_missing(
    matplotlib: None, code: str
) -> None:
    names: dict[str, Any] = {}
    with pytest.raises(ModuleNotFoundError, match="matplotlib"):
        exec(as_calls(code), names)
    assert names["sum"] is np.sum
    assert names["rand"] is np.random.rand
    assert names["np"] is np
    assert not {"max", "abs", "round"} & names.keys()


@pytest.mark.parametrize("matplotlib", [True], indirect=True)
def test_with_matplotlib_its_functions_are_there_and_numpys_come_last(
    matplotlib: None, capsys: pytest.CaptureFixture[str]
) -> None:
    names = run("%pylab inline")
    assert names["plot"] is names["plt"].plot
    assert names["sum"] is np.sum
    assert "_own" not in names
    assert capsys.readouterr().out == "Populating the interactive namespace from numpy and matplotlib\n"
    assert "sum" not in run("%pylab --no-import-all")


@pytest.mark.parametrize("matplotlib", [True], indirect=True)
def test_code_without_the_magic_is_left(matplotlib: None) -> None:
    for code in ("from pylab import *", "import pylab", "%%writefile a.py\n%pylab"):
        assert as_calls(code) == code
