"""Faults in the syntax tree of a Python file: NumPy's, PyTorch's or JAX's."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeGuard

from harness.audit.types import Change, InjectedFault

Edit = tuple[InjectedFault, ast.expr]
"""A fault, and the expression that it puts in place of another."""

_REDUCE = frozenset({"max", "amax"})
_AXES = frozenset({"axis", "dim"})
_ROUND_TO_SINGLE = "single_inside"
_NUMPY_HELPER = f"""

def {_ROUND_TO_SINGLE}(value):
    if hasattr(value, "worst"):  # it carries its rounding: no number to round
        return value
    array = np.asarray(value)
    rounded = array.astype("float32").astype("float64")
    if array.dtype == object:
        rounded = np.frompyfunc(type(array.flat[0]), 1, 1)(rounded)
    return rounded.view(type(value)) if isinstance(value, np.ndarray) else rounded
"""
_TORCH_HELPER = f"""

def {_ROUND_TO_SINGLE}(value):
    return value.float().double() if torch.is_tensor(value) else torch.tensor(value).float().item()
"""


_JAX_HELPER = f"""

def {_ROUND_TO_SINGLE}(value):
    import jax.numpy
    return jax.numpy.asarray(value).astype("float32").astype("float64")
"""
_HELPERS = {"import torch": _TORCH_HELPER, "import jax": _JAX_HELPER}
"""By what a file imports, the function that rounds."""


def changes(text: str) -> Iterator[Change]:
    """Every fault in every place of a file where it can be.

    Parameters
    ----------
    text : str
        The source.

    Yields
    ------
    Change
        The whole source with one fault.
    """
    tree = ast.parse(text)
    maxima = _maxima(tree)
    helper = next((helper for words, helper in _HELPERS.items() if words in text), _NUMPY_HELPER)
    for number, definition in enumerate(tree.body):
        name = _name(definition)
        if not name:
            continue
        for place, (node, inside) in enumerate(_expressions(definition, maxima)):
            for fault, new in _edits(node, inside):
                changed = copy.deepcopy(tree)
                target = _expressions(changed.body[number], maxima)[place][0]
                _Replace(target, new).visit(changed)
                source = ast.unparse(ast.fix_missing_locations(changed))
                if fault is InjectedFault.SINGLE_INSIDE:
                    source += helper
                yield Change(
                    fault=fault,
                    definition=name,
                    line=node.lineno,
                    was=ast.unparse(node),
                    now=ast.unparse(ast.fix_missing_locations(copy.deepcopy(new))),
                    text=source,
                )


def uses(text: str) -> Mapping[str, frozenset[str]]:
    """Return, by top-level definition, the names that it uses other than its arguments."""
    by_definition: dict[str, frozenset[str]] = {}
    for definition in ast.parse(text).body:
        name = _name(definition)
        if name:
            names = {node.id for node in ast.walk(definition) if isinstance(node, ast.Name)}
            if isinstance(definition, ast.FunctionDef):
                names -= {argument.arg for argument in definition.args.args}
            by_definition[name] = by_definition.get(name, frozenset()) | names
    return by_definition


def _name(definition: ast.stmt) -> str:
    if isinstance(definition, (ast.FunctionDef, ast.ClassDef)):
        return definition.name
    if isinstance(definition, ast.Assign) and isinstance(definition.targets[0], ast.Name):
        return definition.targets[0].id
    return ""


def _maxima(tree: ast.AST) -> frozenset[str]:
    """The names of a file whose value is a maximum, by an assignment or by what a function returns.

    A stage's parameters have the names of the stages that give them their values.
    """

    def is_maximum(value: ast.AST | None) -> bool:
        called = {_called(node) for node in ast.walk(value)} if value is not None else set()
        return bool(called & _REDUCE) and "exp" not in called

    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            returns = [inner.value for inner in ast.walk(node) if isinstance(inner, ast.Return)]
            names |= {node.name} if any(map(is_maximum, returns)) else set()
        elif isinstance(node, ast.Assign) and is_maximum(node.value):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(names)


class _Inside:
    """The surroundings of an expression; ``maxima`` are the names in its file whose value is a maximum."""

    def __init__(
        self,
        maxima: frozenset[str],
        *,
        exponent: bool = False,
        axis: bool = False,
        returned: bool = False,
        shift: bool = False,
    ) -> None:
        self.maxima = maxima
        self.exponent = exponent
        self.axis = axis
        self.returned = returned
        self.shift = shift


def _expressions(definition: ast.stmt, maxima: frozenset[str]) -> list[tuple[ast.expr, _Inside]]:
    """Every expression that computes, with what it stands in; in the same order for the same source."""
    expressions: list[tuple[ast.expr, _Inside]] = []

    def walk(node: ast.AST, inside: _Inside) -> None:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        if isinstance(node, (ast.arguments, ast.AnnAssign)):
            return
        if isinstance(node, ast.expr):
            expressions.append((node, inside))
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if (
                    isinstance(child, ast.keyword)
                    and child.arg in ("axis", "dim")
                    and _is_number(child.value)
                ):
                    expressions.append((child.value, _Inside(maxima, axis=True, shift=inside.shift)))
                elif isinstance(child, ast.AST):
                    exponent = field == "args" and _called(node) == "exp"
                    walk(
                        child,
                        _Inside(
                            maxima,
                            exponent=exponent or (inside.exponent and isinstance(node, ast.BinOp)),
                            returned=isinstance(node, ast.Return),
                            shift=inside.shift or _shifts(node, field, inside),
                        ),
                    )

    walk(definition, _Inside(maxima))
    return expressions


def _edits(node: ast.expr, inside: _Inside) -> Iterator[Edit]:
    for rule in _RULES:
        for fault, new in rule(node, inside):
            yield fault, copy.deepcopy(new)


def _scale(node: ast.expr, inside: _Inside) -> Iterator[Edit]:
    if isinstance(node, ast.Call) and _called(node) == "sqrt":
        yield InjectedFault.SCALE, node.args[0]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and _number(node.right) == 0.5:
        yield InjectedFault.SCALE, node.left


def _axis(node: ast.expr, inside: _Inside) -> Iterator[Edit]:
    # Softmax is the same for many shifts, so a wrong shift shows by overflow only.
    fault = InjectedFault.MAXIMUM if inside.shift else InjectedFault.AXIS
    if inside.axis and isinstance(node, ast.Constant):
        yield fault, ast.Constant(_number(node) - 1 if _number(node) else 1)
    if inside.axis and isinstance(node, ast.UnaryOp):
        yield fault, ast.UnaryOp(ast.USub(), ast.Constant(2 if _number(node.operand) == 1 else 1))


_NAIVE = {
    "torch.softmax": "torch.exp({0}) / torch.exp({0}).sum({1}, keepdim=True)",
    "jax.nn.softmax": "jax.numpy.exp({0}) / jax.numpy.exp({0}).sum({1}, keepdims=True)",
}
"""Softmax as exp over a sum, by the function that computes it."""


def _maximum(node: ast.expr, inside: _Inside) -> Iterator[Edit]:
    if inside.exponent and _less_maximum(node, inside.maxima):
        yield InjectedFault.MAXIMUM, node.left
        # A softmax does not depend on a shift of its argument, as long as nothing overflows.
        yield InjectedFault.MAXIMUM, ast.BinOp(left=node.left, op=ast.Add(), right=node.right)
    if inside.shift and not inside.exponent and _called(node) in _REDUCE:
        yield InjectedFault.MAXIMUM, ast.Constant(0)
    if isinstance(node, ast.Call) and (naive := _NAIVE.get(ast.unparse(node.func))):
        given = [*node.keywords[:1], *node.args[1:]]
        axis = ast.unparse(given[0]) if given else "-1"
        argument = ast.unparse(_Unshifted(inside.maxima).visit(copy.deepcopy(node.args[0])))
        yield InjectedFault.MAXIMUM, ast.parse(naive.format(argument, axis), mode="eval").body


def _less_maximum(node: ast.expr, maxima: frozenset[str]) -> TypeGuard[ast.BinOp]:
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Sub)
        and (_called(node.right) in _REDUCE or _identifier(node.right) in maxima)
    )


def _shifts(node: ast.AST, field: str, inside: _Inside) -> bool:
    """Whether a field of a node is the maximum that is subtracted."""
    if isinstance(node, ast.AugAssign):
        return field == "value" and isinstance(node.op, ast.Sub) and _called(node.value) in _REDUCE
    if field != "right" or not inside.exponent or not isinstance(node, ast.expr):
        return False
    return _less_maximum(node, inside.maxima)


class _Unshifted(ast.NodeTransformer):
    """Drops every maximum that is subtracted."""

    def __init__(self, maxima: frozenset[str]) -> None:
        self.maxima = maxima

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return node.left if _less_maximum(node, self.maxima) else node


def _bias(node: ast.expr, inside: _Inside) -> Iterator[Edit]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _product(node.left):
        yield InjectedFault.BIAS, node.left
    if isinstance(node, ast.Call) and _called(node) == "linear" and len(node.args) == 3:
        yield InjectedFault.BIAS, ast.Call(func=node.func, args=node.args[:2], keywords=[])


def _single(node: ast.expr, inside: _Inside) -> Iterator[Edit]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.MatMult, ast.Div)):
        yield InjectedFault.SINGLE_INSIDE, ast.BinOp(left=_as_single(node.left), op=node.op, right=node.right)
    elif isinstance(node, ast.Call) and _called(node) in ("exp", "log", "softmax", "linear") and node.args:
        args = [_as_single(node.args[0]), *node.args[1:]]
        yield InjectedFault.SINGLE_INSIDE, ast.Call(func=node.func, args=args, keywords=node.keywords)
    elif inside.returned and not isinstance(node, ast.Tuple):
        yield InjectedFault.SINGLE_INSIDE, _as_single(node)


def _transpose(node: ast.expr, inside: _Inside) -> Iterator[Edit]:
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield InjectedFault.TRANSPOSE_REMOVED, node.value
    if isinstance(node, ast.Call) and _called(node) in ("swapaxes", "transpose", "permute"):
        whole = isinstance(node.func, ast.Name) or ast.unparse(node.func).startswith(
            ("np.", "torch.", "jnp.")
        )
        if whole:
            yield InjectedFault.TRANSPOSE_REMOVED, node.args[0]
        elif isinstance(node.func, ast.Attribute):
            yield InjectedFault.TRANSPOSE_REMOVED, node.func.value


def _sign(node: ast.expr, inside: _Inside) -> Iterator[Edit]:
    other: dict[type[ast.operator], ast.operator] = {ast.Add: ast.Sub(), ast.Sub: ast.Add()}
    shift = inside.exponent and _less_maximum(node, inside.maxima)
    if isinstance(node, ast.BinOp) and type(node.op) in other and not shift:
        yield InjectedFault.SIGN, ast.BinOp(left=node.left, op=other[type(node.op)], right=node.right)


def _constant(node: ast.expr, inside: _Inside) -> Iterator[Edit]:
    if not inside.axis and isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield InjectedFault.CONSTANT, ast.Constant(_number(node) + 1)


_RULES: tuple[Callable[[ast.expr, _Inside], Iterator[Edit]], ...] = (
    *(_scale, _axis, _maximum, _bias, _single, _transpose, _sign, _constant),
)


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old = old
        self.new = new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def _called(node: ast.AST) -> str:
    """Return the last name of the called function; empty if the node is no call."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else _identifier(node.func)


def _identifier(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _number(node: ast.AST) -> Any:
    """Return the number that a literal expression stands for; None if it is no number."""
    return node.value if isinstance(node, ast.Constant) and type(node.value) in (int, float) else None


def _is_number(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def _product(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)


def _as_single(node: ast.expr) -> ast.expr:
    return ast.Call(func=ast.Name(_ROUND_TO_SINGLE, ast.Load()), args=[node], keywords=[])
