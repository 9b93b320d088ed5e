"""Mutations of the constants of modules, which mutmut leaves out: it changes the bodies of functions."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_NAME = re.compile(r"_?[A-Z][A-Z0-9_]*")


class Constant(NamedTuple):
    """One change of a constant: the file's whole new text, and what was there and is now."""

    file: str
    name: str
    old: str
    new: str
    text: str


def constants(root: Path, file: str) -> Iterator[Constant]:
    """Every change of a file's constants: a number moved, a string changed, a member left out."""
    text = (root / file).read_text(encoding="utf-8")
    # Columns of the syntax tree count bytes.
    lines = text.encode().splitlines(keepends=True)
    starts = [sum(len(line) for line in lines[:place]) for place in range(len(lines))]
    for statement in ast.parse(text).body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        names = [
            target.id for target in targets if isinstance(target, ast.Name) and _NAME.fullmatch(target.id)
        ]
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        if not names or value is None:
            continue
        for node in ast.walk(value):
            for new in _changed(node):
                begin = starts[node.lineno - 1] + node.col_offset
                end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
                raw = text.encode()
                changed = (raw[:begin] + new.encode() + raw[end:]).decode()
                old = " ".join(raw[begin:end].decode().split())
                yield Constant(file, names[0], old, new, changed)


def survives(root: Path, constant: Constant, tests: Sequence[str], options: Sequence[str]) -> bool:
    """Whether the tests pass with a constant changed in a copy of the project."""
    path = root / constant.file
    before = path.read_bytes()
    path.write_text(constant.text, encoding="utf-8")
    try:
        return passes(root, tests, options, PYTHONDONTWRITEBYTECODE="1")
    except subprocess.TimeoutExpired:
        return False
    finally:
        path.write_bytes(before)


def passes(root: Path, tests: Sequence[str], options: Sequence[str], **variables: str) -> bool:
    """Whether the tests pass in a copy of the project; what is compiled for it is kept for the next time."""
    env = os.environ | {"PYTHONPATH": str(root.resolve())} | variables
    command = [sys.executable, "-m", "pytest", *options, *tests]
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, timeout=900, check=False)
    return done.returncode == 0


def _changed(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, str):
            yield repr(f"XX{value}XX")
        elif isinstance(value, float):
            yield repr(0.75 * value)
        elif isinstance(value, int) and not isinstance(value, bool):
            yield repr(value + 1)
    elif isinstance(node, ast.Set | ast.Tuple | ast.List) and len(node.elts) > 1:
        marks = {ast.Set: "{}", ast.Tuple: "()", ast.List: "[]"}[type(node)]
        for left_out in node.elts:
            kept = [ast.unparse(element) for element in node.elts if element is not left_out]
            yield f"{marks[0]}{', '.join(kept)},{marks[1]}"
    elif isinstance(node, ast.Dict) and len(node.keys) > 1:
        for place in range(len(node.keys)):
            kept_keys = [*node.keys[:place], *node.keys[place + 1 :]]
            kept_values = [*node.values[:place], *node.values[place + 1 :]]
            yield ast.unparse(ast.Dict(keys=kept_keys, values=kept_values))
