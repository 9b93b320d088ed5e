"""What the inputs of a new case hold: columns of the data, numbers of the program, or what a person says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
import numpy as np

from harness.authoring.described import Described
from harness.authoring.literals import literal
from harness.authoring.sources import matching
from harness.errors import UsageError
from harness.model import Array, Frozen, Given
from harness.numerics.missing import is_missing
from harness.store.data_files import described
from harness.store.samples_of_files import Gathered
from harness.store.typed_columns import Typed, days, instants, levels_of

_Said = Typed | Literal["text", "number", "list"]
_KINDS: Mapping[str, _Said] = {
    "date": "date", "time": "time", "category": "category", "text": "text", "number": "number",
    "list": "list",
}  # fmt: skip
"""What a column can be said to be, behind a colon."""
CHOOSE = (
    "--input NAME=COLUMN,COLUMN or --input NAME=NUMBER says what it is;"
    " NAME=COLUMN:date makes dates of texts, :time and :category likewise, :number a number of one row,"
    " :list a list in Python"
)


class Input(Frozen, frozen=True, kw_only=True):
    """One input: its array by sample (``""`` where there is one sample), and where it is from.

    One of several ``parts`` is a dictionary, and has no array of its own. A program that passes a number or a
    list does not pass an array: ``given`` says so. A date or time is a number of days or microseconds, as its
    ``kind`` says; a category has its ``levels``.
    """

    name: str
    arrays: dict[str, Array]
    origin: str
    literal: bool = False
    given: Given = ""
    parts: tuple[Input, ...] = ()
    kind: Typed | None = None
    levels: tuple[str, ...] = ()

    @property
    def arrayed(self) -> tuple[Input, ...]:
        """The inputs that have arrays: its parts, or itself, and the levels of a category."""
        if self.parts:
            return tuple(leaf for part in self.parts for leaf in part.arrayed)
        if self.kind != "category":
            return (self,)
        levels = np.array(self.levels, dtype=np.str_)
        return (self, Input(name=f"{self.name}.levels", arrays={"": levels}, origin=self.origin))

    @property
    def value(self) -> Described:
        """What it holds, as a case declares it."""
        if self.parts:
            parts = tuple((part.name.rpartition(".")[2], part.value) for part in self.parts)
            return Described(kind="names", parts=parts)
        missing = any(is_missing(array).any() for array in self.arrays.values())
        if self.kind is not None:
            return Described(kind=self.kind, missing=missing)
        if all(array.dtype.kind != "U" for array in self.arrays.values()):
            return Described(kind="array", given=self.given)
        return Described(kind="text", missing=missing, given="" if missing else self.given)

    @property
    def told(self) -> str:
        """The input in a few words."""
        if self.parts:
            return f"input {self.name}: by name, {', '.join(part.told_short for part in self.parts)}"
        return f"input {self.told_short}"

    @property
    def told_short(self) -> str:
        """The input in a few words, without saying that it is one."""
        first = next(iter(self.arrays.values()))
        what = repr(first.tolist()) if self.literal and not first.ndim else described(first)
        if self.kind is not None:
            what = f"{self.kind} {list(first.shape)}"
        as_list = ", as a list" if self.given == "list" and not self.literal else ""
        return f"{self.name}: {what}, {self.origin}{as_list}"


def inputs_of(
    names: Mapping[str, str],
    numbers: Mapping[str, str],
    data: Gathered | None,
    choices: Mapping[str, str],
    keys: Mapping[str, Sequence[str]] | None = None,
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
    keys : mapping, optional
        What the functions take of an input by name: it is a dictionary of these.

    Raises
    ------
    UsageError
        An input has no value, or a choice cannot be used.
    """
    asked = {f"{name}.{key}" for name, inside in (keys or {}).items() for key in inside if key[0] != "."}
    for name in choices:
        if name not in names and name not in asked:
            raise UsageError(
                f"--input: no stage takes {name!r}", advice=f"the inputs are: {', '.join(names)}"
            )
    there = data.first if data is not None else {}
    keys = {name: _keys_of(inside, list(there)) for name, inside in (keys or {}).items()}
    found: dict[str, Input] = {}
    used: set[str] = set()
    for name in names:
        if name in choices:
            found[name], taken = _chosen(name, choices[name], data)
            used |= taken
        elif column := matching(name, list(there)):
            found[name] = _from_data(name, [column], data)
            used.add(column)
        elif name in numbers and (array := literal(numbers[name])) is not None:
            found[name] = _literal(name, array, "as the program passes it", numbers[name])
        elif keys.get(name):
            found[name], taken = _by_name(name, names[name], keys[name], data, choices)
            used |= taken
    missing = [name for name in names if name not in found]
    rest = [column for column in there if column not in used and there[column].dtype.kind != "U"]
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
    what, _colon, said = text.rpartition(":")
    kind = _KINDS.get(said.strip())
    if kind is not None and what:
        columns = [matching(part.strip(), list(there)) for part in what.split(",")]
        if all(columns):
            levels = _known_levels(columns[0], data) if len(columns) == 1 else None
            return _typed(_of_columns(name, columns, data), kind, levels), set(columns)
        return _typed(_chosen(name, what, data)[0], kind, None), set()
    array = literal(text if len(parts) == 1 else f"[{text}]")
    if array is None:
        have = ", ".join(there) or "nothing, without --data"
        raise UsageError(
            f"--input {name}={text}: neither numbers nor names in the data",
            advice=f"the data has: {have}; a text stands in quotes",
        )
    return _literal(name, array, "as --input says", text), set()


def _literal(name: str, array: Array, origin: str, text: str) -> Input:
    given: Given = "list" if text.strip().startswith("[") else "" if array.ndim else "scalar"
    return Input(name=name, arrays={"": array}, origin=origin, literal=True, given=given)


def _keys_of(keys: Sequence[str], columns: Sequence[str]) -> tuple[str, ...]:
    """What is taken by name; an attribute only where a column has its name."""
    attributes = [key[1:] for key in keys if key.startswith(".") and matching(key[1:], columns)]
    return tuple(dict.fromkeys([*(key for key in keys if not key.startswith(".")), *attributes]))


def _by_name(
    name: str, function: str, keys: Sequence[str], data: Gathered | None, choices: Mapping[str, str]
) -> tuple[Input, set[str]]:
    """A dictionary, of the columns that the functions take of it."""
    there = data.first if data is not None else {}
    parts: list[Input] = []
    used: set[str] = set()
    for key in keys:
        full = f"{name}.{key}"
        if full in choices:
            part, taken = _chosen(full, choices[full], data)
        elif column := matching(key, list(there)):
            part, taken = _from_data(full, [column], data), {column}
        else:
            have = f"; the data has: {', '.join(there)}" if there else "; there is no --data"
            raise UsageError(
                f"nothing says what {key!r} is, which {function}() takes of {name!r}" + have,
                advice=f"--input {full}=COLUMN or --input {full}=NUMBER says what it is",
            )
        parts.append(part)
        used |= taken
    return Input(name=name, arrays={}, origin="by name", parts=tuple(parts)), used


def _from_data(name: str, columns: Sequence[str], data: Gathered | None) -> Input:
    """Columns of the data, as what the files say that they are."""
    found = _of_columns(name, columns, data)
    kind = data.kinds.get(columns[0]) if data is not None and len(columns) == 1 else None
    return found if kind is None else _typed(found, kind, _known_levels(columns[0], data))


def _typed(given: Input, kind: _Said, levels: tuple[str, ...] | None) -> Input:
    """Texts as dates, times or a category, or as texts, whatever a file says; one row as a number."""
    arrays = dict(given.arrays)
    if kind == "number":
        for array in arrays.values():
            if array.size != 1 or array.dtype.kind not in "iufb":
                raise UsageError(
                    f"{given.name} ({given.origin}) is {described(array)}, which is not one number",
                    advice=CHOOSE,
                )
        one = {sample: array.reshape(()) for sample, array in arrays.items()}
        return msgspec.structs.replace(given, arrays=one, given="scalar")
    if kind == "list":
        single = next((array for array in arrays.values() if not array.ndim), None)
        if single is not None:
            raise UsageError(
                f"{given.name} ({given.origin}) is {described(single)}, and no list", advice=CHOOSE
            )
        return msgspec.structs.replace(given, given="list")
    odd = next((array for array in arrays.values() if array.dtype.kind != "U"), None)
    if odd is not None:
        raise UsageError(
            f"{given.name} ({given.origin}) is {described(odd)}, and only text can be said to be a {kind}",
            advice=CHOOSE,
        )
    if kind == "text":
        return given
    if kind == "category":
        known = levels_of(np.concatenate([array.reshape(-1) for array in arrays.values()]), levels)
        return msgspec.structs.replace(given, kind="category", levels=known, given="")
    for sample, texts in arrays.items():
        made = _instants(texts, kind)
        if made is None:
            form = "2024-01-31" if kind == "date" else "2024-01-31T12:00:00"
            wrong = next(text for text in texts.reshape(-1) if _instants(np.array(text), kind) is None)
            raise UsageError(
                f"{given.name} ({given.origin}): {str(wrong)!r:.40} is no {kind}",
                advice=f"each is written as {form}, or missing",
            )
        arrays[sample] = made
    return msgspec.structs.replace(given, arrays=arrays, kind=kind, literal=False, given="")


def _instants(texts: Array, kind: str) -> Array | None:
    return days(texts) if kind == "date" else instants(texts, kind)


def _known_levels(column: str, data: Gathered | None) -> tuple[str, ...] | None:
    return data.levels.get(column) if data is not None else None


def _of_columns(name: str, columns: Sequence[str], data: Gathered | None) -> Input:
    assert data is not None
    shared = all(column in data.shared for column in columns)
    arrays: dict[str, Array] = {}
    for sample, own in {"": {}}.items() if shared else data.samples.items():
        there = {**data.shared, **own}
        picked = [there[column] for column in columns]
        if not _side_by_side(picked) or (len(picked) > 1 and any(each.dtype.kind == "U" for each in picked)):
            raise UsageError(
                f"{', '.join(columns)}: {', '.join(map(described, picked))} make no matrix side by side",
                advice=CHOOSE,
            )
        arrays[sample] = picked[0] if len(picked) == 1 else np.column_stack(picked).astype(np.float64)
    many = len(columns) > 1
    said = f"the columns {', '.join(columns)} side by side" if many else f"{columns[0]} of the data"
    return Input(name=name, arrays=arrays, origin=said)
