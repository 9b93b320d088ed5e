"""What `harness adopt` says, as text and as an object."""

from __future__ import annotations

from typing import Any

from harness.adoption.adopt import Adopted, AdoptedStage
from harness.report.text import counted


def as_text(adopted: Adopted, command: str) -> str:
    """What was made, from what, and what was left out; the command that runs it last."""
    lines = [f"{adopted.said.outcome}: {adopted.said.sentence}"]
    lines += [f"input {each.name}: {_both(each)}" for each in adopted.inputs]
    lines += [f"stage {each.name}({', '.join(each.inputs)}): {_both(each)}" for each in adopted.stages]
    lines += [f"left out: {each.text}" for each in adopted.left]
    lines += [f"written: {path}" for path in adopted.paths]
    made = f"{counted(len(adopted.stages), 'stage')} of {counted(len(adopted.inputs), 'input')}"
    lines += [f"{adopted.name}: {made}"]
    if adopted.missing:
        lines += [f"warning: {adopted.missing}"]
    lines += [f"next: {command}"]
    return "\n".join(lines)


def as_object(adopted: Adopted, command: str) -> dict[str, Any]:
    """The same as an object for JSON."""
    return {
        "case": adopted.name,
        "outcome": str(adopted.said.outcome),
        "inputs": [_object(each) for each in adopted.inputs],
        "stages": [_object(each) | {"inputs": list(each.inputs)} for each in adopted.stages],
        "left_out": [
            {"name": each.what, "file": each.file, "line": each.line, "why": each.why}
            for each in adopted.left
        ],
        "missing": adopted.missing,
        "written": [str(path) for path in adopted.paths],
        "command": command,
    }


def _both(each: AdoptedStage) -> str:
    layout = "" if each.layout == "same" else f", {each.layout}"
    return f"{each.a} and {each.b}{layout}"


def _object(each: AdoptedStage) -> dict[str, Any]:
    return {"name": each.name, "a": each.a, "b": each.b, "layout": each.layout}
