"""``harness new impl`` refuses a stage that has the name of a word, and writes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Harness = Callable[..., Result]


@pytest.mark.parametrize(
    ("stage", "language", "said"),
    [
        ("delete", "node", "the stage delete cannot be a function of JavaScript, where that is a word"),
        ("delete", "cpp", "the stage delete cannot be a function of C++, where that is a word"),
        ("erf", "c", "the stage erf cannot be a function of C, where that is a function of the library"),
        ("until", "octave", "the stage until cannot be a function of Octave, where that is a word"),
        ("delete", "c", ""),
        ("delete", "fortran", ""),
        ("erf", "cpp", ""),
    ],
)
def test_a_name_that_a_language_keeps_for_itself(
    harness: Harness, tmp_path: Path, stage: str, language: str, said: str
) -> None:
    suite = tmp_path / "suite"
    assert harness("new", "case", "toy", "--suite", str(suite)).exit_code == 0
    case = suite / "toy" / "case.toml"
    text = case.read_text(encoding="utf-8")
    first = text.split("[[stage]]\nname = ")[1].split("\n")[0].strip('"')
    case.write_text(text.replace(f'"{first}"', f'"{stage}"'), encoding="utf-8")
    before = sorted(suite.rglob("*"))
    done = harness("new", "impl", "toy", language, "--suite", str(suite))
    if said:
        assert done.exit_code == 2
        assert said in done.output
        assert sorted(suite.rglob("*")) == before
    else:
        assert done.exit_code == 0, done.output
