"""True values that were computed before, in the cache folder: one safetensors file for each case and mode."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import save

from harness.model import Array, Failure, Truth, Truths, Verdict
from harness.store.arrays import as_complex, as_pairs
from harness.store.atomic import write_whole
from harness.store.regular_file import open_regular

_FOLDER = "truths"
_PARTS = ("high", "low", "limit")
_UNDECIDED = ("undecided", "reach", "unlimited", "gap")
MOST_BYTES = 1 << 30
"""Bytes that the folder may hold, about; what was not used for longest goes first."""

_LOCK = threading.Lock()
_ROOM: dict[Path, int] = {}
"""Bytes that may be written into a folder before it is looked at again."""


def read_truths(cache: Path, key: str) -> dict[tuple[str, str], Truth | Failure] | None:
    """Read what was kept under a key; None if there is nothing, or not what was written.

    Parameters
    ----------
    cache : Path
        The project's cache folder.
    key : str
        Hash of all that the values follow from.
    """
    from safetensors import safe_open

    path = _path(cache, key)
    truths: dict[tuple[str, str], Truth | Failure] = {}
    try:
        open_regular(path).close()
        with safe_open(path, framework="np") as file:
            metadata = file.metadata()
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if metadata["digest"] != _digest(key, metadata["values"], arrays):
            return None
        values = msgspec.json.decode(metadata["values"], type=list[tuple[str, str, str, str, str]])
        for number, (sample, name, worst, reason, why) in enumerate(values):
            if reason:
                truths[sample, name] = Failure(verdict=Verdict.NOT_RUN, reason=reason)
            else:
                high, low, limit = (arrays[f"{number}.{part}"] for part in _PARTS)
                if high.ndim > limit.ndim:
                    high, low = (as_complex(part) for part in (high, low))
                undecided, reach, unlimited, gap = (arrays.get(f"{number}.{part}") for part in _UNDECIDED)
                truths[sample, name] = Truth(
                    high=high,
                    low=low,
                    limit=limit,
                    worst=float(worst),
                    undecided=undecided,
                    reach=reach,
                    unlimited=unlimited,
                    gap=gap,
                    why=why,
                )
        path.touch()
    except (OSError, SafetensorError, KeyError, TypeError, ValueError, msgspec.MsgspecError):
        return None
    return truths


def write_truths(cache: Path, key: str, truths: Truths) -> None:
    """Keep true values; a folder that cannot be written to keeps nothing."""
    values = []
    arrays = {}
    for number, ((sample, name), truth) in enumerate(truths.items()):
        if isinstance(truth, Failure):
            values.append((sample, name, "0", truth.reason, ""))
            continue
        values.append((sample, name, repr(truth.worst), "", truth.why))
        for part in _UNDECIDED:
            if (array := getattr(truth, part)) is not None:
                arrays[f"{number}.{part}"] = np.asarray(array, order="C")
        for part in _PARTS:
            array = np.asarray(getattr(truth, part), order="C")
            arrays[f"{number}.{part}"] = as_pairs(array) if array.dtype.kind == "c" else array
    path = _path(cache, key)
    text = json.dumps(values)
    try:
        content = save(arrays, {"values": text, "digest": _digest(key, text, arrays)})
        write_whole({path: content})
        _make_room(path.parent, len(content))
    except OSError:
        return


def _digest(key: str, values: str, arrays: Mapping[str, Array]) -> str:
    """The sha256 of a file's content and of the key that it is kept under."""
    sha = hashlib.sha256(json.dumps([key, values]).encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        sha.update(f"\n{name} {array.dtype.str} {array.shape}\n".encode())
        sha.update(array.data if array.size else b"")
    return sha.hexdigest()


def _path(cache: Path, key: str) -> Path:
    return cache / _FOLDER / f"{key}.safetensors"


def _make_room(folder: Path, written: int) -> None:
    """Remove what was not used for longest, where the folder holds too much.

    All files are looked at only once so much was written that it may: else a run of very many cases would
    look at each of them for each.
    """
    with _LOCK:
        _ROOM[folder] = _ROOM.get(folder, 0) - written
        if _ROOM[folder] > 0:
            return
        files = sorted(((stat.st_mtime, stat.st_size, path) for path, stat in _files(folder)), reverse=True)
        total = 0
        for _, size, path in files:
            if total + size > MOST_BYTES:
                path.unlink(missing_ok=True)
            else:
                total += size
        # Others write there too.
        _ROOM[folder] = max((MOST_BYTES - total) // 4, MOST_BYTES // 64)


def _files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    for path in folder.glob("*.safetensors"):
        # Somebody else may have removed it.
        with contextlib.suppress(OSError):
            yield path, path.stat()
