"""Which PyTorch is found, what is done to get one, and what the doctor says, on staged machines."""

from __future__ import annotations

import pytest

from harness.errors import ProvisionError
from harness.runtimes import doctor
from harness.runtimes.provision.machine import CommandResult, run_command
from harness.runtimes.provision.provision import RuntimeName
from harness.runtimes.provision.torch import CPU_INDEX, PINNED, find_torch, install_torch
from tests.unit.runtimes.staged_machine import Stage


def test_no_torch(stage: Stage) -> None:
    provision = find_torch(stage.machine())
    assert not provision.available
    assert "not installed" in provision.reason


def test_torch_is_pinned(stage: Stage) -> None:
    stage.python("exit 0")
    provision = install_torch(stage.machine())
    assert (provision.available, provision.version, provision.reason) == (True, "2.13.0", "")


WITH_CUDA = '{"install": [{"metadata": {"name": "torch"}}, {"metadata": {"name": "nvidia-cublas"}}]}'
PLAIN = '{"install": [{"metadata": {"name": "torch"}}]}'


@pytest.mark.parametrize(
    ("plan", "gpu", "answers", "options", "said"),
    [
        (WITH_CUDA, False, True, f" --index-url {CPU_INDEX} ", "without CUDA"),
        (WITH_CUDA, False, False, " ", "2.7 GB to fetch"),
        (WITH_CUDA, True, True, " ", ""),
        (PLAIN, False, True, " ", ""),
        ("pip says no JSON", False, True, " ", ""),
    ],
)
def test_the_build_of_torch_fits_the_machine(
    stage: Stage, plan: str, gpu: bool, answers: bool, options: str, said: str
) -> None:
    # Only what is really installed is listed: not what pip was asked to plan.
    stage.script(
        "env/bin/python",
        f"""case "$*" in
*--dry-run*) echo '{plan}' ;;
*pip*) echo torch=={PINNED} >> {stage.root}/pip ;;
*urlopen*) exit {int(not answers)} ;;
esac""",
    )
    if gpu:
        stage.script("bin/nvidia-smi", "exit 0")
    lines: list[str] = []
    assert install_torch(stage.machine(), lines.append).available
    (installed,) = [line for line in stage.ran() if "pip" in line and "--dry-run" not in line]
    assert f"install -q{options}torch=={PINNED}" in installed
    assert said in "\n".join(lines)
    assert ("CUDA" in "\n".join(lines)) == bool(said)


def test_another_torch_is_used_and_said(stage: Stage) -> None:
    stage.packages = {"torch": "2.9.1+cu128"}
    stage.python("exit 0")
    provision = install_torch(stage.machine())
    assert (provision.available, provision.version) == (True, "2.9.1+cu128")
    assert "not 2.13.0, with which" in provision.reason
    assert not (stage.root / "pip").exists()


def test_a_torch_that_cannot_be_imported(stage: Stage) -> None:
    stage.packages = {"torch": "2.13.0"}
    stage.python("echo 'ImportError: libgomp' >&2; exit 1")
    assert "libgomp" in find_torch(stage.machine()).reason
    assert find_torch(stage.machine()).broken


THREE: tuple[RuntimeName, ...] = ("r", "julia", "torch")


def test_the_doctor_looks_for_all_three(stage: Stage) -> None:
    stage.packages = {"torch": "2.13.0"}
    stage.python("exit 0")
    provisions = doctor.check(stage.machine(), THREE)
    assert [(p.runtime, p.available) for p in provisions] == [("r", False), ("julia", False), ("torch", True)]
    rows = doctor.rows(provisions)
    assert [row[:2] for row in rows] == [("r", "missing"), ("julia", "missing"), ("torch", "found")]
    assert "no R on PATH" in rows[0][4]
    assert all(line in rows[0][4] for line in provisions[0].advice)
    assert rows[2] == ("torch", "found", "2.13.0", "python", "")


def test_the_doctor_carries_on(stage: Stage) -> None:
    """An installation that raises in the middle leaves a reason, and the next one is still made."""

    def runner(argv: object, **options: object) -> CommandResult:
        if "juliacall==" in str(argv):
            raise ProvisionError("the disk is full")
        return run_command(argv, **options)  # type: ignore[arg-type]

    stage.python("exit 0")
    said: list[str] = []
    machine = stage.machine(runner=runner, distribution=frozenset({"fedora"}))
    provisions = doctor.fix(machine, said.append, THREE)
    assert [p.available for p in provisions] == [False, False, True]
    assert any(line.startswith("torch: installing torch==2.13.0") for line in said)
    assert provisions[1].reason == "the disk is full"
    assert all(p.reason and p.advice for p in provisions[:2])
