"""What each line of a program computes, as a tree that no layout, module or order of terms changes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence

from harness.programs.names import operations
from harness.programs.recorders.python_syntax import dotted

Tree = tuple[object, ...]
"""What is done and to what; of a leaf, ``name``, ``number`` or ``text``, and which."""

LEAVES = frozenset({"name", "number", "text", "constant"})
_COMMUTE = frozenset({"+", "*", "and", "or", "==", "!=", "&", "|"})
_TURNED = {">": "<", ">=": "<="}
_SYMBOLS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@", ast.Mod: "%",
    ast.FloorDiv: "//", ast.USub: "neg", ast.Not: "not", ast.Invert: "not", ast.BitAnd: "and",
    ast.BitOr: "or", ast.And: "and", ast.Or: "or", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_FILLING = frozenset({"append", "add", "push!"})
_UNREAD: Tree = ("?",)


def statements(language: str, lines: Sequence[str]) -> dict[int, list[Tree]]:
    """What the statements that begin at each line compute; nothing, where they cannot be read.

    Parameters
    ----------
    language : str
        Of the program.
    lines : sequence of str
        Of the program.
    """
    if language != "python":
        return {}
    try:
        return _Python(ast.parse("\n".join(lines))).found
    except (SyntaxError, ValueError, RecursionError):
        return {}


def applied(name: str, children: Iterable[Tree]) -> Tree:
    """An operator or function applied to something, in the one way in which it is written here."""
    made = list(children)
    head = next(iter(operations([name])), "")
    if not head and len(made) == 1:
        # A conversion.
        return made[0]
    head = head or name
    if head in _TURNED:
        head, made = _TURNED[head], made[::-1]
    if head in _COMMUTE:
        made = [inner for child in made for inner in (child[1:] if child[0] == head else (child,))]  # type: ignore[misc]
        made.sort(key=repr)
    return (head, *made)


class _Python:
    def __init__(self, module: ast.Module) -> None:
        self.found: dict[int, list[Tree]] = {}
        self._modules = {
            (name.asname or name.name).partition(".")[0]
            for node in ast.walk(module) if isinstance(node, (ast.Import, ast.ImportFrom))
            for name in node.names
        }  # fmt: skip
        for node in ast.walk(module):
            if isinstance(node, ast.stmt) and (tree := self._of_statement(node)) is not None:
                self.found.setdefault(node.lineno, []).append(tree)

    def _of_statement(self, node: ast.stmt) -> Tree | None:
        match node:
            case ast.Assign(value=ast.expr() as value) | ast.AnnAssign(value=ast.expr() as value):
                return self._of(value)
            case ast.AugAssign(op=ast.Add(), value=value):
                return applied("sum", [self._of(value)])
            case ast.AugAssign(op=op, value=value):
                return applied(_SYMBOLS.get(type(op), "?") + "=", [self._of(value)])
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=[value])) if name in _FILLING:
                return self._of(value)
            case ast.Return(value=ast.expr() as value) | ast.Expr(value=value):
                return self._of(value)
            case ast.If(test=test) | ast.While(test=test):
                return self._of(test)
            case _:
                return None

    def _of(self, node: ast.AST) -> Tree:
        of = self._of
        match node:
            case ast.Constant(value=bool() | int() | float() as value):
                return ("number", float(value))
            case ast.Constant(value=value):
                return ("text", repr(value))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return ("number", -float(value))
            case ast.Name(id=name):
                return ("name", name)
            case ast.Attribute(attr=name):
                whole = dotted(node)
                if whole and whole.partition(".")[0] in self._modules:
                    return ("constant", name)
                return ("name", whole) if whole else applied("." + name, [of(node.value)])
            case ast.Subscript(value=value, slice=ast.Constant(value=str())) if dotted(value):
                return ("name", ast.unparse(node))
            case ast.Subscript(value=value, slice=index):
                parts = index.elts if isinstance(index, ast.Tuple) else [index]
                if all(_goes_through(part) for part in parts):
                    # An element in a loop, or all of them at once.
                    return of(value)
                return ("[", of(value), *map(of, parts))
            case ast.BinOp(left=left, op=op, right=right):
                return applied(_SYMBOLS.get(type(op), "?"), [of(left), of(right)])
            case ast.UnaryOp(op=op, operand=operand):
                return applied(_SYMBOLS.get(type(op), "+"), [of(operand)])
            case ast.BoolOp(op=op, values=values):
                return applied(_SYMBOLS[type(op)], map(of, values))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return applied(_SYMBOLS.get(type(op), type(op).__name__), [of(left), of(right)])
            case ast.Call(func=func, args=args, keywords=keywords):
                named = sorted(((f"{one.arg}=", of(one.value)) for one in keywords), key=repr)
                given: list[Tree] = [*map(of, args), *named]
                if isinstance(func, ast.Attribute) and dotted(func).partition(".")[0] not in self._modules:
                    # What is before the dot is the first argument.
                    given.insert(0, of(func.value))
                name = func.attr if isinstance(func, ast.Attribute) else dotted(func)
                return applied(name or "?", given)
            case ast.GeneratorExp(elt=element) | ast.ListComp(elt=element):
                return of(element)
            case ast.Slice(lower=lower, upper=upper, step=step):
                return (":", *(of(one) if one is not None else _UNREAD for one in (lower, upper, step)))
            case _:
                return (type(node).__name__, *map(of, ast.iter_child_nodes(node)))


def _goes_through(index: ast.expr) -> bool:
    return (
        isinstance(index, ast.Name)
        or (isinstance(index, ast.Constant) and index.value is None)
        or (isinstance(index, ast.Slice) and index.lower is index.upper is index.step is None)
    )


def renamed(tree: Tree, name_of: Callable[[str], str]) -> Tree:
    """The same tree with other names, in the order that these have."""
    if tree[0] == "name":
        return ("name", name_of(str(tree[1])))
    if tree[0] in LEAVES:
        return tree
    children: list[Tree] = [renamed(child, name_of) for child in tree[1:]]  # type: ignore[arg-type]
    return (tree[0], *(sorted(children, key=repr) if tree[0] in _COMMUTE else children))


def labels(tree: Tree) -> list[Tree]:
    """All that a tree does, and to what, whatever is under what."""
    if tree[0] in LEAVES:
        return [tree]
    return [(tree[0],), *(label for child in tree[1:] for label in labels(child))]  # type: ignore[arg-type]
