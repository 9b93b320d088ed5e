"""Run versions of a Python program, each in a process that starts from here.

Arguments: FOLDER SECONDS PROGRAM ARGUMENT...

What each prints is behind a line with its number, and a line with how it ended is behind that.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from harness.programs.recorders.python_libraries import import_beforehand

del sys.path[0]

_LEAST, _LONGER = 0.5, 4
"""Seconds that a version may take, and how many times what the first does, which is the program as it is."""


def _run(source: bytes, program: str, arguments: list[str]) -> None:
    sys.argv[:] = [program, *arguments]
    module = ModuleType("__main__")
    module.__dict__["__file__"] = program
    sys.modules["__main__"] = module
    exec(compile(source, program, "exec", dont_inherit=True), module.__dict__)


def main(folder: str, seconds: int, program: str, arguments: list[str]) -> None:
    """Run all versions of a folder, in the order of their numbers."""
    versions = sorted(Path(folder).iterdir(), key=lambda path: int(path.stem))
    import_beforehand(Path(program))
    sys.path.insert(0, str(Path(program).resolve().parent))
    silent = os.open(os.devnull, os.O_WRONLY)
    limit = float(seconds)
    for version in versions:
        print(f"\x1e{version.stem}", flush=True)
        child = os.fork()
        if child == 0:
            os.dup2(silent, 2)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            signal.setitimer(signal.ITIMER_PROF, limit)
            code = 1
            with contextlib.suppress(BaseException):
                _run(version.read_bytes(), program, arguments)
                code = 0
            with contextlib.suppress(Exception):
                sys.stdout.flush()
            os._exit(code)
        _, status, used = os.wait4(child, 0)
        if version.stem == "0":
            limit = min(limit, _LEAST + _LONGER * (used.ru_utime + used.ru_stime))
        print(f"\n\x1f{status}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:])
