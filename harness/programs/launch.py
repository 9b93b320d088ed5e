"""Run a program with its recorder, in the sandbox, in a copy of its folder."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import IO

import msgspec

from harness.errors import ProvisionError, WorkerStartFailed
from harness.programs.part_lines import place_parts
from harness.programs.program import Program, as_program
from harness.programs.trace import Order, Plan, Trace, plan_bytes, read_traces
from harness.runtimes.registry import Launch, find_provision
from harness.sessions import bubblewrap
from harness.sessions.control_group import ControlGroup
from harness.sessions.sandbox import Limits, Sandbox, enclose
from harness.sessions.scratch import make_scratch_dirs
from harness.store.temporary import temporary_folder

__all__ = ["ORDER", "Program", "Recorded", "as_program", "command_of", "record"]
ORDER: Mapping[str, Order] = {"python": "C", "r": "F", "julia": "F"}
_RECORDERS = Path(__file__).resolve().parent / "recorders"
_MOST_FILES = 2000
_MOST_COPIED = 128 << 20
_MOST_TRACE = 1 << 30
_START = (
    'used="$2"; cp -r "$0/." "$1/" && chmod -R u+w "$1/" 2>/dev/null; cd "$1"; shift 2; '
    '"$@"; code=$?; times >"$used"; exit $code'
)
"""How a program's folder is copied and entered; what it has used, which a sandbox hides, is written down."""
_LEFT_OUT = frozenset({"__pycache__", "node_modules", "venv", "env"})


class Recorded(msgspec.Struct, kw_only=True):
    """One run of a program.

    ``trouble`` is a sentence where it did not end as it should; the trace has what was recorded before.
    """

    program: Program
    trace: Trace
    trials: dict[int, Trace]
    printed: str
    messages: str
    seconds: float
    processor_seconds: float = 0.0
    trouble: str = ""


def command_of(language: str) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """The interpreter of a language with its recorder, and the environment that it needs.

    Raises
    ------
    ProvisionError
        The language is not here.
    """
    if language == "python":
        return (sys.executable, "-P", str(_RECORDERS / "python_recorder.py")), {}
    found = find_provision("r" if language == "r" else "julia")
    if found is None or not found.available or found.executable is None:
        why = found.reason if found is not None else "not found"
        advice = " ".join(found.advice) if found is not None else ""
        raise ProvisionError(f"{'R' if language == 'r' else 'Julia'} cannot be run: {why}", advice=advice)
    if language == "r":
        script = Path(found.executable).with_name("Rscript")
        return (str(script), "--vanilla", str(_RECORDERS / "r_recorder.R")), {}
    flags = ("--startup-file=no", "--history-file=no", "-O1")
    env = {name: value for name, value in found.env.items() if name.startswith("JULIA_")}
    return (found.executable, *flags, str(_RECORDERS / "julia_recorder.jl")), env


def record(
    program: Program,
    sandbox: Sandbox,
    *,
    limits: Limits,
    plans: Sequence[Plan] = (),
    trial_seconds: float = 20.0,
    kept: Collection[int] = (),
    bare: bool = False,
) -> Recorded:
    """Run a program and record it.

    Parameters
    ----------
    program : Program
        What is run.
    sandbox : Sandbox
        From `find_sandbox`.
    limits : Limits
        What it may use; ``chunk_seconds`` is for all of it.
    plans : sequence of Plan
        Values to put in: it is run once for each of them then, and not as it is.
    trial_seconds : float
        Processor time for each of these runs.
    kept : collection of int
        Sites that are recorded of these runs; all, where there are none.
    bare : bool
        Whether it is run without recording, to compare with.

    Raises
    ------
    ProvisionError
        Its language is not here.
    WorkerStartFailed
        It cannot be started.
    """
    command, env = command_of(program.language)
    if bare:
        command = command[:-1] if program.language != "python" else (sys.executable, "-P")
    with temporary_folder() as folder:
        confined = sandbox.kind == "bubblewrap"
        planned = folder / "plan"
        if plans:
            planned.write_bytes(plan_bytes(plans, ORDER[program.language], trial_seconds, kept))
            planned.chmod(0o644)
        source = program.path.resolve().parent
        staged = folder / "program"
        _stage(source, staged, program)
        room = make_scratch_dirs(folder / "room", {}, [staged, *([planned] if plans else [])])
        folder.chmod(0o711)
        pipe, used = _Pipe(room.pipes / "trace"), _Pipe(room.pipes / "used")
        inside = bubblewrap.INSIDE if confined else room.scratch
        words = [] if bare else [str(pipe.path), str(planned) if plans else "-"]
        launch = Launch(
            command=(
                "/bin/sh", "-c", _START, str(staged), str(inside), str(used.path),
                *command, *words, program.path.name, *program.arguments,
            ),
            env=dict(env),
        )  # fmt: skip
        # The recorder and interpreter are named inside of it, so that they can be read.
        enclosed, _ = enclose(sandbox, launch, room, limits)
        try:
            return _run(program, enclosed, (pipe, used), limits, folder)
        finally:
            pipe.close()
            used.close()


def enclosed_run(
    program: Program,
    sandbox: Sandbox,
    limits: Limits,
    folder: Path,
    command: Sequence[str],
    read: Sequence[Path],
) -> Recorded:
    """A run of a command in a copy of a program's folder; its last words are the program's.

    Parameters
    ----------
    program : Program
        What is run.
    sandbox, limits
        How.
    folder : Path
        Where the copy and what is printed are written.
    command : sequence of str
        What stands before the program's name and arguments.
    read : sequence of Path
        What it may read besides.
    """
    staged = folder / "program"
    _stage(program.path.resolve().parent, staged, program)
    room = make_scratch_dirs(folder / "room", {}, [staged, *read])
    folder.chmod(0o711)
    inside = bubblewrap.INSIDE if sandbox.kind == "bubblewrap" else room.scratch
    pipe, used = _Pipe(room.pipes / "trace"), _Pipe(room.pipes / "used")
    words = ("/bin/sh", "-c", _START, str(staged), str(inside), str(used.path), *command, program.path.name)
    launch = Launch(command=(*words, *program.arguments), env=dict(command_of(program.language)[1]))
    enclosed, _ = enclose(sandbox, launch, room, limits)
    try:
        return _run(program, enclosed, (pipe, used), limits, folder)
    finally:
        pipe.close()
        used.close()


def _run(
    program: Program, launch: Launch, pipes: tuple[_Pipe, _Pipe], limits: Limits, folder: Path
) -> Recorded:
    group = ControlGroup.make(limits.memory)
    if group is not None:
        launch = group.around(launch)
    pipe, used = pipes
    begun = time.monotonic()
    code: int | None = None
    printed, messages = folder / "printed", folder / "messages"
    trouble = ""
    try:
        with printed.open("wb") as out, messages.open("wb") as err:
            process = _started(program, launch, out, err)
            try:
                process.wait(limits.chunk_seconds)
            except subprocess.TimeoutExpired:
                trouble = f"it did not end within {limits.chunk_seconds:g} s"
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                code = process.wait()
        seconds = time.monotonic() - begun
        if group is not None and group.exceeded:
            trouble = f"it used more than {limits.memory >> 20} MB of memory"
    finally:
        if group is not None:
            group.close()
    trials = read_traces(pipe.close())
    trace = trials[0]
    if program.language == "julia":
        place_parts(trace, program.path.name, program.source)
    said = _text(messages)
    if not trouble and trace.error:
        trouble = f"it failed in {_line(program, trace.error_line)}: {trace.error}"
        if not trace.error_line:
            trouble = trace.error
    if not trouble and code:
        last = said.strip().splitlines()[-1:] or [f"exit code {code}"]
        trouble = f"it failed: {last[0]}"
    return Recorded(
        program=program,
        trace=trace,
        trials=trials,
        printed=_text(printed),
        messages=said,
        seconds=seconds,
        processor_seconds=_seconds_of(used.close(), seconds),
        trouble=trouble,
    )


def _line(program: Program, number: int) -> str:
    where = program.where(number)
    return f"cell {where.cell}, line {where.line}" if where.cell else f"line {where.line}"


def _started(program: Program, launch: Launch, out: IO[bytes], err: IO[bytes]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            launch.command, env={**os.environ, **launch.env}, stdin=subprocess.DEVNULL,
            stdout=out, stderr=err, start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise WorkerStartFailed(f"{program.path.name} cannot be started: {error}") from error


def _seconds_of(said: bytes, otherwise: float) -> float:
    """Processor time that a shell's ``times`` tells of what it ran; another, where it was ended before."""
    words = said.decode("ascii", "replace").split()
    found = [re.fullmatch(r"(\d+)m([\d.,]+)s", word) for word in words[2:4]]
    both = [60 * int(one[1]) + float(one[2].replace(",", ".")) for one in found if one]
    return sum(both) if len(both) == 2 else otherwise


def _text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(4 << 20).decode("utf-8", "replace")


def _stage(source: Path, staged: Path, program: Program) -> None:
    """Copy the files beside the program, up to a limit, into a folder that anybody can read."""
    staged.mkdir()
    copied, size = 0, 0
    for folder, folders, files in os.walk(source):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _LEFT_OUT)
        for name in sorted(files):
            path = Path(folder) / name
            with contextlib.suppress(OSError):
                size += path.stat().st_size
                copied += 1
                if name.startswith(".") or path.is_symlink() or not path.is_file():
                    continue
                if copied > _MOST_FILES or size > _MOST_COPIED:
                    break
                target = staged / path.relative_to(source)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
    if program.places:
        (staged / program.path.name).write_text(program.code, encoding="utf-8")
    else:
        shutil.copyfile(program.path, staged / program.path.name)
    for path in (staged, *staged.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


class _Pipe:
    """A named pipe whose bytes are all kept, up to a limit."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        path.chmod(0o622)
        self.path = path
        self._data = bytearray()
        # Open for writing too: the pipe has no end while nobody writes.
        self._descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._read_on, name="trace", daemon=True)
        self._thread.start()

    def _read_on(self) -> None:
        import select

        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        while True:
            ready = poll.poll(50)
            if not ready:
                if self._closed.is_set():
                    return
                continue
            piece = os.read(self._descriptor, 1 << 20)
            if len(self._data) < _MOST_TRACE:
                self._data += piece

    def close(self) -> bytes:
        """Stop reading; everything that came."""
        if not self._closed.is_set():
            self._closed.set()
            self._thread.join()
            os.close(self._descriptor)
        return bytes(self._data)
