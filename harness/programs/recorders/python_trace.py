"""A Python recorder's events and plans as bytes, in the format of `harness.programs.trace`."""

from __future__ import annotations

import hashlib
import resource
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from harness.programs.recorders.python_values import Part


def digest_of(parts: Sequence[Part]) -> bytes:
    """What two values share that have the same bytes."""
    made = hashlib.blake2b(digest_size=8)
    for part in parts:
        made.update(part.data)
    return made.digest()


def encoded(frame: int, site: int, count: int, parts: Sequence[Part]) -> bytes:
    """An event with its values."""
    pieces = [b"E\t%d\t%d\t%d\t%d\n" % (site, frame, count, len(parts))]
    for part in parts:
        shape = "x".join(map(str, part.shape))
        path = part.path.replace("\t", " ").replace("\n", " ")
        head = f"V\t{path}\t{part.type}\tC\t{shape}\t{len(part.data)}\t{part.labels}\n"
        pieces.append(head.encode(errors="replace"))
        pieces.append(part.data)
    return b"".join(pieces)


class Plans(NamedTuple):
    """Values to put in, by trial, site and occurrence, and the sites that are recorded then."""

    trials: dict[int, dict[int, list[Part | None]]]
    kept: frozenset[int]


def read_plans(path: str) -> Plans:
    """Read the file of a plan, and limit this process as it says."""
    plans: dict[int, dict[int, list[Part | None]]] = {}
    plan: dict[int, list[Part | None]] = {}
    current: list[Part | None] = []
    kept = frozenset[int]()
    if path == "-":
        return Plans(plans, kept)
    with Path(path).open("rb") as file:
        while line := file.readline():
            words = line.decode().rstrip("\n").split("\t")
            if words[0] == "L":
                resource.setrlimit(resource.RLIMIT_CPU, (int(words[1]), int(words[1]) + 1))
            elif words[0] == "K":
                kept = frozenset(map(int, words[1].split()))
            elif words[0] == "T":
                plan = plans.setdefault(int(words[1]), {})
            elif words[0] == "P":
                current = plan.setdefault(int(words[1]), [])
            else:
                shape = tuple(int(size) for size in words[4].split("x") if size)
                data = file.read(int(words[5]))
                current.append(None if words[2] == "-" else Part(words[1], words[2], shape, data))
    return Plans(plans, kept)
