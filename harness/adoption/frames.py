"""Tables of columns that are matched one by one: how a program's own table is made of them again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from harness.adoption.facts import Fact

_COLUMN = re.compile(
    r"""^(?P<name>[^\W\d][\w.]*)(?:\$(?P<part>[\w.]+)|\[["'](?P<key>[^"']+)["']\]|\.(?P<field>\w+))$"""
)


def column_of(written: str) -> tuple[str, str] | None:
    """The table and column that ``d$age``, ``d["age"]`` or ``d.age`` names; None for anything else."""
    found = _COLUMN.match(written)
    return (found["name"], found["part"] or found["key"] or found["field"]) if found else None


def table_again(runtime: str, fact: Fact, name: str, columns: Mapping[str, str]) -> str:
    """The line that makes a table of variables that hold its columns.

    Parameters
    ----------
    runtime : str
        Of the program.
    fact : Fact
        Of kind ``frame``; what ``more`` begins with is what sort of table it is.
    name : str
        The table.
    columns : mapping
        For each column the variable.
    """
    order = [each for each in fact.more[1:] if each in columns]
    match runtime:
        case "r":
            inside = ", ".join(f"{_name_in_r(each)} = {columns[each]}" for each in order)
            make = "data.frame" if fact.more[0] == "data.frame" else "list"
            tail = ", check.names = FALSE, stringsAsFactors = FALSE" if make == "data.frame" else ""
            return f"{name} <- {make}({inside}{tail})"
        case "julia":
            inside = ", ".join(f"{each} = {columns[each]}" for each in order)
            return f"{name} = ({inside},)"
        case _:
            inside = ", ".join(f"{json.dumps(each)}: {columns[each]}" for each in order)
            made = f"{{{inside}}}"
            return f"{name} = {made if fact.more[0] == 'dict' else f'_pandas.DataFrame({made})'}"


def is_whole(fact: Fact, columns: Sequence[str]) -> bool:
    """Whether these are all the columns of a table that can be made again."""
    return fact.kind == "frame" and len(fact.more) > 1 and set(fact.more[1:]) <= set(columns)


def _name_in_r(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z][\w.]*", name) else f"`{name}`"
