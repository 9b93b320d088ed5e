"""Libraries are imported once for all processes that start from one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from harness.programs.recorders import python_libraries


def test_modules_of_packages_are_imported_beforehand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site" / "slowly"
    package.mkdir(parents=True)
    for name in ("__init__", "part", "other"):
        (package / f"{name}.py").write_text("")
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setattr(python_libraries, "_LONG", frozenset({"slowly"}))
    program = tmp_path / "program.py"
    program.write_text("from slowly import part, lacking\nimport helper\n")
    # A module of the program's own imports it too; what that does may not be done beforehand.
    (tmp_path / "helper.py").write_text("import program\nfrom slowly import other\nraise RuntimeError\n")
    try:
        python_libraries.import_beforehand(program)
        assert {"slowly.part", "slowly.other"} <= sys.modules.keys()
        assert "helper" not in sys.modules
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "slowly"]:
            del sys.modules[name]
