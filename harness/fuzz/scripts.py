"""What is found, as scripts that show it without the harness: one for each implementation."""

from __future__ import annotations

from pathlib import Path

from harness.conformance.cell_script import script_of, write
from harness.conformance.script_foreign import writer_of
from harness.errors import HarnessError
from harness.fuzz.finding import Finding
from harness.model import OF_A_STAGE, Cell


def write_scripts(finding: Finding, folder: Path) -> tuple[list[Path], list[str]]:
    """Write a script for each implementation that one can be written for, the accused one first.

    Parameters
    ----------
    finding : Finding
        What is shown: all call the stage on the same numbers, those that the reference returned before it.
    folder : Path
        Where to.

    Returns
    -------
    written : list of Path
        The scripts.
    missing : list of str
        Why there is none, by implementation.
    """
    judged = finding.judged
    accused = finding.accusation.implementation
    everybody = sorted(judged.planned.implementations, key=lambda i: i.id != accused)
    written, missing = [], []
    for implementation in everybody:
        cell = _cell(finding, implementation.id)
        if not writer_of(implementation, judged.planned.folder) or implementation.id not in judged.items:
            continue
        if cell is None:
            missing.append(f"{implementation.id}: nothing was compared")
            continue
        sample = finding.accusation.sample
        try:
            script = script_of(judged.planned, judged.sides(implementation.id), cell, sample)
            written.append(write(script, folder / implementation.id))
        except HarnessError as error:
            missing.append(f"{implementation.id}: {error.message}")
    return written, missing


def _cell(finding: Finding, implementation: str) -> Cell | None:
    """The cell of an implementation at the place of a finding: the accused one's own, or the like of it."""
    accused = finding.accusation.cell
    if implementation == finding.accusation.implementation:
        return accused
    cells = [
        cell
        for cell in finding.judged.evaluator.cells
        if (cell.implementation, cell.stage, cell.mode) == (implementation, accused.stage, accused.mode)
        and cell.check in OF_A_STAGE
    ]
    return min(cells, key=lambda cell: cell.check is not accused.check, default=None)
