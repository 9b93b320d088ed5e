"""What a worker is given of a Python function: a file that computes the same by itself."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.api.program import NoSource, program_of

X = [0.25, 1.5, -3.0]


def loaded(path: Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def fitting() -> types.ModuleType:
    return loaded(Path(__file__).with_name("fitting.py"))


def elsewhere(function: Callable[..., Any], folder: Path) -> list[float]:
    """What the program of a function returns for X, in a process that has nothing of it."""
    program = program_of(function)
    (folder / "alone.py").write_text(program.text, encoding="utf-8")
    for path in program.beside:
        (folder / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    script = (
        f"import numpy, alone\nvalue = alone.{program.name}(numpy.array({X}))\n"
        "print(*(repr(float(v)) for v in numpy.ravel(value)))"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [float(word) for word in done.stdout.split()]


@pytest.mark.parametrize("name", ["softmax", "weighted", "doubled", "moments"])
def test_it_runs_by_itself_and_gives_the_same_bits(
    name: str, fitting: types.ModuleType, tmp_path: Path
) -> None:
    function = getattr(fitting, name)
    assert elsewhere(function, tmp_path) == np.ravel(function(np.array(X))).tolist()


def test_a_value_that_a_function_closes_over_is_a_constant(fitting: types.ModuleType, tmp_path: Path) -> None:
    assert elsewhere(fitting.scaled_by(3.0), tmp_path) == [0.75, 4.5, -9.0]


def test_the_value_of_now_counts(fitting: types.ModuleType, tmp_path: Path) -> None:
    before = elsewhere(fitting.softmax, tmp_path)
    fitting.SCALE = 2.0
    try:
        after = elsewhere(fitting.softmax, tmp_path)
    finally:
        fitting.SCALE = 0.5
    assert before != after


def test_functions_may_call_each_other(fitting: types.ModuleType) -> None:
    text = program_of(fitting.even).text
    assert len(re.findall(r"^def ", text, re.MULTILINE)) == 2


def test_a_module_beside_it_is_taken_along(tmp_path: Path) -> None:
    (tmp_path / "bricks_of_test.py").write_text(
        "import mortar_of_test\ndef add(x): return x + mortar_of_test.ONE\n"
    )
    (tmp_path / "mortar_of_test.py").write_text("ONE = 1.0\n")
    (tmp_path / "wall_of_test.py").write_text("import bricks_of_test as b\ndef wall(x): return b.add(x)\n")
    sys.path.insert(0, str(tmp_path))
    try:
        module = loaded(tmp_path / "wall_of_test.py")
    finally:
        sys.path.remove(str(tmp_path))
    program = program_of(module.wall)
    assert [path.name for path in program.beside] == ["bricks_of_test.py", "mortar_of_test.py"]
    folder = tmp_path / "alone"
    folder.mkdir()
    assert elsewhere(module.wall, folder) == [1.25, 2.5, -2.0]


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (lambda x: x, "lambda"),
        (np.exp, "ufunc"),
        (abs, "builtin_function_or_method"),
        ([].append, "builtin_function_or_method"),
    ],
)
def test_what_has_no_source(function: Callable[..., Any], why: str) -> None:
    with pytest.raises(NoSource, match=why):
        program_of(function)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("with_object", "OPEN is a object"),
        ("with_large", "MANY is an array of 10,001 elements"),
        ("count", "a generator"),
    ],
)
def test_what_cannot_be_written(name: str, why: str, fitting: types.ModuleType) -> None:
    with pytest.raises(NoSource, match=re.escape(why)):
        program_of(getattr(fitting, name))


def test_a_function_typed_at_a_prompt_has_no_source() -> None:
    names: dict[str, Any] = {}
    exec("def typed(x): return x", names)
    with pytest.raises(NoSource, match="cannot be found"):
        program_of(names["typed"])


def test_a_file_that_was_changed_since_is_not_what_runs(tmp_path: Path) -> None:
    path = tmp_path / "changing_of_test.py"
    path.write_text("def f(x):\n    return x + 1\n")
    module = loaded(path)
    path.write_text("def f(x):\n    return x + 22\n")
    with pytest.raises(NoSource, match="is not what runs"):
        program_of(module.f)
