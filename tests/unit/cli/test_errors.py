"""Exceptions become one message and an exit code."""

import errno
import os

import click
import pytest
from click.testing import CliRunner

from harness import errors
from harness.cli.errors import Guarded
from harness.cli.options import debug


def group(error: BaseException) -> click.Group:
    @click.group(cls=Guarded)
    def main() -> None:
        pass

    @main.command()
    @debug
    def fail() -> None:
        raise error

    return main


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.UsageError("wrong"), 2),
        (errors.CaseError("wrong"), 2),
        (errors.FixtureError("wrong"), 2),
        (errors.ArrayFileError("wrong"), 2),
        (errors.CompareError("wrong"), 2),
        (errors.RecordError("wrong"), 2),
        (errors.ProvisionError("wrong"), 3),
        (errors.WorkerCrashed("wrong"), 4),
        (errors.WorkerTimeout("wrong"), 4),
        (errors.WorkerStartFailed("wrong"), 4),
    ],
)
def test_harness_errors(error: errors.HarnessError, code: int) -> None:
    result = CliRunner().invoke(group(error), ["fail"])
    assert (result.exit_code, result.stdout, result.stderr) == (code, "", "error: wrong\n")


def test_place_and_advice_are_printed() -> None:
    error = errors.CaseError("a cycle", path="x/case.toml", line=7, advice="break it")
    result = CliRunner().invoke(group(error), ["fail"])
    assert result.stderr == "error: x/case.toml:7: a cycle\n  -> break it\n"


def test_a_fault_of_the_harness_is_no_divergence_and_no_traceback() -> None:
    result = CliRunner().invoke(group(ZeroDivisionError("by zero")), ["fail"])
    assert result.exit_code == 70
    assert "ZeroDivisionError: by zero" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.ENOENT, errno.EROFS])
def test_what_the_machine_lacks_is_no_fault_of_the_harness(number: int) -> None:
    result = CliRunner().invoke(group(OSError(number, os.strerror(number), "a/b.json")), ["fail"])
    assert (result.exit_code, result.stderr) == (2, f"error: a/b.json: {os.strerror(number)}\n")


def test_another_error_of_the_system_is_a_fault() -> None:
    assert CliRunner().invoke(group(OSError(errno.ECHILD, "no child")), ["fail"]).exit_code == 70


def test_debug_prints_the_traceback_of_a_fault() -> None:
    result = CliRunner().invoke(group(ZeroDivisionError("by zero")), ["fail", "--debug"])
    assert result.exit_code == 70
    assert "Traceback" in result.stderr


def test_ctrl_c() -> None:
    result = CliRunner().invoke(group(KeyboardInterrupt()), ["fail"])
    assert (result.exit_code, result.stderr) == (130, "interrupted\n")


def test_click_keeps_its_own_errors() -> None:
    result = CliRunner().invoke(group(click.BadParameter("no")), ["fail"])
    assert result.exit_code == 2
    assert "Invalid value: no" in result.stderr
