"""The functions of R and Julia files, read by the languages' own parsers; the code is not run."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from harness.authoring.left_out import inner_names, left_out
from harness.authoring.sources import Argument, Block, Call, Function, Passed, Source
from harness.errors import UsageError
from harness.runtime_names import Needed
from harness.runtimes.child import LOCALE
from harness.runtimes.provision.provision import Provision
from harness.runtimes.registry import find_provision
from harness.sessions import probes
from harness.sessions.statements import Statement

_PATIENCE = 180.0
"""Seconds for an interpreter to start and read a file."""

_NAMES: dict[str, str] = {"r": "R", "julia": "Julia"}


def read_other(path: Path, text: str, runtime: Needed) -> Source:
    """Read an R or Julia file; where its language is missing, only its text.

    Raises
    ------
    UsageError
        The language cannot parse it.
    """
    provision = find_provision(runtime)
    if provision is None or provision.executable is None:
        why = f"there is no {_NAMES[runtime]} here to read it" + (
            f" ({provision.reason})" if provision else ""
        )
        return Source(path=path, runtime=runtime, text=text, unread=why)
    printed = _printed(path, runtime, provision)
    rows = [line.split("\t") for line in printed.splitlines()]
    for kind, *fields in rows:
        if kind == "error":
            line = int(fields[0]) if fields[0].isdigit() else None
            raise UsageError(f"is not {_NAMES[runtime]}: {fields[1]}"[:400], path=path, line=line)
    statements = [_statement(fields) for kind, *fields in rows if kind == "statement" and len(fields) == 6]
    calls = [(fields[0], _call(fields)) for kind, *fields in rows if kind == "call"]
    constants = [fields for kind, *fields in rows if kind == "constant" and len(fields) == 3]
    if runtime == "r":  # The last definition of a name counts; in Julia each may be a method.
        last = {
            (kind, fields[0]): at for at, (kind, *fields) in enumerate(rows) if kind in ("function", "block")
        }
        rows = [
            row for at, row in enumerate(rows)
            if row[0] not in ("function", "block") or last[row[0], row[1]] == at
        ]  # fmt: skip
    return Source(
        path=path,
        runtime=runtime,
        text=text,
        functions=tuple(
            _function(fields, [each for key, *each in rows if key == "key" and each[0] == fields[0]])
            for kind, *fields in rows
            if kind == "function"
        ),
        blocks=tuple(
            Block(
                name=fields[0],
                calls=tuple(call for block, call in calls if block == fields[0]),
                only_calls=fields[1] == "1",
                constants={key: text for of, key, text in constants if of == fields[0]},
            )
            for kind, *fields in rows
            if kind == "block"
        ),
        inner=inner_names(statements),
        left_out=left_out(text, statements),
    )


def read_statements(path: Path, text: str, runtime: Needed) -> list[Statement]:
    """Read the top-level statements of R or Julia code; ``path`` is what messages name.

    Raises
    ------
    UsageError
        The language is not here, or cannot parse it.
    """
    provision = find_provision(runtime)
    if provision is None or provision.executable is None:
        raise UsageError(f"there is no {_NAMES[runtime]} here to read it", path=path)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"read{'.R' if runtime == 'r' else '.jl'}")
        file.write_text(text, encoding="utf-8")
        rows = [line.split("\t") for line in _printed(file, runtime, provision).splitlines()]
    for kind, *fields in rows:
        if kind == "error":
            line = int(fields[0]) if fields[0].isdigit() else None
            raise UsageError(f"is not {_NAMES[runtime]}: {fields[1]}"[:400], path=path, line=line)
    return [_statement(fields) for kind, *fields in rows if kind == "statement" and len(fields) == 6]


def _printed(path: Path, runtime: str, provision: Provision) -> str:
    here, probe = Path(__file__).parent, Path(probes.__file__).parent
    given = [str(path.absolute())]
    program = str(provision.executable)
    if runtime == "r":
        script = [program, "--vanilla", "-s", "-f", str(here / "read_source.R"), "--args"]
        command = [*script, *given, str(probe / "probe.R")]
    else:
        script = [program, "--startup-file=no", "--history-file=no", str(here / "read_source.jl")]
        command = [*script, *given, str(probe / "probe.jl")]
    try:
        done = subprocess.run(
            command, capture_output=True, encoding="utf-8", errors="replace", timeout=_PATIENCE, check=False,
            env={**os.environ, **provision.env, **LOCALE},
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"{_NAMES[runtime]} did not read it within {_PATIENCE:g} s", path=path) from error
    if done.returncode:
        last = next(
            (line for line in reversed(done.stderr.splitlines()) if line.strip()), "it printed nothing"
        )
        raise UsageError(f"{_NAMES[runtime]} cannot read it: {last}"[:400], path=path)
    return done.stdout


def _split(text: str) -> Sequence[str]:
    return text.split("\x1f") if text else ()


def _function(fields: Sequence[str], keys: Sequence[Sequence[str]]) -> Function:
    name, line, names, optional, returns, keyed, texts = fields
    defaults = texts.split("\x1f") if names else ()
    return Function(
        name=name,
        line=int(line),
        arguments=tuple(
            Argument(
                name=each,
                optional=flag == "1",
                keys=tuple(key for _, of, key in keys if of == each),
                default=default,
            )
            for each, flag, default in zip(_split(names), _split(optional), defaults, strict=True)
            if each != "..."
        ),
        returns=tuple(returns.split("\x1f")),
        keyed=keyed == "1",
    )


def _call(fields: Sequence[str]) -> Call:
    _, line, function, targets, *passed = fields
    return Call(
        function=function,
        line=int(line),
        targets=tuple(_split(targets)),
        passed=tuple(_passed(each) for each in passed),
    )


def _passed(text: str) -> Passed:
    kind, value, item, keyword = text.split("\x1f")
    known = {"name": "name", "item": "item", "number": "number"}.get(kind, "other")
    return Passed(kind=known, text=value, item=item, keyword=keyword)  # type: ignore[arg-type]


def _statement(fields: Sequence[str]) -> Statement:
    line, end, kind, sets, reads, inner = fields
    return Statement(
        chunk=0,
        line=int(line),
        end_line=int(end),
        kind=kind,  # type: ignore[arg-type]
        sets=frozenset(sets.split()),
        reads=frozenset(reads.split()),
        inner=frozenset(inner.split()),
    )
