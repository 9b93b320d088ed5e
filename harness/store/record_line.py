"""One line of a record: to JSON and back, and what tells two lines apart.

A number that is not finite is written as the text ``"NaN"``, ``"Infinity"`` or ``"-Infinity"``, for JSON has
no such numbers.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec

from harness.errors import RecordError
from harness.model import CallTimes, Cell, Consensus, ErrorStats, Examined, Exhibit, Footer, Header, Pair
from harness.model.article import BlockDifference

SCHEMA = 4
"""The version of the lines that are written; older ones are read."""

Result = Cell | Pair | Consensus | Exhibit | Examined
"""What stands between header and footer."""

Line = Header | Result | Footer

BROKEN = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The exceptions that reading invalid JSON may raise."""

LINES = (Header, Cell, Pair, Consensus, Exhibit, Examined, Footer)
NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}

_DECODER: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
_FLOATS = frozenset(
    field.name
    for kind in (*LINES, CallTimes, ErrorStats, BlockDifference)
    for field in msgspec.structs.fields(kind)
    if "float" in str(field.type)
)
_MAPS = frozenset(
    field.name for field in msgspec.structs.fields(Footer) if "dict[str, float]" in str(field.type)
)


def decode_line(raw: bytes, path: Path, number: int) -> Line:
    """Read one line; an error names its file and line number.

    Raises
    ------
    RecordError
        If it is no line of a record.
    """
    try:
        return _decoded(raw)
    except BROKEN as problem:
        raise RecordError(f"is not a line of a record: {problem}", path=path, line=number) from problem


def _decoded(raw: bytes) -> Line:
    try:
        return _DECODER.decode(raw)
    except msgspec.ValidationError:
        if b'NaN"' not in raw and b'Infinity"' not in raw:
            raise
        line = msgspec.json.decode(raw)
        maps = _MAPS if isinstance(line, dict) and line.get("kind") == "footer" else frozenset()
        restored: Line = msgspec.convert(_with_floats(line, maps), Line)
        return restored


def _with_floats(value: Any, maps: frozenset[str], name: str = "") -> Any:
    """Put back the numbers that JSON lacks, in the fields that hold floats and in all values of ``maps``."""
    if isinstance(value, dict):
        return {key: _with_floats(item, maps, name if name in maps else key) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_floats(item, maps, name) for item in value]
    if isinstance(value, str) and name in _FLOATS:
        return NOT_FINITE.get(value, value)
    return value


def encode_line(line: Line) -> bytes:
    """Write one line, its end included.

    Raises
    ------
    RecordError
        If it could not be read back.
    """
    encoded = _as_it_is(line)
    if encoded is not None:
        return encoded
    encoded = msgspec.json.encode(_strict(msgspec.to_builtins(line, enc_hook=_scalar))) + b"\n"
    try:
        _decoded(encoded)
    except BROKEN as problem:
        raise RecordError(f"a line would not be read back: {problem}") from problem
    return encoded


def _as_it_is(line: Line) -> bytes | None:
    """Return a line as plain JSON, as almost all can be; None if reading it back gives another line."""
    try:
        encoded = msgspec.json.encode(line, enc_hook=_scalar)
        return encoded + b"\n" if _DECODER.decode(encoded) == line else None
    except (*BROKEN, UnicodeEncodeError, TypeError, AttributeError):
        return None


def _scalar(value: Any) -> Any:
    """Return a NumPy scalar as Python's."""
    return value.item()


def _strict(value: Any) -> Any:
    """Turn numbers that are not finite and broken text, which JSON cannot hold, into text."""
    if isinstance(value, dict):
        return {_strict(key): _strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_strict(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    return value


def key_of(line: Result) -> tuple[str, ...]:
    """Return the key of a line, which no other line of a record may have."""
    if isinstance(line, Examined):
        return "document", line.document, line.sha256
    if isinstance(line, Consensus):
        return "consensus", line.case, line.stage, line.precision
    if isinstance(line, Exhibit):
        whose = (line.case, line.stage, line.implementation)
        return "exhibit", *whose, line.sample, line.precision
    if isinstance(line, Pair):
        return line.case, line.stage, line.precision, line.left, line.right
    whose = (line.case, line.stage, line.implementation)
    return *whose, line.mode, line.precision, line.check, line.against
