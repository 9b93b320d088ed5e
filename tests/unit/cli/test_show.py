"""``harness show``."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from harness.cli.show import text_of, texts
from harness.model import Failure, Verdict
from tests.unit.runtimes.fake_worker import PREAMBLE

Harness = Callable[..., Result]

SOUND = "def twice(x):\n    return 2 * x\n\n\ndef more(twice):\n    return twice + 1\n"


def test_what_each_implementation_returns(harness: Harness, suite: Path) -> None:
    result = harness("show", "toy", "more", "--suite", suite, "--impl", "numpy", "--impl", "numpy.wrong")
    assert result.exit_code == 0, result.output
    assert "numpy: float64 (3,)\n[ 3.  6. -5.]" in result.stdout
    assert "numpy.wrong: float64 (3,)\n[ 3.5  6.5 -4.5]\nfrom numpy: max abs 0.5" in result.stdout


def test_nan_on_one_side_is_said() -> None:
    observed = {"numpy": {"s": np.array([1.0, 2.0])}, "r": {"s": np.array([1.0, np.nan])}}
    assert texts(observed, "numpy", "s")["r"].endswith("from numpy: not a number on one side")


def test_a_crash_has_an_exit_code_and_hides_nothing(harness: Harness, suite: Path) -> None:
    result = harness("show", "toy", "more", "--suite", suite, "--impl", "numpy", "--impl", "numpy.dies")
    assert result.exit_code == 4, result.output
    assert "numpy: float64 (3,)" in result.stdout
    assert "numpy.dies: ERROR: worker numpy ended with exit code 3" in result.stdout


def test_a_crash_before_the_stage_is_a_fault_too(harness: Harness, suite: Path) -> None:
    source = suite / "toy" / "toy.dies.py"
    text = SOUND.replace("return 2 * x", "import os; os._exit(3)")
    source.write_text(text, encoding="utf-8")
    result = harness("show", "toy", "more", "--suite", suite, "--impl", "numpy.dies")
    assert result.exit_code == 4, result.output
    said = "numpy.dies: ERROR: no upstream value: its own twice; in the stage twice: worker numpy ended"
    assert said in result.stdout


def test_a_crash_after_the_stage_is_not_run(harness: Harness, suite: Path) -> None:
    result = harness("show", "toy", "twice", "--suite", suite, "--impl", "numpy.dies")
    assert result.exit_code == 0, result.output
    assert "[ 2.  5. -6.]" in result.stdout


KILLS = """
answer(read(), {{
    "protocol": 1, "runtime": {{"language": "Kills", "version": "1", "dtypes": ["float64"]}}
}})
answer(read(), {{"handle": "h1", "problems": []}})
request = read()
with open({pid!r}) as file:
    pid = int(file.read())
os.kill(pid, signal.SIGKILL)
# Until the harness has noticed, and reaped it.
while os.path.exists(f"/proc/{{pid}}"):
    time.sleep(0.02)
time.sleep(0.2)
result, arrays = one([3])
answer(request, result, bytes(24), arrays=arrays)
read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_worker_that_dies_between_two_calls_is_a_fault(
    harness: Harness, suite: Path, tmp_path: Path
) -> None:
    pid = str(tmp_path / "pid")
    call = f"open({pid!r}, 'w').write(str(os.getpid()))"
    source = f"import os\n\n\n{SOUND}".replace("return 2", f"{call}\n    return 2")
    (suite / "toy" / "toy.py").write_text(source, encoding="utf-8")
    (suite / "toy" / "toy.kills").touch()
    (suite / "kills.py").write_text(PREAMBLE + KILLS.format(pid=pid), encoding="utf-8")
    (suite / "suite.toml").write_text(
        '[[runtime]]\nid = "kills"\nlanguage = "Kills"\nsuffix = ".kills"\n'
        'command = ["{python}", "{suite}/kills.py"]\n',
        encoding="utf-8",
    )
    result = harness("show", "toy", "twice", "--suite", suite, "--impl", "numpy", "--impl", "kills")
    assert result.exit_code == 4, result.output
    assert "numpy: float64 (3,)" in result.stdout
    assert "kills: float64 (3,)" in result.stdout
    assert "worker failed: numpy was killed by SIGKILL between two calls" in result.stderr


def test_isolated_is_on_the_reference_s_values(harness: Harness, suite: Path) -> None:
    source = suite / "toy" / "toy.wrong.py"
    source.write_text(SOUND.replace("2 * x", "3 * x"), encoding="utf-8")
    for mode, values in (("chained", "[ 4.   8.5 -8. ]"), ("isolated", "[ 3.  6. -5.]")):
        result = harness("show", "toy", "more", "--suite", suite, "--impl", "numpy.wrong", "--mode", mode)
        assert result.exit_code == 0, result.output
        assert f"float64, {mode}" in result.stdout
        assert values in result.stdout


def test_isolated_on_a_reference_that_crashes_is_a_fault(harness: Harness, suite: Path) -> None:
    source = suite / "toy" / "toy.py"
    source.write_text(SOUND.replace("return 2 * x", "import os; os._exit(3)"), encoding="utf-8")
    options = ("--suite", suite, "--impl", "numpy.same", "--mode", "isolated")
    result = harness("show", "toy", "more", *options)
    assert result.exit_code == 4, result.output
    said = (
        "numpy.same: ERROR: no upstream value: the reference's twice; in the stage twice: worker numpy ended"
    )
    assert said in result.stdout


def test_a_precision_that_the_runtime_lacks(harness: Harness, suite: Path) -> None:
    case = suite / "toy" / "case.toml"
    text = case.read_text(encoding="utf-8")
    case.write_text(text.replace('fixture = "toy"', 'fixture = "toy"\nprecisions = ["bfloat16"]'), "utf-8")
    result = harness("show", "toy", "more", "--suite", suite, "--impl", "numpy", "--precision", "bfloat16")
    assert result.exit_code == 0, result.output
    assert "numpy: UNSUPPORTED: numpy has no bfloat16" in result.stdout


@pytest.mark.parametrize(
    ("case", "stage", "words"),
    [
        ("toy", "less", ["toy has no stage 'less'", "there are: twice, more"]),
        ("nothing", "more", ["no case matches 'nothing'", "there are: toy"]),
        ("t*", "more", ["no case is called 't*'"]),
    ],
)
def test_names_that_do_not_exist(
    harness: Harness, suite: Path, case: str, stage: str, words: list[str]
) -> None:
    result = harness("show", case, stage, "--suite", suite)
    assert result.exit_code == 2
    assert all(word in result.stderr for word in words), result.stderr


def test_failures_and_misfits_are_told() -> None:
    shown = texts(
        {
            "numpy": {"s": np.ones(2)},
            "r": {"s": Failure(verdict=Verdict.ERROR, reason="it broke")},
            "julia": {"s": np.ones(3)},
        },
        "numpy",
        "s",
    )
    assert shown["r"] == "ERROR: it broke"
    assert shown["julia"].splitlines()[:2] == ["float64 (3,)", "[1. 1. 1.]"]
    assert "from numpy: " in shown["julia"]


def test_digits_give_the_same_numbers_back_and_large_arrays_are_cut() -> None:
    value = 0.1 + 0.2
    assert float(text_of(np.array(value))) == value
    assert "..." in text_of(np.zeros((50, 50)))
