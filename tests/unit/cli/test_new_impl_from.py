"""``harness new impl --from``: an existing file becomes one more implementation of a case."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from harness.model import Verdict
from harness.store.record import read_record

Harness = Callable[..., Result]

FILE = """\
def Twice(x):
    return x + x


def more(y, twice=0):
    return {"less": twice - 1, "more": twice + 1}


print(Twice(3))
"""


def test_a_file_is_adapted_to_the_case(harness: Harness, suite: Path) -> None:
    Path("toy.py").write_text(FILE.replace("more(y, twice=0)", "more(twice)"), encoding="utf-8")
    written = harness("new", "impl", "toy", "numpy", "--label", "new", "--from", "toy.py")
    assert written.exit_code == 0, written.output
    assert "toy.new.py: the stage twice is Twice(x)" in written.stdout
    assert written.stdout.splitlines()[-1] == "next: harness run --case toy --impl numpy.new"
    source = suite / "toy" / "toy.new.py"
    assert "# print(Twice(3))" in source.read_text(encoding="utf-8")
    assert harness("run", "--case", "toy", "--impl", "numpy.new", "--impl", "numpy").exit_code == 0
    cells = read_record(Path("results/results.jsonl")).cells
    assert {(cell.stage, cell.verdict) for cell in cells if cell.implementation == "numpy.new"} == {
        ("twice", Verdict.PASS), ("more", Verdict.PASS),
    }  # fmt: skip
    source.write_text(source.read_text(encoding="utf-8").replace("x + x", "x + x + 1"), encoding="utf-8")
    assert harness("run", "--case", "toy", "--impl", "numpy.new", "--impl", "numpy").exit_code == 1


@pytest.mark.parametrize(
    ("text", "name", "language", "message"),
    [
        (FILE, "toy.R", "numpy", "is a file for r, not for numpy"),
        ("def f(x):\n    return x\n", "toy.py", "numpy", "has none of the functions twice, more"),
        (
            "def twice(x):\n    return {'twice': x}\n\n\ndef more(t):\n    return twice(t)\n",
            *("toy.py", "numpy", "takes or returns something else than the stage of that name"),
        ),
        (FILE, "none.py", "numpy", "cannot be read"),
        (FILE, "toy.mjs", "numpy", "toy.mjs: is no source file in Python, R or Julia"),
        (FILE, "toy.mjs", "node", "toy.mjs: has none of the functions twice, more"),
        (FILE, "toy.c", "c", "toy.c: has none of the functions twice, more"),
    ],
)
def test_a_file_that_does_not_fit_writes_nothing(
    harness: Harness,
    suite: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    name: str,
    language: str,
    message: str,
) -> None:
    monkeypatch.setattr("harness.authoring.read_others.find_provision", lambda name: None)
    if not name.startswith("none"):
        Path(name).write_text(text, encoding="utf-8")
    result = harness("new", "impl", "toy", language, "--label", "new", "--from", name)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert not (suite / "toy" / "toy.new.py").exists()


def test_stages_that_a_file_lacks_are_said(harness: Harness, suite: Path) -> None:
    Path("part.py").write_text("def twice(x):\n    return 2 * x\n", encoding="utf-8")
    written = harness("new", "impl", "toy", "numpy", "--label", "part", "--from", "part.py")
    assert written.exit_code == 0, written.output
    assert "part.py has no more: write them into toy.part.py" in written.stdout


def test_a_source_of_another_language_is_no_data(harness: Harness) -> None:
    Path("fit.py").write_text("def f(x):\n    return x\n", encoding="utf-8")
    for name in ("fit.c", "fit.mjs"):
        Path(name).write_text("double f(double x) { return x; }\n", encoding="utf-8")
        result = harness("new", "case", "fit", "--from", "fit.py", name)
        assert result.exit_code == 2, result.output
        assert f"{name}: is no source file in Python, R or Julia" in result.stderr
    assert "in Python, R" in harness("new", "case", "--help").output.partition("--from")[2]


def test_members_of_a_default_export_are_the_stages(harness: Harness, suite: Path) -> None:
    text = "const own = {\n  twice(x) { return x; },\n  other: (x) => x,\n};\nexport default own;\n"
    Path("toy.mjs").write_text(text, encoding="utf-8")
    written = harness("new", "impl", "toy", "node", "--label", "new", "--from", "toy.mjs")
    assert written.exit_code == 0, written.output
    assert "toy.mjs has no more: write them into toy.new.mjs" in written.stdout
    assert text in (suite / "toy" / "toy.new.mjs").read_text(encoding="utf-8")
    Path("toy.mjs").write_text(text.replace("twice", "double"), encoding="utf-8")
    refused = harness("new", "impl", "toy", "node", "--label", "again", "--from", "toy.mjs")
    assert refused.exit_code == 2
    assert "has none of the functions twice, more" in refused.stderr
