"""True values that were computed before, in the cache folder: one safetensors file for each case and mode."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
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
_UNDECIDED = ("undecided", "reach", "unlimited")
MOST_BYTES = 1 << 30
"""Bytes that the folder may hold; what was not used for longest goes first."""


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
                undecided, reach, unlimited = (arrays.get(f"{number}.{part}") for part in _UNDECIDED)
                truths[sample, name] = Truth(
                    high=high,
                    low=low,
                    limit=limit,
                    worst=float(worst),
                    undecided=undecided,
                    reach=reach,
                    unlimited=unlimited,
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
        write_whole({path: save(arrays, {"values": text, "digest": _digest(key, text, arrays)})})
        _make_room(path.parent)
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


def _make_room(folder: Path) -> None:
    files = sorted(folder.glob("*.safetensors"), key=lambda path: path.stat().st_mtime, reverse=True)
    total = 0
    for path in files:
        total += path.stat().st_size
        if total > MOST_BYTES:
            path.unlink(missing_ok=True)
