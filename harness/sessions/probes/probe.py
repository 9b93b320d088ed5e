"""Functions for detectors, under one name: the document's own names stay free."""

from __future__ import annotations

from typing import Any


class __harness_probe__:
    """The functions that detectors call in a Python session."""

    swallowed: list[str] = []  # noqa: RUF012
    seen: list[tuple[str, str]] = []  # noqa: RUF012
    kept: list[tuple[str, ...]] = []  # noqa: RUF012

    @staticmethod
    def note(error: BaseException) -> None:
        """Keep an exception that a handler received."""
        __harness_probe__.swallowed.append(" ".join(f"{type(error).__name__}: {error}".split()))

    @staticmethod
    def instrumented(code: str) -> None:
        """Run code in which handlers that do nothing note the exception."""
        import ast

        class Counting(ast.NodeTransformer):
            def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
                self.generic_visit(node)
                if all(
                    isinstance(statement, (ast.Pass, ast.Continue))
                    or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
                    for statement in node.body
                ):
                    node.type = node.type or ast.Name("BaseException", ast.Load())
                    node.name = node.name or "_harness_error"
                    node.body = [*ast.parse(f"__harness_probe__.note({node.name})").body, *node.body]
                return node

        tree = ast.fix_missing_locations(Counting().visit(ast.parse(code)))
        exec(compile(tree, "chunk", "exec", dont_inherit=True), globals())

    @staticmethod
    def report() -> None:
        """Print what was noted."""
        from collections import Counter

        for text, count in Counter(__harness_probe__.swallowed).most_common():
            print("swallowed", count, text, sep="\t")

    @staticmethod
    def grow(name: str) -> None:
        """Give an array its last row twice."""
        import sys

        value = globals()[name]
        torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
        if torch is not None and isinstance(value, torch.Tensor):
            globals()[name] = torch.cat([value, value[-1:]])
        elif numpy is not None and isinstance(value, numpy.ndarray):
            globals()[name] = numpy.concatenate([value, value[-1:]])
        elif isinstance(value, list):
            globals()[name] = [*value, value[-1]]
        else:
            raise TypeError("neither a list nor an array")

    @staticmethod
    def longer(value: Any) -> Any:
        """Return an array or a list of numbers with its last row twice, and anything else as it is."""
        import sys

        torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
        if torch is not None and isinstance(value, torch.Tensor) and value.ndim:
            return torch.cat([value, value[-1:]])
        if numpy is not None and isinstance(value, numpy.ndarray) and value.ndim:
            return numpy.concatenate([value, value[-1:]])
        if isinstance(value, list) and value and all(isinstance(item, (int, float)) for item in value):
            return [*value, value[-1]]
        return value

    @staticmethod
    def lengthened(function: Any) -> Any:
        """Return the function with a longer array as its result; classes are returned as they are."""
        import functools

        if isinstance(function, type):
            return function

        @functools.wraps(function)
        def other(*given: Any, **named: Any) -> Any:
            return __harness_probe__.longer(function(*given, **named))

        return other

    @staticmethod
    def seed() -> None:
        """Seed all random generators of the session."""
        import random
        import sys

        random.seed(0)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(0)
        if "torch" in sys.modules:
            sys.modules["torch"].manual_seed(0)

    counted: dict[str, int] = {}  # noqa: RUF012

    @staticmethod
    def blanked(function: Any, name: str, arguments: str) -> Any:
        """Return the function with an object that fails when it is read in place of these arguments."""
        import functools
        import inspect

        class Unread:
            def __getattribute__(self, what: str) -> Any:
                raise AssertionError("the argument was read")

        signature = inspect.signature(function)

        @functools.wraps(function)
        def other(*given: Any, **named: Any) -> Any:
            __harness_probe__.counted[name] = __harness_probe__.counted.get(name, 0) + 1
            bound = signature.bind(*given, **named)
            bound.arguments.update(dict.fromkeys(arguments.split(), Unread()))
            return function(*bound.args, **bound.kwargs)

        return other

    @staticmethod
    def calls() -> None:
        """Print how often each such function was called."""
        for name, count in __harness_probe__.counted.items():
            print("calls", name, count, sep="\t")

    @staticmethod
    def generators() -> None:
        """Print the names of random generators."""
        for name, value in list(globals().items()):
            if type(value).__name__ in ("Generator", "RandomState", "Random", "SystemRandom"):
                print("generator", name, sep="\t")

    @staticmethod
    def shape(key: str, value: Any) -> None:
        """Keep the shape of a value, if it has one."""
        import contextlib

        with contextlib.suppress(Exception):
            if len(__harness_probe__.seen) < 20000:
                __harness_probe__.seen.append((key, " ".join(str(int(size)) for size in value.shape)))

    @staticmethod
    def shapes() -> None:
        """Print the shapes that were kept."""
        for key, shape in __harness_probe__.seen:
            print("shape", key, shape, sep="\t")

    @staticmethod
    def factor(key: str, value: Any) -> Any:
        """Keep the sums of a matrix's rows and columns, and return it: it may stand in an expression."""
        import contextlib

        with contextlib.suppress(Exception):
            if len(__harness_probe__.kept) < 2000:
                import numpy as np

                plain = value.detach().cpu().numpy() if hasattr(value, "detach") else value
                matrix = np.asarray(plain, dtype=np.float64)
                *_, rows, columns = matrix.shape
                across, down = matrix.sum(axis=-1), matrix.sum(axis=-2)
                ends = [end for each in (matrix, across, down) for end in (each.min(), each.max())]
                diagonal = bool((matrix == matrix * np.eye(rows, columns)).all())
                plain = diagonal or bool(((matrix == 0) | (matrix == 1)).all())
                said = (rows, columns, *(f"{end:.17g}" for end in ends), int(plain))
                __harness_probe__.kept.append(("factor", key, *map(str, said)))
        return value

    @staticmethod
    def latest(key: str, value: Any) -> None:
        """Keep a number, if it is one."""
        import contextlib

        with contextlib.suppress(Exception):
            if len(__harness_probe__.kept) < 20000:
                number = float(value.item() if hasattr(value, "item") else value)
                __harness_probe__.kept.append(("latest", key, f"{number:.17g}"))

    @staticmethod
    def keepsakes() -> None:
        """Print what `factor` and `latest` kept."""
        for row in __harness_probe__.kept:
            print(*row, sep="\t")

    @staticmethod
    def masked(names: str) -> None:
        """Print the names of builtins that now stand for something else that cannot be called."""
        import builtins

        for name in names.split():
            given = getattr(builtins, name, None)
            value = globals().get(name, given)
            if callable(given) and not callable(value):
                print("masked", name, f"of type {type(value).__name__}", "a function", sep="\t")

    @staticmethod
    def differences(loss: Any, at: Any, step: float) -> Any:
        """Central differences of a function of one array, at the array."""
        import numpy as np

        at = np.array(at, dtype=np.float64)
        gradient = np.zeros_like(at)
        for place in np.ndindex(at.shape):
            up, down = at.copy(), at.copy()
            up[place] += step
            down[place] -= step
            gradient[place] = (float(loss(up)) - float(loss(down))) / (2 * step)
        return gradient
