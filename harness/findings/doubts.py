"""Why an output that two runs agree on may still be right elsewhere: versions, machines, last digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from harness.findings import doubts_in_text, doubts_of_versions, which_first
from harness.findings.difference import Difference
from harness.findings.digits import are_of_no_double
from harness.findings.elementary import no_machine_computes
from harness.findings.evidence import is_turned, lacks_evidence, slipped_for_certain
from harness.findings.exact_arithmetic import differs_in_exact_digits
from harness.findings.judging_context import Context
from harness.findings.judging_state import JudgingState, Key
from harness.findings.one_place import has_dots_for_words
from harness.findings.open_orders import between_equals, only_the_order
from harness.findings.outputs import produced
from harness.findings.plain_vectors import differs_as_no_version_does
from harness.findings.r_sessions import left_to_the_session
from harness.findings.r_texts import texts_of
from harness.findings.random_numbers import runs_at_once
from harness.findings.reached import shown_by
from harness.findings.reasons import Proof, Reason, overruled
from harness.findings.remarked import without_remarks
from harness.findings.rounding import last_digits
from harness.findings.sources import source_of
from harness.findings.symbolic import has_exact_digits
from harness.findings.versions import DICTS_HAVE_AN_ORDER, is_since, unsteady
from harness.findings.word_size import beyond_32_bits, of_32_bits, root_of_32_bits
from harness.findings.written_through import OF_PANDAS_3

FEWER_DIGITS = "fewer digits are shown, as an option or a printer sets them"
CUT = "its digits are cut and not rounded"
ONLY_A_PART = "only a part of what the code prints is shown"
_INTEGER = re.compile(r"[-+]?\d+")
_FROM_FRACTIONS = re.compile(r"\b(?:round|floor|ceil|trunc|U?Int\d*|BigInt|Integer)\(|\bdigits\(|@s?printf\b")
"""What makes whole numbers of Julia's fractions, or shows fractions without a point."""
_OF_A_PATH = "it shows a path or an address of the author's machine"
ONLY_THE_ORDER = "the same is printed in another order, which the code leaves open"


class _Rule(NamedTuple):
    """What but a mistake may be the reason of a difference, and how that is said.

    ``{found}`` in ``said`` is the text that ``applies`` returns, and ``{version}`` names the versions.
    """

    reason: Reason
    applies: Callable[[Difference], bool | str]
    said: str = "{found}"


def doubt(one: Difference, *proofs: Proof) -> str:
    """Say what but a mistake may be the reason for a difference; empty if nothing is.

    Parameters
    ----------
    one : Difference
        An output that is printed otherwise than it is published.
    *proofs : Proof
        What is proven of it: reasons that they overrule are none.
    """
    given = (*proofs, Proof.ELSEWHERE) if one.context.same_elsewhere else proofs
    given = (*given, Proof.STEADY) if one.context.same_in_all_draws else given
    none = overruled(given)
    for rule in _RULES:
        if rule.reason not in none and (found := rule.applies(one)):
            return rule.said.format(found=found, version=one.version)
    return ""


def reasons_of(one: Difference) -> frozenset[Reason]:
    """Return the kinds of all reasons but a mistake that a difference may have.

    Parameters
    ----------
    one : Difference
        An output that is printed otherwise than it is published.
    """
    return frozenset(rule.reason for rule in _RULES if rule.applies(one))


def difference_at(state: JudgingState, key: Key, *, misprinted: bool = False) -> Difference:
    """Return an output that is printed otherwise than it is published, with what is known of it.

    Parameters
    ----------
    state : JudgingState
        What is known of the document up to its chunk.
    key : Key
        The output.
    misprinted : bool, optional
        Whether a run that printed all digits shows that no machine rounds to what is published.
    """
    chunk = state.chunks[key[0]]
    printed, shown = produced(chunk, state.runs.published.of(chunk), key[1]), shown_by(chunk, key[1])
    published = without_remarks(chunk.output[key[1]].text, printed, chunk.language)
    return Difference(state.context, chunk, published, printed, state.verdicts[key], shown, misprinted)


def _runs_at_once(one: Difference) -> bool:
    return runs_at_once(one.code)


def _has_dots(one: Difference) -> bool:
    return has_dots_for_words(one.published, one.produced)


def _has_last_digits(one: Difference) -> str:
    if one.pairs is None or _are_integers(one):
        return ""
    # Of a number in which rounding changes a digit, the digits behind it are others too.
    steady = one.misprinted or slipped_for_certain(one.pairs) or are_of_no_double(one.pairs, one.code)
    exact = differs_in_exact_digits(one.pairs, one.behind, one.language)
    exact = exact or no_machine_computes(one.pairs, one.behind, one.language)
    exact = exact or (one.language == "python" and has_exact_digits(one.behind, one.above))
    return "" if steady or exact else last_digits(one.pairs, one.code)


def _are_integers(one: Difference) -> bool:
    """Whether a whole number differs that Julia prints without a point: such have no last digits."""
    if one.language != "julia" or _FROM_FRACTIONS.search(one.behind):
        return False
    apart = (pair for pair in one.pairs or () if pair[0] != pair[1])
    return any(all(map(_INTEGER.fullmatch, pair)) for pair in apart)


def _has_32_bits(one: Difference) -> bool:
    pairs = one.pairs
    return (
        pairs is not None
        and one.language not in one.context.as_wide
        and (one.language == "julia" or doubts_in_text.NUMPY.search(one.code) is not None)
        and (of_32_bits(pairs) or beyond_32_bits(pairs) or root_of_32_bits(pairs, one.behind))
    )


def _is_left_to_the_session(one: Difference) -> str:
    return left_to_the_session(one.apart or (), one.shown, one.behind) if one.language == "r" else ""


def _is_between_equals(one: Difference) -> bool:
    return one.language != "r" and between_equals(one.published, one.produced, one.shown)


def _has_another_order(one: Difference) -> bool:
    unordered = one.language == "python" and not is_since(one.stated, DICTS_HAVE_AN_ORDER)
    # No order of a dict exchanges two numbers that stand nowhere in the code, and leaves the others.
    exchanged = one.context.same_elsewhere and one.pairs is not None and is_turned(one.pairs)
    unordered = unordered and not (exchanged and _are_computed(one.pairs or (), one.behind))
    return only_the_order(one.published, one.produced, one.behind, one.language, before_3_7=unordered)


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


def _lacks_evidence(one: Difference) -> str:
    if one.is_of_own_texts:
        return ""
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
        of_a_plain_kind=one.is_of_a_plain_kind,
        of_no_version=one.is_of_a_plain_kind or (one.is_of_no_version and _is_plainly_printed(one)),
    )


_RULES = (
    _Rule(Reason.FORM, doubts_in_text.is_shown_in_part, ONLY_A_PART),
    _Rule(Reason.FORM, doubts_in_text.has_other_quotes, "only quotation marks differ"),
    _Rule(Reason.FORM, doubts_in_text.has_backslashes, _OF_A_PATH),
    _Rule(
        Reason.FORM,
        doubts_in_text.is_commented,
        "it is written as a comment, in words that the code does not print",
    ),
    _Rule(Reason.FORM, doubts_in_text.is_skipped, "its author leaves it out of the tests"),
    _Rule(
        Reason.MACHINE,
        doubts_in_text.shows_the_machine,
        "it shows something of the machine, of its versions or of their sizes in memory",
    ),
    _Rule(Reason.MACHINE, _runs_at_once, "what runs at the same time ends in any order"),
    _Rule(
        Reason.FORM,
        doubts_in_text.names_a_cell,
        "it names the cell or the line that the author's code stood in",
    ),
    _Rule(
        Reason.MACHINE,
        doubts_in_text.counts_methods,
        "how many methods a function has depends on what is loaded",
    ),
    _Rule(Reason.FORM, _has_dots, "dots stand for a part of what the code prints"),
    _Rule(Reason.FORM, doubts_in_text.shows_a_path, _OF_A_PATH),
    _Rule(Reason.DIGITS, _has_last_digits),
    _Rule(Reason.DIGITS, _has_32_bits, "integers have 32 bits on some machines"),
    _Rule(
        Reason.SESSION,
        doubts_in_text.asks_the_prompt,
        "it is computed from what was run before at the author's prompt",
    ),
    _Rule(
        Reason.CHANGED,
        doubts_in_text.measures_a_text,
        "how long a text is in which NumPy shows a number depends on its version",
    ),
    _Rule(Reason.FORM, doubts_in_text.has_fewer_digits, FEWER_DIGITS),
    _Rule(
        Reason.FORM,
        doubts_in_text.has_the_same_values,
        "the same numbers are shown as those of another type, which versions and options choose ({version})",
    ),
    _Rule(
        Reason.CHANGED,
        doubts_of_versions.divides_whole_numbers,
        "before Python 3, a whole number divided by another is a whole number",
    ),
    _Rule(
        Reason.CHANGED,
        doubts_of_versions.is_of_another_kind,
        "of which kind a number is in Python 2, it is not in Python 3",
    ),
    _Rule(
        Reason.CHANGED,
        doubts_of_versions.splits_where_nothing_is,
        "since Python 3.7, texts are split, and replaced, where nothing is matched",
    ),
    _Rule(
        Reason.CHANGED,
        doubts_of_versions.rounds_a_half,
        "before Python 3, a half is rounded to the other side, and to a fraction",
    ),
    _Rule(
        Reason.CHANGED,
        doubts_of_versions.counts_bytes,
        "of how many bytes a text is made, the version and the machine's encoding say",
    ),
    _Rule(
        Reason.CHANGED,
        doubts_of_versions.counts_fractions,
        "how often a fraction goes into a number depends on the platform, by R's help on %/%",
    ),
    _Rule(Reason.SESSION, _is_left_to_the_session),
    _Rule(
        Reason.CHANGED, doubts_of_versions.asks_a_midnight, "before Python 3.5, midnight is false ({version})"
    ),
    _Rule(
        Reason.CHANGED,
        doubts_of_versions.ends_a_file,
        "whether IPython ends the last line of a file that a cell writes depends on its version",
    ),
    _Rule(
        Reason.CHANGED,
        doubts_of_versions.sums_fractions,
        "since Python 3.12, sum() loses less of fractions ({version})",
    ),
    _Rule(Reason.CHANGED, doubts_of_versions.leaves_the_frame, OF_PANDAS_3 + " ({version})"),
    _Rule(Reason.FORM, doubts_in_text.is_cut, CUT),
    _Rule(Reason.ORDER, _is_between_equals, "which of equals comes first is left open"),
    _Rule(
        Reason.CHANGED,
        doubts_of_versions.is_of_another_print,
        "another generation of the language prints it with other brackets and quotation marks",
    ),
    _Rule(Reason.ORDER, _has_another_order, ONLY_THE_ORDER),
    _Rule(Reason.ORDER, _leaves_open_which),
    _Rule(
        Reason.VERSION,
        doubts_of_versions.is_of_another_generation,
        "what another generation of the language gives is not known here ({version})",
    ),
    _Rule(
        Reason.VERSION,
        doubts_of_versions.overflows,
        "how small numbers overflow and round depends on the version ({version})",
    ),
    _Rule(
        Reason.MACHINE,
        doubts_of_versions.is_of_half_precision,
        "numbers of 16 bits were false in some builds of Julia and on some processors",
    ),
    _Rule(
        Reason.VERSION,
        doubts_of_versions.is_of_another_julia,
        "{version}: Julia prints and draws in another way from one version to the next",
    ),
    _Rule(Reason.DRAWN, doubts_of_versions.is_of_another_stream, "{found} ({version})"),
    _Rule(Reason.CHANGED, doubts_of_versions.was_changed_in_r_4, "{found} ({version})"),
    _Rule(
        Reason.CHANGED,
        doubts_of_versions.was_moved_in_r_4,
        "what comes with R is of other packages since R 4.0 ({version})",
    ),
    _Rule(Reason.VERSION, doubts_of_versions.is_printed_by_a_package, "{found} ({version})"),
    _Rule(
        Reason.VERSION,
        doubts_of_versions.has_words_of_another_version,
        "another version of the language may print it otherwise ({version})",
    ),
    _Rule(Reason.GROUND, _lacks_evidence, "{found} ({version})"),
)


def _are_computed(pairs: Sequence[tuple[str, str]], code: str) -> bool:
    """Whether none of the numbers that differ stands in the code."""
    written = set(re.findall(r"\d[\d.]*", code))
    return not any(right.lstrip("+-") in written for left, right in pairs if left != right)


def _is_plainly_printed(one: Difference) -> bool:
    """Whether no version shows values of such a form otherwise."""
    if one.language == "r":
        return differs_as_no_version_does(one.published, one.produced, one.behind)
    return one.language == "julia"


def _isolated(context: Context, packages: frozenset[str], language: str) -> tuple[int, int]:
    """How many outputs that use the same packages are reproduced, and how many differ."""
    if not packages:
        return context.alike.get(language, 0), context.unlike.get(language, 0)
    same = min((context.reproduced.get(name, 0) for name in packages), default=0)
    return same, max((context.different.get(name, 0) for name in packages), default=0)
