"""What the inputs of a new case hold: columns of the data, numbers of the program, or what a person says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from harness.authoring.sources import matching
from harness.errors import UsageError
from harness.model import Array, Frozen
from harness.store.data_files import described
from harness.store.samples_of_files import Gathered

CHOOSE = "--input NAME=COLUMN,COLUMN or --input NAME=NUMBER says what it is"


class Input(Frozen, frozen=True, kw_only=True):
    """One input: its array by sample (``""`` where there is one sample), and where it is from."""

    name: str
    arrays: dict[str, Array]
    origin: str
    literal: bool = False

    @property
    def told(self) -> str:
        """The input in a few words."""
        first = next(iter(self.arrays.values()))
        what = str(first.tolist()) if self.literal and not first.ndim else described(first)
        return f"input {self.name}: {what}, {self.origin}"


def inputs_of(
    names: Mapping[str, str], numbers: Mapping[str, str], data: Gathered | None, choices: Mapping[str, str]
) -> list[Input]:
    """Find an array for every input.

    Parameters
    ----------
    names : mapping
        The inputs, each with the function that takes it.
    numbers : mapping
        Numbers that the program itself passes, as text, by input.
    data : Gathered, optional
        What the files hold.
    choices : mapping
        What a person says of an input: names of arrays of the data, or numbers, separated by commas.

    Raises
    ------
    UsageError
        An input has no value, or a choice cannot be used.
    """
    for name in choices:
        if name not in names:
            raise UsageError(
                f"--input: no stage takes {name!r}", advice=f"the inputs are: {', '.join(names)}"
            )
    there = data.first if data is not None else {}
    found: dict[str, Input] = {}
    used: set[str] = set()
    for name in names:
        if name in choices:
            found[name], taken = _chosen(name, choices[name], data)
            used |= taken
        elif column := matching(name, list(there)):
            found[name] = _from_data(name, [column], data)
            used.add(column)
        elif name in numbers:
            found[name] = _literal(name, [numbers[name]], "as the program passes it")
    missing = [name for name in names if name not in found]
    rest = [column for column in there if column not in used]
    if len(missing) == 1 and rest and _side_by_side([there[column] for column in rest]):
        found[missing[0]] = _from_data(missing[0], rest, data)
        missing = []
    if missing:
        have = f"; the data has: {', '.join(there)}" if there else "; there is no --data"
        raise UsageError(
            f"nothing says what {missing[0]!r} of {names[missing[0]]}() is" + have, advice=CHOOSE
        )
    return [found[name] for name in names]


def _side_by_side(arrays: Sequence[Array]) -> bool:
    return len(arrays) == 1 or (len({array.shape for array in arrays}) == 1 and arrays[0].ndim == 1)


def _chosen(name: str, text: str, data: Gathered | None) -> tuple[Input, set[str]]:
    parts = [part.strip() for part in text.split(",")]
    there = data.first if data is not None else {}
    columns = [matching(part, list(there)) for part in parts]
    if all(columns):
        return _from_data(name, columns, data), set(columns)
    try:
        return _literal(name, parts, "as --input says"), set()
    except ValueError as error:
        have = ", ".join(there) or "nothing, without --data"
        raise UsageError(
            f"--input {name}={text}: neither numbers nor names in the data", advice=f"the data has: {have}"
        ) from error


def _literal(name: str, parts: Sequence[str], origin: str) -> Input:
    whole = all(part.lstrip("+-").isdigit() for part in parts)
    array = np.array([int(part) if whole else float(part) for part in parts])
    return Input(name=name, arrays={"": array if len(parts) > 1 else array[0]}, origin=origin, literal=True)


def _from_data(name: str, columns: Sequence[str], data: Gathered | None) -> Input:
    assert data is not None
    shared = all(column in data.shared for column in columns)
    arrays: dict[str, Array] = {}
    for sample, own in {"": {}}.items() if shared else data.samples.items():
        there = {**data.shared, **own}
        picked = [there[column] for column in columns]
        if not _side_by_side(picked):
            raise UsageError(
                f"{', '.join(columns)}: {', '.join(map(described, picked))} make no matrix side by side",
                advice=CHOOSE,
            )
        arrays[sample] = picked[0] if len(picked) == 1 else np.column_stack(picked).astype(np.float64)
    many = len(columns) > 1
    said = f"the columns {', '.join(columns)} side by side" if many else f"{columns[0]} of the data"
    return Input(name=name, arrays=arrays, origin=said)
