"""What a statement that fails, or only draws, leaves as it was, and what sets a name as a whole."""

from __future__ import annotations

import ast
import re

from harness.documents.continued import parsed
from harness.findings.names import names_in

_GIVES_NEW = """
all any corr count cov describe diff drop dropna fillna groupby head hist info isna isnull join max mean
median merge min mode nunique pivot plot prod quantile replace sem skew sort_index sort_values std sum
tail var
"""
_PURE = frozenset(_GIVES_NEW.split())
"""Methods that give something new, where they fail for what they are called on."""
_GIVEN = _PURE | {"append", "array", "concatenate"}
"""Of what is handed to another call: a list's own append gives nothing that could be."""
_NO_METHOD = re.compile(r"has no attribute ['\"](\w+)['\"]")
_SAMPLED = re.compile(r"(?m)^(?P<before>\s*)(?P<name>[^\W\d]\w*)\.sample\(")
_TIMED = re.compile(r"\A\s*%%?time(?:it)?\b(?:[ \t]+-\w+(?:[ \t]+\d+)?)*\s*")
_CALLS_METHOD = re.compile(r"\s*([^\W\d]\w*)\.(\w+)\(")


def unchanged_by(code: str, language: str, message: str) -> frozenset[str]:
    """Return the names whose values code that failed has not changed, although it hands them to a call.

    Parameters
    ----------
    code, language : str
        The code from the statement on that failed; nothing is told of more than one statement.
    message : str
        The error: that there is no such method, or of one that gives something new.
    """
    code = _TIMED.sub("", code)
    tree = parsed(code) if language == "python" else None
    called = _CALLS_METHOD.match(code)
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr) or called is None:
        return frozenset()
    missing = _NO_METHOD.search(message)
    given = missing[1] == called[2] if missing is not None else called[2] in _PURE
    if not given:
        return frozenset()
    _, *inner = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    # What gives something new, as a mean does, changes nothing that it is given either.
    new = called[2] in _PURE and all(isinstance(f, ast.Attribute) and f.attr in _GIVEN for f in inner)
    return frozenset({called[1]}) | (names_in(code, language).uses if new else frozenset())


def only_sampled(code: str, language: str) -> frozenset[str]:
    """Return the names of which Python code only draws a sample, as in ``df.sample(2)``.

    Parameters
    ----------
    code, language : str
        A chunk's code. What draws by itself, such as a generator, is changed by it: the caller has to know
        that there is none.
    """
    if language != "python":
        return frozenset()
    plain = _SAMPLED.sub(r"\g<before>sample(\g<name>, ", code)
    return names_in(code, language).sets - names_in(plain, language).sets


def is_set_whole(code: str, name: str) -> bool:
    """Whether Python code gives a name a value of its own, and not only a part of one."""
    tree = parsed(code)
    for node in ast.walk(tree) if tree is not None else ():
        match node:
            case ast.Name(id=found, ctx=ast.Store()) if found == name:
                return True
            case ast.FunctionDef(name=found) | ast.ClassDef(name=found) if found == name:
                return True
            case ast.alias(name=found, asname=known) if (known or found.split(".")[0]) == name:
                return True
            case _:
                pass
    return tree is None
