"""Functions for detectors, under one name: the document's own names stay free."""

from __future__ import annotations

from typing import Any


class __harness_probe__:
    """What a detector calls in a Python session."""

    swallowed: list[str] = []  # noqa: RUF012

    @staticmethod
    def note(error: BaseException) -> None:
        """Keep an exception that a handler was given."""
        __harness_probe__.swallowed.append(" ".join(f"{type(error).__name__}: {error}".split()))

    @staticmethod
    def instrumented(code: str) -> None:
        """Run code in which handlers that do nothing note what they are given."""
        import ast

        class Counting(ast.NodeTransformer):
            def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
                self.generic_visit(node)
                if all(
                    isinstance(each, (ast.Pass, ast.Continue))
                    or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
                    for each in node.body
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
    def seed() -> None:
        """Seed every generator that there is."""
        import random
        import sys

        random.seed(0)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(0)
        if "torch" in sys.modules:
            sys.modules["torch"].manual_seed(0)

    @staticmethod
    def differences(loss: Any, at: Any, step: float) -> Any:
        """Central differences of a function of one array, at the array."""
        import numpy as np

        at = np.array(at, dtype=np.float64)
        found = np.zeros_like(at)
        for place in np.ndindex(at.shape):
            up, down = at.copy(), at.copy()
            up[place] += step
            down[place] -= step
            found[place] = (float(loss(up)) - float(loss(down))) / (2 * step)
        return found
