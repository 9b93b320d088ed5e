"""Files of a case that are named almost as an implementation is, and that nobody would read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from harness.errors import CaseError

_LABEL = re.compile(r"(\.[A-Za-z0-9][A-Za-z0-9_-]*)?")


class _Ending(NamedTuple):
    """Another ending that files of a language have."""

    language: str
    read: str
    """The ending that is read."""
    which: str
    advice: str


_FORTRAN = ("Fortran", ".f90", "only .f90 is, in free form")
_CPP = ("C++", ".cpp", "only .cpp is")
_JS = ("JavaScript", ".mjs", "only .mjs is, a module with exports")
_OTHERS = {
    **dict.fromkeys((".f", ".for", ".ftn", ".f77", ".F"), _Ending(*_FORTRAN, "put it into free form, as {}")),
    **dict.fromkeys(
        (".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08"), _Ending(*_FORTRAN, "call it {}")
    ),
    **dict.fromkeys((".cc", ".cxx", ".C", ".c++", ".CPP"), _Ending(*_CPP, "call it {}")),
    ".js": _Ending(*_JS, "call it {}"),
    ".cjs": _Ending(*_JS, "write it as a module, whose functions have export before them, as {}"),
    **dict.fromkeys((".ts", ".mts"), _Ending(*_JS, "have it compiled to {}")),
    ".r": _Ending("R", ".R", "only .R is", "call it {}"),
}


def is_named(path: Path, case: str, suffix: str) -> bool:
    """Whether a file is called ``{case}{suffix}`` or ``{case}.{label}{suffix}``, as implementations are."""
    name = path.name
    inside = name.startswith(case) and name.endswith(suffix) and len(name) >= len(case) + len(suffix)
    return inside and _LABEL.fullmatch(name[len(case) : len(name) - len(suffix)]) is not None


def refuse_no_file(path: Path) -> None:
    """Refuse what is called as an implementation and is none: a link to nothing, a folder.

    Raises
    ------
    CaseError
        It says which.
    """
    if path.is_file():
        return
    if path.is_symlink() and not path.exists():
        what, advice = f"is a link to {path.readlink()}, which is not there", "mend the link, or remove it"
    else:
        what = f"is {'a folder' if path.is_dir() else 'no file'}, and is called as an implementation is"
        advice = "give it another name"
    raise CaseError(what, path=path, advice=advice)


def refuse_unread(case: str, others: Iterable[Path], read: Sequence[Path]) -> None:
    """Refuse a file with an ending of a language that is not the one that is read.

    It may lie beside the file of the same name that is read, and beside one that names it, in an include.

    Parameters
    ----------
    case : str
        The case's name.
    others : iterable of Path
        Files that are of no runtime.
    read : sequence of Path
        The implementations.

    Raises
    ------
    CaseError
        It says what to do about the file.
    """
    for path in sorted(others):
        ending = _OTHERS.get(path.suffix)
        if ending is None or not is_named(path, case, path.suffix):
            continue
        beside = [each for each in read if each.suffix == ending.read]
        used = any(each.stem == path.stem or path.name.encode() in each.read_bytes() for each in beside)
        # What is called b.test.js or b.d.ts beside b.mjs is no implementation.
        if used or (beside and ending.read == ".mjs"):
            continue
        what = f"is not read: of {ending.language}'s endings {ending.which}"
        raise CaseError(what, path=path, advice=ending.advice.format(path.stem + ending.read))
