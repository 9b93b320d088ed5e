"""Snapshots: what an implementation once returned, live, with all that it depended on.

``<case>/<implementation>.<precision>.safetensors`` holds a head, as JSON in the file's metadata, and three
arrays of bytes, each an xz stream: ``index``, JSON rows that say what follows; ``chained`` and ``isolated``,
the arrays' bytes one after the other. So that a repository can hold them, an array is kept as the exclusive
or with what the reference returned there, the first bytes of all its numbers before the second ones; and an
isolated stage that returned the chained one's bits is kept once. Nothing is lost: every bit comes back.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec
import numpy as np
from safetensors.numpy import save

from harness.errors import FixtureError
from harness.model import (
    Array,
    Failure,
    Frozen,
    Mode,
    Observation,
    Observed,
    Precision,
    RuntimeInfo,
    Source,
    Verdict,
)
from harness.store.arrays import parse_safetensors, plain
from harness.store.atomic import write_whole
from harness.store.beside import differing
from harness.store.provenance import Provenance, digest
from harness.store.regular_file import read_regular
from harness.store.snapshot_bytes import Bytes, nbytes, packed, split, unpacked

FOLDER = "snapshots"
FORMAT = 1
RECORD = "if the change is meant, record again: harness snapshot"

_NAMED = 4
_MODES = (Mode.CHAINED, Mode.ISOLATED)
MOST_INDEX = 1 << 26
"""Bytes that an index may have."""

MOST_VALUES = 1 << 28
"""Bytes that the values of one mode may have."""

_FAILURES = {Verdict.ERROR, Verdict.TIMEOUT, Verdict.FAIL, Verdict.UNSUPPORTED, Verdict.NOT_RUN}
_STREAMS = {(name, "uint8", 1) for name in ("index", "chained", "isolated")}
_UNSEALED = "0" * 64


class Head(Frozen, frozen=True, kw_only=True, omit_defaults=True):
    """What a snapshot says of itself.

    ``values`` is the `digest` of its chained values; ``base`` that of the reference's, which its bytes are
    the differences from, and its isolated stages were fed with; empty in the reference's own snapshot.
    ``sha256`` is that of the whole file with 64 zeros in its place; older snapshots have none.
    """

    format: int
    case: str
    implementation: str
    precision: Precision
    fixture: str
    made_from: Provenance
    runtime: RuntimeInfo
    cpu: str
    harness: str
    recorded: str
    values: str
    base: str
    sha256: str = ""


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot that was read: every observation says that it is replayed."""

    head: Head
    chained: dict[tuple[str, str], Observation | Failure]
    isolated: dict[tuple[str, str], Observation | Failure]


class _Row(msgspec.Struct, array_like=True, frozen=True):
    """One stage of one sample: arrays (name, dtype, shape), a failure (verdict, reason), or same."""

    mode: Mode
    sample: str
    stage: str
    arrays: tuple[tuple[str, str, tuple[int, ...]], ...] = ()
    failure: tuple[Verdict, str] | None = None
    same: bool = False


def snapshot_path(folder: Path, case: str, implementation: str, precision: Precision) -> Path:
    """Where a snapshot lies in a folder of snapshots."""
    return folder / case / f"{implementation}.{precision.value}.safetensors"


def stale(head: Head, now: Provenance) -> str:
    """Why a snapshot no longer stands for its implementation; empty if it does."""
    then = head.made_from
    differs = {
        "the source file": then.source != now.source,
        "the fixture": then.fixture != now.fixture,
        "the graph of the case": then.graph != now.graph,
        f"the protocol (then version {then.protocol}, now {now.protocol})": then.protocol != now.protocol,
    }
    changed = [name for name, differ in differs.items() if differ]
    if names := differing(then.beside, now.beside):
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        changed.append(f"{', '.join(names[:_NAMED])}{more} beside the source file")
    has = "has" if len(changed) == 1 and len(names) < 2 else "have"
    return f"{' and '.join(changed)} {has} changed since {head.recorded}" if changed else ""


def write_snapshot(path: Path, head: Head, chained: Observed, isolated: Observed, base: Observed) -> int:
    """Write a snapshot.

    Parameters
    ----------
    path : Path
        Where to; an older snapshot gives way once the new one is whole.
    head : Head
        Its ``values`` and ``base`` are filled in.
    chained, isolated : mapping
        Observations and failures by (sample, stage). Of a failure, verdict and reason are kept.
    base : mapping
        The reference's chained observations; empty for the reference itself.

    Returns
    -------
    int
        The file's size in bytes; what stands there is left alone where only the date would differ.

    Raises
    ------
    FixtureError
        If it cannot be written.
    """
    head = msgspec.structs.replace(
        head, values=digest(chained), base=digest(base) if base else "", format=FORMAT, sha256=_UNSEALED
    )
    rows: list[_Row] = []
    streams: dict[str, Bytes] = {}
    for mode, observed in zip(_MODES, (chained, isolated), strict=True):
        pieces: list[bytes] = []
        for (sample, stage), observation in observed.items():
            if isinstance(observation, Failure):
                rows.append(_Row(mode, sample, stage, failure=(observation.verdict, observation.reason)))
            elif mode is Mode.ISOLATED and _same(observation, chained.get((sample, stage))):
                rows.append(_Row(mode, sample, stage, same=True))
            else:
                arrays = {name: plain(array) for name, array in observation.outputs.items()}
                described = tuple((name, array.dtype.str, array.shape) for name, array in arrays.items())
                rows.append(_Row(mode, sample, stage, described))
                pieces += [
                    split(
                        _bytes(array) ^ _base_of(base, sample, stage, name, array.dtype.str, array.shape),
                        array.dtype.itemsize,
                    )
                    for name, array in arrays.items()
                ]
        streams[mode.value] = packed(b"".join(pieces))
    streams["index"] = packed(msgspec.json.encode(rows))
    unsealed = save(streams, metadata={"recording": msgspec.json.encode(head).decode()})
    data = unsealed.replace(_sealed_by(_UNSEALED), _sealed_by(hashlib.sha256(unsealed).hexdigest()), 1)
    try:
        if not _only_the_date_differs(path, head, streams):
            write_whole({path: data})
        return path.stat().st_size
    except OSError as problem:
        raise FixtureError(f"cannot be written: {problem.strerror}", path=path) from problem


def read_head(path: Path) -> Head:
    """Read what a snapshot says of itself.

    Raises
    ------
    FixtureError
        If the file is no snapshot, or not whole.
    """
    return _read(path)[0]


def read_snapshot(path: Path, reference: Snapshot | None) -> Snapshot:
    """Read a snapshot and check its bits.

    Parameters
    ----------
    path : Path
        The file.
    reference : Snapshot or None
        The snapshot of the reference; None to read that one itself.

    Raises
    ------
    FixtureError
        If the file is no whole snapshot, or is kept as differences from other values than the reference's.
    """
    head, arrays = _read(path)
    base: Observed = {} if reference is None else reference.chained
    if head.base != ("" if reference is None else reference.head.values):
        raise FixtureError(
            "is kept as differences from a snapshot of the reference that has been replaced",
            path=path,
            advice=RECORD,
        )
    try:
        rows = msgspec.json.decode(unpacked(arrays["index"], MOST_INDEX), type=tuple[_Row, ...])
        streams = {mode: unpacked(arrays[mode.value], _announced(rows, mode)) for mode in _MODES}
        observations = dict(_restored(rows, streams, base))
        modes = {
            mode: {
                (sample, stage): observation
                for (at, sample, stage), observation in observations.items()
                if at is mode
            }
            for mode in _MODES
        }
    except (lzma.LZMAError, KeyError, ValueError, TypeError, OverflowError, msgspec.MsgspecError) as problem:
        raise _damaged(path, problem) from problem
    snapshot = Snapshot(head=head, chained=modes[Mode.CHAINED], isolated=modes[Mode.ISOLATED])
    if digest(snapshot.chained) != head.values:
        raise _damaged(path, ValueError("its values are not those that it was made with"))
    return snapshot


def _restored(
    rows: tuple[_Row, ...], streams: Mapping[Mode, bytes], base: Observed
) -> Iterator[tuple[tuple[Mode, str, str], Observation | Failure]]:
    chained: dict[tuple[str, str], Observation | Failure] = {}
    at = dict.fromkeys(_MODES, 0)
    for row in rows:
        key = (row.sample, row.stage)
        observation: Observation | Failure
        if row.same:
            observation = chained[key]
        elif row.failure is not None:
            verdict, reason = row.failure
            if verdict not in _FAILURES:
                raise ValueError(f"a failure of it has the verdict {verdict}")
            observation = Failure(verdict=cast(Any, verdict), reason=reason)
        else:
            outputs = {}
            for name, dtype, shape in row.arrays:
                end = at[row.mode] + nbytes(dtype, shape)
                part = np.frombuffer(streams[row.mode][at[row.mode] : end], np.uint8)
                joined = part.reshape(np.dtype(dtype).itemsize, math.prod(shape)).T.reshape(-1)
                bits: Bytes = joined ^ _base_of(base, row.sample, row.stage, name, dtype, shape)
                array = bits.view(dtype).reshape(shape)
                array.flags.writeable = False
                outputs[name], at[row.mode] = array, end
            observation = Observation(outputs=outputs, seconds=0.0, source=Source.REPLAYED)
        if row.mode is Mode.CHAINED:
            chained[key] = observation
        yield (row.mode, *key), observation
    if any(at[mode] != len(streams[mode]) for mode in _MODES):
        raise ValueError("its index and its values are of different lengths")


def _read(path: Path) -> tuple[Head, dict[str, Array]]:
    try:
        data = read_regular(path)
        arrays = parse_safetensors(data)
        size = int.from_bytes(data[:8], "little")
        metadata = json.loads(data[8 : 8 + size])["__metadata__"]
        head = msgspec.json.decode(metadata["recording"], type=Head)
    except OSError as problem:
        raise FixtureError(f"the snapshot cannot be read: {problem.strerror}", path=path) from problem
    except (ValueError, KeyError, TypeError, RecursionError, msgspec.MsgspecError) as problem:
        raise _damaged(path, problem) from problem
    streams = {(name, array.dtype.name, array.ndim) for name, array in arrays.items()}
    if metadata.keys() != {"recording"} or streams != _STREAMS:
        raise _damaged(path, ValueError("it holds something else than a snapshot does"))
    if head.format != FORMAT:
        raise FixtureError(
            f"is a snapshot of format {head.format}; this harness reads {FORMAT}", path=path, advice=RECORD
        )
    if head.sha256:
        unsealed = data.replace(_sealed_by(head.sha256), _sealed_by(_UNSEALED), 1)
        if hashlib.sha256(unsealed).hexdigest() != head.sha256:
            raise _damaged(path, ValueError("it was changed after it was written"))
    return head, arrays


def _damaged(path: Path, problem: Exception) -> FixtureError:
    what = str(problem) or type(problem).__name__
    return FixtureError(
        f"is not a whole snapshot: {what}", path=path, advice="restore the file, or record again"
    )


def _sealed_by(sha256: str) -> bytes:
    """The digest of a file as it stands in its metadata: JSON in a text of JSON."""
    return rb"\"sha256\":\"%b\"" % sha256.encode()


def _only_the_date_differs(path: Path, head: Head, streams: Mapping[str, Bytes]) -> bool:
    if not path.is_file():
        return False
    try:
        then, arrays = _read(path)
    except FixtureError:
        return False
    return msgspec.structs.replace(then, recorded=head.recorded, sha256=head.sha256) == head and all(
        np.array_equal(arrays[name], stream) for name, stream in streams.items()
    )


def _bytes(array: Array) -> Bytes:
    return np.frombuffer(array.tobytes(), np.uint8)


def _base_of(base: Observed, sample: str, stage: str, name: str, dtype: str, shape: tuple[int, ...]) -> Bytes:
    observation = base.get((sample, stage))
    if isinstance(observation, Observation) and name in observation.outputs:
        array = plain(observation.outputs[name])
        if (array.dtype.str, array.shape) == (dtype, shape):
            return _bytes(array)
    return np.zeros(nbytes(dtype, shape), np.uint8)


def _announced(rows: tuple[_Row, ...], mode: Mode) -> int:
    """How many bytes of values the rows of a mode describe."""
    total = sum(nbytes(dtype, shape) for row in rows if row.mode is mode for _, dtype, shape in row.arrays)
    if total > MOST_VALUES:
        raise ValueError(f"its index announces {total:,} bytes; at most {MOST_VALUES:,} are read")
    return total


def _same(ours: Observation, theirs: Observation | Failure | None) -> bool:
    def bits(observation: Observation) -> list[tuple[str, np.dtype[np.generic], tuple[int, ...], bytes]]:
        arrays = [(name, plain(array)) for name, array in observation.outputs.items()]
        return [(name, array.dtype, array.shape, array.tobytes()) for name, array in arrays]

    return isinstance(theirs, Observation) and bits(ours) == bits(theirs)
