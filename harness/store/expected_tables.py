"""Expected values that a case has as data: what it says of them, and tables of printed numbers."""

from __future__ import annotations

from pathlib import Path

import msgspec

from harness.errors import CaseError
from harness.model import Expected, Value
from harness.numerics.printed import is_number
from harness.store.regular_file import read_regular
from harness.store.tolerance_checks import check_tolerance, check_tolerance_names
from harness.store.toml import Key, Toml
from harness.store.utf8 import decode_utf8

_MOST_BYTES = 16 * 2**20


def with_expected(toml: Toml, value: Value, *place: Key) -> Value:
    """Return an output with its expected values, the numbers of a table among them.

    Raises
    ------
    HarnessError
        They have no tolerance, or none by which data can be judged, or the table cannot be read.
    """
    if value.expected is None:
        return value
    where: tuple[Key, ...] = (*place, "expected")
    data = Expected(array=value.expected) if isinstance(value.expected, str) else value.expected
    if bool(data.array) == bool(data.table):
        raise toml.refuse(
            f"{value.name!r} is expected to be either an array or a table",
            *where,
            advice='write expected = "NAME", or expected = { table = "FILE.csv" }',
        )
    if data.printed:
        raise toml.refuse("unknown key 'printed'", *where, "printed", advice="write a table of them")
    if data.tolerance is not None:
        check_tolerance(toml, data.tolerance, *where, "tolerance")
    elif data.array:
        data = msgspec.structs.replace(data, tolerance=value.tolerance)
    if data.array and (data.tolerance is None or data.tolerance.rule == "derived"):
        raise toml.refuse(
            f"no limit can be derived for {data.array!r}, which is data: state its tolerance",
            *where,
            advice='{ array = "NAME", tolerance = { rule = "digits", digits = 9, reason = "..." } }',
        )
    rules = () if data.tolerance is None else (data.tolerance, *data.tolerance.by_sample)
    for rule in rules:
        if rule.rule == "derived" or rule.horizon is not None:
            raise toml.refuse(
                "data have no horizon, and no derived limit", *where, advice="state a tolerance for all of it"
            )
    if data.table:
        if value.dtype not in ("float", "int"):
            raise toml.refuse(
                f"{value.name!r} is {value.dtype}: no printed numbers are compared with it", *where
            )
        data = msgspec.structs.replace(data, printed=_read(toml, data.table, *where))
    return msgspec.structs.replace(value, expected=data)


def check_expected_names(toml: Toml, value: Value, inputs: tuple[Value, ...], *place: Key) -> None:
    """Refuse a norm of expected values that is not that of an input."""
    data = value.expected
    if isinstance(data, Expected) and data.tolerance is not None and data.tolerance is not value.tolerance:
        known = {input_.name: input_ for input_ in inputs}
        check_tolerance_names(toml, data.tolerance, value, known, *place, "expected", "tolerance")


def _read(toml: Toml, name: str, *place: Key) -> dict[str, tuple[str, ...]]:
    """Read a table: a line for each sample, its name and then the numbers, with commas between them."""
    path = toml.path.parent / name
    if Path(name).name != name:
        raise toml.refuse(f"{name!r} is no file of the case's folder", *place, "table", advice="name one")
    try:
        text = decode_utf8(read_regular(path, _MOST_BYTES), path, CaseError)
    except OSError as problem:
        raise toml.refuse(
            f"{name} cannot be read: {problem.strerror}",
            *place,
            "table",
            advice="put it beside case.toml: a line for each sample, its name and its numbers",
        ) from problem
    printed: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        sample, *texts = (part.strip() for part in line.split(","))

        def refused(message: str, advice: str, at: int = number) -> CaseError:
            return CaseError(message, path=path, line=at, advice=advice)

        wrong = [one for one in texts if not is_number(one)]
        if wrong or not texts:
            what = repr(wrong[0]) if wrong else f"the sample {sample!r}"
            raise refused(
                f"{what} is no number" if wrong else f"{what} has no number", "write SAMPLE, 0.50, -1e-3"
            )
        if sample in printed:
            raise refused(f"the sample {sample!r} is there twice", "remove a line")
        printed[sample] = tuple(texts)
    if not printed:
        raise CaseError("has no number", path=path, advice="write a line for each sample")
    return printed
