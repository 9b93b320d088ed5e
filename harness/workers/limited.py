"""Start a program with limits and in a folder: ``python -I -S limited.py LIMITS PROGRAM ARGUMENT...``.

LIMITS is JSON: ``folder``; ``user``, whom to become; ``copies``, pairs of a file and where the program finds
a copy that it may change; ``filter``, whether the program must not start where the kernel does not take the
filter of system calls; and limits by the names of `resource`, in lower case.
Standard library only: it runs inside the sandbox, first of all.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import platform
import resource
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

_PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 22, 38
_SECCOMP_MODE_FILTER = 2
# Instructions of the classic Berkeley packet filter, as linux/bpf_common.h and linux/seccomp.h define them.
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _MACHINE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_ALLOWED, _REFUSED = 0x7FFF0000, 0x00050000
_NEW_NAMESPACES = 0x7E020000
"""All of CLONE_NEW*."""
_X32 = 0x40000000
"""Added to the numbers of x86-64's 32-bit system calls, which the filter would not know."""


class Machine(NamedTuple):
    """A processor: its number in linux/audit.h, and the numbers of the system calls that are refused."""

    audit: int
    clone: int
    clone3: int
    refused: Mapping[str, int]


_SAME_EVERYWHERE = {"io_uring_setup": 425, "memfd_secret": 447}

MACHINES: Mapping[str, Machine] = {
    "x86_64": Machine(
        audit=0xC000003E,
        clone=56,
        clone3=435,
        refused={
            # Memory that belongs to no process and no limited file system.
            "memfd_create": 319, "shmget": 29, "msgget": 68, "semget": 64, **_SAME_EVERYWHERE,
            # Namespaces, in which the code could be root.
            "unshare": 272, "setns": 308,
            # Other processes, and parts of the kernel that code of a document has no use for.
            "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "bpf": 321,
            "perf_event_open": 298, "userfaultfd": 323, "add_key": 248, "request_key": 249, "keyctl": 250,
        },
    ),
    "aarch64": Machine(
        audit=0xC00000B7,
        clone=220,
        clone3=435,
        refused={
            "memfd_create": 279, "shmget": 194, "msgget": 186, "semget": 190, **_SAME_EVERYWHERE,
            "unshare": 97, "setns": 268,
            "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "bpf": 280,
            "perf_event_open": 241, "userfaultfd": 282, "add_key": 217, "request_key": 218, "keyctl": 219,
        },
    ),
}  # fmt: skip


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("then", ctypes.c_uint8),
        ("other", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("first", ctypes.POINTER(_Instruction)))


def main(limits: str, command: list[str]) -> None:
    """Lower the limits, enter the folder, give up every right that is not needed, become the program."""
    wanted = json.loads(limits)
    os.chdir(wanted.pop("folder"))
    user = wanted.pop("user", None)
    required = wanted.pop("filter", False)
    copies = wanted.pop("copies", [])
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
    for source, copy in copies:
        copy_file(Path(source), Path(copy))
    if sys.platform == "linux":
        try:
            refuse_system_calls(platform.machine())
        except OSError:
            if required:
                raise
    os.execvp(command[0], command)


def copy_file(source: Path, copy: Path) -> None:
    """Copy a file with its time; where that is not possible, a link to it is made instead."""
    try:
        with source.open("rb") as given, copy.open("wb") as made:
            while piece := given.read(1 << 20):
                made.write(piece)
        told = source.stat()
        os.utime(copy, ns=(told.st_atime_ns, told.st_mtime_ns))
    except OSError:
        with contextlib.suppress(OSError):
            copy.unlink(missing_ok=True)
            copy.symlink_to(source)


def refuse_system_calls(machine: str) -> None:
    """Have the kernel refuse system calls that pass limits, to this process and all that it starts.

    Nothing is refused on a processor that is not among `MACHINES`.

    Raises
    ------
    OSError
        The kernel does not take the filter.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs")
    if machine not in MACHINES:
        return
    instructions = [_Instruction(*words) for words in _filter(MACHINES[machine])]
    array = (_Instruction * len(instructions))(*instructions)
    program = _Program(len(instructions), array)
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")


def _filter(machine: Machine) -> Iterator[tuple[int, int, int, int]]:
    # Each test jumps over the answer that follows it, unless it holds.
    yield _LOAD, 0, 0, _MACHINE_AT
    yield _EQUAL, 1, 0, machine.audit
    yield _RETURN, 0, 0, _REFUSED | errno.ENOSYS
    yield _LOAD, 0, 0, _NUMBER_AT
    yield _AT_LEAST, 0, 1, _X32
    yield _RETURN, 0, 0, _REFUSED | errno.ENOSYS
    # Its flags lie in memory, where no filter sees them; the C library then takes `clone`.
    yield _EQUAL, 0, 1, machine.clone3
    yield _RETURN, 0, 0, _REFUSED | errno.ENOSYS
    for number in machine.refused.values():
        yield _EQUAL, 0, 1, number
        yield _RETURN, 0, 0, _REFUSED | errno.EPERM
    yield _EQUAL, 0, 3, machine.clone
    yield _LOAD, 0, 0, _FIRST_ARGUMENT_AT
    yield _ANY_BIT, 0, 1, _NEW_NAMESPACES
    yield _RETURN, 0, 0, _REFUSED | errno.EPERM
    yield _RETURN, 0, 0, _ALLOWED


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
