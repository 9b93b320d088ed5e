"""The functions of a Python file, and the calls of its main program; parsed, never run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.authoring.constants import constants_of
from harness.authoring.left_out import behind, inner_names, left_out
from harness.authoring.sources import MAIN, Argument, Block, Call, Function, Passed, Source
from harness.errors import UsageError
from harness.sessions.statements import python_statements

_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def read_python(path: Path, text: str) -> Source:
    """Read a Python file.

    Raises
    ------
    UsageError
        It is not Python, with the line.
    """
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise UsageError(f"is not Python: {error.msg}", path=path, line=error.lineno) from error
    # Of a name that is defined twice the last definition counts.
    last = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    defined = sorted(last.values(), key=lambda node: node.lineno)
    names = {node.name for node in defined}
    statements = list(python_statements(0, text))
    top = [node for node in tree.body if not isinstance(node, _LOOPS)]
    return Source(
        path=path,
        runtime="torch" if _imports(tree, "torch") else "numpy",
        text=text,
        functions=tuple(_function(node) for node in defined),
        blocks=(_block(MAIN, top, names), *(_block(node.name, node.body, names) for node in defined)),
        inner=inner_names(statements) | behind(statements, _decorators(tree)),
        left_out=left_out(text, statements),
    )


def _decorators(tree: ast.Module) -> set[str]:
    """What stands after an @: a function there is applied to functions, and is no stage."""
    return {
        inside.id
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        for decorator in node.decorator_list
        for inside in ast.walk(decorator)
        if isinstance(inside, ast.Name)
    }


def _imports(tree: ast.Module, module: str) -> bool:
    names = [
        alias.name if isinstance(node, ast.Import) else node.module or ""
        for node in tree.body
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    ]
    return any(name.partition(".")[0] == module for name in names)


def _function(node: ast.FunctionDef) -> Function:
    given = [*node.args.posonlyargs, *node.args.args]
    first_default = len(given) - len(node.args.defaults)
    keys = _keys(node)
    defaults: list[ast.expr | None] = [None] * first_default + list(node.args.defaults)
    arguments = [
        Argument(
            name=arg.arg, optional=default is not None, keys=keys.get(arg.arg, ()), default=_text(default)
        )
        for arg, default in zip(
            [*given, *node.args.kwonlyargs], [*defaults, *node.args.kw_defaults], strict=True
        )
    ]
    value = next((each.value for each in reversed(list(_returns(node.body)))), None)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "dict":
        names = [each.arg for each in value.keywords]
        if not value.args and names and all(names):
            return _keyed(node, arguments, [name for name in names if name])
    returns: tuple[str, ...] = ("",)
    keyed = False
    if isinstance(value, ast.Name):
        returns = (value.id,)
    elif isinstance(value, ast.Tuple):
        returns = tuple(item.id if isinstance(item, ast.Name) else "" for item in value.elts)
    elif isinstance(value, ast.Dict) and all(
        isinstance(key, ast.Constant) and isinstance(key.value, str) for key in value.keys
    ):
        returns = tuple(str(key.value) for key in value.keys if isinstance(key, ast.Constant))
        keyed = True
    return Function(
        name=node.name, line=node.lineno, arguments=tuple(arguments), returns=returns, keyed=keyed
    )


def _text(node: ast.expr | None) -> str:
    return "" if node is None else ast.unparse(node)


def _keyed(node: ast.FunctionDef, arguments: Sequence[Argument], names: Sequence[str]) -> Function:
    return Function(
        name=node.name, line=node.lineno, arguments=tuple(arguments), returns=tuple(names), keyed=True
    )


def _keys(node: ast.FunctionDef) -> dict[str, tuple[str, ...]]:
    """What a function takes of its arguments: ``model["beta"]``, ``model.get("beta")``, ``model.beta``."""
    found: dict[str, dict[str, None]] = {}
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            found.setdefault(each.value.id, {})[f".{each.attr}"] = None
        if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Load):
            owner, taken = each.value, each.slice
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.args:
            owner, taken = each.func.value, each.args[0] if each.func.attr == "get" else each
        else:
            continue
        is_text = isinstance(taken, ast.Constant) and isinstance(taken.value, str)
        if isinstance(owner, ast.Name) and isinstance(taken, ast.Constant) and is_text:
            found.setdefault(owner.id, {})[str(taken.value)] = None
    return {name: tuple(keys) for name, keys in found.items()}


def _returns(body: Sequence[ast.stmt]) -> Iterator[ast.Return]:
    for node in body:
        if isinstance(node, ast.Return):
            yield node
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for name in ("body", "orelse", "finalbody"):
                yield from _returns(getattr(node, name, []))


class _Calls:
    """Collects the calls of a file's own functions, in the order in which they are made."""

    def __init__(self, names: set[str]) -> None:
        self.names = names
        self.calls: list[Call] = []
        self.only_calls = True

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, _LOOPS):
            self.only_calls = False
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if node.value is not None:
                self._value(node.value, _targets(target))
        elif isinstance(node, (ast.Return, ast.Expr)):
            texts = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
            if node.value is not None and not texts:
                self._value(node.value, ())
        elif isinstance(node, (ast.If, ast.With)):
            self.only_calls = False
            for each in node.body:
                self.statement(each)
        elif not isinstance(node, (ast.Import, ast.ImportFrom)):
            self.only_calls = False

    def _value(self, node: ast.expr, targets: tuple[str, ...]) -> None:
        if self._is_own(node):
            self._call(node, targets)  # type: ignore[arg-type]
            return
        if not isinstance(node, ast.Name) and not (
            isinstance(node, ast.Tuple) and all(isinstance(item, ast.Name) for item in node.elts)
        ):
            self.only_calls = False
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._value(child, ())
            elif isinstance(child, ast.keyword):
                self._value(child.value, ())

    def _is_own(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self.names

    def _call(self, node: ast.Call, targets: tuple[str, ...]) -> str:
        passed = [self._passed(argument, "") for argument in node.args]
        passed += [self._passed(each.value, each.arg or "**") for each in node.keywords]
        assert isinstance(node.func, ast.Name)
        targets = targets or (f"#{len(self.calls)}",)
        self.calls.append(
            Call(function=node.func.id, line=node.lineno, targets=targets, passed=tuple(passed))
        )
        return targets[0]

    def _passed(self, node: ast.expr, keyword: str) -> Passed:
        if isinstance(node, ast.Name):
            return Passed(kind="name", text=node.id, keyword=keyword)
        if self._is_own(node):
            return Passed(kind="name", text=self._call(node, ()), keyword=keyword)  # type: ignore[arg-type]
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            item = node.slice
            if isinstance(item, ast.Constant) and isinstance(item.value, (str, int)):
                return Passed(kind="item", text=node.value.id, item=str(item.value), keyword=keyword)
        self._value(node, ())
        text = ast.unparse(node)
        try:
            number = ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError):
            return Passed(kind="other", text=text, keyword=keyword)
        is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
        return Passed(kind="number" if is_number else "other", text=text, keyword=keyword)


def _targets(target: ast.expr) -> tuple[str, ...]:
    if isinstance(target, ast.Name):
        return (target.id,)
    if isinstance(target, ast.Tuple) and all(isinstance(item, ast.Name) for item in target.elts):
        return tuple(item.id for item in target.elts if isinstance(item, ast.Name))
    return ()


def _block(name: str, body: Sequence[ast.stmt], names: set[str]) -> Block:
    found = _Calls(names)
    for node in body:
        found.statement(node)
    return Block(
        name=name,
        calls=tuple(found.calls),
        only_calls=found.only_calls and bool(found.calls),
        constants=constants_of(_flat(body)),
    )


def _flat(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Statements with those inside of ``if __name__`` and ``with``."""
    found: list[ast.stmt] = []
    for node in body:
        is_main = isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)
        if is_main or isinstance(node, ast.With):
            found += _flat(node.body)  # type: ignore[attr-defined]
        else:
            found.append(node)
    return found
