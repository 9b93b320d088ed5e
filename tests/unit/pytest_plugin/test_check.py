"""The fixture ``conformance``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.model import Absent

pytest_plugins = "pytester"

OWN = """
import pytest
from harness.errors import UsageError


def test_right(conformance):
    record = conformance.check("toy", impl="numpy.same")
    assert any(cell.implementation == "numpy.same" for cell in record.cells)


def test_right_again(conformance):
    conformance.check("toy", impl="numpy.same")


def test_known(conformance):
    conformance.check("toy", impl="numpy.known")


def test_wrong(conformance):
    with pytest.raises(AssertionError, match="stage more, implementation numpy.wrong") as caught:
        conformance.check("toy", impl="numpy.wrong")
    assert "stage twice" not in str(caught.value)
    assert "max abs 0.5" in str(caught.value)


def test_raises(conformance):
    with pytest.raises(AssertionError, match="it went wrong"):
        conformance.check("toy", impl="numpy.raises")


def test_missing(conformance):
    conformance.check("toy", impl="gone")


def test_nonsense(conformance):
    for asked in (("tyo", "*"), ("toy", "cobol")):
        with pytest.raises(UsageError, match=asked[0] if asked[1] == "*" else asked[1]):
            conformance.check(asked[0], impl=asked[1])
"""


def run(pytester: pytest.Pytester, *args: str) -> pytest.RunResult:
    pytester.makepyfile(OWN)
    return pytester.runpytest("-p", "no:cacheprovider", "-rs", *args)


def test_the_same_question_is_run_once(pytester: pytest.Pytester, runs: Callable[[], int]) -> None:
    result = run(pytester)
    result.assert_outcomes(passed=6, skipped=1)
    result.stdout.fnmatch_lines(["*NOT_RUN: there is no program*"])
    # same, known, wrong and raises; of "gone" the reference runs as well, and of "known", which inherits, it
    # gets a worker of its own for the inputs of that.
    assert runs() == 6


def test_what_the_session_runs_anyway_is_not_run_again(
    pytester: pytest.Pytester, runs: Callable[[], int]
) -> None:
    run(pytester, "--conformance").assert_outcomes(
        passed=6 + 11 + 1, failed=3, xfailed=2, errors=1, skipped=1 + 4
    )
    # The run's own worker, and one that gives the reference the inputs of what inherits.
    assert runs() == 2


CHANGES = """
from pathlib import Path

import pytest

SOURCE = Path("suite/toy/toy.same.py")


def test_it_follows_the_source(conformance):
    sound = SOURCE.read_text()
    conformance.check("toy", impl="numpy.same")
    SOURCE.write_text(sound.replace("return", "return 3 *"))
    with pytest.raises(AssertionError, match="FAIL"):
        conformance.check("toy", impl="numpy.same")
    SOURCE.write_text(sound)
    conformance.check("toy", impl="numpy.same")
    case = Path("suite/toy/case.toml")
    case.write_text(case.read_text() + "# another\\n")
    conformance.check("toy", impl="numpy.same")
"""


@pytest.mark.parametrize("options", [(), ("--conformance",)])
def test_what_has_changed_is_judged_again(
    pytester: pytest.Pytester, suite: Path, runs: Callable[[], int], options: tuple[str, ...]
) -> None:
    pytester.makepyfile(CHANGES.replace("suite/", f"{suite.as_posix()}/"))
    result = pytester.runpytest("-p", "no:cacheprovider", *options, "-k", "source or same")
    assert result.parseoutcomes().get("failed", 0) == 0
    assert result.ret == 0
    # Sound, wrong, sound and as another case: the reference has written a file beside it meanwhile.
    assert runs() == 4


def test_warm_workers_serve_all_runs_of_all_files(
    pytester: pytest.Pytester, suite: Path, runs: Callable[[], int]
) -> None:
    pytester.makepyfile(
        test_other="def test_also(conformance):\n    conformance.check('toy', impl='numpy.w*')\n"
    )
    result = run(
        pytester, "--conformance-warm", "test_other.py", "test_warm_workers_serve_all_runs_of_all_files.py"
    )
    # The verdicts are those of runs that start their own workers.
    result.assert_outcomes(passed=6, skipped=1, failed=1)
    result.stdout.fnmatch_lines(["*test_also*", "*NOT_RUN: there is no program*"])
    # One for all, and the one that gives the reference the inputs of what inherits.
    assert runs() == 2


def test_what_changes_between_runs_is_seen_by_warm_workers(pytester: pytest.Pytester, suite: Path) -> None:
    pytester.makepyfile(
        "import pathlib\n"
        "def test_first(conformance):\n    conformance.check('toy', impl='numpy.same')\n"
        "    path = pathlib.Path('suite/toy/toy.same.py')\n"
        "    path.write_text(path.read_text() + '\\ntwice = None\\n')\n"
        "def test_other(conformance):\n    conformance.check('toy', impl='numpy.[sh]*')\n"
    )
    result = pytester.runpytest("-p", "no:cacheprovider", "--conformance-warm")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*stage twice, implementation numpy.same*"])


def test_a_required_runtime_is_missed_with_warm_workers_too(pytester: pytest.Pytester, suite: Path) -> None:
    result = run(pytester, "--conformance-warm", "--conformance-require=gone", "-k", "missing")
    result.assert_outcomes(failed=1, deselected=6)


def test_a_required_runtime_is_not_skipped(pytester: pytest.Pytester, suite: Path) -> None:
    result = run(pytester, "--conformance-require=gone", "-k", "missing")
    result.assert_outcomes(failed=1, deselected=6)
    result.stdout.fnmatch_lines(["*AssertionError: required runtime missing: gone: there is no program*"])


def test_without_a_suite_a_check_fails(pytester: pytest.Pytester) -> None:
    result = run(pytester, "-k", "test_right")
    result.assert_outcomes(failed=2, deselected=5)
    result.stdout.fnmatch_lines(["*no suite here*"])


def test_a_name_that_is_not_there_is_shown_at_the_line_of_the_test(
    pytester: pytest.Pytester, suite: Path
) -> None:
    pytester.makepyfile("def test_alone(conformance):\n    conformance.check('nothere')\n")
    result = pytester.runpytest("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    shown = result.stdout.str()
    assert "nothere" in shown.partition("UsageError")[2]
    assert "plan.py" not in shown
    assert "settings.py" not in shown


def test_a_check_of_what_is_compared_with_nothing_fails(pytester: pytest.Pytester, suite: Path) -> None:
    pytester.makepyfile("def test_alone(conformance):\n    conformance.check('toy', impl='numpy')\n")
    result = pytester.runpytest("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*AssertionError: INCOMPLETE: toy", "*numpy: twice of toy in float64 and 2 more were compared with*"]
    )


def test_what_has_no_limit_is_compared_all_the_same(
    pytester: pytest.Pytester, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = Absent(runtime="oracle", language="Python", reason="python-flint is not installed")
    monkeypatch.setattr("harness.conformance.observers.find_oracle", lambda: gone)
    case = suite / "toy" / "case.toml"
    case.write_text(
        case.read_text(encoding="utf-8").replace('tolerance = { rule = "exact" }\n', ""), encoding="utf-8"
    )
    result = run(pytester, "-k", "right or wrong")
    result.assert_outcomes(passed=3, deselected=4)
