"""Slips that no version explains: one value of another's place, in what a language's own functions give.

That a document was made with another version is no reason by itself. What is known to have changed between
versions is listed here, as R's NEWS up to 4.2.2 has it and Julia's HISTORY.md up to 1.12, of which 1.2, 1.3,
1.9's library and most of 1.11 have not been gone through; all else of plain arithmetic, text and lists gives
the same, and a change that touches one token of a printed text and leaves the others is none of a printer.
"""

from __future__ import annotations

import re
from collections.abc import Set

from harness.findings.apart import Apart, are_exchanged, values_apart
from harness.findings.julia_versions import (
    OF_THE_MACHINE,
    SHOWN_OTHERWISE,
    are_rows_alike,
    is_of_no_version,
)
from harness.findings.kinds_of_values import ASK_FOR_KINDS, are_plain_kinds
from harness.findings.one_place import in_one_place
from harness.findings.plain_vectors import (
    differs_as_no_version_does,
    has_another_row_of_its_kind,
    holds_other_elements,
)
from harness.findings.quotes import are_lost_or_added
from harness.findings.r_versions import may_be_factors, may_be_other_classes
from harness.findings.slips import by_one_key
from harness.findings.sources import calls_the_language_alone
from harness.findings.torn import is_torn
from harness.findings.versions import generation

_ALWAYS = (99,)
_CHANGED: dict[str, tuple[tuple[tuple[int, ...], str], ...]] = {
    # R's NEWS: summary() rounds when it prints alone, and counts no NA that are not there, table() and
    # quantile() (3.4.0); suffixes of merge() (3.5.0); sample() (3.6.0); round(), strings in data frames, the
    # class of a matrix (4.0.0); names of quantile(), c() of factors (4.1.0). What is said of structures and
    # classes, what regular expressions (PCRE2, TRE), fits and dates give, changes at any time.
    "r": (
        ((3, 4), "summary table quantile stack"),
        ((3, 5), "merge"),
        ((3, 6), "sample sample.int"),
        ((4, 0), "round data.frame as.data.frame read.csv read.table class inherits"),
        ((4, 1), "quantile"),
        (
            _ALWAYS,
            """
oldClass attributes is identical all.equal str structure deparse dput format formatC sprintf toString factor
as.factor levels interaction cut table unique nchar regmatches gregexpr regexpr gsub sub grepl grep strsplit
trimws order sort rank quantile seq typeof storage.mode mode as.POSIXct as.POSIXlt strftime strptime
difftime months weekdays julian environment eval parse substitute bquote is.environment is.vector options
kmeans svd eigen qr solve aggregate ks.test wilcox.test prettyNum environmentName optim uniroot integrate
""",
        ),
    ),
    # Julia's HISTORY.md: norm() and dot() of matrices, what is found and where, sets of vectors, titles,
    # isapprox() (0.7); the case of letters, widths, replace(), det() of BigInt (1.7); intersect() (1.8);
    # norm() of an adjoint (1.10). What a seed gives is another in 0.7, 1.5 and 1.7; hashes, ranges, sizes in
    # memory and how types are named change at any time.
    "julia": (
        (
            (0, 7),
            """
norm dot find findall findfirst findlast findnext findprev findmin findmax argmin argmax search indexin
intersect symdiff promote titlecase isapprox replace readuntil countlines reduce reinterpret
""",
        ),
        ((1, 7), "islowercase isuppercase lpad rpad replace det"),
        ((1, 8), "intersect"),
        ((1, 10), "norm"),
        (
            _ALWAYS,
            """
rand randn seed! range eltype typeof typemax typemin promote_type sizeof hash methods parse join match svd inv
eigen string repr @sprintf @printf show display eachindex keys values Dict Set isa issubset convert names
unique copy log2 gcd lcm eigvals eigvecs svdvals lu qr cholesky nullspace pinv factorize rank tryparse
randperm shuffle Random.seed! Symmetric Hermitian UpperTriangular LowerTriangular Diagonal quantile eps
""",
        ),
    ),
}
"""Functions of a language that versions before one are known to compute or print otherwise."""
_WORDS = """
str sort order rank factor as.factor levels unique table seq typeof join string repr split replace aggregate
merge stack data.frame as.data.frame read.csv read.table expand.grid as.Date
"""
"""Functions of these that are known to change words or their order, and no digit of a number."""
_ORDER = """
str sort order rank factor as.factor levels unique toString sprintf environment environmentName eval
attributes
"""
_ORDERS = frozenset(_ORDER.split())
"""Functions of R of which versions changed the order of words, and what is said of objects: no element."""
_MAKES_FACTORS = frozenset({"factor", "as.factor", "cut", "interaction", "table"})
_OF_ROWS = frozenset({"summary", "round", "table", "quantile"})
"""Functions that versions round otherwise, and that have as many rows in all of them."""
_CLASSES = frozenset({"class", "inherits"})
_OF_NO_DIGIT = "range parse tryparse @printf @sprintf typemax typemin inv log2 gcd lcm eps"
_DIGITS = frozenset(_OF_NO_DIGIT.split())
"""Functions of Julia of which versions changed types, forms and last digits, and no number by more."""
_READS = frozenset(["data.frame", "as.data.frame", "read.csv", "read.table", "merge", "stack"])
"""Functions of these that are known to change what kind of values text has, which its words do not show."""
_ASKS_FOR_KINDS = re.compile(
    r"\b(?:typeof|mode|storage\.mode|class|is\.\w+|n?levels|unclass|str|as\.(?:integer|numeric))\b"
)
_SAME = re.compile(r"===|≡|\b(?:isa|is)\b|<:|\bidentical\b|\binherits\b|\bis\.\w+\(|\bclass\(")
"""What asks for types and identities: a truth value of it may be another version's."""
_CALL = re.compile(r"(?<![\w.$@:])@?([A-Za-z.][\w.]*!?)\.?\(")
_WHOLE = re.compile(r"[-+]?\d+")
_MANY = 3
"""Values of which one alone differs."""
_LONG = 4
"""Letters of a word that slips of the pen leave known."""


def no_version_explains(
    published: str,
    produced: str,
    code: str,
    language: str,
    above: str,
    stated: str = "",
    here: str = "",
    machine: Set[str] = OF_THE_MACHINE,
) -> bool:
    """Whether a difference is one slip in what the language itself gives in all its versions.

    Parameters
    ----------
    published, produced : str
        The two texts.
    code, language : str
        The statements that the output is computed by, and what they are written in.
    above : str
        All code of the document down to them, which may define functions that they call.
    stated, here : str
        The version that the document names, if any, and the one that is here.
    machine : set of str, optional
        Types of Julia that the author's machine may have in place of each other.
    """
    apart = values_apart(published, produced)
    longer = apart is None and language == "julia" and are_rows_alike(published, produced)
    if language not in _CHANGED or not calls_the_language_alone(code, above, language):
        return False
    # What is no print of R's at all is none in any version, whatever of its functions the code calls.
    if language == "r" and is_torn(published, produced):
        return True
    plain = language == "r" and differs_as_no_version_does(published, produced, code)
    if not apart and not longer and not plain:
        return False
    numbers = apart is not None and all(pair.what == "number" for pair in apart)
    changed = _changed(language, stated, here, numbers=numbers, dated=False) & set(_CALL.findall(code))
    if not may_be_factors(published, produced, code):
        changed -= _READS
    kinds = are_plain_kinds(apart or (), language)
    classes = language == "r" and may_be_other_classes(published, produced, code, stated)
    if kinds and not classes:
        changed -= ASK_FOR_KINDS
    if not classes:
        changed -= _CLASSES
    if language == "julia" and generation(stated) != "0":
        changed -= _DIGITS if numbers else frozenset()
        return not changed - SHOWN_OTHERWISE and is_of_no_version(apart, code, above, machine)
    whole = language == "julia" and apart is not None and _are_whole(apart) and not changed
    # A row in the place of another is no one value, and no generation's either.
    if whole and in_one_place(published, produced, language):
        return True
    if plain and are_lost_or_added(published, produced):
        return not changed & (_READS | _MAKES_FACTORS)
    if plain:
        return not changed - _unchanged(published, produced, code)
    if (
        apart is None
        or not (kinds or is_one_slip(apart) or (language == "r" and _are_truths(apart)))
        or (any(pair.what == "truth" for pair in apart) and _SAME.search(code))
    ):
        return False
    return not changed


def _unchanged(published: str, produced: str, code: str) -> frozenset[str]:
    """Functions of R that no version changed in what is another of two of its plain prints."""
    same = _ORDERS if holds_other_elements(published, produced) else frozenset()
    if has_another_row_of_its_kind(published, produced):
        same |= _OF_ROWS
    return same if _ASKS_FOR_KINDS.search(code) else same | {"seq"}


def _are_truths(apart: tuple[Apart, ...]) -> bool:
    """Whether truth values differ, and numbers at most: R has printed them so in all versions."""
    return {"truth"} <= {pair.what for pair in apart} <= {"truth", "number"}


def _are_whole(apart: tuple[Apart, ...]) -> bool:
    """Whether all that differs are whole numbers, which no generation of a language computes otherwise."""
    return all(pair.what == "number" and _WHOLE.fullmatch(pair.produced) for pair in apart)


def changed_between(
    code: str, language: str, stated: str, here: str, *, numbers: bool, kinds: bool = True
) -> frozenset[str]:
    """Return the functions called by code of which a version between two others changed what they give.

    Parameters
    ----------
    code, language : str
        Code, and what it is written in.
    stated, here : str
        The version that the document names, if any, and the one that is here.
    numbers : bool
        Whether nothing but numbers is asked about.
    kinds : bool, optional
        Whether it may show what kind of values a text has.
    """
    if language not in _CHANGED:
        return frozenset()
    changed = _changed(language, stated, here, numbers=numbers, dated=True)
    if not kinds or not _ASKS_FOR_KINDS.search(code):
        changed -= _READS
    return frozenset(changed & set(_CALL.findall(code)))


def _changed(language: str, stated: str, here: str, *, numbers: bool, dated: bool) -> set[str]:
    changed = {
        name
        for at, names in _CHANGED[language]
        if _lies_between(at, stated, here) and not (dated and at == _ALWAYS)
        for name in names.split()
    }
    return changed - set(_WORDS.split()) if numbers else changed


def is_one_slip(apart: tuple[Apart, ...]) -> bool:
    """Whether one value is mistyped, or two stand in each other's place.

    Parameters
    ----------
    apart : tuple of Apart
        All that differs between two texts.
    """
    if len(apart) == 2:
        return apart[0].what == apart[1].what and are_exchanged(apart)
    return len(apart) == 1 and is_mistyped(apart[0])


def is_mistyped(pair: Apart) -> bool:
    """Whether one value is the other but for a slip of the pen: a digit, a sign, two letters, a truth."""
    left, right = pair.published, pair.produced
    if pair.what == "truth":
        return left.lower() != right.lower()
    if pair.what == "number":
        return by_one_key(left, right) or left.lstrip("+-") == right.lstrip("+-")
    long = max(len(left.strip("'\"")), len(right.strip("'\""))) >= _LONG
    return pair.what == "text" and long and left.casefold() != right.casefold() and by_one_key(left, right)


def _lies_between(change: tuple[int, ...], stated: str, here: str) -> bool:
    """Whether a version that changed something lies between two others, so far as they are known."""
    one, other = (tuple(int(part) for part in re.findall(r"\d+", text)[:2]) for text in (stated, here))
    if change == _ALWAYS or not one:
        return True
    return min(one, other or one) < change <= max(one, other or _ALWAYS)
