"""A Python program's syntax tree, rewritten so that every statement records what it sets.

Values pass through a function that records them and returns them as they are, or, where a plan says so, what
another program had there. Names of hooks have one leading underscore: two would be mangled in classes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from harness.programs.recorders.python_expressions import SHOWING, Adding, Expressions
from harness.programs.recorders.python_syntax import (
    declared_beyond,
    defaults_of,
    dotted,
    is_plain_index,
    leaves,
    load,
    named_element,
    parse,
    read_by,
    root_of,
    variable_of,
)

_ONLY_READING = SHOWING | {"len", "range", "isinstance", "abs", "sum", "min", "max", "float", "int", "sorted"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Rewriter(Expressions):
    """Rewrites one file.

    Parameters
    ----------
    add : callable
        Takes the fields of a site except its number; returns its number.
    lines : sequence of str
        Those of the file.
    planned : collection of int
        Sites whose value is replaced: these also write back what they read after the statement.
    """

    def __init__(self, add: Adding, lines: Sequence[str], planned: Iterable[int]) -> None:
        super().__init__(add, lines)
        self._planned = frozenset(planned)
        self._loops = 0
        self._elements: dict[str, int] = {}
        self._modules: set[str] = set()

    def module(self, tree: ast.Module) -> ast.Module:
        """Rewrite a whole file, in place."""
        self._modules = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        }
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
                self._under(node.test, node.body)
                self._under(node.test, node.orelse)
            case ast.Return() if node.value is not None:
                value, parts = self.inside(node.value)
                site = self.site(value, "return", self._function or "return", value, parts)
                node.value = self.call("_hr_ret", site, value)
            case ast.Expr():
                return self._bare(node)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    item.context_expr, _ = self.inside(item.context_expr)
                node.body = self._body(node.body)
            case ast.Try():
                node.body = self._body(node.body)
                node.orelse = self._body(node.orelse)
                node.finalbody = self._body(node.finalbody)
                for handler in node.handlers:
                    handler.body = self._body(handler.body)
            case ast.Match():
                node.subject, _ = self.inside(node.subject)
                for case in node.cases:
                    case.guard = self._test(case.guard, case.guard) if case.guard is not None else None
                    self._under(case.guard, case.body)
            case _:
                pass
        return [node]

    def _body_of_class(self, node: ast.ClassDef) -> list[ast.stmt]:
        for statement in node.body:
            if isinstance(statement, _FUNCTIONS):
                self._a_function(statement)
            elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
                # What all objects of a class have, and what its fields are if nothing else is given.
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                if len(targets) == 1 and isinstance(targets[0], ast.Name):
                    name = f"{node.name}.{targets[0].id}"
                    value, parts = self.inside(statement.value)
                    site = self.site(statement, "set", name, statement.value, parts)
                    statement.value = self.call("_hr", site, value)
        return node.body

    def _a_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        outer = self._function, self._control, self._loops, self._elements, self._around, self._beyond
        self._around = (self._function, *self._around) if self._function else ()
        self._function, self._control, self._loops, self._elements = node.name, [], 0, {}
        self._beyond = frozenset(declared_beyond(node))
        arguments = node.args
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        named += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        head: list[ast.stmt] = [self._set("_hr_f", self._call0("_hr_enter"))]
        otherwise = self._defaults(arguments)
        for argument in named:
            if argument.arg not in ("self", "cls"):
                site = self.site(argument, "param", argument.arg, None, otherwise.get(argument.arg, ()))
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
        self._function, self._control, self._loops, self._elements, self._around, self._beyond = outer

    def _defaults(self, given: ast.arguments) -> dict[str, tuple[int]]:
        """Record what parameters are where nothing is given for them; the sites by their names."""
        found: dict[str, tuple[int]] = {}
        for argument, defaults, at in defaults_of(given):
            value = defaults[at]
            if value is not None and not (isinstance(value, ast.Constant) and value.value is None):
                inner, parts = self.inside(value)
                site = self.site(argument, "default", argument.arg, value, parts)
                defaults[at] = self.call("_hr", site, inner)
                found[argument.arg] = (site,)
        return found

    def _assignment(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> list[ast.stmt]:
        if node.value is None:
            return [node]
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        value, reads = node.value, read_by(node, targets)
        simple = len(targets) == 1 and not isinstance(node, ast.AugAssign)
        name = dotted(targets[0]) if simple else ""
        # Of several lines, the one whose operation gives the value.
        at = value if simple else node
        wrapped = self._mutated_by_calls(node)
        if isinstance(value, ast.Lambda) and name:
            self.a_lambda(value, name)
            return [node]
        node.value, parts = self.inside(value) if simple else self.piece(value)
        if simple and name:
            site = self.site(at, "set", name, reads, parts)
            node.value = self.call("_hr", site, node.value)
            return [node, *wrapped]
        if simple and isinstance(targets[0], ast.Subscript):
            root = variable_of(targets[0])
            if root:
                site = self.site(at, "element", f"{root}[]", reads, parts, named_element(targets[0]))
                node.value = self.call("_hr", site, node.value)
                return [node, *self._container(node, root), *wrapped]
            return [node]
        after: list[ast.stmt] = []
        for target in (leaf for one in targets for leaf in leaves(one)):
            name = dotted(target)
            if name:
                site = self.site(node, "set", name, reads, parts)
                after.append(self._record(site, load(target), name))
            elif isinstance(target, ast.Subscript) and (root := variable_of(target)):
                if is_plain_index(target):
                    site = self.site(node, "element", f"{root}[]", reads, parts, named_element(target))
                    after.append(self._record(site, load(target), "", target))
                after += self._container(node, root)
        return [node, *after, *wrapped]

    def _container(self, node: ast.stmt, root: str) -> list[ast.stmt]:
        site = self.site(node, "container", root, getattr(node, "value", node))
        if self._loops:
            self._elements[root] = site
            return []
        return [self._record(site, parse(root), root)]

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> list[ast.stmt]:
        head: list[ast.stmt] = []
        if isinstance(node, ast.While):
            if not (isinstance(node.test, ast.Constant)):
                node.test = self._test(node.test, node)
            site = getattr(node.test, "_site", -1)
        else:
            over, parts = self.inside(node.iter)
            sites = []
            for leaf in leaves(node.target):
                name = dotted(leaf)
                if name and name != "_":
                    at = self.site(node, "loop", name, over, parts)
                    sites.append(at)
                    head.append(self._record(at, load(leaf), name))
            site = sites[0] if sites else -1
            iterates = self.site(node, "iterates", "for", over, parts)
            node.iter = self.call("_hr_iter", iterates, over)
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
            after = [self._if_set(self._record(at, parse(root), root)) for root, at in self._elements.items()]
            self._elements = {}
        return [node, *after]

    def _under(self, test: ast.expr | None, body: list[ast.stmt]) -> None:
        site = getattr(test, "_site", None)
        if site is not None:
            self._control.append(site)
        body[:] = self._body(body)
        if site is not None:
            self._control.pop()

    def _test(self, test: ast.expr, node: ast.AST) -> ast.expr:
        test, parts = self.inside(test)
        site = self.site(test, "test", "while" if isinstance(node, ast.While) else "if", test, parts)
        made = self.call("_hr", site, test)
        made._site = site  # type: ignore[attr-defined]
        return made

    def _bare(self, node: ast.Expr) -> list[ast.stmt]:
        call = node.value
        if isinstance(call, (ast.Yield, ast.YieldFrom, ast.Await)):
            self.inside(call)
            return [node]
        if not isinstance(call, ast.Call):
            return [node]
        after = self._mutated_by_calls(node)
        root = variable_of(call.func.value) if isinstance(call.func, ast.Attribute) else ""
        appends = isinstance(call.func, ast.Attribute) and call.func.attr in ("append", "add")
        if root and appends and len(call.args) == 1:
            value, parts = self.inside(call.args[0])
            site = self.site(node, "element", f"{root}[]", value, parts)
            call.args[0] = self.call("_hr", site, value)
            return [node, *self._container(node, root)]
        shown = isinstance(call.func, ast.Name) and call.func.id in SHOWING
        if shown:
            for position, argument in enumerate(call.args):
                call.args[position] = self.shown(argument, node)
        else:
            node.value, parts = self.inside(call)
            ended = self._call0("_hr_called", ast.Name("_hr_f", ast.Load()))
            ended.args.append(ast.Constant(self.site(node, "call", "call", call, parts)))  # type: ignore[attr-defined]
            after = [ast.copy_location(ast.Expr(ended), node), *after]
        return [node, *after]

    def _mutated_by_calls(self, node: ast.stmt) -> list[ast.stmt]:
        """Arguments and receivers of calls are looked at again: they may have been changed in place."""
        names: dict[str, None] = {}
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and not (
                isinstance(call.func, ast.Name) and call.func.id in _ONLY_READING
            ):
                given = [*call.args, *(keyword.value for keyword in call.keywords)]
                if isinstance(call.func, ast.Attribute):
                    given.append(root_of(call.func.value))
                names |= dict.fromkeys(name for item in given if (name := dotted(item)) and "(" not in name)
        stores = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        # What a function within the statement is given is not known outside of it.
        stores |= {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
        out: list[ast.stmt] = []
        for name in names:
            if name.split(".")[0] in stores or name in self._modules:
                continue
            site = self.site(node, "mutated", name, node)
            hook = ast.Call(
                ast.Name("_hr_again", ast.Load()),
                [ast.Name("_hr_f", ast.Load()), ast.Constant(site), parse(name), ast.Constant(name)], [],
            )  # fmt: skip
            out.append(ast.copy_location(ast.Expr(hook), node))
        return out

    # ---- hooks ---------------------------------------------------------------------------------------

    def _call0(self, hook: str, *given: ast.expr) -> ast.expr:
        return ast.Call(ast.Name(hook, ast.Load()), list(given), [])

    def _if_set(self, statement: ast.stmt) -> ast.stmt:
        """A statement that is passed over where what it reads is not set: the loop may have had no turn."""
        passed = ast.ExceptHandler(ast.Name("NameError", ast.Load()), None, [ast.Pass()])
        return ast.Try([statement], [passed], [], [])

    def _set(self, name: str, value: ast.expr) -> ast.stmt:
        return ast.Assign([ast.Name(name, ast.Store())], value)

    def _record(self, site: int, value: ast.expr, name: str, target: ast.expr | None = None) -> ast.stmt:
        call = self.call("_hr", site, value)
        if site in self._planned:
            back = target if target is not None else parse(name)
            for inner in ast.walk(back):
                if inner is back and isinstance(inner, (ast.Name, ast.Attribute, ast.Subscript)):
                    inner.ctx = ast.Store()
            return ast.Assign([back], call)
        return ast.Expr(call)
