"""Why an output that two runs agree on may still be right elsewhere: versions, machines, last digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from harness.findings import doubts_in_text, slips, which_first
from harness.findings.carried import of_a_generator
from harness.findings.difference import Difference
from harness.findings.digits import are_of_no_double
from harness.findings.evidence import is_turned, lacks_evidence, slipped_for_certain
from harness.findings.exact_arithmetic import differs_in_exact_digits
from harness.findings.judging_context import Context
from harness.findings.one_place import has_dots_for_words
from harness.findings.python_2_kinds import of_another_kind, of_whole_numbers, splits_at_nothing
from harness.findings.r_sessions import left_to_the_session
from harness.findings.r_texts import texts_of
from harness.findings.r_versions import changed_in_r_4, names_other_packages, of_whole_quotients
from harness.findings.random_numbers import draw_in, runs_at_once, says, seeds
from harness.findings.rounding import last_digits, wraps
from harness.findings.sources import called_packages, source_of
from harness.findings.stream_versions import stream_of_another
from harness.findings.versions import NUMERIC, printing, unsteady
from harness.findings.written_through import OF_PANDAS_3, is_written_through

_TIME_OF_DAY = re.compile(r"\btime\(\s*(?:0|\)|hour)|\btime\.min\b|\.time\(\)")
_DIVIDES = re.compile(r"/|\bround\(|\brandom\b|\bhash\(|\bsort|\bdict\b|\{")
_NO_WORDS = re.compile(r"(?<=[\d.])[eEf][-+]?\d+|(?<=\d)im\b")
"""Letters of Julia's numbers."""
FEWER_DIGITS = "fewer digits are shown, as an option or a printer sets them"
CUT = "its digits are cut and not rounded"
ONLY_A_PART = "only a part of what the code prints is shown"
_OF_A_PATH = "it shows a path or an address of the author's machine"
ONLY_THE_ORDER = "the same is printed in another order, which the code leaves open"
_MOST_LIKELY = 8
"""Reproduced outputs that show that another generation of the language computes the same here."""


class _Rule(NamedTuple):
    """What but a mistake may be the reason of a difference, and how that is said.

    ``{found}`` in ``said`` is the text that ``applies`` returns, and ``{version}`` names the versions.
    """

    applies: Callable[[Difference], bool | str]
    said: str = "{found}"


def doubt(one: Difference) -> str:
    """Say what but a mistake may be the reason for a difference; empty if nothing is."""
    for rule in _RULES:
        if found := rule.applies(one):
            return rule.said.format(found=found, version=one.version)
    return ""


def _runs_at_once(one: Difference) -> bool:
    return runs_at_once(one.code)


def _has_dots(one: Difference) -> bool:
    return has_dots_for_words(one.published, one.produced)


def _has_last_digits(one: Difference) -> str:
    if one.pairs is None:
        return ""
    # Of a number in which rounding changes a digit, the digits behind it are others too.
    steady = one.misprinted or slipped_for_certain(one.pairs) or are_of_no_double(one.pairs, one.code)
    exact = differs_in_exact_digits(one.pairs, one.behind, one.language)
    return "" if steady or exact else last_digits(one.pairs, one.code)


def _has_32_bits(one: Difference) -> bool:
    pairs = one.pairs
    return (
        pairs is not None
        and (one.language == "julia" or doubts_in_text.NUMPY.search(one.code) is not None)
        and (
            slips.of_32_bits(pairs) or slips.beyond_32_bits(pairs) or slips.root_of_32_bits(pairs, one.behind)
        )
    )


def _may_be_of_python_2(one: Difference) -> bool:
    """Whether numbers may be; metadata of a later session, with another Python 3 than this, prove nothing."""
    return one.language == "python" and one.pairs is not None and not one.same_version


def _asks_a_midnight(one: Difference) -> bool:
    """Whether a time of day is asked for its truth, by a version that may be older than Python 3.5."""
    stated = tuple(int(part) for part in re.findall(r"\d+", one.stated)[:2])
    truths = bool(one.apart) and all(pair.what == "truth" for pair in one.apart or ())
    may_be_older = one.language == "python" and (len(stated) < 2 or stated < (3, 5))
    return truths and may_be_older and _TIME_OF_DAY.search(one.behind) is not None


def _divides_whole_numbers(one: Difference) -> bool:
    if not _may_be_of_python_2(one):
        return False
    return slips.of_whole_division(one.pairs or (), one.behind) or of_whole_numbers(
        one.apart or (), one.behind
    )


def _is_of_another_kind(one: Difference) -> bool:
    older = one.language == "python" and not one.same_version
    return older and of_another_kind(one.apart or (), one.behind)


def _splits_at_nothing(one: Difference) -> bool:
    stated = tuple(int(part) for part in re.findall(r"\d+", one.stated)[:2])
    older = one.language == "python" and (len(stated) < 2 or stated < (3, 7))
    return older and splits_at_nothing(one.behind)


def _rounds_a_half(one: Difference) -> bool:
    return _may_be_of_python_2(one) and slips.of_the_rounding_of_python_2(one.pairs or (), one.shown)


def _counts_bytes(one: Difference) -> bool:
    return not one.same_version and slips.of_text_in_bytes(one.apart or (), one.behind, one.language)


def _counts_fractions(one: Difference) -> bool:
    return one.language == "r" and of_whole_quotients(one.apart or (), one.shown, one.behind)


def _is_left_to_the_session(one: Difference) -> str:
    return left_to_the_session(one.apart or (), one.shown, one.behind) if one.language == "r" else ""


def _sums_fractions(one: Difference) -> bool:
    return one.language == "python" and slips.of_what_a_sum_loses(
        one.apart or (), one.behind, one.stated, one.here
    )


def _is_written_through(one: Difference) -> bool:
    return is_written_through(one.context.chunks, one.chunk, one.shown)


def _is_between_equals(one: Difference) -> bool:
    return one.language != "r" and slips.between_equals(one.published, one.produced, one.shown)


def _is_of_another_print(one: Difference) -> bool:
    return one.language == "python" and slips.of_another_print(one.published, one.produced)


def _has_another_order(one: Difference) -> bool:
    unordered = one.language == "python" and _before_3_7(one.stated)
    # No order of a dict exchanges two numbers that stand nowhere in the code, and leaves the others.
    exchanged = one.context.same_elsewhere and one.pairs is not None and is_turned(one.pairs)
    unordered = unordered and not (exchanged and _are_computed(one.pairs or (), one.behind))
    return slips.only_the_order(one.published, one.produced, one.behind, one.language, before_3_7=unordered)


def _leaves_open_which(one: Difference) -> str:
    return which_first.left_open(
        one.published,
        one.produced,
        one.pairs,
        one.behind,
        one.language,
        stated=one.stated,
        same=one.same_version,
    )


def _is_of_another_generation(one: Difference) -> bool:
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


def _wraps(one: Difference) -> bool:
    return not one.is_of_few and wraps(one.behind, one.language)


def _is_of_another_julia(one: Difference) -> bool:
    if one.language != "julia" or one.is_of_no_version or one.same_version:
        return False
    # What a format or a printer makes of a number changed too: numbers alone are the language's arithmetic.
    said = not one.is_of_few and re.search(r"[A-Za-z]", _NO_WORDS.sub("", one.published)) is not None
    return one.is_of_words or said or draw_in(one.code, one.language) is not None


def _is_of_another_stream(one: Difference) -> str:
    random = (
        any(draw_in(part.code, part.language) is not None for part in one.cone)
        or (draw_in(one.code, one.language) is not None and seeds(one.code, one.language))
        or (one.language == "python" and of_a_generator(one.cone, one.shown))
    )
    if not random:
        return ""
    # In R all draws move one stream: what sample() took of it, others have not.
    code = f"{one.code}\n{one.since_the_seed}" if one.language == "r" else one.code
    return stream_of_another(one.pairs, one.shown, one.behind, code, one.language, one.context)


def _was_changed_in_r_4(one: Difference) -> str:
    if one.language != "r" or one.same_version or (one.context.same_elsewhere and one.pairs is None):
        return ""
    stated = "" if one.chunk.cell else one.stated
    return changed_in_r_4(one.pairs, one.published, one.produced, one.shown, one.code, stated)


def _was_moved_in_r_4(one: Difference) -> bool:
    return one.language == "r" and not one.same_version and names_other_packages(one.apart or ())


def _is_printed_by_a_package(one: Difference) -> str:
    if not one.is_of_words or one.is_of_no_version:
        return ""
    called = called_packages(one.behind, one.above, one.language, one.used)
    foreign = printing(called, one.language) - one.context.same_versions
    if one.apart is not None and len(one.apart) == 1 and one.apart[0].what == "truth":
        foreign -= NUMERIC  # which print truth values as the language does
    if not (foreign or doubts_in_text.shows_types(one)):
        return ""
    listed = f" of {', '.join(sorted(foreign)[:3])}" if foreign else ""
    return f"another version{listed} may print it otherwise"


def _has_words_of_another_version(one: Difference) -> bool:
    alone = one.context.stands_alone(one.language) and not says(one.code)
    return one.is_of_words and not one.is_of_no_version and not alone


def _lacks_evidence(one: Difference) -> str:
    context = one.context
    same = context.same_versions | (one.used if context.same_elsewhere else frozenset())
    return lacks_evidence(
        one.published,
        one.produced,
        source_of(context.chunks, one.cone, one.used, one.shown, same=same),
        code=one.behind,
        shown=one.shown,
        texts=texts_of(one.behind, one.language, one.produced),
        isolated=_isolated(context, unsteady(one.used, one.language), one.language),
        same_elsewhere=context.same_elsewhere,
        misprinted=one.misprinted,
        of_no_version=one.is_of_no_version and one.language == "julia",
    )


_RULES = (
    _Rule(doubts_in_text.is_shown_in_part, ONLY_A_PART),
    _Rule(doubts_in_text.has_other_quotes, "only quotation marks differ"),
    _Rule(doubts_in_text.has_backslashes, _OF_A_PATH),
    _Rule(doubts_in_text.is_commented, "it is written as a comment, in words that the code does not print"),
    _Rule(doubts_in_text.is_skipped, "its author leaves it out of the tests"),
    _Rule(
        doubts_in_text.shows_the_machine,
        "it shows something of the machine, of its versions or of their sizes in memory",
    ),
    _Rule(_runs_at_once, "what runs at the same time ends in any order"),
    _Rule(doubts_in_text.names_a_cell, "it names the cell or the line that the author's code stood in"),
    _Rule(doubts_in_text.counts_methods, "how many methods a function has depends on what is loaded"),
    _Rule(_has_dots, "dots stand for a part of what the code prints"),
    _Rule(doubts_in_text.shows_a_path, _OF_A_PATH),
    _Rule(_has_last_digits),
    _Rule(_has_32_bits, "integers have 32 bits on some machines"),
    _Rule(doubts_in_text.asks_the_prompt, "it is computed from what was run before at the author's prompt"),
    _Rule(
        doubts_in_text.measures_a_text,
        "how long a text is in which NumPy shows a number depends on its version",
    ),
    _Rule(doubts_in_text.has_fewer_digits, FEWER_DIGITS),
    _Rule(
        doubts_in_text.has_the_same_values,
        "the same numbers are shown as those of another type, which versions and options choose ({version})",
    ),
    _Rule(_divides_whole_numbers, "before Python 3, a whole number divided by another is a whole number"),
    _Rule(_is_of_another_kind, "of which kind a number is in Python 2, it is not in Python 3"),
    _Rule(_splits_at_nothing, "since Python 3.7, texts are split, and replaced, where nothing is matched"),
    _Rule(_rounds_a_half, "before Python 3, a half is rounded to the other side, and to a fraction"),
    _Rule(_counts_bytes, "of how many bytes a text is made, the version and the machine's encoding say"),
    _Rule(
        _counts_fractions,
        "how often a fraction goes into a number depends on the platform, by R's help on %/%",
    ),
    _Rule(_is_left_to_the_session),
    _Rule(_asks_a_midnight, "before Python 3.5, midnight is false ({version})"),
    _Rule(_sums_fractions, "since Python 3.12, sum() loses less of fractions ({version})"),
    _Rule(_is_written_through, OF_PANDAS_3 + " ({version})"),
    _Rule(doubts_in_text.is_cut, CUT),
    _Rule(_is_between_equals, "which of equals comes first is left open"),
    _Rule(
        _is_of_another_print,
        "another generation of the language prints it with other brackets and quotation marks",
    ),
    _Rule(_has_another_order, ONLY_THE_ORDER),
    _Rule(_leaves_open_which),
    _Rule(
        _is_of_another_generation,
        "what another generation of the language gives is not known here ({version})",
    ),
    _Rule(_wraps, "how small numbers overflow and round depends on the version ({version})"),
    _Rule(
        _is_of_another_julia, "{version}: Julia prints and draws in another way from one version to the next"
    ),
    _Rule(_is_of_another_stream, "{found} ({version})"),
    _Rule(_was_changed_in_r_4, "{found} ({version})"),
    _Rule(_was_moved_in_r_4, "what comes with R is of other packages since R 4.0 ({version})"),
    _Rule(_is_printed_by_a_package, "{found} ({version})"),
    _Rule(
        _has_words_of_another_version,
        "another version of the language may print it otherwise ({version})",
    ),
    _Rule(_lacks_evidence, "{found} ({version})"),
)


def _are_computed(pairs: Sequence[tuple[str, str]], code: str) -> bool:
    """Whether none of the numbers that differ stands in the code."""
    written = set(re.findall(r"\d[\d.]*", code))
    return not any(right.lstrip("+-") in written for left, right in pairs if left != right)


def _isolated(context: Context, packages: frozenset[str], language: str) -> tuple[int, int]:
    """How many outputs that use the same packages are reproduced, and how many differ."""
    if not packages:
        return context.alike.get(language, 0), context.unlike.get(language, 0)
    same = min((context.reproduced.get(name, 0) for name in packages), default=0)
    return same, max((context.different.get(name, 0) for name in packages), default=0)


def _before_3_7(stated: str) -> bool:
    """Whether a version of Python is one whose dicts had no order; so may be one that is not stated."""
    parts = [int(part) for part in re.findall(r"\d+", stated)[:2]]
    return len(parts) < 2 or parts < [3, 7]
