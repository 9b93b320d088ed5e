"""How the command starts: what it imports, and what it is called."""

import subprocess
import sys
from pathlib import Path

import pytest

FULL = Path("/dev/full")
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


@pytest.mark.parametrize("arguments", [["--version"], ["show", "--help"]])
def test_what_a_full_disk_cannot_take_is_said(arguments: list[str]) -> None:
    if not FULL.exists():
        pytest.skip("there is no /dev/full")
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "harness", *arguments],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "not all could be printed: No space left on device\n"


def test_a_question_to_a_closed_input_is_not_asked(tmp_path: Path) -> None:
    (tmp_path / "d.md").write_text("```python\nprint(1)\n```\n", encoding="utf-8")
    command = f"exec {sys.executable} -m harness documents {tmp_path}/d.md --out {tmp_path}/out <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "--trust" in done.stderr


def test_ctrl_c_in_the_imports_ends_as_in_a_command() -> None:
    code = """
import sys
class Stops:
    def find_spec(self, name, *_):
        if name == "harness.cli":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Stops())
import harness.__main__
harness.__main__.main()
"""
    done = python("-c", code)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")
