"""Control groups: what the kernel holds where one can be made, and that nothing is left where none can."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.runtimes.registry import Launch
from harness.sessions.control_group import ControlGroup

MIB = 1 << 20
MEMFD = """
import os
file = os.memfd_create("x")
for _ in range(200):
    os.write(file, bytes(1 << 20))
print("had")
"""
SOCKETS = """
import socket
kept = []
for _ in range(400):
    kept.append(socket.socketpair())
    kept[-1][0].setblocking(False)
    try:
        while True:
            kept[-1][0].send(bytes(1 << 16))
    except BlockingIOError:
        pass
print("had")
"""


@pytest.fixture
def group() -> Iterator[ControlGroup]:
    group = ControlGroup.make(64 * MIB)
    if group is None:
        pytest.skip("no control group with a limit of memory can be made here")
    yield group
    group.close()


def run(group: ControlGroup, *command: str) -> subprocess.CompletedProcess[str]:
    inside = group.around(Launch(command=command)).command
    return subprocess.run(inside, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("code", [MEMFD, SOCKETS], ids=["memory without a process", "sockets"])
def test_the_kernel_holds_what_no_watch_counts(group: ControlGroup, code: str) -> None:
    assert run(group, sys.executable, "-I", "-S", "-c", "print('fits')").stdout == "fits\n"
    assert not group.exceeded
    done = run(group, sys.executable, "-I", "-S", "-c", code)
    assert (done.returncode, done.stdout) == (-9, "")
    assert group.exceeded


def test_what_is_left_in_it_ends_with_it(group: ControlGroup) -> None:
    done = run(group, "/bin/sh", "-c", "setsid sleep 1000 >/dev/null 2>&1 & echo $!")
    group.close()
    assert not Path(f"/proc/{done.stdout.strip()}").exists()


@pytest.mark.parametrize("mounted", ["/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/nowhere"])
def test_where_none_can_be_made_nothing_is_left(mounted: str) -> None:
    before = sorted(Path(mounted).glob("**/harness-*"))
    group = ControlGroup.make(64 * MIB, Path(mounted))
    if group is not None:
        group.close()
    assert sorted(Path(mounted).glob("**/harness-*")) == before


def test_a_program_runs_where_the_group_is_gone(tmp_path: Path) -> None:
    # The watch is there still.
    assert run(ControlGroup(tmp_path / "gone"), "/bin/echo", "a b", "$x").stdout == "a b $x\n"
