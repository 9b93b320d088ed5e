"""What starts with a worker of R."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from harness.model import Absent
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry

pytestmark = pytest.mark.r


@pytest.mark.skipif(os.name == "nt", reason="a folder of links stands for R's")
def test_a_worker_starts_one_other_r(tmp_path: Path) -> None:
    """Which rpy2 asks for the environment; it would start another for what the launch has said."""
    launch = Registry.load(tmp_path).launch("r")
    assert not isinstance(launch, Absent)
    real = Path(launch.env["R_HOME"])
    home, starts = tmp_path / "home", tmp_path / "starts"
    (home / "bin").mkdir(parents=True)
    for place in (*real.iterdir(), *(real / "bin").iterdir()):
        link = home / place.relative_to(real)
        if link.name not in ("bin", "Rscript"):
            link.symlink_to(place)
    counted = home / "bin" / "Rscript"
    counted.write_text(f'#!/bin/sh\necho started >> "{starts}"\nexec "{real}/bin/Rscript" "$@"\n')
    counted.chmod(0o755)
    elsewhere = msgspec.structs.replace(launch, env={**launch.env, "R_HOME": str(home)})
    worker = Worker.start("r", elsewhere, stderr=tmp_path / "log")
    assert worker.info.language == "R"
    worker.stop()
    assert starts.read_text() == "started\n"
