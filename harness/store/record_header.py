"""The first line of a record, of this version or of an older one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from harness.errors import RecordError
from harness.model import Header
from harness.store.record_line import BROKEN, SCHEMA, decode_line
from harness.store.regular_file import MOST_BYTES, open_regular


def header_of(path: Path) -> Header:
    """Read the first line of a record in a file.

    Raises
    ------
    RecordError
        The file cannot be read, or is no record.
    """
    try:
        with open_regular(path) as file:
            raw = file.readline(MOST_BYTES)
    except OSError as problem:
        raise RecordError(f"cannot be read: {problem.strerror}", path=path) from problem
    if not raw:
        raise RecordError("is empty", path=path, advice="run again")
    return read_header(raw.rstrip(b"\n"), path)


def read_header(raw: bytes, path: Path) -> Header:
    """Read the first line of a record; an older one is read as it would be written now.

    Raises
    ------
    RecordError
        If it is no header, or one of a newer harness.
    """
    try:
        first = msgspec.json.decode(raw)
    except BROKEN as problem:
        raise _foreign(path) from problem
    if not isinstance(first, dict) or first.get("kind") != "header" or type(first.get("schema")) is not int:
        raise _foreign(path)
    if first["schema"] > SCHEMA:
        version = first.get("harness")
        raise RecordError(
            f"has the schema {first['schema']}; this harness reads up to {SCHEMA}",
            path=path,
            line=1,
            advice=f"read it with harness {version} or newer" if version else "read it with a newer harness",
        )
    if first["schema"] < 1:
        raise _foreign(path)
    header = decode_line(msgspec.json.encode(_by_sample(first)) if b'"wider"' in raw else raw, path, 1)
    assert isinstance(header, Header)
    return header


def _by_sample(value: Any) -> Any:
    """A header with the tolerances of schema 3 and older, ``wider`` in some samples, as they are now."""
    if isinstance(value, list):
        return [_by_sample(item) for item in value]
    if not isinstance(value, dict):
        return value
    now = {key: _by_sample(item) for key, item in value.items() if key != "wider"}
    if isinstance(wider := value.get("wider"), dict):
        now["by_sample"] = [{**wider, "rule": value.get("rule"), "basis": value.get("basis", "stated")}]
    return now


def _foreign(path: Path) -> RecordError:
    return RecordError(
        "is not a record: its first line is not a header", path=path, line=1, advice="give a results.jsonl"
    )
