"""What versions of a language and of packages are known to change, or may change, of an output."""

from __future__ import annotations

import re

from harness.findings import doubts_in_text
from harness.findings.carried import of_a_generator
from harness.findings.difference import Difference
from harness.findings.older_pythons import (
    is_of_python_3,
    of_another_kind,
    of_another_print,
    of_text_in_bytes,
    of_the_rounding_of_python_2,
    of_what_a_sum_loses,
    of_whole_division,
    of_whole_numbers,
    splits_at_nothing,
)
from harness.findings.r_versions import changed_in_r_4, names_other_packages, of_whole_quotients
from harness.findings.random_numbers import draw_in, says, seeds
from harness.findings.rounding import wraps
from harness.findings.sources import called_packages
from harness.findings.stands_for import are_of_other_signs
from harness.findings.stream_versions import stream_of_another
from harness.findings.torch_streams import is_uniform
from harness.findings.versions import NUMERIC, is_since, printing
from harness.findings.written_through import is_written_through

_TIME_OF_DAY = re.compile(r"\btime\(\s*(?:0|\)|hour)|\btime\.min\b|\.time\(\)")
_DIVIDES = re.compile(r"/|\bround\(|\brandom\b|\bhash\(|\bsort|\bdict\b|\{")
_NO_WORDS = re.compile(r"(?<=[\d.])[eEf][-+]?\d+|(?<=\d)im\b")
"""Letters of Julia's numbers."""
_HALF_PRECISION = re.compile(r"\b(?:Float16|Inf16|NaN16)\b")
_MOST_LIKELY = 8
"""Reproduced outputs that show that another generation of the language computes the same here."""
_WRITES_A_CELL = re.compile(r"\brun_cell_magic\(\"(?:write)?file\"")
_LINE_ENDS = re.compile(r"\\[rn]|[\r\n]")
"""Line ends, also as a text in quotation marks shows them."""


def _may_be_of_python_2(one: Difference) -> bool:
    """Whether numbers may be; metadata of a later session, with another Python 3 than this, prove nothing."""
    return one.language == "python" and one.pairs is not None and _may_be_older(one)


def _may_be_older(one: Difference) -> bool:
    """Whether the author may have had another generation, unless what is shown is Python 3's."""
    if one.same_version or one.language != "python":
        return not one.same_version
    return not is_of_python_3(one.above, one.shown_above)


def _may_be_before(one: Difference, version: tuple[int, int]) -> bool:
    return one.language == "python" and not is_since(one.stated, version)


def asks_a_midnight(one: Difference) -> bool:
    """Whether a time of day is asked for its truth, by a version that may be older than Python 3.5."""
    truths = bool(one.apart) and all(pair.what == "truth" for pair in one.apart or ())
    return truths and _may_be_before(one, (3, 5)) and _TIME_OF_DAY.search(one.behind) is not None


def divides_whole_numbers(one: Difference) -> bool:
    """Whether whole numbers are divided, which Python 2 rounds down."""
    if not _may_be_of_python_2(one):
        return False
    return of_whole_division(one.pairs or (), one.behind) or of_whole_numbers(one.apart or (), one.behind)


def is_of_another_kind(one: Difference) -> bool:
    """Whether kinds of numbers differ that Python 2 has, or gives, otherwise."""
    older = one.language == "python" and _may_be_older(one)
    return older and of_another_kind(one.apart or (), one.behind)


def splits_where_nothing_is(one: Difference) -> bool:
    """Whether a text is split where nothing is matched, as Python does since 3.7."""
    return _may_be_before(one, (3, 7)) and splits_at_nothing(one.behind)


def rounds_a_half(one: Difference) -> bool:
    """Whether a half is rounded, which Python 2 rounds to the other side."""
    return _may_be_of_python_2(one) and of_the_rounding_of_python_2(one.pairs or (), one.shown)


def counts_bytes(one: Difference) -> bool:
    """Whether it is asked of how many bytes a text is."""
    return _may_be_older(one) and of_text_in_bytes(one.apart or (), one.behind, one.language)


def ends_a_file(one: Difference) -> bool:
    """Whether nothing but the end of the last line differs of a file that a magic of IPython's writes."""
    if one.language != "python" or _WRITES_A_CELL.search(one.behind) is None:
        return False
    left, right = (_LINE_ENDS.sub("", text) for text in (one.published, one.produced))
    return left == right


def sums_fractions(one: Difference) -> bool:
    """Whether fractions are summed, of which Python loses less since 3.12."""
    return one.language == "python" and of_what_a_sum_loses(one.apart or (), one.behind, one.stated, one.here)


def leaves_the_frame(one: Difference) -> bool:
    """Whether a part of a frame is written to, which since pandas 3 leaves the frame as it was."""
    return is_written_through(one.context.chunks, one.chunk, one.shown)


def is_of_another_print(one: Difference) -> bool:
    """Whether only the brackets and quotation marks of Python 2's print differ."""
    return one.language == "python" and of_another_print(one.published, one.produced)


def is_of_another_generation(one: Difference) -> bool:
    """Whether another generation of the language may be the reason."""
    # Of R's generations it is known what they changed, and asked for below.
    if one.language == "r" or one.is_of_no_version or not one.context.other_generation(one.language):
        return False
    return (
        one.pairs is None
        or one.verdict.first is None
        or one.verdict.first.kind != "number"
        or _DIVIDES.search(one.behind) is not None
        or not one.context.stands_alone(one.language, least=_MOST_LIKELY)
    )


def overflows(one: Difference) -> bool:
    """Whether small numbers are computed, which overflow and round otherwise from version to version."""
    few = one.is_of_few or are_of_other_signs(one.published, one.produced)
    return not (few or one.is_of_a_plain_kind) and wraps(one.behind, one.language)


def is_of_half_precision(one: Difference) -> bool:
    """Whether Julia computes with numbers of 16 bits, which builds and processors gave falsely.

    With the libraries of GCC 12, and in 1.9 on some processors, all of them were zero, by Julia's issues
    44829 and 51686.
    """
    # No build gives one number of several falsely.
    return one.language == "julia" and not one.is_of_few and _HALF_PRECISION.search(one.behind) is not None


def is_of_another_julia(one: Difference) -> bool:
    """Whether another version of Julia may print or draw it otherwise."""
    if one.language != "julia" or one.is_of_no_version or one.same_version:
        return False
    # What a format or a printer makes of a number changed too: numbers alone are the language's arithmetic.
    said = not one.is_of_few and re.search(r"[A-Za-z]", _NO_WORDS.sub("", one.published)) is not None
    return one.is_of_words or said or draw_in(one.code, one.language) is not None


def is_of_another_stream(one: Difference) -> str:
    """Say why drawn numbers may be others with another version; empty if none are drawn."""
    random = (
        any(draw_in(part.code, part.language) is not None for part in one.cone)
        or (draw_in(one.code, one.language) is not None and seeds(one.code, one.language))
        or (one.language == "python" and of_a_generator(one.cone, one.shown))
    )
    # What a reproduced output shows of PyTorch's uniform numbers holds of all that are drawn alike.
    uniform = one.context.same_uniform and one.language == "python"
    if not random or (uniform and is_uniform(one.since_the_seed, one.behind)):
        return ""
    # In R all draws move one stream: what sample() took of it, others have not.
    code = f"{one.code}\n{one.since_the_seed}" if one.language == "r" else one.code
    return stream_of_another(one.pairs, one.shown, one.behind, code, one.language, one.context)


def was_changed_in_r_4(one: Difference) -> str:
    """Say what R 4 gives otherwise; empty if it is nothing that differs."""
    if one.language != "r" or one.same_version or (one.context.same_elsewhere and one.pairs is None):
        return ""
    stated = "" if one.chunk.cell else one.stated
    return changed_in_r_4(one.pairs, one.published, one.produced, one.shown, one.code, stated)


def was_moved_in_r_4(one: Difference) -> bool:
    """Whether only packages are named that come with R, and that functions moved between."""
    return one.language == "r" and not one.same_version and names_other_packages(one.apart or ())


def is_printed_by_a_package(one: Difference) -> str:
    """Say which packages may print it otherwise in another version; empty if none prints it."""
    if not one.is_of_words or one.is_of_no_version or one.is_of_a_plain_kind or one.is_of_own_texts:
        return ""
    called = called_packages(one.behind, one.above, one.language, one.used)
    foreign = printing(called, one.language) - one.context.same_versions
    if one.apart is not None and len(one.apart) == 1 and one.apart[0].what == "truth":
        foreign -= NUMERIC  # which print truth values as the language does
    if not foreign and not doubts_in_text.shows_types(one):
        return ""
    listed = f" of {', '.join(sorted(foreign)[:3])}" if foreign else ""
    return f"another version{listed} may print it otherwise"


def has_words_of_another_version(one: Difference) -> bool:
    """Whether words differ that another version of the language may print otherwise."""
    alone = one.context.stands_alone(one.language) and not says(one.code)
    known = one.is_of_no_version or one.is_of_a_plain_kind or one.is_of_own_texts
    return one.is_of_words and not known and not alone


def counts_fractions(one: Difference) -> bool:
    """Whether R counts how often a fraction goes into a number."""
    return one.language == "r" and of_whole_quotients(one.apart or (), one.shown, one.behind)
