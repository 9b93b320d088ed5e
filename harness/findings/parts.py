"""The statements of a chunk of R or Julia, by the grammar of its language."""

from __future__ import annotations

from harness.findings.flow import NotRead, Part
from harness.findings.julia_flow import julia_parts
from harness.findings.r_flow import r_parts

_READERS = {"r": r_parts, "julia": julia_parts}


def parts_of(code: str, language: str) -> tuple[Part, ...] | None:
    """Read the statements of code.

    Parameters
    ----------
    code, language : str
        Any number of statements, and ``r`` or ``julia``.

    Returns
    -------
    tuple of Part or None
        None where it cannot be read, or is of another language.
    """
    reader = _READERS.get(language)
    if reader is None:
        return None
    try:
        return reader(code)
    except NotRead:
        return None


def text_of(code: str, part: Part) -> str:
    """Return the lines of a statement."""
    return "\n".join(code.split("\n")[part.line - 1 : part.end_line])
