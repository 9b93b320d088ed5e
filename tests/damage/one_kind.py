"""Damaged files of one kind, read in this process; `tests.damage.__main__` starts it.

Every file must give a value, or an error of the project that names the file. Anything else is a find: another
exception, a warning, ten seconds of work, memory that a header asked for. The smallest file of each find is
left in the folder, with what it is in ``finds.json``.
"""

from __future__ import annotations

import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS = 10
"""Of work on one file."""
MEMORY = 1 << 30
"""Bytes of address space that a file may take beyond what the process has."""
GROWTH = 256 << 20
"""Bytes of memory that a file may take."""
TRIES = 300
"""How often a find is read again while it is made smaller."""
PATIENCE = 60
"""Seconds for that."""


class Hang(BaseException):
    """Work on one file took too long."""


@dataclass
class Find:
    """Files that the project reads wrongly in one way: what happened, the smallest file, and how many."""

    what: str
    data: bytes
    count: int = 0


class Reader:
    """Reads damaged files of one kind and keeps what was wrong; ``folder`` is for the files."""

    def __init__(self, read: Callable[[Path, bytes], None], folder: Path) -> None:
        self._read = read
        self._folder = folder
        self.inputs = 0
        self.refused = 0
        self.finds: dict[str, Find] = {}

    def take(self, data: bytes) -> None:
        """Read one file."""
        self.inputs += 1
        found = self.look(data)
        if found is None:
            return
        key, what = found
        find = self.finds.setdefault(key, Find(what, data))
        find.count += 1
        if len(data) < len(find.data):
            find.data = data

    def look(self, data: bytes) -> tuple[str, str] | None:
        """What is wrong with how a file is read, in short and in full; None where nothing is."""
        from harness.errors import HarnessError

        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        (self._folder.parent / "last").write_bytes(data)
        before = _reset_peak()
        try:
            with _clock(), warnings.catch_warnings():
                warnings.simplefilter("error")
                self._read(self._folder, data)
        except HarnessError as error:
            self.refused += 1
            if problem := _unclear(error, self._folder):
                return problem, f"{problem}: {error}"
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            return _where(error), "".join(traceback.format_exception(error)[-12:])[-3000:]
        if _peak() - before > GROWTH:
            return "memory", f"{(_peak() - before) >> 20} MiB of memory were taken"
        return None

    def shrink(self) -> None:
        """Make the file of every find smaller, by leaving out pieces."""
        for key, find in self.finds.items():
            if key == "memory":
                continue
            tries, size = TRIES, max(1, len(find.data) // 2)
            until = time.monotonic() + PATIENCE
            while size and tries > 0:
                at = 0
                while at < len(find.data) and tries > 0 and time.monotonic() < until:
                    tries -= 1
                    shorter = find.data[:at] + find.data[at + size :]
                    found = self.look(shorter)
                    if found is not None and found[0] == key:
                        find.what, find.data = found[1], shorter
                    else:
                        at += size
                size //= 2


def _reset_peak() -> int:
    """Forget how much memory the process has had, and return how much it has."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _peak()


def _peak() -> int:
    """Bytes of memory that the process has had at most since that was forgotten."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split(maxsplit=1)[0]) << 10


@contextmanager
def _clock() -> Iterator[None]:
    """Interrupt work that takes too long, whatever else the machine does meanwhile."""

    def stop(*_: Any) -> None:
        raise Hang

    previous = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def _unclear(error: BaseException, folder: Path) -> str:
    """What an error of the project lacks, or nothing."""
    path, line = error.path, error.line  # type: ignore[attr-defined]
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, MemoryError):
            return "memory was asked for before the file was checked"
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    if path is None:
        return f"{type(error).__name__} names no file"
    if not path.is_relative_to(folder):
        return f"{type(error).__name__} names another file"
    if line is not None and not (path.is_file() and 1 <= line <= _lines(path.read_bytes())):
        return f"{type(error).__name__} names a line that is not there"
    if re.search(r"[^\n\t\x20-\x7e\xa0-\U0010ffff]", str(error)):
        return f"{type(error).__name__} holds control characters"
    return ""


def _lines(data: bytes) -> int:
    """How many lines a file has at most, whatever ends them, and one after the last."""
    return data.count(b"\n") + data.count(b"\r") + 2


def _where(error: BaseException) -> str:
    """The class of an exception and the last function of the project that it passed through."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/harness/" in frame.filename]
    place = f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else "elsewhere"
    return f"{type(error).__name__} in {place}"


def plain(reader: Reader, kind: Any, count: int, seed: int) -> None:
    """Damage good files, each time anew."""
    good = kind.good()
    for number in range(count):
        rng = random.Random(f"{seed} {kind.name} {number}")
        data = rng.choice(good)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            data = kind.damage(rng, data)
        reader.take(data)


def guided(reader: Reader, kind: Any, count: int, seed: int, folder: Path, ready: Callable[[], None]) -> None:
    """Damage what has led to code that was not reached before; ends the process."""
    import atheris

    seeds = folder / "seeds"
    seeds.mkdir()
    for number, data in enumerate(kind.good()):
        (seeds / f"{number:03}").write_bytes(data)

    def take(data: bytes) -> None:
        reader.take(data)
        if reader.inputs >= count:
            ready()
            sys.stdout.flush()
            os._exit(0)

    def mutate(data: bytes, most: int, number: int) -> bytes:
        rng = random.Random(number)
        if rng.random() < 0.1:
            return atheris.Mutate(data, most)
        return kind.damage(rng, data)[:most]

    options = [f"-seed={seed + 1}", f"-runs={count}", "-len_control=0", "-max_len=1000000", "-timeout=1200"]
    quiet = ["-verbosity=0", "-print_final_stats=0", "-rss_limit_mb=0", "-detect_leaks=0"]
    atheris.Setup(
        [sys.argv[0], *options, *quiet, f"-artifact_prefix={folder}/", str(seeds)],
        take,
        custom_mutator=mutate,
    )
    atheris.Fuzz()


def main(name: str, count: int, seed: int, folder: Path, how: str) -> None:
    """Read damaged files of one kind."""
    begun = time.process_time()
    if how == "guided":
        from atheris import instrument_imports

        with instrument_imports(include=["harness"]):
            from tests.damage.kinds import KINDS
    else:
        from tests.damage.kinds import KINDS
    kind = KINDS[name]
    reader = Reader(kind.read, folder / "files" / "read")
    reader._folder.mkdir(parents=True)
    for data in kind.good():
        # What is compiled or imported late is not the file's doing.
        reader.look(data)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * os.sysconf("SC_PAGE_SIZE") + MEMORY,) * 2)
    reader.refused = 0

    def ready() -> None:
        seconds = time.process_time() - begun
        inputs, refused = reader.inputs, reader.refused
        reader.shrink()
        finds = []
        for number, (key, find) in enumerate(sorted(reader.finds.items())):
            path = folder / f"{name}_{number:02}"
            path.write_bytes(find.data)
            finds.append({"find": key, "count": find.count, "file": str(path), "what": find.what})
        summary = {"inputs": inputs, "refused": refused, "seconds": seconds, "finds": finds}
        (folder / f"{name}.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")

    if how == "guided":
        guided(reader, kind, count, seed, folder, ready)
    else:
        plain(reader, kind, count, seed)
        ready()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]), sys.argv[5])
