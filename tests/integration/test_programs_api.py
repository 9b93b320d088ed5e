"""Two programs from Python and from pytest: the command's answer, and a test that fails where they part."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import harness
from harness.errors import UsageError
from harness.model import Outcome
from harness.programs.said import AlignmentError

pytest.importorskip("scipy")

FIRST = """import numpy as np

height = np.array([151.8, 139.7, 136.5, 156.8, 145.4, 163.8])
spread = np.sqrt(np.sum((height - height.mean()) ** 2) / (len(height) - 1))
print("spread", spread)
"""
SECOND = """import numpy as np

h = np.array([151.8, 139.7, 136.5, 156.8, 145.4, 163.8])
s = h.std(ddof=DDOF)
print("spread", s)
"""


@pytest.fixture
def programs(tmp_path: Path) -> dict[str, Path]:
    texts = {"first": FIRST, "right": SECOND.replace("DDOF", "1"), "wrong": SECOND.replace("DDOF", "0")}
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    return {name: tmp_path / f"{name}.py" for name in texts}


def test_programs_that_agree(programs: dict[str, Path]) -> None:
    alignment = harness.align(programs["first"], programs["right"])
    assert alignment.outcome is Outcome.AGREEMENT
    assert ("spread", "s") in {(match.a.name, match.b.name) for match in alignment.matches}
    assert alignment._repr_markdown_().startswith("**AGREEMENT**")
    alignment.raise_for_divergence()


def test_programs_that_part(programs: dict[str, Path]) -> None:
    alignment = harness.align(programs["first"], str(programs["wrong"]), same={"height": "h"})
    assert (alignment.divergences[0].a.line, alignment.divergences[0].b.line) == (4, 4)
    with pytest.raises(AlignmentError, match=r"(?s)DIVERGENCE: .*ddof") as raised:
        alignment.raise_for_divergence()
    assert raised.value.alignment is alignment


def test_what_is_no_program_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        harness.align(tmp_path / "a.py", tmp_path / "b.py")


@pytest.mark.parametrize(
    ("other", "options", "said"),
    [
        ("right.py", (), "1 passed"),
        ("wrong.py", (), "AlignmentError: DIVERGENCE"),
        ("other.R", (), "1 skipped"),
        ("other.R", ("--conformance-require", "r"), "required runtime missing"),
    ],
)
def test_a_test_of_pytest(programs: dict[str, Path], other: str, options: tuple[str, ...], said: str) -> None:
    folder = programs["first"].parent
    (folder / "other.R").write_text("x <- 1\n", encoding="utf-8")
    (folder / "test_port.py").write_text(
        f"def test_port(conformance):\n    conformance.align('first.py', {other!r})\n", encoding="utf-8"
    )
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", "test_port.py", *options],
        cwd=folder,
        env=os.environ | {"R_HOME": str(folder / "nowhere")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said in result.stdout, result.stdout
