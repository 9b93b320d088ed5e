"""Variables of a Python program that hold what is written out: ``lam = 0.5``, and nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence


def constants_of(body: Sequence[ast.stmt]) -> dict[str, str]:
    """The variables that one statement sets, once, to what a literal or ``np.array([...])`` says; as text.

    What a later statement may change, by a method or as an argument of a call on its own, is left out.
    """
    found: dict[str, str] = {}
    sets: dict[str, int] = {}
    changed: set[str] = set()
    for node in body:
        for name, value in _pairs(node):
            if _is_written_out(value):
                found[name] = ast.unparse(value)
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
                sets[each.id] = sets.get(each.id, 0) + 1
            elif isinstance(each, (ast.Subscript, ast.Attribute)) and not isinstance(each.ctx, ast.Load):
                changed |= _names(each.value)
            elif isinstance(each, ast.Expr) and isinstance(each.value, ast.Call):
                changed |= _may_change(each.value)
    return {name: text for name, text in found.items() if sets[name] == 1 and name not in changed}


def _pairs(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The variables that a statement sets, each with its value."""
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
        yield node.target.id, node.value
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = zip(target.elts, value.elts, strict=False)
        yield from ((each.id, item) for each, item in pairs if isinstance(each, ast.Name))


def _is_written_out(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func).rpartition(".")[2]
        return name in ("array", "asarray") and len(node.args) == 1 and _is_written_out(node.args[0])
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _may_change(call: ast.Call) -> set[str]:
    """The variables that a call whose result nobody takes is made for; printing changes none."""
    if isinstance(call.func, ast.Attribute):
        owner = _names(call.func.value)
        return owner | {name for each in call.args for name in _names(each) if isinstance(each, ast.Name)}
    return set()


def _names(node: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
