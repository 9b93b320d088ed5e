"""What SymPy computes: numbers of expressions, which mathematics gives, and digits that no machine rounds.

Versions of SymPy write an expression in another form. Where one number of it alone is another, in the same
form, it is another expression; and its numbers with many digits are computed in whole numbers.
"""

from __future__ import annotations

import re

OF_EXPRESSIONS = frozenset({"sympy"})
"""Packages that compute with expressions."""
_FREE = re.compile(
    # vectors up to a factor, solutions up to a constant, points that a search finds, series and sizes
    r"\b(?:eigenvects|nullspace|rowspace|columnspace|diagonalize|jordan_(?:form|cells)|singular_value_decomposition"
    r"|QRdecomposition|left_eigenvects|dsolve|pdsolve|diophantine|gramschmidt|GramSchmidt|nsolve|count_ops|hash"
    r"|rand\w*|cse|srepr|preorder_traversal|postorder_traversal|primitive_root|find_linear_recurrence|linsolve"
    r"|solve_poly_system|nonlinsolve|rsolve|checkodesol|fps|minimal_polynomial|primitive_element|groebner|nfloat)\b"
)
"""What leaves open which of several numbers it gives, or counts SymPy's own objects."""
_ROUNDED = re.compile(
    r"\b(?:lambdify|numpy|np|math|cmath|scipy|mpmath|mp|quad|plot\w*|nsolve|Integral|Sum|Product|zeta|polygamma"
    r"|bessel\w+|gamma|loggamma|elliptic_\w+|hyper|meijerg|float|complex|to_numpy|Float\(\s*\d+\.\d+|nroots)\b"
)
"""What computes with doubles, or by methods of which versions leave other last digits."""
_BRINGS = re.compile(r"(?m)^\s*(?:import|from)\s+sympy\b")
_EVALUATES = re.compile(r"\.(?:evalf|n)\(|\bN\(|\bFloat\(")
_FRACTION = re.compile(r"(?<![\w.])\d+\.\d+|(?<![\w.])\.\d+")


def is_determined(code: str) -> bool:
    """Whether mathematics alone says which numbers code of SymPy gives.

    Parameters
    ----------
    code : str
        What an output is computed by, without comments and texts.
    """
    return _FREE.search(code) is None


def has_exact_digits(code: str, above: str) -> bool:
    """Whether code gives digits of SymPy's own numbers, which it computes in whole numbers on all machines.

    Parameters
    ----------
    code, above : str
        What an output is computed by, without comments, and all code down to it, which brings SymPy.
        Fractions that it begins with are doubles.
    """
    if not _BRINGS.search(above) or not _EVALUATES.search(code):
        return False
    return not (_ROUNDED.search(code) or _FRACTION.search(code))
