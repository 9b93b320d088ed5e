"""Old reticulate asks `imp` where a module is: in Python 3.12 it comes from here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import harness.workers

FOLDER = Path(harness.workers.__file__).with_name("for_reticulate")


def asked(name: str) -> subprocess.CompletedProcess[str]:
    code = f"import imp; print(imp.__file__); print(imp.find_module({name!r})[1])"
    environment = os.environ | {"PYTHONPATH": str(FOLDER), "PYTHONWARNINGS": "ignore"}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )


def test_a_package_is_its_folder_and_a_module_its_file() -> None:
    mine, numpy = asked("numpy").stdout.split()
    assert Path(mine).parent == FOLDER
    assert Path(numpy) == Path(np.__file__).parent
    assert asked("argparse").stdout.split()[1].endswith("argparse.py")


def test_what_is_not_there_is_an_import_error() -> None:
    done = asked("no_such_module_anywhere")
    assert done.returncode != 0
    assert "ImportError: No module named 'no_such_module_anywhere'" in done.stderr
