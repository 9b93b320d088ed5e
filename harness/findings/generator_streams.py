"""Which draws of NumPy's new generators are the same after a seed in all versions that have them."""

from __future__ import annotations

import re

_STEADY = frozenset(
    {
        "bytes",
        "chisquare",
        "choice",
        "exponential",
        "gamma",
        "integers",
        "lognormal",
        "normal",
        "permutation",
        "poisson",
        "random",
        "shuffle",
        "standard_exponential",
        "standard_gamma",
        "standard_normal",
        "triangular",
        "uniform",
    }
)
"""Of these NumPy's tests expect the same numbers from 1.17 to 1.23, as its builds draw from there to 2.4.

Left out are what its release notes call changed (``dirichlet`` in 1.19, ``geometric`` and ``rayleigh`` in
1.21, ``multinomial`` and ``binomial`` in 2.5), what was computed otherwise (``laplace``, ``gumbel``,
``logistic``, ``pareto``, ``power``, ``beta``, ``zipf``, ``wald``), and what nobody looked at.
"""
_MAKES = re.compile(r"\bdefault_rng\(")
_SEEDED = r"(?:\w+\.)*default_rng\(\s*(?:seed\s*=\s*)?\w+\s*\)"
_BOUND = re.compile(rf"^[ \t]*(\w+)\s*=\s*{_SEEDED}[ \t]*;?[ \t]*$", re.MULTILINE)
_IN_ONE = re.compile(rf"{_SEEDED}(?=\.\w+\()")
_CALL = re.compile(r"\.(\w+)\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")
_OTHERWISE = re.compile(r"\b(?:dtype|axis|out|method)\b|\b(?:u?int|float)(?:8|16|32)\b|['\"][iuf][124]['\"]")
"""Small integers are drawn otherwise since 1.18, floats of 32 bits since 1.22; axes were shuffled falsely."""


def are_of_all_versions(code: str, document: str) -> bool:
    """Whether all that the generators of some code draw is the same in all versions of NumPy.

    Parameters
    ----------
    code : str
        Python's statements, without comments. Generators that are handed to something else, that others
        spawn, or that are made of more than a number or a name, may draw anything.
    document : str
        All code of the document: what it draws elsewhere leaves the generators where they are.
    """
    names = set(_BOUND.findall(code))
    chained = [match.end() for match in _IN_ONE.finditer(code)]
    if len(_MAKES.findall(code)) != len(_BOUND.findall(code)) + len(chained) or "Generator(" in code:
        return False
    rest = _BOUND.sub("", document)
    uses = [match.end() for name in names for match in re.finditer(rf"(?<![\w.]){name}\b", rest)]
    return all(_is_steady(rest, end) for end in uses) and all(_is_steady(code, end) for end in chained)


def _is_steady(code: str, end: int) -> bool:
    """Whether what stands behind a generator asks it for numbers that are the same in all versions."""
    call = _CALL.match(code, end)
    return call is not None and call[1] in _STEADY and not _OTHERWISE.search(call[2])
