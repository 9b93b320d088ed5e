"""Modules beside a Python source: each source has its own, and nobody else sees them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from harness.workers.loop import WorkerFault
from harness.workers.python_source import PythonFile


def written(folder: Path, files: Mapping[str, str]) -> PythonFile:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return PythonFile(str(folder / next(iter(files))))


def value(source: PythonFile, x: float = 1.0) -> float:
    return float(source.call("stage", [x])[1])


def test_two_sources_have_each_their_own_helper(tmp_path: Path) -> None:
    text = "import helper\ndef stage(x):\n    return helper.scaled(x)\n"
    one = written(tmp_path / "one", {"one.py": text, "helper.py": "def scaled(x): return 2 * x\n"})
    two = written(tmp_path / "two", {"two.py": text, "helper.py": "def scaled(x): return 3 * x\n"})
    assert [value(one), value(two), value(one)] == [2.0, 3.0, 2.0]
    assert "helper" not in sys.modules
    assert one.files == {str(tmp_path / "one" / "one.py"), str(tmp_path / "one" / "helper.py")}


def test_an_import_inside_a_function_finds_the_same_module(tmp_path: Path) -> None:
    text = "import helper\nhelper.BY = 5\ndef stage(x):\n    from helper import BY\n    return x * BY\n"
    assert value(written(tmp_path, {"toy.py": text, "helper.py": "BY = 1\n"})) == 5.0


def test_packages_relative_imports_and_folders_without_init(tmp_path: Path) -> None:
    files = {
        "toy.py": "from parts.sums import added\nimport loose.more as m\n"
        "def stage(x): return added(x) + m.TEN\n",
        "parts/__init__.py": "",
        "parts/sums.py": "from .ones import ONE\nfrom . import ones\n"
        "def added(x): return x + ONE + ones.ONE\n",
        "parts/ones.py": "ONE = 1\n",
        "loose/more.py": "TEN = 10\n",
    }
    assert value(written(tmp_path, files)) == 13.0
    assert not [name for name in sys.modules if name.startswith(("parts", "loose"))]


def test_a_module_of_another_place_is_hidden_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = type(sys)("helper")
    monkeypatch.setitem(sys.modules, "helper", other)
    toy = written(
        tmp_path, {"toy.py": "import helper\ndef stage(x): return helper.Y\n", "helper.py": "Y = 4\n"}
    )
    assert value(toy) == 4.0
    assert sys.modules["helper"] is other


def test_it_imports_neither_itself_nor_what_hides_a_library(tmp_path: Path) -> None:
    files = {
        "pytest.py": "import pytest, random, numpy\n"
        "def stage(x): return numpy.exp(0 * x) + len(pytest.__all__) * 0\n",
        "random.py": "raise ValueError('this hides the standard library')\n",
        "numpy.py": "raise ValueError('this hides NumPy')\n",
    }
    assert value(written(tmp_path, files)) == 1.0
    assert sys.modules["numpy"] is np


def test_nothing_compiled_is_written_or_read(tmp_path: Path) -> None:
    text = "import helper\ndef stage(x): return helper.Y\n"
    assert value(written(tmp_path, {"toy.py": text, "helper.py": "Y = 4\n"})) == 4.0
    # Of the same size, in the same second.
    assert value(written(tmp_path, {"toy.py": text, "helper.py": "Y = 5\n"})) == 5.0
    assert not (tmp_path / "__pycache__").exists()


def test_an_error_in_a_helper_is_told_with_the_line_that_calls_it(tmp_path: Path) -> None:
    toy = written(
        tmp_path,
        {
            "toy.py": "import helper\n\ndef stage(x):\n    return helper.f(x)\n",
            "helper.py": "def f(x): return x.no\n",
        },
    )
    with pytest.raises(WorkerFault, match="has no attribute 'no'") as failed:
        value(toy)
    assert failed.value.line == 4
    assert "helper.py" in failed.value.detail
    with pytest.raises(WorkerFault, match="No module named 'not_here'") as failed:
        written(tmp_path, {"toy.py": "import helper\n", "helper.py": "\nimport not_here\n"})
    assert failed.value.line == 1
    assert "not_here" not in sys.modules


def test_a_helper_that_replaces_a_library_s_function_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WorkerFault, match=r"replaces numpy\.exp"):
        written(tmp_path, {"toy.py": "import helper\n", "helper.py": "import numpy\nnumpy.exp = abs\n"})
    assert np.exp(0.0) == 1.0
