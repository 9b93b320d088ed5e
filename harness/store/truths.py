"""True values that were computed before, in the cache folder: one safetensors file for each case and mode."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import save

from harness.model import Failure, Truth, Truths, Verdict
from harness.store.atomic import write_whole

_FOLDER = "truths"
_PARTS = ("high", "low", "limit")
MOST_BYTES = 1 << 30
"""Bytes that the folder may hold; what was not used for longest goes first."""


def read_truths(cache: Path, key: str) -> dict[tuple[str, str], Truth | Failure] | None:
    """Read what was kept under a key; None if there is nothing, or nothing that can be read.

    Parameters
    ----------
    cache : Path
        The project's cache folder.
    key : str
        Hash of all that the values follow from.
    """
    from safetensors import safe_open

    path = _path(cache, key)
    found: dict[tuple[str, str], Truth | Failure] = {}
    try:
        with safe_open(path, framework="np") as file:
            rows = json.loads(file.metadata()["values"])
            for number, (sample, name, worst, reason, why) in enumerate(rows):
                if reason:
                    found[sample, name] = Failure(verdict=Verdict.NOT_RUN, reason=reason)
                else:
                    high, low, limit = (file.get_tensor(f"{number}.{part}") for part in _PARTS)
                    undecided = file.get_tensor(f"{number}.undecided") if why else None
                    found[sample, name] = Truth(
                        high=high, low=low, limit=limit, worst=float(worst), undecided=undecided, why=why
                    )
        path.touch()
    except (OSError, SafetensorError, KeyError, TypeError, ValueError):
        return None
    return found


def write_truths(cache: Path, key: str, truths: Truths) -> None:
    """Keep true values; a folder that cannot be written to keeps nothing."""
    values = []
    arrays = {}
    for number, ((sample, name), one) in enumerate(truths.items()):
        if isinstance(one, Failure):
            values.append((sample, name, "0", one.reason, ""))
            continue
        values.append((sample, name, repr(one.worst), "", one.why))
        if one.undecided is not None and one.why:
            arrays[f"{number}.undecided"] = np.asarray(one.undecided, order="C")
        for part in _PARTS:
            arrays[f"{number}.{part}"] = np.asarray(getattr(one, part), order="C")
    path = _path(cache, key)
    try:
        write_whole({path: save(arrays, {"values": json.dumps(values)})})
        _make_room(path.parent)
    except OSError:
        return


def _path(cache: Path, key: str) -> Path:
    return cache / _FOLDER / f"{key}.safetensors"


def _make_room(folder: Path) -> None:
    files = sorted(folder.glob("*.safetensors"), key=lambda path: path.stat().st_mtime, reverse=True)
    total = 0
    for path in files:
        total += path.stat().st_size
        if total > MOST_BYTES:
            path.unlink(missing_ok=True)
