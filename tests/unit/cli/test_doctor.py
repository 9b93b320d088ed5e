"""``harness doctor``."""

from collections.abc import Callable

import pytest
from click.testing import Result

from harness.runtimes import doctor
from harness.runtimes.provision import Provision, Say

Harness = Callable[..., Result]
FOUND = Provision(runtime="r", available=True, version="4.2.2", hosting="rpy2 3.6.4")
LOST = Provision(
    runtime="julia", available=False, reason="no julia on PATH [here]", advice=("dnf install julia", "or not")
)


def test_what_is_found_and_what_to_do(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "check", lambda: (FOUND, LOST))
    result = harness("doctor")
    assert result.exit_code == 0
    words = (
        "found",
        "4.2.2",
        "rpy2 3.6.4",
        "missing",
        "no julia on PATH [here]",
        "dnf install julia",
        "or not",
    )
    assert all(word in result.stdout for word in words)


def test_fix_says_what_it_does_on_stderr(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    def fix(*, say: Say) -> tuple[Provision, ...]:
        say("r: installing")
        return (FOUND,)

    monkeypatch.setattr(doctor, "fix", fix)
    result = harness("doctor", "--fix")
    assert result.exit_code == 0
    assert result.stderr == "r: installing\n"
    assert "4.2.2" in result.stdout
