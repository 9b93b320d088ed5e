"""The list of understood functions in docs/tolerance.md: ``python -m harness.oracle.understood FILE``."""

from __future__ import annotations

import math
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from harness.oracle.facade import BY_NAME
from harness.oracle.math_functions import MATH, OWN
from harness.oracle.registry import arithmetic, balls
from harness.oracle.selecting import SELECTING, named

BEGIN = "<!-- understood: written by python -m harness.oracle.understood -->"
END = "<!-- /understood -->"

SINCE: Mapping[str, str] = {"numpy.unstack": "2.1", "numpy.matvec": "2.2", "numpy.vecmat": "2.2"}
"""Functions that the oldest NumPy that is allowed does not have, and the one that brought each."""


def known() -> set[str]:
    """The functions that have both true values and limits, by their names, where this NumPy has them."""
    rounded, exact = arithmetic(53), balls(53)
    tables = (rounded.ufuncs, rounded.functions, rounded.generic, SELECTING)
    names = {named(function) for table in tables for function in table if exact.understands(function)}
    names |= {
        f"{named(ufunc)}.reduce" for ufunc in rounded.reducing if ufunc in exact.reducing or ufunc is np.add
    }
    return names | set(BY_NAME)


def listing() -> str:
    """The functions that have both true values and limits, in Markdown, whichever NumPy reads this."""
    rounded = arithmetic(53)
    groups: dict[str, set[str]] = {}
    for name in known() | SINCE.keys():
        module, _, last = name.rpartition(".")
        if last == "reduce":
            module, last = "numpy", f"{module.rpartition('.')[2]}.reduce"
        groups.setdefault(module, set()).add(last)
    public = [name for name in dir(math) if not name.startswith("_")]
    of_math = {name: getattr(np, name, None) for name in public} | dict(MATH)
    groups["math"] |= OWN.keys() | {
        name for name, function in of_math.items() if callable(function) and rounded.understands(function)
    }
    lines = []
    for module in sorted(groups):
        names = ", ".join(_shown(module, name) for name in sorted(groups[module], key=str.lower))
        lines.append(textwrap.fill(f"- `{module}`: {names}", 118, subsequent_indent="  "))
    return "\n".join(lines)


def _shown(module: str, name: str) -> str:
    """A function in the list, with the NumPy that it needs where not every one has it."""
    since = SINCE.get(f"{module}.{name}")
    return f"`{name}` (NumPy {since})" if since else f"`{name}`"


def put(text: str) -> str:
    """A document with the list between its marks."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{listing()}\n\n{END}{after}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(put(path.read_text(encoding="utf-8")), encoding="utf-8")
