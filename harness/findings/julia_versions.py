"""What no version of Julia since 1.0 changes: values that stand in the same places of the same form.

From one version to the next Julia names types otherwise, heads and spaces what holds several values in
another way, words errors and warnings anew, draws other random numbers and goes through sets in another
order. All of these change the form, or are called by name in the code; none of them says ``true`` for
``false`` of the same plain types, takes one of the document's own words for another, or counts otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from harness.findings.apart import Apart, says_own_words
from harness.findings.digits import is_one_unit
from harness.findings.elementary import no_machine_computes
from harness.findings.evidence import is_far
from harness.findings.exact_julia import is_exact_in_julia
from harness.findings.julia_kinds import are_other_kinds, are_other_types
from harness.findings.julia_texts import puts_texts_together
from harness.findings.number_pairs import unwrapped
from harness.findings.sources import own_texts

_SHOWN_OTHERWISE = """
typeof isa eltype promote_type string repr show display join unique copy convert eachindex issubset
Dict Set keys values
"""
SHOWN_OTHERWISE = frozenset(_SHOWN_OTHERWISE.split())
"""Functions that give another form or another order, or that changed before 1.0."""
_PLAIN = """
AbstractChar AbstractFloat AbstractString Any BigFloat BigInt BitMatrix BitVector Bool Char Complex
ComplexF32 ComplexF64 DataType Dict Expr Float16 Float32 Float64 Function Int Int8 Int16 Int32 Int64
Int128 Integer Irrational Matrix Missing Module NamedTuple Nothing Number Pair Rational Real Regex Set
Signed StepRange String SubString Symbol Tuple Type UInt8 UInt16 UInt32 UInt64 UInt128 Union UnitRange
Unsigned Vararg Vector
"""
_TYPES = frozenset(_PLAIN.split())
"""Names of types that mean the same in all versions."""
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_MONTHS = "January February March April May June July August September October November December"
CALENDAR = frozenset(f"{_DAYS} {_MONTHS}".split())
"""Words of which ``Dates`` has the same in all versions for a date, which knows of no time zone."""
OF_THE_MACHINE = frozenset(["Int32", "Int64", "UInt32", "UInt64"])
"""Those of which one stands for another on another machine."""
_ASKS_WHICH_ONE = re.compile(r"===|!==|≡|≢|\bobjectid\b")
_ASKS_FOR_TYPES = re.compile(r"\bisa\b|<:|>:|\btypeof\(")
_ASKS_WHERE = re.compile(r"\bis(?:immutable|mutable|bits\w*|defined)\(")
"""What tells of the session, or of how values lie in memory."""
_FORMATS = re.compile(r"@s?printf\b")
"""What rounds otherwise since 1.6."""
_ROUNDED = 1e-9
"""Of its size, by how much a number may be another in another version."""
_NAMED = re.compile(r"\b[A-Z]\w*")
_DEFINED = re.compile(r"\b(?:struct|abstract type|primitive type|const)\s+([A-Z]\w*)")
_OF_NO_NAME = re.compile(r"#\d")
"""How Julia counts what has no name in a session."""
_SIZE = re.compile(r"\b\d+(?=-element)|\d+×\d+(?:×\d+)*")
_HEAD = re.compile(r"\b(?:\d+-element|\d+×\d+) (?:Vector|Matrix)(?=\{)")
"""The heads of arrays of one dimension or of two: one for the other is another value in all versions."""
_ELIDED = re.compile(r"[⋮…⋯⋱]|\.\.\.")
_VALUE = re.compile(
    r"(?P<text>\"(?:\\.|[^\"\\\n])*\")|(?P<truth>\b(?:true|false)\b)"
    r"|(?P<number>(?<![\w.])[-+]?\d[\d_]*\.?\d*(?:[eE][-+]?\d+)?(?:im\b)?(?!\w))"
)
_TYPE = re.compile(r"\s*[A-Z]\w*\{[\w{}, ]*\}\s*")
"""A type with its parameters, and nothing besides."""
_LISTED = re.compile(r"[\s\[\](){},;]*<(\w+)>(?:[\s\[\](){},;]*<\1>)*[\s\[\](){},;]*")
"""Values of one kind beside each other, with what stands between them."""
_BETWEEN = re.compile(r"[\s\[\](){},;]*")
"""What stands between the values of a list."""
_TEXT = re.compile(r"\"(?:\\.|[^\"\\])*\"")
_WORDED = re.compile(
    r"\bshowerror\(|\bcatch\b|(?<![\w)\]}'])\s*:\(|\bquote\b|\bdump\("
    r"|@(?:warn|info|error|debug|test\w*|macroexpand|which|code_\w+)\b"
)
"""What shows the language's own words, or code as it prints it."""


def is_of_no_version(
    apart: Sequence[Apart] | None, code: str, above: str, machine: Set[str] = OF_THE_MACHINE
) -> bool:
    """Whether two texts differ in nothing that versions of Julia since 1.0 print otherwise.

    Parameters
    ----------
    apart : sequence of Apart or None
        All that differs: values in the same places; None of texts that `are_rows_alike` with more or fewer.
    code, above : str
        The statements that they are computed by, which call nothing but the language's own functions and the
        document's, and all code of the document down to them.
    machine : set of str, optional
        Types that the author's machine may have in place of each other; none where it is as wide as this one.
    """
    plain = _TEXT.sub('""', code)
    types = _TYPES | set(_DEFINED.findall(above))
    if _ASKS_WHERE.search(plain) or _WORDED.search(plain):
        return False
    if apart is None:
        return not _FORMATS.search(plain)
    own = own_texts(code, "julia")
    exact = is_exact_in_julia(code) or no_machine_computes(
        [(pair.published, pair.produced) for pair in apart], code, "julia"
    )
    together = puts_texts_together(code)
    return bool(apart) and all(
        _is_own(pair, plain, own, types, machine, exact=exact, together=together) for pair in apart
    )


def are_rows_alike(published: str, produced: str) -> bool:
    """Whether two texts of Julia say the same of other values, and of more of them or fewer.

    Parameters
    ----------
    published, produced : str
        Two printed texts. How much of an array is shown depends on the screen.
    """
    texts = [unwrapped(text) for text in (published, produced)]
    sizes = [_SIZE.findall(text) for text in texts]
    # Under a head that says the same size, more or fewer are no values of another computation.
    if are_other_kinds(published, produced) or are_other_types(published, produced, _TYPES, OF_THE_MACHINE):
        return True
    if any(map(_ELIDED.search, texts)) or (sizes[0] and sizes[0] == sizes[1]):
        return False
    if all(map(_TYPE.fullmatch, texts)):
        return all(set(_NAMED.findall(text)) <= _TYPES - OF_THE_MACHINE | {"Int64"} for text in texts)
    if all(_BETWEEN.fullmatch(_VALUE.sub("", text)) for text in texts):
        # A list, of whatever values: another version has as many, be they shown otherwise.
        counts = [len(_VALUE.findall(text)) for text in texts]
        return counts[0] != counts[1] and 0 not in counts
    forms = [{_form(row) for row in text.split("\n") if row.strip()} for text in texts]
    return bool(forms[0]) and forms[0] == forms[1]


def _form(row: str) -> str:
    """A row without its values, however many stand beside each other."""
    bare = _VALUE.sub(lambda found: f"<{found.lastgroup}>", _HEAD.sub("<array>", row))
    return _LISTED.sub(r"<\1>", bare)


def _is_own(
    pair: Apart, plain: str, own: str, types: Set[str], machine: Set[str], *, exact: bool, together: bool
) -> bool:
    """Whether one value that differs is the document's own, and not the language's."""
    match pair.what:
        case "number":
            # The functions of floating point round their last digit otherwise since 1.6.
            far = is_far(((pair.published, pair.produced),), _ROUNDED)
            if "." in pair.produced and not exact and _FORMATS.search(plain):
                far = far and not is_one_unit(pair.published, pair.produced)
            return "." not in pair.produced or exact or far
        case "truth":
            return not _ASKS_WHICH_ONE.search(plain) and (
                not _ASKS_FOR_TYPES.search(plain) or set(_NAMED.findall(plain)) <= types - machine
            )
        case "text":
            names = {pair.published, pair.produced}
            if any(map(_OF_NO_NAME.search, names)):
                return False
            if names <= _TYPES:
                return not names <= machine
            said = says_own_words(pair, own) or together
            return said and pair.published.casefold() != pair.produced.casefold()
        case "kind":
            # A text stands in quotation marks wherever a value is shown, and a number in none.
            return True
