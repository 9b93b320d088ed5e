"""Start a program with limits and in a folder: ``python -I -S limited.py LIMITS PROGRAM ARGUMENT...``.

LIMITS is JSON: ``folder``; ``user``, whom to become where that is possible; and limits by the names that
`resource` has for them, in lower case. Standard library only: it runs inside the sandbox, first of all.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys


def main(limits: str, command: list[str]) -> None:
    """Lower the limits, enter the folder, become the program."""
    wanted = json.loads(limits)
    os.chdir(wanted.pop("folder"))
    user = wanted.pop("user", None)
    for name, most in wanted.items():
        number = getattr(resource, f"RLIMIT_{name.upper()}", None)
        if number is None:
            continue
        hard = resource.getrlimit(number)[1]
        lower = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(number, (lower, lower))
    if user is not None:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
