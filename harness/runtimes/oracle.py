"""The command of the oracle's worker, and the libraries that it uses."""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from typing import Final

from harness.model import Absent, RuntimeInfo
from harness.runtimes.provision.machine import installed_version
from harness.runtimes.registry import Launch

ID: Final = "oracle"
_PACKAGE = "python-flint"
_WORKERS = Path(__file__).resolve().parents[1] / "workers"


def find_oracle() -> Launch | Absent:
    """The command of the oracle's worker, or why there is none."""
    if installed_version(_PACKAGE) is None:
        return Absent(
            runtime=ID,
            language="Python",
            reason=f"{_PACKAGE} is not installed",
            advice=(f"python -m pip install {_PACKAGE}",),
        )
    return Launch(command=(sys.executable, "-P", str(_WORKERS / "__main__.py"), ID))


def oracle_info() -> RuntimeInfo:
    """Return the record's facts on the oracle, whether its worker runs or its values come from the cache."""
    version = installed_version(_PACKAGE) or ""
    return RuntimeInfo(
        runtime=ID,
        language="Python",
        version=platform.python_version(),
        hosting=f"{_PACKAGE} {version}",
        libraries={_PACKAGE: version},
        platform=platform.platform(),
    )
