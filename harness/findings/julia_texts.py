"""Whether code of Julia does nothing but put together texts that it has: no word is the language's."""

from __future__ import annotations

from functools import lru_cache

from harness.findings.flow import NotRead
from harness.findings.julia_flow import julia_parts
from harness.findings.julia_syntax import tokens_with_texts

_FUNCTIONS = """
string print println join split rsplit replace reverse repeat strip lstrip rstrip chomp chop
uppercase lowercase uppercasefirst lowercasefirst titlecase lpad rpad first last SubString length
ncodeunits sizeof isempty push! append! pushfirst! pop! popfirst! collect vcat sort sort! filter map
enumerate zip eachindex firstindex lastindex nextind prevind thisind get getindex haskey contains
occursin startswith endswith in size sum minimum maximum min max abs div rem mod isodd iseven
isuppercase islowercase isletter isdigit isspace parse
"""
_NAMES = "Int Int64 Float64 String π pi im end begin true false"
_PLAIN = frozenset((_FUNCTIONS + _NAMES).split())
"""What gives parts of its arguments, and numbers; nothing that tells of errors, types or characters."""


@lru_cache(maxsize=1024)
def puts_texts_together(code: str) -> bool:
    """Whether all words that code shows are parts of texts that it has, whatever the version.

    Parameters
    ----------
    code : str
        Some statements, with all that they depend on.
    """
    try:
        parts = julia_parts(code)
        found = tokens_with_texts(code)
    except NotRead:
        return False
    bound = frozenset[str]().union(*(part.sets | part.defines for part in parts))
    read = frozenset[str]().union(*(part.reads | part.inner for part in parts))
    names = {token.text for token in found if token.kind == "name"}
    # What an exception says, and what an expression looks like, is the language's.
    words = {token.text for token in found if token.kind == "word"} & {"try", "catch", "quote", "macro"}
    macros = any(name.startswith("@") for name in names)
    return read <= bound | _PLAIN and not (words or macros or any(token.text == "::" for token in found))
