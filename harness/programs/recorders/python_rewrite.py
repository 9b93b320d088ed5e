"""A Python program's syntax tree, rewritten so that every statement records what it sets.

Values pass through a function that records them and returns them as they are, or, where a plan says so, what
another program had there. Names of hooks have one leading underscore: two would be mangled in classes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SHOWING = frozenset({"print", "format", "round", "str", "repr", "write", "info"})
_OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@", ast.Mod: "%",
    ast.FloorDiv: "//", ast.USub: "neg", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==",
    ast.NotEq: "!=", ast.And: "and", ast.Or: "or", ast.Not: "not",
}  # fmt: skip


class Site(NamedTuple):
    """A place of the program at which values are recorded."""

    number: int
    line: int
    kind: str
    name: str
    function: str
    reads: tuple[str, ...]
    operators: tuple[str, ...]
    control: tuple[int, ...]


class Rewriter:
    """Rewrites one file.

    Parameters
    ----------
    add : callable
        Takes the fields of a site except its number; returns its number.
    planned : collection of int
        Sites whose value is replaced: these also write back what they read after the statement.
    """

    def __init__(
        self, add: Callable[[int, str, str, str, ast.AST | None, Sequence[int]], int], planned: Iterable[int]
    ) -> None:
        self._add = add
        self._planned = frozenset(planned)
        self._function = ""
        self._control: list[int] = []
        self._loops = 0
        self._elements: dict[str, int] = {}
        self._globals: set[str] = set()

    def module(self, tree: ast.Module) -> ast.Module:
        """Rewrite a whole file, in place."""
        tree.body = self._body(tree.body)
        return ast.fix_missing_locations(tree)

    # ---- statements ----------------------------------------------------------------------------------

    def _body(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in body:
            out += self._statement(statement)
        return out

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._a_function(node)
            case ast.ClassDef():
                node.body = self._body_of_class(node)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                return self._assignment(node)
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._loop(node)
            case ast.If():
                node.test = self._test(node.test, node)
                self._under(node.test, node.body, node)
                self._under(node.test, node.orelse, node)
            case ast.Return() if node.value is not None:
                reads = node.value
                self._expressions(node)
                site = self._site(node, "return", self._function or "return", reads)
                node.value = self._call("_hr_ret", site, node.value)
            case ast.Expr():
                return self._bare(node)
            case ast.With() | ast.AsyncWith():
                self._expressions_of(node.items)
                node.body = self._body(node.body)
            case ast.Try():
                node.body = self._body(node.body)
                node.orelse = self._body(node.orelse)
                node.finalbody = self._body(node.finalbody)
                for handler in node.handlers:
                    handler.body = self._body(handler.body)
            case ast.Match():
                for case in node.cases:
                    case.body = self._body(case.body)
            case _:
                pass
        return [node]

    def _body_of_class(self, node: ast.ClassDef) -> list[ast.stmt]:
        for statement in node.body:
            if isinstance(statement, _FUNCTIONS):
                self._a_function(statement)
        return node.body

    def _a_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        outer = self._function, self._control, self._loops, self._elements, self._globals
        self._function, self._control, self._loops, self._elements = node.name, [], 0, {}
        self._globals = {
            name for inner in ast.walk(node) if isinstance(inner, ast.Global) for name in inner.names
        }
        arguments = node.args
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        head: list[ast.stmt] = [self._set("_hr_f", self._call0("_hr_enter"))]
        for argument in named:
            if argument.arg not in ("self", "cls"):
                site = self._site(node, "param", argument.arg, None)
                head.append(self._record(site, ast.Name(argument.arg, ast.Load()), argument.arg))
        start = 0
        body = node.body
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            start = 1
        while start < len(body) and isinstance(body[start], (ast.Global, ast.Nonlocal)):
            start += 1
        rest = self._body(body[start:])
        tail: list[ast.stmt] = []
        if rest and not isinstance(rest[-1], (ast.Return, ast.Raise)):
            tail = [ast.Expr(self._call0("_hr_leave", ast.Name("_hr_f", ast.Load())))]
        node.body = [*body[:start], *head, *rest, *tail]
        for item in node.body:
            ast.copy_location(item, node) if not hasattr(item, "lineno") else None
        self._function, self._control, self._loops, self._elements, self._globals = outer

    def _assignment(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> list[ast.stmt]:
        if node.value is None:
            return [node]
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        value, reads = node.value, _read_by(node, targets)
        simple = len(targets) == 1 and not isinstance(node, ast.AugAssign)
        name = _dotted(targets[0]) if simple else ""
        wrapped = self._mutated_by_calls(node)
        if isinstance(value, ast.Lambda) and name:
            self._a_lambda(value, name)
            return [node]
        self._expressions(node)
        assert node.value is not None
        if simple and name:
            site = self._site(node, "set", name, reads)
            node.value = self._call("_hr", site, node.value)
            return [node, *wrapped]
        if simple and isinstance(targets[0], ast.Subscript):
            root = _dotted(_root(targets[0]))
            if root:
                site = self._site(node, "element", f"{root}[]", reads)
                node.value = self._call("_hr", site, node.value)
                return [node, *self._container(node, root), *wrapped]
            return [node]
        after: list[ast.stmt] = []
        for target in (name for one in targets for name in _leaves(one)):
            dotted = _dotted(target)
            if dotted:
                site = self._site(node, "set", dotted, reads)
                after.append(self._record(site, _load(target), dotted))
            elif isinstance(target, ast.Subscript) and (root := _dotted(_root(target))):
                if _is_plain_index(target):
                    site = self._site(node, "element", f"{root}[]", reads)
                    after.append(self._record(site, _load(target), "", target))
                after += self._container(node, root)
        return [node, *after, *wrapped]

    def _container(self, node: ast.stmt, root: str) -> list[ast.stmt]:
        site = self._site(node, "container", root, getattr(node, "value", node))
        if self._loops:
            self._elements[root] = site
            return []
        return [self._record(site, _parse(root), root)]

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> list[ast.stmt]:
        head: list[ast.stmt] = []
        if isinstance(node, ast.While):
            if not (isinstance(node.test, ast.Constant)):
                node.test = self._test(node.test, node)
            site = -1
        else:
            sites = []
            for leaf in _leaves(node.target):
                dotted = _dotted(leaf)
                if dotted and dotted != "_":
                    at = self._site(node, "loop", dotted, node.iter)
                    sites.append(at)
                    head.append(self._record(at, _load(leaf), dotted))
            site = sites[0] if sites else -1
            iterates = self._site(node, "iterates", "for", node.iter)
            node.iter = self._call("_hr_iter", iterates, self._inside(node.iter))
        self._control += [site] if site >= 0 else []
        outermost = self._loops == 0
        if outermost:
            self._elements = {}
        self._loops += 1
        node.body = [*head, *self._body(node.body)]
        self._loops -= 1
        if site >= 0:
            self._control.pop()
        node.orelse = self._body(node.orelse)
        after: list[ast.stmt] = []
        if outermost:
            after = [self._record(at, _parse(root), root) for root, at in self._elements.items()]
            self._elements = {}
        return [node, *after]

    def _under(self, test: ast.expr, body: list[ast.stmt], node: ast.stmt) -> None:
        site = getattr(test, "_site", None)
        if site is not None:
            self._control.append(site)
        body[:] = self._body(body)
        if site is not None:
            self._control.pop()

    def _test(self, test: ast.expr, node: ast.stmt) -> ast.expr:
        site = self._site(node, "test", "if" if isinstance(node, ast.If) else "while", test)
        made = self._call("_hr", site, self._inside(test))
        made._site = site  # type: ignore[attr-defined]
        return made

    def _bare(self, node: ast.Expr) -> list[ast.stmt]:
        call = node.value
        if isinstance(call, (ast.Yield, ast.Await)) and call.value is not None:
            site = self._site(node, "return", self._function, call.value)
            call.value = self._call("_hr", site, self._inside(call.value))
            return [node]
        if not isinstance(call, ast.Call):
            return [node]
        after = self._mutated_by_calls(node)
        root = _dotted(call.func.value) if isinstance(call.func, ast.Attribute) else ""
        appends = isinstance(call.func, ast.Attribute) and call.func.attr in ("append", "add")
        if root and appends and len(call.args) == 1:
            site = self._site(node, "element", f"{root}[]", call.args[0])
            call.args[0] = self._call("_hr", site, self._inside(call.args[0]))
            return [node, *self._container(node, root)]
        shown = isinstance(call.func, ast.Name) and call.func.id in _SHOWING
        if shown:
            for position, argument in enumerate(call.args):
                call.args[position] = self._shown(argument, node)
        else:
            self._expressions(node)
        return [node, *after]

    def _shown(self, value: ast.expr, node: ast.stmt) -> ast.expr:
        """Values that a call prints, also those inside of formatted texts."""
        if isinstance(value, ast.JoinedStr):
            for part in value.values:
                if isinstance(part, ast.FormattedValue):
                    part.value = self._shown(part.value, node)
            return value
        if isinstance(value, (ast.Constant, ast.Starred)):
            return value
        if isinstance(value, ast.Call):
            named = value.func
            if isinstance(named, ast.Attribute) and named.attr in ("round", "tolist", "item", "copy"):
                # x.round(3), np.round(x, 3): what is rounded counts.
                if _dotted(named.value) in ("np", "numpy", "math") and value.args:
                    value.args[0] = self._shown(value.args[0], node)
                else:
                    named.value = self._shown(named.value, node)
                return value
            if isinstance(named, ast.Name) and named.id in ("round", "float", "int", "list") and value.args:
                value.args[0] = self._shown(value.args[0], node)
                return value
            if (isinstance(named, ast.Name) and named.id in _SHOWING) or (
                isinstance(named, ast.Attribute) and named.attr in ("format", "join")
            ):
                value.args = [self._shown(argument, node) for argument in value.args]
                return value
        if (
            isinstance(value, ast.BinOp)
            and isinstance(value.op, ast.Mod)
            and isinstance(value.left, ast.Constant)
        ):
            value.right = self._shown(value.right, node)
            return value
        if isinstance(value, ast.Tuple):
            value.elts = [self._shown(item, node) for item in value.elts]
            return value
        site = self._site(node, "shown", _dotted(value) or "shown", value)
        return self._call("_hr", site, self._inside(value))

    def _mutated_by_calls(self, node: ast.stmt) -> list[ast.stmt]:
        """Arguments and receivers of calls are looked at again: they may have been changed in place."""
        names: dict[str, None] = {}
        for call in ast.walk(node):
            if isinstance(call, ast.Call):
                given = [*call.args, *(keyword.value for keyword in call.keywords)]
                if isinstance(call.func, ast.Attribute):
                    given.append(call.func.value)
                names |= dict.fromkeys(name for item in given if (name := _dotted(item)) and "(" not in name)
        stores = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        out: list[ast.stmt] = []
        for name in names:
            if name.split(".")[0] in stores:
                continue
            site = self._site(node, "mutated", name, node)
            hook = ast.Call(
                ast.Name("_hr_again", ast.Load()),
                [ast.Name("_hr_f", ast.Load()), ast.Constant(site), _parse(name), ast.Constant(name)], [],
            )  # fmt: skip
            out.append(ast.copy_location(ast.Expr(hook), node))
        return out

    # ---- expressions ---------------------------------------------------------------------------------

    def _expressions(self, node: ast.AST) -> None:
        """Functions without a name inside of a statement's expressions."""
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, field, self._inside(value))
            elif isinstance(value, list):
                self._expressions_of(value)

    def _expressions_of(self, items: Iterable[ast.AST]) -> None:
        for item in items:
            if isinstance(item, ast.AST):
                self._inside(item)

    def _inside(self, node: ast.AST) -> ast.expr:
        for inner in list(ast.walk(node)):
            if isinstance(inner, ast.Lambda):
                self._a_lambda(inner, "lambda")
        return node  # type: ignore[return-value]

    def _a_lambda(self, node: ast.Lambda, name: str) -> None:
        if getattr(node, "_seen", False):
            return
        node._seen = True  # type: ignore[attr-defined]
        site = self._site(node, "return", name, node.body)
        node.body = self._call("_hr", site, node.body)

    # ---- hooks ---------------------------------------------------------------------------------------

    def _site(self, node: ast.AST, kind: str, name: str, reads: ast.AST | None) -> int:
        line = getattr(node, "lineno", 1)
        return self._add(line, kind, name, self._function, reads, tuple(self._control))

    def _call(self, hook: str, site: int, value: ast.expr) -> ast.expr:
        made = ast.Call(
            ast.Name(hook, ast.Load()), [ast.Name("_hr_f", ast.Load()), ast.Constant(site), value], []
        )
        return ast.copy_location(made, value)

    def _call0(self, hook: str, *given: ast.expr) -> ast.expr:
        return ast.Call(ast.Name(hook, ast.Load()), list(given), [])

    def _set(self, name: str, value: ast.expr) -> ast.stmt:
        return ast.Assign([ast.Name(name, ast.Store())], value)

    def _record(self, site: int, value: ast.expr, name: str, target: ast.expr | None = None) -> ast.stmt:
        call = self._call("_hr", site, value)
        if site in self._planned:
            back = target if target is not None else _parse(name)
            for inner in ast.walk(back):
                if inner is back and isinstance(inner, (ast.Name, ast.Attribute, ast.Subscript)):
                    inner.ctx = ast.Store()
            return ast.Assign([back], call)
        return ast.Expr(call)


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (base := _dotted(node.value)):
        return f"{base}.{node.attr}"
    return ""


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def _leaves(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, (ast.Tuple, ast.List)):
        return [leaf for item in node.elts for leaf in _leaves(item)]
    return [node.value] if isinstance(node, ast.Starred) else [node]


def _parse(name: str) -> ast.expr:
    return ast.parse(name, mode="eval").body


def _load(node: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(node), mode="eval").body


def _is_plain_index(node: ast.Subscript) -> bool:
    return not any(isinstance(inner, (ast.Call, ast.NamedExpr)) for inner in ast.walk(node.slice))


def _read_by(node: ast.Assign | ast.AnnAssign | ast.AugAssign, targets: Sequence[ast.expr]) -> ast.AST:
    """What an assignment reads: its value, the indices of its targets, and for ``+=`` the target too."""
    read: list[ast.expr] = [node.value] if node.value is not None else []
    for target in targets:
        read += [inner.slice for inner in ast.walk(target) if isinstance(inner, ast.Subscript)]
    if isinstance(node, ast.AugAssign):
        read.append(ast.BinOp(_load(node.target), node.op, ast.Constant("")))
    return ast.List(read, ast.Load())


def reads_of(node: ast.AST | None) -> dict[str, None]:
    """Names that are read in a piece of syntax, in order, dotted ones too; hooks are none."""
    names: dict[str, None] = {}
    for inner in ast.walk(node) if node is not None else ():
        if (
            isinstance(inner, ast.Attribute)
            and isinstance(inner.ctx, ast.Load)
            and (dotted := _dotted(inner))
        ):
            names[dotted] = None
        elif (
            isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load) and not inner.id.startswith("_hr")
        ):
            names[inner.id] = None
    return names


def operators_of(node: ast.AST | None) -> dict[str, None]:
    """Operators, functions and numbers of a piece of syntax."""
    found: dict[str, None] = {}
    for inner in ast.walk(node) if node is not None else ():
        if isinstance(inner, (ast.BinOp, ast.AugAssign, ast.UnaryOp, ast.BoolOp)):
            found[_OPERATORS.get(type(inner.op), "?")] = None
        elif isinstance(inner, ast.Compare):
            found |= dict.fromkeys(_OPERATORS.get(type(op), "?") for op in inner.ops)
        elif isinstance(inner, ast.Call):
            name = _dotted(inner.func).rpartition(".")[2] or getattr(inner.func, "attr", "")
            if name and not name.startswith("_hr"):
                found[name] = None
        elif isinstance(inner, ast.Attribute) and inner.attr in ("T", "size", "shape"):
            found[inner.attr] = None
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, (int, float)):
            found[f"#{float(inner.value):g}"] = None
    return found
