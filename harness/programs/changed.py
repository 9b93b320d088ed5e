"""The change of a line with which two programs print the same, as the relation of two statements."""

from __future__ import annotations

from harness.programs.edits import Edit
from harness.programs.repairs import Repairs
from harness.programs.replace import Side
from harness.programs.units import Unit


def relation_of_change(
    sides: tuple[Side, Side], units: tuple[Unit, Unit], repairs: Repairs | None, *, look: bool = False
) -> str:
    """What put into one of two lines would make all that is printed agree; empty where nothing is known.

    Parameters
    ----------
    sides : tuple of Side
        The two programs.
    units : tuple of Unit
        What the two lines set.
    repairs : Repairs, optional
        The changes that were tried, and found to do so.
    look : bool
        Whether changes of these lines are tried, where none has been of any.
    """
    if repairs is None:
        return ""
    names = [side.recorded.program.path.name for side in sides]
    lines = [unit.site.line if unit.site.file == name else 0 for unit, name in zip(units, names, strict=True)]
    known = repairs.known
    if look and not known:
        likely = [{line: 1.0} if line else {} for line in lines]
        known = repairs.found((likely[0], likely[1]))
    best = next((one for one in known if one.line == lines[one.side]), None)
    return _said(best.edit, names[best.side]) if best is not None else ""


def _said(edit: Edit, name: str) -> str:
    old, new = edit.old.strip(" ,"), edit.new.strip(" ,")
    if not new:
        return f"without `{old}` in {name} all that is printed would agree"
    what = f"`{new}` for `{old}`" if old else f"`{new}` added"
    return f"with {what} in {name} all that is printed would agree"
