"""Hostile documents, run as documents are, in the real sandbox; what they are after lies there for them."""

from __future__ import annotations

import os
import resource
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.documents.engine import RunSettings, execute_document
from harness.documents.parse import parse_document
from harness.documents.patch import Capture
from harness.documents.results import ChunkRun, Execution
from harness.findings.examine import OF_ONE_RUN, examine
from harness.runtimes.registry import Registry
from harness.sessions import bubblewrap
from harness.sessions.sandbox import Limits, find_sandbox

SANDBOX = find_sandbox(unsandboxed=True)
LIMITS = Limits(chunk_seconds=60, memory=512 << 20, processes=40)
MIB = 1 << 20

pytestmark = pytest.mark.skipif(not SANDBOX.confines, reason=f"needs bubblewrap: {SANDBOX.statement}")

SYSTEM_CALL = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    left = getattr(libc, name)(*arguments)
    print(name, left, os.strerror(ctypes.get_errno()) if left < 0 else "done")
"""

# For each: what a document tries, and what it is told. All run in one session, which none of them ends.
TRIALS = {
    "a file of the system's": ("open('/etc/shadow')", "No such file"),
    "a key of the user's": ("open({home!r} + '/.ssh/id_rsa')", "No such file"),
    "a link to it": ("open('data.csv')", "No such file"),
    "a link in a folder": ("open('sub/data.csv')", "No such file"),
    "a pipe beside it": ("open('pipe')", "No such file"),
    "a socket beside it": ("open('socket')", "No such file"),
    "writing beside it": ("open({folder!r} + '/made', 'w')", "No such file"),
    "changing what its copies are made from": ("open('/given/0', 'w')", "Read-only file system"),
    "the network": (
        "import socket; socket.create_connection(('127.0.0.1', {port}), timeout=5)",
        "Connection refused",
    ),
    "memory in a file without a name": ("import os; os.memfd_create('x')", "Operation not permitted"),
    "memory that outlives its process": (
        "assert libc.shmget(0, 1 << 20, 0o1600) < 0, 'had'; raise OSError(ctypes.get_errno(), '')",
        "[Errno 1]",
    ),
    "a file in /dev/shm": ("open('/dev/shm/x', 'w')", "Read-only file system"),
    "a user namespace": (
        "assert libc.unshare(0x10000000) < 0, 'had'; raise OSError(ctypes.get_errno(), '')",
        "[Errno 1]",
    ),
    "a process in a user namespace": (
        "assert libc.syscall({clone}, 0x10000000 | 17, 0, 0, 0, 0) < 0, 'had'\n"
        "raise OSError(ctypes.get_errno(), '')",
        "[Errno 1]",
    ),
    "following its parent": (
        "assert libc.ptrace(16, os.getppid(), 0, 0) < 0, 'had'; raise OSError(ctypes.get_errno(), '')",
        "[Errno 1]",
    ),
    "ending the harness": ("os.kill({harness}, 9)", "No such process"),
    "becoming root": ("os.setuid(0); assert os.getuid() != 0", "Operation not permitted"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "document"
    (folder / "sub").mkdir(parents=True)
    return folder


def written(folder: Path, *chunks: str) -> Path:
    """A document of these chunks."""
    path = folder / "a.md"
    path.write_text("\n\n".join(f"```python\n{code}\n```" for code in chunks) + "\n", encoding="utf-8")
    return path


def execute(path: Path, limits: Limits = LIMITS, captures: tuple[Capture, ...] = ()) -> Execution:
    return execute_document(
        parse_document(path),
        registry=Registry.load(path.parent),
        sandbox=SANDBOX,
        trust=True,
        plan=RunSettings(limits=limits, captures=captures),
    )


def message(run: ChunkRun) -> str:
    assert run.error is not None, run
    return run.error.message


@pytest.fixture
def port() -> Iterator[int]:
    """One that somebody on this machine listens at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_nothing_that_it_tries_is_had(
    folder: Path, tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id_rsa").write_text("THE-KEY")
    monkeypatch.setenv("HOME", str(home))
    (folder / "data.csv").symlink_to(home / ".ssh" / "id_rsa")
    (folder / "sub" / "data.csv").symlink_to(home / ".ssh" / "id_rsa")
    (folder / "honest.csv").write_text("1,2\n")
    (folder / "other.csv").symlink_to("honest.csv")
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        # The name of a socket has 108 characters at most.
        monkeypatch.chdir(folder)
        listening.bind("socket")
    facts = {
        "home": str(home), "folder": str(folder), "port": port, "harness": os.getpid(),
        "clone": {"x86_64": 56, "aarch64": 220}[os.uname().machine],
    }  # fmt: skip
    codes = [code.format(**facts) for code, _ in TRIALS.values()]
    honest = "print(open('honest.csv').read() + open('other.csv').read())"
    path = written(folder, "import ctypes, os; libc = ctypes.CDLL(None, use_errno=True)", *codes, honest)
    execution = execute(path)
    assert [run.error for run in (execution.chunks[0], execution.chunks[-1])] == [None, None]
    assert execution.chunks[-1].left is not None
    assert execution.chunks[-1].left.text == "1,2\n1,2\n\n"
    for (what, (_, told)), run in zip(TRIALS.items(), execution.chunks[1:-1], strict=True):
        assert told in message(run), what
        assert "THE-KEY" not in str(run), what
    assert sorted(execution.left_out) == [
        "data.csv: a link that leaves the document's folder is not followed",
        "pipe: it is not a regular file",
        "socket: it is not a regular file",
    ]
    assert (folder / "honest.csv").read_text() == "1,2\n"
    assert not (folder / "made").exists()


def test_what_is_left_out_is_a_note_of_the_document(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("hush")
    (folder / "data.csv").symlink_to("../secret.csv")
    (folder / "loop.csv").symlink_to("loop.csv")
    path = written(folder, "open('data.csv'), open('loop.csv')")
    examined = examine(
        path,
        registry=Registry.load(folder),
        sandbox=SANDBOX,
        plan=RunSettings(limits=LIMITS),
        detectors=OF_ONE_RUN,
    ).examined
    assert examined.notes == (
        "data.csv: a link that leaves the document's folder is not followed",
        "loop.csv: it is not a regular file",
    )
    assert "in bubblewrap" in examined.sandbox


@pytest.mark.parametrize(
    "code",
    [
        # Shared memory that its only process is not resident in.
        "import mmap, time\nkept = []\nfor _ in range(30):\n    kept.append(mmap.mmap(-1, 42 << 20))\n"
        "    for at in range(0, 42 << 20, 1 << 20):\n        kept[-1][at:at + (1 << 20)] = b'x' * (1 << 20)\n"
        "    kept[-1].madvise(mmap.MADV_DONTNEED)\ntime.sleep(30)",
        # Files in memory, opened and deleted.
        "import os, time\nkept = []\nfor at in range(12):\n    for folder in ('/tmp', '.'):\n"
        "        kept.append(open(f'{folder}/{at}', 'wb'))\n        os.unlink(kept[-1].name)\n"
        "        kept[-1].write(b'x' * (20 << 20))\ntime.sleep(30)",
        # Tables of pages that are all the one page of zeros.
        "import mmap, time\nflags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000\n"
        "kept = [mmap.mmap(-1, 1 << 38, flags=flags, prot=mmap.PROT_READ) for _ in range(2)]\n"
        "for each in kept:\n    for at in range(0, 1 << 38, 1 << 21):\n        each[at]\ntime.sleep(30)",
    ],
    ids=["shared", "files", "tables"],
)
def test_memory_that_is_no_process_own_counts(folder: Path, code: str) -> None:
    # The files alone are 480 MiB, within what both file systems take.
    (run, after) = execute(written(folder, code, "x = 1"), Limits(memory=300 * MIB)).chunks
    assert message(run) == (
        "stopped: it used more than the 300 MiB of memory that it may; the session was begun anew without it"
    )
    assert after.ran


FRAME = """
import os
done = b'{"id":3,"result":{"ok":true,"seconds":0.0}}'
array = b'{"dtype":"uint8","shape":[3000000000],"order":"C"}'
value = b'{"id":4,"result":{"values":[{"array":true}]},"arrays":[' + array + b']}'
for each in range(3, 32):
    try:
        if "pipe:" in os.readlink(f"/proc/self/fd/{each}"):
            os.write(each, done + b"\\n" + value + b"\\n")
            for _ in range(3000):
                os.write(each, bytes(1000000))
    except OSError:
        pass
"""


def test_a_frame_that_announces_three_gigabytes_takes_none_of_the_parent(folder: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    capture = Capture(id="c", language="python", values={"a": "x"})
    execution = execute(written(folder, FRAME), captures=(capture,))
    assert "arrays of 3000000000 bytes are announced, and at most 268435456 are expected" in str(
        execution.captured["c"]["default", "a"]
    )
    # In KiB.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10


def test_a_value_that_is_too_large_is_not_taken_and_the_session_goes_on(folder: Path) -> None:
    capture = Capture(id="c", language="python", values={"large": "x", "small": "x[:2]"})
    execution = execute(written(folder, "import numpy as np; x = np.zeros(40_000_000)"), captures=(capture,))
    captured = execution.captured["c"]
    assert "it has 320000000 bytes, and 268435456 are taken at once" in str(captured["default", "large"])
    assert list(captured["default", "small"]) == [0.0, 0.0]


@pytest.mark.skipif(
    not bubblewrap._can_disable_userns("bwrap"), reason="bubblewrap before 0.8 cannot take them away"
)
@pytest.mark.skipif(
    not bubblewrap._can_make_userns("bwrap"), reason="no user namespace can be made here, as in a chroot"
)
def test_bubblewrap_itself_takes_user_namespaces_away() -> None:
    words = bubblewrap.command(
        scratch_bytes=MIB, readable=bubblewrap.readable([], ()), files={}, drops_root=False
    )
    assert subprocess.run([*words, "/bin/true"], capture_output=True, check=False).returncode == 0
    refused = subprocess.run(
        [*words, "/usr/bin/unshare", "--user", "/bin/true"], capture_output=True, text=True, check=False
    )
    assert refused.returncode != 0
    assert "unshare failed" in refused.stderr


@pytest.mark.skipif(os.getuid() != 0, reason="others need a user namespace")
def test_root_does_without_a_user_namespace_where_none_can_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bwrap"
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *--unshare-user*|*--unshare-all*) exit 1;; esac\n'
        f'exec {shutil.which("bwrap")} "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    words = bubblewrap.command(
        scratch_bytes=MIB, readable=bubblewrap.readable([], ()), files={}, drops_root=False
    )
    assert words[0] == str(program)
    rights = ["grep", "CapEff", "/proc/self/status"]
    left = subprocess.run([*words, *rights], capture_output=True, text=True, check=True).stdout
    assert left.split() == ["CapEff:", "0" * 16]
