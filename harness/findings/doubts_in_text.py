"""What the texts, and the statement that shows them, say of why an output may be another elsewhere."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from harness.documents.tokens import ADDRESS
from harness.findings import slips
from harness.findings.carried import of_the_place
from harness.findings.difference import Difference
from harness.findings.left_out import is_a_part, is_kept_whole, is_printed_whole, may_be_lost
from harness.findings.names import names_in
from harness.findings.number_pairs import are_rounded, is_whole_for_fraction
from harness.findings.quotes import are_lost_or_added
from harness.findings.random_numbers import machine_in, without_negations

_PATH = re.compile(rf"(?:/home/|/Users/|/tmp/|/usr/|/opt/|[A-Z]:\\\\?|site-packages|~/)\S*|{ADDRESS}")
_TYPES = re.compile(
    r"<(?:class|type|function|module|object)|\bdtype\b|Factor w/|chr |Array\{|Vector\{|Matrix\{"
    r"|\bobject at\b"
)
_COMMENTED = re.compile(r"(?m)(?:^|\s)#(?![#>])")
_COUNT = re.compile(r"(?m)^(?:\s*#[#>])?\s*\[1\] ")
_HALF = Decimal("0.5")
_ROUNDS_FIRST = re.compile(
    r"\b(?:summary|quantile|fivenum|anova|aov|g?lm|nls|signif|print|format\w*|prettyNum|kable|TukeyHSD|cat|paste0?"
    r"|options|sprintf)\("
)
"""What rounds to some digits, or to those of an option, before a printer fills up with zeros."""
_QUOTES = re.compile(r"[\"'`‘’“”]")
_SKIPPED = re.compile(r"doctest:\s*\+SKIP")
_SOURCE = re.compile(r"#=[^=\n]*=#")
_METHODS = re.compile(
    r"\bgeneric function with \d+ methods?\b|^# \d+ methods? for |\bMethodError\(.*, 0x[0-9a-f]{16}\)",
    re.MULTILINE,
)
_OF_ONE_SIZE = re.compile(r"\bsizeof\((?:Bool|Char|U?Int(?:8|16|32|64|128)|Float(?:16|32|64))\)")
"""What Julia gives for types that are as large on all machines."""
_SIZES = re.compile(r"\b(?:sys\.)?getsizeof\(|\.(?:itemsize|nbytes)\b|__sizeof__\(")
_LOOPS_ON = re.compile(r"\b(?:while|if)\b")
_NUMBER = re.compile(r"\d[\d.]*")
_PADDED = re.compile(r"0\d+")
"""A number that a format fills up with zeros: to another width, no type and no version does."""
_SEVERAL = 4
"""Numbers that are as they are here, so that the machine is as this one is."""
_HISTORY = re.compile(r"_{1,3}|_i*\d+|_i+h?|_[od]h|Out|In")
"""What IPython calls the values and the code of before."""
NUMPY = re.compile(r"numpy|\bpylab\b")


def is_shown_in_part(one: Difference) -> bool:
    """Whether only a part of what the code prints is shown."""
    within = one.context.same_elsewhere and may_be_lost(one.published, one.produced, one.language)
    whole = within or is_printed_whole(one.chunk, one.published, one.produced)
    whole = whole or is_kept_whole(one.chunk, one.published)
    return not whole and is_a_part(one.published, one.produced)


def has_other_quotes(one: Difference) -> bool:
    """Whether only quotation marks differ, as authors, printers and packages set them."""
    if one.language == "r" and one.context.quotes_kept and are_lost_or_added(one.published, one.produced):
        return False
    marks = [_QUOTES.findall(text) for text in (one.published, one.produced)]
    same = marks[0] != marks[1] and _same_but(_QUOTES, one.published, one.produced)
    return same and not one.is_quoted_otherwise


def has_backslashes(one: Difference) -> bool:
    """Whether a path is written as Windows writes it."""
    slashes = re.sub(r"\\+", "/", one.published)
    return "\\" in one.published and slashes.split() == one.produced.split()


def is_commented(one: Difference) -> bool:
    """Whether it is written as a comment, in words that the code does not print."""
    in_its_form = one.language == "r" and one.apart is not None
    return bool(_COMMENTED.search(one.published)) and not (_COMMENTED.search(one.produced) or in_its_form)


def is_skipped(one: Difference) -> bool:
    """Whether its author leaves it out of the tests."""
    return _SKIPPED.search(one.shown) is not None


def shows_the_machine(one: Difference) -> bool:
    """Whether it shows something of the machine, or of the place where it is run."""
    shown = _without_own_methods(one.shown, one.code)
    shown = without_negations(shown, one.language)
    if _shows_all_numbers(one) and not _LOOPS_ON.search(shown):
        # How large something is is a number: no line is lost of it, and none is another word.
        shown = _SIZES.sub("", shown)
    return machine_in(shown) is not None or of_the_place(one.cone, one.shown)


def _shows_all_numbers(one: Difference) -> bool:
    """Whether all numbers of a text are printed, in their order, and others with them."""
    published, printed = (_NUMBER.findall(text) for text in (one.published, one.produced))
    if one.language != "python" or len(published) < _SEVERAL:
        return False
    rest = iter(printed)
    return len(published) < len(printed) and all(number in rest for number in published)


def names_a_cell(one: Difference) -> bool:
    """Whether it names the cell or the line that the author's code stood in."""
    return bool(_SOURCE.search(one.published)) and _same_but(_SOURCE, one.published, one.produced)


def counts_methods(one: Difference) -> bool:
    """Whether it counts the methods of a function, which depend on what is loaded."""
    return _METHODS.search(one.published) is not None


def shows_a_path(one: Difference) -> bool:
    """Whether only paths and addresses differ."""
    return bool(_PATH.search(one.published)) and _same_but(_PATH, one.published, one.produced)


def asks_the_prompt(one: Difference) -> bool:
    """Whether code uses what IPython keeps of earlier cells, and does not set it itself."""
    if one.language != "python":
        return False
    used = {name for name in names_in(one.shown, "python").uses if _HISTORY.fullmatch(name)}
    return bool(used) and not re.search(r"\bfor\b[^\n]*(?<!\w)_+(?!\w)|(?<!\w)_+\s*[,=](?!=)", one.shown)


def measures_a_text(one: Difference) -> bool:
    """Whether it is how long a text is in which NumPy shows a number."""
    return bool(NUMPY.search(one.code) and re.search(r"\blen\((?:str|repr)\(", one.code))


def has_fewer_digits(one: Difference) -> bool:
    """Whether R shows fewer digits of the same numbers."""
    if one.language != "r" or one.pairs is None or not are_rounded(one.pairs):
        return False
    # No option fills up with zeros what it takes from a number; what rounds before it prints does.
    return _ROUNDS_FIRST.search(one.behind) is not None or not any(map(_is_filled_up, one.pairs))


def _is_filled_up(pair: tuple[str, str]) -> bool:
    """Whether a number ends in a zero, and is none that another may be rounded to with as many decimals."""
    left, right = pair
    if left == right or not left.endswith("0") or "." not in left or "e" in (left + right).lower():
        return False
    try:
        apart = abs(Decimal(left) - Decimal(right))
    except InvalidOperation:
        return False
    return apart.scaleb(len(left.partition(".")[2])) > _HALF


def has_the_same_values(one: Difference) -> bool:
    """Whether all numbers have the values of those that are printed, as those of another type.

    Julia prints a whole number as one, and a fraction with its point, in all versions; so does Python 3 of
    what no package gives.
    """
    apart = [pair for pair in one.pairs or () if pair[0] != pair[1]]
    # Who writes an output by hand leaves the point and the zero out, and adds none.
    longer = len(one.published.strip()) > len(one.produced.strip())
    printed = one.language == "julia" and (longer or bool(one.chunk.cell))
    if (
        one.is_of_another_array
        or one.is_spelled_otherwise
        or any(all(map(_PADDED.fullmatch, pair)) for pair in apart)
        or (printed and is_whole_for_fraction(one.published, one.produced))
    ):
        return False
    try:
        return bool(apart) and all(Decimal(left) == Decimal(right) for left, right in apart)
    except InvalidOperation:
        return False


def is_cut(one: Difference) -> bool:
    """Whether its digits are cut and not rounded, by hand."""
    written = not one.chunk.cell and not one.chunk.executable
    # R's own print, of which nearly all is as published, rounds.
    of_print = one.language == "r" and one.context.same_elsewhere and _COUNT.search(one.published)
    return written and not of_print and one.pairs is not None and slips.are_cut(one.pairs)


def shows_types(one: Difference) -> bool:
    """Whether lines that only one of the texts has name types, whatever addresses they show."""
    left, right = (
        [_PATH.sub("", row).strip() for row in text.split("\n")] for text in (one.published, one.produced)
    )
    return any(_TYPES.search(row) for row in (*left, *right) if (row in left) is not (row in right))


def _without_own_methods(shown: str, code: str) -> str:
    """Code without the sizes of plain types, and without calls of methods that the document defines.

    Such a method may have the name of another's.
    """
    own = set(re.findall(r"(?m)^\s+def (\w+)\(", code))
    shown = _OF_ONE_SIZE.sub("", shown)
    return re.sub(r"\.(\w+)\(", lambda called: ".own(" if called[1] in own else called[0], shown)


def _same_but(pattern: re.Pattern[str], published: str, produced: str) -> bool:
    """Whether two texts are the same where a pattern does not match."""
    return pattern.sub("", published).split() == pattern.sub("", produced).split()
