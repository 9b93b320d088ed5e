"""The trace of a recorded program: its sites, frames and events, as the recorders write them.

The format is lines of fields that tabs separate, with bytes behind some: ``S`` number, file, line, kind,
name, function, names read, operators, controlling sites, functions around that one from the inside, 1 where
a variable of these or of the program is set, and the name of an element; ``F`` frame, caller; ``E`` site,
frame, occurrence, parts; ``V`` path, type, order (C or F), shape, size, what its rows and columns are
called (JSON, or nothing), and then that many bytes; ``O`` site, occurrences in all; ``X`` line, error; ``Z``
at the end. An event without parts says that a call has ended, or that an argument is evaluated later. A plan
has ``L``, the seconds that a trial may take, ``K``, the sites that are recorded of it (without it all are),
and ``T`` for each trial, which is a run of its own, and in it ``P`` site, occurrences, and ``V`` for each of
them; in the trace, ``T`` begins a trial.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

Value = npt.NDArray[Any]

_TYPES = {"f8": "<f8", "f4": "<f4", "i8": "<i8", "i4": "<i4", "b1": "|b1", "c16": "<c16"}


class Site(msgspec.Struct, frozen=True):
    """A place of a program at which a value is recorded.

    ``around`` are the functions that its function is written in, from the inside; ``beyond`` says that it
    sets a variable of one of them, or of the program; ``element`` is which one of a variable, if it has a
    name.
    """

    number: int
    file: str
    line: int
    kind: str
    name: str
    function: str
    reads: tuple[str, ...]
    operators: tuple[str, ...]
    control: tuple[int, ...]
    around: tuple[str, ...] = ()
    beyond: bool = False
    element: str = ""


Labels = Sequence[Sequence[str | float] | None]
"""Of each axis of an array, what its entries are called; None where they are only counted."""


class Event(msgspec.Struct):
    """A value that a site recorded; ``parts`` are its arrays by their path in the value.

    ``labels`` are those of their axes, of each that has some.
    """

    place: int
    site: int
    frame: int
    occurrence: int
    parts: dict[str, Value]
    labels: dict[str, Labels] = msgspec.field(default_factory=dict)


class Trace(msgspec.Struct):
    """What was recorded of one run.

    ``counts`` has how often each site was reached, ``error`` the message and line that ended the program.
    """

    sites: dict[int, Site]
    parents: dict[int, int]
    begun: dict[int, int]
    events: list[Event]
    counts: dict[int, int]
    error: str = ""
    error_line: int = 0
    complete: bool = False


def read_traces(data: bytes) -> dict[int, Trace]:
    """Read the traces of one run or of several trials, by the number of the trial.

    Parameters
    ----------
    data : bytes
        All that the recorder wrote.
    """
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    traces = {0: trace}
    at, event = 0, None
    while (end := data.find(b"\n", at)) >= 0:
        words = data[at:end].decode("utf-8", "replace").split("\t")
        at = end + 1
        try:
            match words[0]:
                case "V":
                    size = int(words[5])
                    if at + size > len(data):
                        break
                    value = _value(words, data[at : at + size])
                    at += size
                    if event is not None and value is not None:
                        event.parts[words[1]] = value
                        if labels := _labels(words):
                            event.labels[words[1]] = labels
                case "E":
                    event = Event(len(trace.events), int(words[1]), int(words[2]), int(words[3]), {})
                    trace.events.append(event)
                case "T":
                    trace = traces[int(words[1])] = Trace({}, {0: 0}, {0: 0}, [], {})
                    event = None
                case "S":
                    site = _site(words)
                    trace.sites[site.number] = site
                case "F":
                    trace.parents[int(words[1])] = int(words[2])
                    trace.begun[int(words[1])] = len(trace.events)
                case "O":
                    trace.counts[int(words[1])] = int(words[2])
                case "X":
                    trace.error, trace.error_line = words[2], int(words[1])
                case "Z":
                    trace.complete = True
                case _:
                    break
        except (ValueError, IndexError):
            break
    return traces


def _site(words: Sequence[str]) -> Site:
    return Site(
        int(words[1]), words[2], int(words[3]), words[4], words[5], words[6],
        tuple(words[7].split()), tuple(words[8].split()), tuple(int(word) for word in words[9].split()),
        tuple(words[10].split()) if len(words) > 10 else (), words[11:12] == ["1"],
        words[12] if len(words) > 12 else "",
    )  # fmt: skip


def _labels(words: Sequence[str]) -> Labels:
    try:
        return [*json.loads(words[6])] if len(words) > 6 and words[6] else []
    except ValueError:
        return []


def _value(words: Sequence[str], data: bytes) -> Value | None:
    shape = tuple(int(size) for size in words[4].split("x") if size)
    if words[2] == "s":
        try:
            flat: Value = np.array(json.loads(data), dtype=object)
        except ValueError:
            return None
    else:
        flat = np.frombuffer(data, _TYPES[words[2]])
    if int(np.prod(shape)) != flat.size:
        return None
    if flat.size == 1:
        return flat.reshape(())
    return flat.reshape(shape, order="F" if words[3] == "F" else "C")


Order = Literal["C", "F"]
Plan = Mapping[int, Sequence[Value | None]]
"""For each site, the values of its occurrences that are put in; None leaves the program's own."""


def plan_bytes(plans: Sequence[Plan], order: Order, seconds: float, kept: Collection[int] = ()) -> bytes:
    """Plans of trials as a recorder reads them.

    Parameters
    ----------
    plans : sequence of Plan
        One for each trial, which are numbered from 1.
    order : {"C", "F"}
        The order of elements that the program's language has.
    seconds : float
        Of processor time, that a trial may take.
    kept : collection of int
        Sites that are recorded; all, where there are none.
    """
    pieces = [f"L\t{math.ceil(seconds)}\n".encode()]
    if kept:
        pieces.append(f"K\t{' '.join(map(str, sorted(kept)))}\n".encode())
    for number, plan in enumerate(plans, 1):
        pieces.append(f"T\t{number}\n".encode())
        for site, values in plan.items():
            pieces.append(f"P\t{site}\t{len(values)}\n".encode())
            for value in values:
                pieces.append(b"V\t\t-\tC\t\t0\n" if value is None else _part(value, order))
    return b"".join(pieces)


def _part(value: Value, order: Order) -> bytes:
    if value.dtype == object:
        kind, data = "s", json.dumps(value.ravel(order=order).tolist()).encode()
    else:
        kind = {"f": "f8", "i": "i8", "u": "i8", "b": "b1", "c": "c16"}[value.dtype.kind]
        data = value.astype(_TYPES[kind]).tobytes(order=order)
    shape = "x".join(map(str, value.shape))
    return f"V\t\t{kind}\t{order}\t{shape}\t{len(data)}\n".encode() + data


def identical(one: Value, other: Value) -> bool:
    """Whether two values are the same bytes of one type, in whatever shape."""
    return one.size == other.size and one.dtype == other.dtype and one.tobytes() == other.tobytes()
