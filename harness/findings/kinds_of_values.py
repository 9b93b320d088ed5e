"""Names of the plain kinds of values, which all versions of a language have, and give to the same values."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.findings.apart import Apart

# Python 3 has had these from its beginning. Which texts are factors in R changed, and what a matrix is
# called; which numbers are integers did in functions (seq, sum) that are named where versions are weighed.
_R = """
complex double integer logical numeric num int logi cplx character list function closure environment factor
matrix array data.frame NULL
"""
_PLAIN = {
    "python": frozenset(["bool", "bytes", "complex", "dict", "float", "int", "list", "set", "str", "tuple"]),
    "r": frozenset(_R.split()),
}
_ASKS = re.compile(
    r"(?:\bdtype\s*=\s*|\.(?:astype|to|view)\(\s*)(?:(?:np|numpy|torch|tf|jnp)\.)?['\"]?([a-z]+\d+)\b(?!\()"
)
"""Where NumPy or PyTorch is told the kind of number by a name that it is shown by too."""
ASK_FOR_KINDS = frozenset(["class", "mode", "storage.mode", "str", "typeof"])
"""Functions of R that name them."""


def are_plain_kinds(apart: Sequence[Apart], language: str) -> bool:
    """Whether one value alone differs, and is the name of one plain kind instead of another.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs between two texts.
    language : str
        What the code is written in.
    """
    if len(apart) != 1 or apart[0].what != "text":
        return False
    named = {text.strip("'\"") for text in (apart[0].published, apart[0].produced)}
    return named <= _PLAIN.get(language, frozenset())


def is_asked_for(apart: Sequence[Apart], code: str) -> bool:
    """Whether one value alone differs, and is the kind of numbers that code of Python asks for.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs between two texts.
    code : str
        What the output is computed by.
    """
    asked = set(_ASKS.findall(code))
    return len(apart) == 1 and len(asked) == 1 and apart[0].produced.strip("'\"") in asked
