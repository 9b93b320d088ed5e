"""What a notebook's cell shows, as Jupyter would show it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from harness.workers.ipython_cells import Cells, beside_sympy, display, display_all, like_a_kernel


class Symbol:
    """Stands for one of sympy's."""


Symbol.__module__ = "sympy.core.symbol"


def printing(value: Any) -> None:
    """Stands for the hook that sympy's ``init_printing`` sets, which prints everything as text."""
    print("pretty", value if not isinstance(value, Symbol) else "x")


printing.__module__ = "sympy.interactive.printing"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.array([4.0, 4.06]), "array([4.  , 4.06])"),
        (Symbol(), "pretty x"),
        ([1, 2.5], "pretty [1, 2.5]"),
        (["a"], "['a']"),
        ({"a": 1}, "{'a': 1}"),
        (True, "True"),
    ],
)
def test_beside_sympy_other_values_are_shown_as_before(
    capsys: pytest.CaptureFixture[str], value: Any, shown: str
) -> None:
    beside_sympy(printing)(value)
    assert capsys.readouterr().out.strip() == shown


def test_other_hooks_are_left() -> None:
    assert beside_sympy(display) is display


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (re.compile("ab*"), "re.compile(r'ab*', re.UNICODE)"),
        ({3, 1, 2}, "{1, 2, 3}"),
        (list(range(30)), "[0,\n 1,"),
        (int, "int"),
        ("a", "'a'"),
        (2.5, "2.5"),
    ],
)
def test_a_value_is_shown_as_ipython_prints_it(
    capsys: pytest.CaptureFixture[str], value: Any, shown: str
) -> None:
    pytest.importorskip("IPython")
    display(value)
    assert capsys.readouterr().out.startswith(shown)


@pytest.mark.parametrize(("before", "after"), [(0, 20), (7, 7)])
def test_pandas_prints_as_in_a_notebook_but_where_the_document_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, before: int, after: int
) -> None:
    pandas = ModuleType("pandas")
    display = SimpleNamespace(max_columns=before)
    pandas.options = SimpleNamespace(display=display)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    like_a_kernel()
    assert display.max_columns == after
    display.max_columns = 0
    like_a_kernel()
    assert display.max_columns == 0


def test_pylab_works_where_there_is_no_window(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """IPython refuses ``Agg``, by which name a session's environment knows the backend."""
    pytest.importorskip("IPython")
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    module = ModuleType("__typed__")
    hooks = sys.displayhook, sys.excepthook
    code = Cells(module).as_python("%pylab\n")
    assert (sys.displayhook, sys.excepthook) == hooks
    exec(code, module.__dict__)
    assert module.__dict__["arange"](3).tolist() == [0, 1, 2]


@pytest.mark.parametrize(("given", "kept"), [("module://Own.Agg", "module://Own.Agg"), ("Agg", "agg")])
def test_a_backend_that_names_a_module_is_kept(
    monkeypatch: pytest.MonkeyPatch, given: str, kept: str
) -> None:
    monkeypatch.setenv("MPLBACKEND", given)
    Cells(ModuleType("__typed__"))
    assert os.environ["MPLBACKEND"] == kept


def test_a_notebook_has_display_without_an_import(capsys: pytest.CaptureFixture[str]) -> None:
    display_all({"a": 1}, "text", None, display_id=True)
    assert capsys.readouterr().out == "{'a': 1}\n'text'\nNone\n"
