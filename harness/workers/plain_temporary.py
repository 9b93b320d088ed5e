"""Folders for temporary files, by names that a shell reads as one word."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Mapping

VARIABLES = ("TMPDIR", "TMP", "TEMP")
_PLAIN = re.compile(r"[\w@%+=:,./-]*", re.ASCII)


def plain_names(env: Mapping[str, str], stack: contextlib.ExitStack) -> dict[str, str]:
    """Return other names of the folders for temporary files that R cannot use by their own.

    When R 4.2 ends, it removes its own folder there by ``rm -Rf`` without quotes: where the name has a space,
    it removes something else, and where it has a semicolon, the rest is a command. With a double quote in it,
    rpy2 cannot start R.

    Parameters
    ----------
    env : mapping
        The environment in which R is to run.
    stack : ExitStack
        The names hold until it is closed, or the process ends.

    Returns
    -------
    dict of str to str
        The variables to be set.
    """
    return {
        name: _plain(env[name], stack)
        for name in VARIABLES
        if os.name == "posix" and not _PLAIN.fullmatch(env.get(name, ""))
    }


def _plain(folder: str, stack: contextlib.ExitStack) -> str:
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            stack.callback(os.close, descriptor)
            return f"/proc/{os.getpid()}/fd/{descriptor}"
    return "/tmp"
