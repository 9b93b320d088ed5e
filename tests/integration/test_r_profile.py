"""An R that ends while it starts, as a profile may make it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import WorkerStartFailed
from harness.model import Absent
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry

pytestmark = pytest.mark.r


def test_an_r_that_ends_at_its_start_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    launch = Registry.load(tmp_path).launch("r")
    assert not isinstance(launch, Absent)
    profile = tmp_path / "profile.R"
    profile.write_text('cat("no licence here\\n")\nquit(status = 7)\n', encoding="utf-8")
    monkeypatch.setenv("R_PROFILE_USER", str(profile))
    log = tmp_path / "log"
    with pytest.raises(WorkerStartFailed) as caught:
        Worker.start("r", launch, stderr=log)
    assert caught.value.message == (
        "worker r did not start: R itself ends with exit code 7 when it starts, before it runs any code; it"
        " printed: no licence here"
    )
    assert "Traceback" in log.read_text(encoding="utf-8")
