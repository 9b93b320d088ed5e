"""Output that stands unmarked in a listing that is called code, as consoles print it, or below a comment."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from harness.documents.continued import parsed
from harness.documents.output_words import OUTPUT_WORD
from harness.documents.scan import scan

_FIRST = {
    "r": re.compile(
        r"(?m) *\[1\] +\S|\[\[1\]\]$|# A tibble: \d|'data\.frame':\t|Error in .* : |List of \d+$|<environment"
    ),
    "julia": re.compile(r"(?m)\d+-element \S.*:$|\d+×\d+ \S.*:$|ERROR: \w+Error\b"),
}
"""What no statement of the language begins with."""
_FAILS = re.compile(r"^ERROR: \w.*", re.MULTILINE)
_LABELLED = re.compile(rf"(?mi)(?<=\n)(?P<label>#+ ?{OUTPUT_WORD} ?[:：] *\n)(?P<shown>[^#\n].*(?:\n.+)*)")
_SAYS = (
    *(ast.Module, ast.Expr, ast.Constant, ast.Name, ast.List, ast.Tuple, ast.Dict, ast.Set),
    *(ast.UnaryOp, ast.unaryop, ast.expr_context),
)
"""What Python's values consist of, as they are printed."""
_MOST = 20
"""Lines that would be output but stand inside of a statement; each costs one more reading of it."""
_ELSE = re.compile(r" *\[1\] |Source: local data frame|\s*Call:\n")
_COMMENT = re.compile(r"^#{1,2}>? ?", re.MULTILINE)
_UNMARKED = re.compile(r"(?m)^ *(?:##|#>)(?: |$)")
MARK = re.compile(r"(?:##|#>)(?: |$)")
_ROW = re.compile(r" {0,8}(\d{1,6})[ :]+\S+[ :]+\S")
_VALUE = re.compile(
    r" *\[1\] +\S|\[\[1\]\]$|\$[\w.`]+$| +\[,1\]|'data\.frame':|List of \d+$|# A tibble: [\d,]+ [x×] \d"
    r"| (?:num|int|chr|logi|Factor) (?:\[|w/)"
    r"|(?:Warning|Error)(?: messages?| in .+?)? ?: ?"
)
"""A line of R's below a statement that no code is."""
_TIBBLE = re.compile(r"# A tibble: ")
_OF_TIBBLE = re.compile(r"#|\s+\S|\d+ ")
"""Its groups, head, types and rows, and what it says of more of them."""
_MORE = re.compile(r" *\[{1,2}\d+(?:\]|,)| +\[,\d+\]| *\$ ?[\w.`]")
"""A line that goes on with what is printed above it."""


def is_printed(text: str, language: str) -> bool:
    """Whether a listing that is called code begins with what code prints and is not, perhaps as comments."""
    first = _FIRST.get(language)
    text = text.strip("\n")
    shown = text if re.search(r"(?m)^(?!#)", text) else _COMMENT.sub("", text)
    return first is not None and first.match(shown) is not None


def is_marked(text: str) -> bool:
    """Whether a listing without a language is what knitr set there, and no remarks or headings."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if not lines or not all(MARK.match(line) for line in lines):
        return False
    aligned = len(lines) > 1 and re.match(r"##(?:$|  )", lines[0]) is not None
    return lines[0].startswith("#>") or aligned or looks_printed(text)


def looks_printed(text: str) -> bool:
    """Whether a listing without a language is what R, Julia or pandas print: a vector, a table, a model."""
    text = _UNMARKED.sub("", text).lstrip("\n")
    if any(first.match(text) for first in _FIRST.values()) or _ELSE.match(text):
        return True
    lines = [line for line in text.split("\n") if line.strip()][1:5]
    rows = [found[1] for line in lines if (found := _ROW.match(line))]
    return len(rows) == len(lines) > 1 and all(int(row) == int(rows[0]) + n for n, row in enumerate(rows))


def with_marks(code: str) -> str:
    """Put knitr's mark before the lines of R code that R printed, as ``[1] 2`` right below whole statements.

    Parameters
    ----------
    code : str
        A listing of R. Every line keeps its number.
    """
    lines = code.split("\n")
    heads = {number for number in range(len(lines)) if _is_head(lines[number : number + 3])}
    if not heads and not any(map(_VALUE.match, lines)):
        return code
    printed: set[int] = set()
    begun = missed = 0
    for number, line in enumerate(lines):
        if missed > _MOST:
            break
        if (
            number >= begun
            and (number in heads or _VALUE.match(line))
            and "".join(lines[begun:number]).strip()
        ):
            above = scan("\n".join(lines[begun:number]), "r")
            if above is None or not next((part.ends for part in reversed(above) if part.code.strip()), False):
                missed += 1  # it goes on
                continue
            begun = _end_of_printed(lines, number)
            printed.update(range(number, begun))
    return "\n".join(f"#> {line}" if number in printed else line for number, line in enumerate(lines))


def _is_head(lines: Sequence[str]) -> bool:
    """Whether lines are the head of a data frame and its first two rows, which no code of R looks like."""
    cells = [line.split() for line in lines]
    return (
        len(lines) == 3
        and lines[0][:1] == " "
        and [row[:1] for row in cells[1:]] == [["1"], ["2"]]
        and len(cells[0]) + 1 == len(cells[1]) == len(cells[2]) > 2
    )


def _end_of_printed(lines: Sequence[str], first: int) -> int:
    """Return the line behind what R prints from a line on; a blank one may stand inside of it."""
    end = at = first + 1
    if _is_head(lines[first : first + 3]):
        while end < len(lines) and _ROW.match(lines[end]):
            end += 1
        return end
    if _TIBBLE.match(lines[first]):
        while end < len(lines) and _OF_TIBBLE.match(lines[end]):
            end += 1
        return end
    while at < len(lines) and (not lines[at].strip() or _MORE.match(lines[at]) or _VALUE.match(lines[at])):
        at += 1
        end = at if lines[at - 1].strip() else end
    return end


def with_marked_values(code: str) -> str:
    """Put a mark before what Julia printed, as ``2-element Vector{Int64}:`` right below a whole statement.

    Parameters
    ----------
    code : str
        A listing of Julia. Every line keeps its number.
    """
    lines = code.split("\n")
    printed: set[int] = set()
    begun = 0
    for number, line in enumerate(lines):
        if number < begun or not _FIRST["julia"].match(line) or not "".join(lines[begun:number]).strip():
            continue
        above = scan("\n".join(lines[begun:number]), "julia")
        if above is None or not lines[number - 1].strip() or not above[-1].ends:
            continue
        begun = number + 1
        while begun < len(lines) and lines[begun].startswith(" ") and lines[begun].strip():
            begun += 1
        printed.update(range(number, begun))
    return "\n".join(f"#> {line}" if number in printed else line for number, line in enumerate(lines))


def with_marked_error(code: str) -> str:
    """Put a mark before the error that a listing of Julia ends with, as a console shows it.

    Parameters
    ----------
    code : str
        The listing. Every line keeps its number.
    """
    found = _FAILS.search(code)
    above = scan(code[: found.start()], "julia") if found is not None else None
    if found is None or above is None:
        return code
    whole = next((line.ends for line in reversed(above) if line.code.strip()), False)
    shown = code[found.start() :].rstrip("\n")
    if not whole or "\n\n" in shown:
        return code
    return code[: found.start()] + re.sub(r"(?m)^", "#> ", shown) + "\n"


def with_labelled_output(code: str) -> str:
    """Put marks before paragraphs below ``# Output:`` in a listing of Python, where they compute nothing.

    Parameters
    ----------
    code : str
        The listing. Every line keeps its number.
    """
    marked = _LABELLED.sub(_with_mark, code)
    return marked if parsed(marked) is not None else code


def _with_mark(found: re.Match[str]) -> str:
    shown = found["shown"]
    return found[0] if _computes(shown) else found["label"] + re.sub(r"(?m)^", "#> ", shown)


def _computes(text: str) -> bool:
    """Whether a text is code that does more than to say values."""
    tree = parsed(text)
    return tree is not None and not all(isinstance(node, _SAYS) for node in ast.walk(tree))
