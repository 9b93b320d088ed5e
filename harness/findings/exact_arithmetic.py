"""Whether a number is computed by what all machines round alike: sums, products, quotients and roots."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from harness.documents.continued import parsed
from harness.findings.exact_julia import is_exact_in_julia

_FUNCTIONS = """
print range len int float complex abs str repr enumerate zip list tuple dict set min max sorted round bool
reversed map filter divmod isinstance type any all super next iter ValueError TypeError ZeroDivisionError
"""
"""Functions of the language that compute no fraction, or round it as IEEE 754 has it."""
_METHODS = """
format append items keys values join split strip lower upper title get add update extend insert pop copy count
index sort reverse replace startswith endswith as_integer_ratio is_integer quantize limit_denominator
"""
_MODULES = {
    module: frozenset(names.split())
    for module, names in (
        ("math", "pi e tau inf nan sqrt isqrt floor ceil trunc fabs factorial gcd lcm comb perm"),
        ("decimal", "Decimal getcontext Context ROUND_HALF_UP ROUND_HALF_EVEN ROUND_DOWN"),
        ("fractions", "Fraction"),
        ("dataclasses", "dataclass field"),
        ("collections", "namedtuple defaultdict OrderedDict"),
        ("typing", "Any Callable Dict List NamedTuple Optional Sequence Tuple Union"),
    )
}
"""What modules have that is rounded as it has to be: so are roots by IEEE 754, and all of Decimal."""
_PLAIN, _PLAIN_METHODS = frozenset(_FUNCTIONS.split()), frozenset(_METHODS.split())
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)


def differs_in_exact_digits(pairs: Sequence[tuple[str, str]], code: str, language: str) -> bool:
    """Whether a number is published that no machine prints of its code, be it in the last of its digits.

    Parameters
    ----------
    pairs : sequence of (str, str)
        Numbers as published and as printed.
    code, language : str
        The code that they are of, with all that it depends on, and what it is written in.
    """
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    is_exact = _IS_EXACT.get(language)
    if not apart or is_exact is None or any(_is_printed_by_an_earlier(*pair) for pair in apart):
        return False
    return is_exact(code)


def _is_printed_by_an_earlier(published: str, produced: str) -> bool:
    """Whether a number is one with the 17 or the 12 digits that were printed before Python 2.7 and 3.1."""
    try:
        return published in (f"{float(produced):.17g}", f"{float(produced):.12g}")
    except ValueError:
        return True


@lru_cache(maxsize=1024)
def _is_exact_in_python(code: str) -> bool:
    tree = parsed(code)
    if tree is None:
        return False
    nodes = list(ast.walk(tree))
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    modules: dict[str, str] = {}
    for node in nodes:
        match node:
            case ast.Import(names=names):
                modules |= {name.asname or name.name: name.name for name in names}
            case ast.ImportFrom(names=names, module=module):
                if not {name.name for name in names} <= _MODULES.get(module or "", frozenset()):
                    return False
                bound |= {name.asname or name.name for name in names}
            case _:
                pass
    return set(modules.values()) <= set(_MODULES) and all(
        _keeps_digits(node, bound, modules) for node in nodes
    )


def _keeps_digits(node: ast.AST, bound: set[str], modules: Mapping[str, str]) -> bool:
    match node:
        case ast.Await() | ast.With() | ast.AsyncFor():
            return False
        case ast.BinOp(left=ast.Constant(value=int()), op=ast.Pow(), right=ast.Constant(value=int())):
            return True
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            return isinstance(operator, _OPERATORS)
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in modules:
            return attribute in _MODULES[modules[name]]
        case ast.Call(func=ast.Name(id=name)):
            return name in _PLAIN or name in bound
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if name in modules:
            return True
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _PLAIN_METHODS or name in bound
        case ast.Call():
            return False
        case ast.Name(id=name, ctx=ast.Load()):
            return name in bound or name in modules or hasattr(builtins, name)
        case _:
            return True


_IS_EXACT: Mapping[str, Callable[[str], bool]] = {"python": _is_exact_in_python, "julia": is_exact_in_julia}
"""By language, whether code computes by operations alone that every machine rounds alike."""
