"""Texts of Python that name a kind of number which their values are not, or which stands beside no values.

NumPy's ``repr`` leaves ``dtype=`` out where its values say it, as PyTorch's does: in all versions those of
``float64`` and ``complex128`` do, unless there are none, and in PyTorch those of ``int64``. Below a series,
pandas names the kind of what stands above: whole numbers have no point there, and none of them is missing.
"""

from __future__ import annotations

import re

_SAID_BY_VALUES = re.compile(
    r"(?<![\w.])(?:array\((?P<array>\[[^()]*\]),\s*dtype=(?P<numpy>float64|complex128)\)"
    r"|tensor\((?P<tensor>\[[^()]*\]),\s*dtype=(?P<torch>torch\.int64)\))"
)
_FOOT = re.compile(
    r"(?:Freq: [\w-]+, )?(?:Name: .*, )?(?:Length: \d+, )?dtype: (?P<kind>u?int\d+|float\d+|bool)"
)
_ROW = re.compile(r"\S.*\s(?P<value>\S+)")
_NEVER = {
    "int": re.compile(r"[-+]?\d*\.\d*|NaN|inf"),
    "float": re.compile(r"[-+]?\d+|True|False"),
    "bool": re.compile(r"[-+]?\d[\d.]*|NaN"),
}
"""Values that no series of a kind shows: a whole number of ``float`` has a point as well."""


def denies_its_kind(text: str) -> str:
    """Say which kind a text names that its values are not, or are said to be by themselves; else nothing.

    Parameters
    ----------
    text : str
        A printed text, without comment marks.
    """
    for found in _SAID_BY_VALUES.finditer(text):
        if re.search(r"\d", found["array"] or found["tensor"]):
            return f"{found['numpy'] or found['torch']} is named beside values that say it"
    above: list[str] = []
    for row in map(str.strip, text.split("\n")):
        foot = _FOOT.fullmatch(row)
        value = _ROW.fullmatch(row) if foot is None else None
        if foot is not None:
            never = _NEVER[re.sub(r"^u|\d+", "", foot["kind"])]
            shown = [never.fullmatch(one) is not None for one in above]
            # Each fraction of a series has a point, and none of its whole numbers.
            if shown and (all(shown) or (any(shown) and not foot["kind"].startswith("float"))):
                return f"its values are not printed as those of {foot['kind']} are"
        if value is not None:
            above.append(value["value"])
        elif foot is not None or not row:
            above = []
    return ""
