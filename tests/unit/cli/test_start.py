"""How the command starts: what it imports, and what it is called."""

import subprocess
import sys

import pytest

HEAVY = ["numpy", "rich", "msgspec", "safetensors", "numba", "flint", "torch", "rpy2", "juliacall"]


def python(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    "statement",
    [
        "import harness",
        "import harness.cli",
        "from harness.cli import main; main(['run', '--help'], standalone_mode=False)",
    ],
)
def test_nothing_heavy_is_imported_early(statement: str) -> None:
    done = python("-c", f"import sys; {statement}; print([name for name in {HEAVY} if name in sys.modules])")
    assert (done.stdout.splitlines()[-1], done.stderr) == ("[]", "")


def test_python_m_harness() -> None:
    done = python("-m", "harness", "--help")
    assert done.returncode == 0
    assert "python -m harness" in done.stdout
    for command in ("list", "run", "compare", "show", "doctor"):
        assert f"\n  {command} " in done.stdout


@pytest.mark.parametrize("command", ["list", "run", "compare", "show", "doctor"])
def test_every_command_explains_itself(command: str) -> None:
    done = python("-m", "harness", command, "--help")
    assert done.returncode == 0
    assert "--debug" in done.stdout


def test_exit_codes_are_documented() -> None:
    printed = python("-m", "harness", "run", "--help").stdout
    assert [
        int(line.split()[0])
        for line in printed[printed.index("Exit codes") :].splitlines()[1:]
        if line.strip()
    ] == [
        130,
        2,
        70,
        3,
        4,
        1,
        5,
        0,
    ]


def test_no_command_and_unknown_command() -> None:
    assert python("-m", "harness").returncode == 2
    assert python("-m", "harness", "dance").returncode == 2
