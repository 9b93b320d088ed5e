"""Which columns of R's data frames hold what passes or is the machine's: the others do not."""

from __future__ import annotations

import re
from collections.abc import Callable, Set

_QUOTED = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
_COLUMN = re.compile(r"\s*(?P<frame>[A-Za-z.][\w.]*)\$(?P<column>[A-Za-z.][\w.]*)\s*(?:<-|=(?!=))")
_FRAME = re.compile(
    r"\s*(?P<frame>[A-Za-z.][\w.]*)\s*(?:<-|=(?!=))\s*data\.frame\((?P<columns>.*)\)\s*", re.DOTALL
)
_SET = re.compile(r"\s*[A-Za-z.][\w.]*(?:\$[A-Za-z.][\w.]*)?\s*(?:<-|=(?!=))")
_NAMED = re.compile(r"\s*([A-Za-z.][\w.]*)\s*=(?!=)(.*)", re.DOTALL)
_ALL_COLUMNS = re.compile(r"~\s*\.(?![\w.])|\.\s*~|\bget\(|\beval\(")
_LOOKS_INTO = re.compile(r"(?<![\w.])(?:subset|with|within|transform)\(")
"""Functions of R's that look names up in a frame that they are given first."""
_NAME = re.compile(r"(?<![\w.$@:])[A-Za-z.][\w.]*(?![\w.]*\s*\()")


def without_columns(code: str) -> str:
    """Return code of R without the names that `subset()` and its kin look up in a frame.

    Parameters
    ----------
    code : str
        Some statements, without what stands in quotation marks. Functions that are called stay.
    """
    for call in reversed(list(_LOOKS_INTO.finditer(code))):
        first, *others = _arguments(_inside(code, call.end()))
        if others:
            begin = call.end() + len(first)
            end = begin + sum(len(other) + 1 for other in others)
            code = code[:begin] + _NAME.sub(" ", code[begin:end]) + code[end:]
    return code


def _inside(code: str, begin: int) -> str:
    """What stands in a bracket that is open, up to where it closes; nothing where it does not."""
    depth = 1
    for at in range(begin, len(code)):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if depth == 0:
            return code[begin:at]
    return ""


class FrameColumns:
    """The columns of frames that hold a value which statements before brought there."""

    def __init__(self) -> None:
        self._columns: dict[str, set[str]] = {}

    def takes(self, text: str, carries: Callable[[str], bool]) -> bool:
        """Note the columns that a statement sets, and say whether it sets nothing but columns.

        Parameters
        ----------
        text : str
            A statement of R that carries such a value.
        carries : callable
            Whether some code does.
        """
        if (one := _COLUMN.match(text)) is not None:
            self._columns.setdefault(one["frame"], set()).add(one["column"])
            return True
        made = _FRAME.fullmatch(text)
        named = [_NAMED.fullmatch(part) for part in _arguments(made["columns"])] if made is not None else []
        if made is None or not all(named):
            return False
        self._columns[made["frame"]] = {part[1] for part in named if part is not None and carries(part[2])}
        return True

    def reaches(self, text: str) -> bool:
        """Whether code names such a column, or uses a frame that has one as a whole.

        Parameters
        ----------
        text : str
            A statement of R.
        """
        text = text[target.end() :] if (target := _SET.match(text)) else text
        bare = _QUOTED.sub('""', text)
        for frame, columns in self._columns.items():
            name = re.escape(frame)
            if re.search(rf"(?<![\w.$]){name}(?![\w.])", bare) is None:
                continue
            if any(re.search(rf"(?<![\w.]){re.escape(column)}(?![\w.])", text) for column in columns):
                return True
            parts = rf"(?<![\w.$])(?:{name}\$[A-Za-z.]|with\(\s*{name}\s*,|data\s*=\s*{name}(?![\w.$]))"
            rest = re.sub(parts, "", bare)
            if _ALL_COLUMNS.search(bare) or re.search(rf"(?<![\w.$]){name}(?![\w.])", rest):
                return True
        return False

    def forget(self, names: Set[str], text: str) -> None:
        """Forget frames that a statement sets anew, without such a value.

        Parameters
        ----------
        names, text : set of str, str
            What the statement sets, and the statement.
        """
        if _COLUMN.match(text) is None:
            for name in names:
                self._columns.pop(name, None)


def _arguments(text: str) -> list[str]:
    """The arguments of a call, apart from each other by the commas that are in no brackets."""
    bare = _QUOTED.sub(lambda found: "_" * len(found[0]), text)
    depth, last, found = 0, 0, []
    for at, sign in enumerate(bare):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            found.append(text[last:at])
            last = at + 1
    return [*found, text[last:]]
