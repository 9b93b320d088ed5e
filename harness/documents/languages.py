"""The language that the first word of a fence names."""

from __future__ import annotations

LANGUAGES = {
    "r": "r",
    "rscript": "r",
    "rconsole": "r",
    "python": "python",
    "py": "python",
    "python3": "python",
    "py3": "python",
    "ipython": "python",
    "ipython3": "python",
    "pycon": "python",
    "julia": "julia",
    "jl": "julia",
    "julia-repl": "julia",
    "jlcon": "julia",
    "jldoctest": "julia",
    "@example": "julia",
    "@repl": "julia",
}
SUPPORTED = frozenset(LANGUAGES.values())
OUTPUT = frozenset({"text", "txt", "output", "plain", "plaintext", "none", "console-output"})
DATA = frozenset({"csv", "tsv", "json", "yaml", "yml", "toml", "xml", "ini"})


def canonical(word: str) -> str:
    """Return the language that a fence's word names; an unknown word is kept, in lower case."""
    return LANGUAGES.get(word.lower(), word.lower())
