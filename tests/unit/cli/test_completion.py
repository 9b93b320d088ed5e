"""What shells and man show is what the command line has."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness.errors import ExitCode
from tests.man import EXITS, page

MAN = Path(__file__).parents[3] / "docs" / "man" / "harness.1"


def test_the_manual_page_is_that_of_the_command_line() -> None:
    assert MAN.read_text(encoding="utf-8") == page(), "write it again: python tests/man.py docs/man/harness.1"


def test_the_manual_page_knows_every_exit_code() -> None:
    assert set(EXITS) == {int(code) for code in ExitCode}


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_groff_has_no_complaint() -> None:
    command = ["groff", "-man", "-Tutf8", "-ww", str(MAN)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    # Bold is a letter printed twice.
    assert "new case NAME" in re.sub(".\b", "", done.stdout)


def test_bash_completes_a_command() -> None:
    """The script that is printed, in a real bash, asks the program that is on PATH."""
    program = Path(sys.executable).with_name("harness")
    if shutil.which("bash") is None or not program.is_file():
        pytest.skip("neither bash nor the command harness is here")
    script = (
        'eval "$(harness completion bash)"; COMP_WORDS=(harness regen); COMP_CWORD=1;'
        ' _harness_completion harness; echo "${COMPREPLY[@]}"'
    )
    path = os.pathsep.join([str(program.parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["regenerate"]
