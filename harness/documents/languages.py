"""The language that the first word of a fence names."""

from __future__ import annotations

LANGUAGES = {
    "r": "r",
    "rscript": "r",
    "rconsole": "r",
    "r-console": "r",
    "r-script": "r",
    "rout": "r",
    "splus": "r",
    "rsplus": "r",
    "python": "python",
    "py": "python",
    "python3": "python",
    "py3": "python",
    "ipython": "python",
    "ipython3": "python",
    "pycon": "python",
    "python-repl": "python",
    "python-console": "python",
    "pyrepl": "python",
    "julia": "julia",
    "jl": "julia",
    "julia-repl": "julia",
    "jlcon": "julia",
    "jldoctest": "julia",
    "@example": "julia",
    "@repl": "julia",
}
SUPPORTED = frozenset(LANGUAGES.values())
OUTPUT = frozenset(
    {"text", "txt", "output", "plain", "plaintext", "none", "console-output", "raw", "pre"}
    | {"nohighlight", "no-highlight"}
)
DATA = frozenset({"csv", "tsv", "json", "yaml", "yml", "toml", "xml", "ini"})


def canonical(word: str) -> str:
    """Return the language that a fence's word names; an unknown word is kept, in lower case."""
    return LANGUAGES.get(word.lower(), word.lower())
