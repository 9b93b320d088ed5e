"""Run a Python program and record it: ``python -P python_recorder.py TRACE PLAN PROGRAM ARGUMENT...``.

TRACE is a pipe or file; PLAN is a file with values to put in, or ``-``. The format of both is in
`harness.programs.trace`.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import os
import sys
import time
import traceback
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from harness.programs.recorders.python_imports import Finder, rewritten
from harness.programs.recorders.python_libraries import import_beforehand
from harness.programs.recorders.python_restored import restored
from harness.programs.recorders.python_syntax import operators_of, reads_of
from harness.programs.recorders.python_trace import digest_of, encoded, read_plans
from harness.programs.recorders.python_values import Part, hands_on, parts_of

del sys.path[0]

FIRST = 2000
"""Occurrences of a site that are recorded in full; after them, only the last few are."""
LAST = 3
PARTS = 100
"""Occurrences of what an expression is made of that are recorded."""
PART_BYTES = 64 << 20
SITE_BYTES = 16 << 20
ALL_BYTES = 192 << 20
_NUMBERS = frozenset({int, float, bool})
_FLUSH_EVERY = 0.5
"""Seconds."""


class Recorder:
    """Writes what passes through it.

    Parameters
    ----------
    out : file
        Where the trace goes.
    plan : dict of int to list of (Part or None)
        For each site, what another program had at its occurrences.
    kept : frozenset of int
        Sites that are recorded; all, where there are none.
    """

    def __init__(
        self, out: Any, plan: dict[int, list[Part | None]], kept: frozenset[int] = frozenset()
    ) -> None:
        self._out = out
        self.plan = plan
        self._kept = kept
        self._sites = 0
        self._counts: dict[int, int] = {}
        self._looks: dict[int, int] = {}
        self._bytes: dict[int, int] = {}
        self._total = 0
        self._of_parts = 0
        self._flushed = 0.0
        self._held: dict[int, deque[bytes | tuple[int, int, Any]]] = {}
        self._frames = 0
        self._current = 0
        self._parents: dict[int, int] = {0: 0}
        self._seen: dict[tuple[int, str], bytes] = {}
        self._names: dict[int, str] = {}
        self.modules: set[str] = {"__main__"}

    def add_for(self, file: str) -> Any:
        """A function that adds sites of one file."""

        def add(
            line: int, kind: str, name: str, function: str, reads: ast.AST | None, control: Sequence[int],
            around: Sequence[str], beyond: bool, element: str,
        ) -> int:  # fmt: skip
            number = self._sites = self._sites + 1
            self._names[number] = name
            self._counts[number] = 0
            if self._kept and number not in self._kept:
                return number
            fields = (
                "S", number, file, line, kind, name, function,
                " ".join(reads_of(reads)), " ".join(operators_of(reads)), " ".join(map(str, control)),
                " ".join(around), int(beyond), element,
            )  # fmt: skip
            self._write("\t".join(map(str, fields)).encode() + b"\n")
            return number

        return add

    # ---- hooks ---------------------------------------------------------------------------------------

    def enter(self) -> int:
        """Begin a frame, that of a function that was called."""
        self._frames += 1
        self._parents[self._frames] = self._current
        self._write(b"F\t%d\t%d\n" % (self._frames, self._current))
        self._current = self._frames
        return self._frames

    def leave(self, frame: int) -> None:
        """End a frame without a value."""
        self._current = self._parents.get(frame, 0)

    def value(self, frame: int, site: int, value: Any) -> Any:
        """Record a value and return it, or what the plan has in its place."""
        self._current = frame
        counts = self._counts
        counts[site] = count = counts[site] + 1
        if count > FIRST and not self.plan and not self._kept:
            if count % 64 < LAST or not count & (count - 1):
                if type(value) in _NUMBERS and site in self._held:
                    # A number is as it was when it is written at the end, if it is one of the last then.
                    self._held[site].append((frame, count, value))
                    self._flush_now_and_then()
                else:
                    self._record(frame, site, count, value)
            return value
        planned = self.plan.get(site)
        if planned is not None and count <= len(planned) and (part := planned[count - 1]) is not None:
            value = restored(value, part)
        if self._kept and site not in self._kept:
            return value
        if count <= FIRST or (count & (count - 1)) == 0 or count % 64 < LAST:
            self._record(frame, site, count, value)
        return value

    def part(self, frame: int, site: int, value: Any) -> Any:
        """Record a value that an expression is made of."""
        self._current = frame
        if self.plan and site not in self.plan and site not in self._kept:
            # Of a trial, the results count.
            return value
        counts = self._counts
        counts[site] = count = counts[site] + 1
        if count > PARTS and not self.plan:
            return value
        planned = self.plan.get(site)
        if planned is not None and count <= len(planned) and (part := planned[count - 1]) is not None:
            value = restored(value, part)
        if self._kept and site not in self._kept:
            return value
        if count <= PARTS and self._of_parts < PART_BYTES and type(value) is not str:
            parts = parts_of(value, frozenset(self.modules))
            size = sum(len(part.data) for part in parts)
            if parts and self._of_parts + size <= PART_BYTES:
                self._of_parts += size
                self._emit(frame, site, count, parts)
        return value

    def returned(self, frame: int, site: int, value: Any) -> Any:
        """Record what a function returns, and end its frame."""
        value = self.value(frame, site, value)
        self._current = self._parents.get(frame, 0)
        return value

    def again(self, frame: int, site: int, value: Any, name: str) -> None:
        """Record a value that may have changed in place, if it has."""
        if self._kept:
            return
        if issubclass(type(value), (int, float, str, bytes, ModuleType, type(None))) or callable(value):
            return
        count = self._counts[site]
        self._looks[site] = looks = self._looks.get(site, 0) + 1
        if count >= FIRST or (looks > FIRST and looks % 64 >= LAST):
            return
        parts = parts_of(value, frozenset(self.modules))
        if not parts or sum(len(part.data) for part in parts) > 1 << 20:
            return
        digest = digest_of(parts)
        if self._seen.get((frame, name), digest) != digest:
            self._counts[site] = count + 1
            self._emit(frame, site, count + 1, parts)
        self._seen[frame, name] = digest

    def iterates(self, frame: int, site: int, value: Any) -> Any:
        """Record what a loop goes over, where it can be gone over again."""
        if issubclass(type(value), (range, list, tuple)) or type(value).__name__ == "ndarray":
            kept = list(value) if type(value) is range and len(value) < 1 << 16 else value
            planned = self.plan.get(site)
            count = self._counts.get(site, 0)
            if planned is not None and count < len(planned) and planned[count] is not None:
                return self.value(frame, site, kept)
            if type(kept) is not range:
                self.value(frame, site, kept)
        return value

    def called(self, frame: int, site: int) -> None:
        """Record that a statement's calls have ended: an event without a value."""
        self._current = frame
        count = self._counts[site] = self._counts.get(site, 0) + 1
        if count <= FIRST and not self._kept:
            self._emit(frame, site, count, ())

    # ---- writing -------------------------------------------------------------------------------------

    def _record(self, frame: int, site: int, count: int, value: Any) -> None:
        parts = parts_of(value, frozenset(self.modules))
        if not parts:
            if count <= FIRST and hands_on(value):
                self._emit(frame, site, count, ())
            return
        size = sum(len(part.data) for part in parts)
        used = self._bytes.get(site, 0)
        name = self._names[site]
        if type(value) not in (int, float, bool, str) and size <= 1 << 20:
            self._seen[frame, name] = digest_of(parts)
        if count > FIRST or used + size > SITE_BYTES or self._total + size > ALL_BYTES:
            if size <= 1 << 20:
                held = self._held.setdefault(site, deque(maxlen=LAST))
                held.append(encoded(frame, site, count, parts))
                self._flush_now_and_then()
            return
        self._bytes[site] = used + size
        self._total += size
        self._emit(frame, site, count, parts)

    def _emit(self, frame: int, site: int, count: int, parts: Sequence[Part]) -> None:
        self._write(encoded(frame, site, count, parts))

    def _write(self, data: bytes) -> None:
        self._out.write(data)
        self._flush_now_and_then()

    def _flush_now_and_then(self) -> None:
        # The program may be ended from outside.
        now = time.monotonic()
        if now - self._flushed > _FLUSH_EVERY:
            self._out.flush()
            self._flushed = now

    def close(self, problem: BaseException | None, line: int) -> None:
        """Write what is left, and how the program ended."""
        for site, held in self._held.items():
            for item in held:
                if isinstance(item, tuple):
                    frame, count, value = item
                    item = encoded(frame, site, count, parts_of(value))
                self._write(item)
        for site, count in self._counts.items():
            if count:
                self._write(b"O\t%d\t%d\n" % (site, count))
        if problem is not None:
            text = type(problem).__name__
            with contextlib.suppress(Exception):
                text = f"{text}: {problem}".replace("\n", " ").replace("\t", " ")
            self._write(f"X\t{line}\t{text}\n".encode(errors="replace"))
        self._write(b"Z\n")
        self._out.flush()


def main(trace: str, plan: str, program: str, arguments: list[str]) -> int:
    """Run the program, or its trials; its exit code is returned."""
    path = Path(program).resolve()
    plans, kept = read_plans(plan)
    with open(trace, "wb", buffering=1 << 20) as out:  # noqa: PTH123
        if not plans:
            return run(Recorder(out, {}), path, program, arguments)
        import_beforehand(path)
        for number, planned in plans.items():
            out.write(b"T\t%d\n" % number)
            out.flush()
            child = os.fork()
            if child == 0:
                nothing = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nothing, 1)
                os.dup2(nothing, 2)
                run(Recorder(out, planned, kept), path, program, arguments)
                os._exit(0)
            os.waitpid(child, 0)
    return 0


def run(recorder: Recorder, path: Path, program: str, arguments: list[str]) -> int:
    """Run the program once."""
    Finder.folder, Finder.recorder = str(path.parent), recorder
    sys.meta_path.insert(0, Finder)
    for name in ("enter", "leave", "again", "called"):
        setattr(builtins, f"_hr_{name}", getattr(recorder, name))
    builtins._hr, builtins._hr_ret, builtins._hr_iter, builtins._hr_part = (  # type: ignore[attr-defined]
        recorder.value, recorder.returned, recorder.iterates, recorder.part,
    )  # fmt: skip
    builtins._hr_f = 0  # type: ignore[attr-defined]
    sys.argv[:] = [program, *arguments]
    sys.path.insert(0, str(path.parent))
    module = ModuleType("__main__")
    module.__dict__.update(__file__=program, __builtins__=builtins)
    sys.modules["__main__"] = module
    problem: BaseException | None = None
    line, code = 0, 0
    try:
        exec(rewritten(recorder, path, path.read_bytes()), module.__dict__)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        problem = ended if code else None
    except BaseException as error:
        problem, code = error, 1
        frames = traceback.extract_tb(error.__traceback__)
        line = next((at.lineno or 0 for at in reversed(frames) if at.filename == str(path)), 0)
        if isinstance(error, SyntaxError):
            line = error.lineno or 0
        traceback.print_exc()
    sys.stdout.flush()
    recorder.close(problem, line)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]))
