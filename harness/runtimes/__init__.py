"""Runtimes: finding them, and their workers as child processes."""

from __future__ import annotations

import sys

from harness.errors import ProvisionError

if sys.platform == "win32":
    raise ProvisionError(
        "the harness starts no language on Windows: it has neither the process groups in which workers are"
        " started and ended, nor bubblewrap, in which documents run",
        advice="use the Windows Subsystem for Linux (wsl --install), and the harness inside it;"
        " harness compare and harness report need no language",
    )
