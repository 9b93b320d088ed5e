"""Names that a stage cannot have as a function of a language: its own words, and functions of its library."""

from __future__ import annotations

from harness.errors import UsageError
from harness.model import Case

_JAVASCRIPT = """
arguments await break case catch class const continue debugger default delete do else enum eval
export extends false finally for function if implements import in instanceof interface let new null
package private protected public return static super switch this throw true try typeof var void
while with yield
"""
_C = """
auto break case char const continue default do double else enum extern float for goto if inline int
long main real register restrict return short signed sizeof static struct switch typedef union
unsigned void volatile while complex_real size_t
"""
_CPP = """
alignas alignof and asm bool catch class concept decltype delete explicit export false friend
mutable namespace new noexcept not nullptr operator or private protected public requires template
this throw true try typeid typename using virtual xor
"""
_LIBRARY_OF_C = """
acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs fdim floor
fma fmax fmin fmod frexp gamma hypot j0 j1 jn ldexp lgamma log log10 log1p log2 logb modf nan pow
remainder rint round scalb scalbn signbit significand sin sinh sqrt tan tanh tgamma trunc y0 y1 yn
"""
_OCTAVE = """
break case catch continue do else elseif end for function global if otherwise parfor persistent
return switch try until while
"""
_WORDS = {
    "node": frozenset(_JAVASCRIPT.split()),
    "c": frozenset(f"{_C} {_LIBRARY_OF_C}".split()),
    "cpp": frozenset(f"{_C} {_CPP}".split()),
    "octave": frozenset(_OCTAVE.split()),
}
_NAMES = {"node": "JavaScript", "c": "C", "cpp": "C++", "octave": "Octave"}


def check_names(case: Case, language: str) -> None:
    """Refuse a case of which a stage cannot be a function of a language.

    Raises
    ------
    UsageError
        With the first such stage.
    """
    words = _WORDS.get(language, frozenset())
    for stage in case.stages:
        if stage.name in words:
            kind = "a function of the library" if stage.name in _LIBRARY_OF_C.split() else "a word"
            raise UsageError(
                f"the stage {stage.name} cannot be a function of {_NAMES[language]}, where that is {kind}",
                advice="give the stage another name in case.toml",
            )
