"""Why an output that two runs agree on may still be right elsewhere: versions, machines, last digits."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.documents.model import Chunk
from harness.documents.tokens import ADDRESS
from harness.findings import slips, which_first
from harness.findings.apart import in_order_of, values_apart
from harness.findings.carried import of_a_generator, of_the_place
from harness.findings.digits import are_of_no_double
from harness.findings.evidence import is_turned, lacks_evidence, slipped_for_certain
from harness.findings.exact_arithmetic import differs_in_exact_digits
from harness.findings.judging_context import Context
from harness.findings.left_out import is_a_part, is_printed_whole
from harness.findings.names import names_in, upstream
from harness.findings.number_pairs import are_rounded, number_pairs
from harness.findings.one_place import has_dots_for_words, row_left_out
from harness.findings.plain_slips import no_version_explains
from harness.findings.r_sessions import left_to_the_session
from harness.findings.r_versions import changed_in_r_4
from harness.findings.random_numbers import (
    draw_in,
    machine_in,
    runs_at_once,
    says,
    seeds,
    without_comments,
)
from harness.findings.rounding import last_digits, wraps
from harness.findings.slices import statements_behind
from harness.findings.slips import few
from harness.findings.sources import called_packages, own_texts, source_of
from harness.findings.stream_versions import stream_of_another
from harness.findings.used_packages import used_packages
from harness.findings.versions import NUMERIC, older, printing, unsteady
from harness.findings.written_through import OF_PANDAS_3, is_written_through
from harness.model.article import BlockVerdict

_PATH = re.compile(rf"(?:/home/|/Users/|/tmp/|/usr/|/opt/|[A-Z]:\\\\?|site-packages|~/)\S*|{ADDRESS}")
_TYPES = re.compile(
    r"<(?:class|type|function|module|object)|\bdtype\b|Factor w/|chr |Array\{|Vector\{|Matrix\{"
    r"|\bobject at\b"
)
_COMMENTED = re.compile(r"(?m)(?:^|\s)#(?![#>])")
_COUNT = re.compile(r"(?m)^(?:\s*#[#>])?\s*\[1\] ")
_QUOTES = re.compile(r"[\"'`‘’“”]")
_NUMPY = re.compile(r"numpy|\bpylab\b")
_DIVIDES = re.compile(r"/|\bround\(|\brandom\b|\bhash\(|\bsort|\bdict\b|\{")
_SKIPPED = re.compile(r"doctest:\s*\+SKIP")
_SOURCE = re.compile(r"#=[^=\n]*=#")
_NO_WORDS = re.compile(r"(?<=[\d.])[eEf][-+]?\d+|(?<=\d)im\b")
"""Letters of Julia's numbers."""
FEWER_DIGITS = "fewer digits are shown, as an option or a printer sets them"
CUT = "its digits are cut and not rounded"
ONLY_A_PART = "only a part of what the code prints is shown"
ONLY_THE_ORDER = "the same is printed in another order, which the code leaves open"
_METHODS = re.compile(
    r"\bgeneric function with \d+ methods?\b|^# \d+ methods? for |\bMethodError\(.*, 0x[0-9a-f]{16}\)",
    re.MULTILINE,
)
_OF_ONE_SIZE = re.compile(r"\bsizeof\((?:Bool|Char|U?Int(?:8|16|32|64|128)|Float(?:16|32|64))\)")
"""What Julia gives for types that are as large on all machines."""
_HISTORY = re.compile(r"_{1,3}|_i*\d+|_i+h?|_[od]h|Out|In")
"""What IPython calls the values and the code of before."""
_MOST_LIKELY = 8
"""Reproduced outputs that show that another generation of the language computes the same here."""

_BORNE_OUT = 3
"""Reproduced outputs without which a document does not show that it was read rightly."""


def doubt(
    context: Context,
    chunk: Chunk,
    published: str,
    produced: str,
    verdict: BlockVerdict,
    shown: str,
    *,
    misprinted: bool = False,
) -> str:
    """Say what but a mistake may be the reason for a difference; empty if nothing is.

    Parameters
    ----------
    context : Context
        The document.
    chunk : Chunk
        The chunk whose output it is.
    published, produced : str
        The two texts.
    verdict : BlockVerdict
        How they differ.
    shown : str
        The part of the chunk's code that the output is of.
    misprinted : bool, optional
        Whether a run that printed all digits shows that no machine rounds to what is published.
    """
    language = chunk.language
    cone = upstream(context.chunks, chunk)
    code = without_comments("\n".join(part.code for part in cone))
    behind = without_comments(statements_behind(cone, shown))
    named = language.upper() if language == "r" else language.title()
    version = f"{named} {context.here.get(language, '')}".strip()
    stated = context.stated.get(language, "")
    if stated and older(stated, context.here.get(language, stated)):
        version += f" here, and {named} {stated} in the document"
    else:
        version += " here"
    used = used_packages(context.chunks, cone)
    version += _other_pins(context, used, language)
    produced = in_order_of(published, produced) if language == "python" else produced
    within = context.same_elsewhere and row_left_out(published, produced)
    if not (within or is_printed_whole(chunk, published, produced)) and is_a_part(published, produced):
        return ONLY_A_PART
    if _QUOTES.sub("", published).split() == _QUOTES.sub("", produced).split():
        return "only quotation marks differ"
    if "\\" in published and re.sub(r"\\+", "/", published).split() == produced.split():
        return "it shows a path or an address of the author's machine"
    in_its_form = language == "r" and values_apart(published, produced) is not None
    if _COMMENTED.search(published) and not (_COMMENTED.search(produced) or in_its_form):
        return "it is written as a comment, in words that the code does not print"
    if _SKIPPED.search(shown):
        return "its author leaves it out of the tests"
    if machine_in(_without_own_methods(shown, code)) or of_the_place(cone, shown):
        return "it shows something of the machine, of its versions or of their sizes in memory"
    if runs_at_once(code):
        return "what runs at the same time ends in any order"
    if _SOURCE.search(published) and _same_but(_SOURCE, published, produced):
        return "it names the cell or the line that the author's code stood in"
    if _METHODS.search(published):
        return "how many methods a function has depends on what is loaded"
    if has_dots_for_words(published, produced):
        return "dots stand for a part of what the code prints"
    if _PATH.search(published) and _same_but(_PATH, published, produced):
        return "it shows a path or an address of the author's machine"
    pairs = number_pairs(published, produced)
    # Of a number in which rounding changes a digit, the digits behind it are others too.
    steady = misprinted or slipped_for_certain(pairs or ()) or are_of_no_double(pairs or (), code)
    exact = pairs is not None and differs_in_exact_digits(pairs, behind, language)
    if not (steady or exact) and pairs is not None and (how := last_digits(pairs, code)):
        return how
    if (
        pairs is not None
        and (_NUMPY.search(code) or language == "julia")
        and (slips.of_32_bits(pairs) or slips.beyond_32_bits(pairs) or slips.root_of_32_bits(pairs, behind))
    ):
        return "integers have 32 bits on some machines"
    if language == "python" and _asks_the_prompt(shown):
        return "it is computed from what was run before at the author's prompt"
    if _NUMPY.search(code) and re.search(r"\blen\((?:str|repr)\(", code):
        return "how long a text is in which NumPy shows a number depends on its version"
    if language == "r" and pairs is not None and are_rounded(pairs):
        return FEWER_DIGITS
    # Metadata may be of a later session than the outputs: another Python 3 than this one proves nothing.
    divided = language == "python" and pairs is not None and not context.same_version(language)
    if divided and slips.of_whole_division(pairs or (), behind):
        return "before Python 3, a whole number divided by another is a whole number"
    if divided and slips.of_the_rounding_of_python_2(pairs or (), shown):
        return "before Python 3, a half is rounded to the other side, and to a fraction"
    apart = values_apart(published, produced)
    here = context.here.get(language, "")
    if not context.same_version(language) and slips.of_text_in_bytes(apart or (), behind, language):
        return "of how many bytes a text is made, the version and the machine's encoding say"
    if language == "r" and (left := left_to_the_session(apart or (), shown, behind)):
        return left
    if language == "python" and slips.of_what_a_sum_loses(apart or (), behind, stated, here):
        return f"since Python 3.12, sum() loses less of fractions ({version})"
    if is_written_through(context.chunks, chunk, shown):
        return f"{OF_PANDAS_3} ({version})"
    written = not chunk.cell and not chunk.executable
    # R's own print, of which nearly all is as published, rounds.
    of_print = language == "r" and context.same_elsewhere and _COUNT.search(published)
    if written and not of_print and pairs is not None and slips.are_cut(pairs):
        return CUT
    if language != "r" and slips.between_equals(published, produced, shown):
        return "which of equals comes first is left open"
    slip = pairs is not None and few(pairs)
    if language == "python" and slips.of_another_print(published, produced):
        return "another generation of the language prints it with other brackets and quotation marks"
    unordered = language == "python" and _before_3_7(context.stated.get(language, ""))
    # No order of a dict exchanges two numbers that stand nowhere in the code, and leaves the others.
    exchanged = context.same_elsewhere and pairs is not None and is_turned(pairs)
    unordered = unordered and not (exchanged and _are_computed(pairs or (), behind))
    if slips.only_the_order(published, produced, behind, language, before_3_7=unordered):
        return ONLY_THE_ORDER
    if first_of := which_first.left_open(
        published,
        produced,
        pairs,
        behind,
        language,
        stated=context.stated.get(language, ""),
        same=context.same_version(language),
    ):
        return first_of
    above = "\n".join(
        part.code for part in context.chunks if part.language == language and part.index <= chunk.index
    )
    plain = context.same_elsewhere or (
        context.alike.get(language, 0) >= _BORNE_OUT
        and no_version_explains(
            published, produced, behind, language, above, stated, context.here.get(language, "")
        )
    )
    # Of R's generations it is known what they changed, and asked for below.
    if (
        context.other_generation(language)
        and language != "r"
        and not plain
        and (
            pairs is None
            or verdict.first is None
            or verdict.first.kind != "number"
            or _DIVIDES.search(behind)
            or not context.stands_alone(language, least=_MOST_LIKELY)
        )
    ):
        return f"what another generation of the language gives is not known here ({version})"
    if not slip and wraps(behind, language):
        return f"how small numbers overflow and round depends on the version ({version})"
    first = verdict.first
    words = pairs is None or (first is not None and first.kind in ("text", "structure", "missing", "extra"))
    # What a format or a printer makes of a number changed too: numbers alone are the language's arithmetic.
    said = re.search(r"[A-Za-z]", _NO_WORDS.sub("", published)) is not None and not slip
    shaped = words or said or draw_in(code, language) is not None
    if language == "julia" and shaped and not plain and not context.same_version(language):
        return f"{version}: Julia prints and draws in another way from one version to the next"
    random = any(draw_in(part.code, part.language) is not None for part in cone) or (
        draw_in(code, language) is not None and seeds(code, language)
    )
    random = random or (language == "python" and of_a_generator(cone, shown))
    if random and (why := stream_of_another(pairs, shown, behind, code, language, context)):
        return f"{why} ({version})"
    if (
        language == "r"
        and not (context.same_version(language) or (context.same_elsewhere and pairs is None))
        and (why := changed_in_r_4(pairs, published, produced, shown, code, "" if chunk.cell else stated))
    ):
        return f"{why} ({version})"
    foreign = printing(called_packages(behind, above, language, used), language) - context.same_versions
    if apart is not None and len(apart) == 1 and apart[0].what == "truth":
        foreign -= NUMERIC  # which print truth values as the language does
    if words and not plain and (foreign or _TYPES.search(_unlike(published, produced))):
        listed = f" of {', '.join(sorted(foreign)[:3])}" if foreign else ""
        return f"another version{listed} may print it otherwise ({version})"
    if words and not plain and not (context.stands_alone(language) and not says(code)):
        return f"another version of the language may print it otherwise ({version})"
    same = context.same_versions | (used if context.same_elsewhere else frozenset())
    lacking = lacks_evidence(
        published,
        produced,
        source_of(context.chunks, cone, used, shown, same=same),
        code=behind,
        shown=shown,
        texts=own_texts(behind, language),
        isolated=_isolated(context, unsteady(used, language), language),
        same_elsewhere=context.same_elsewhere,
        misprinted=misprinted,
        of_no_version=plain and language == "julia",
    )
    return f"{lacking} ({version})" if lacking else ""


def _are_computed(pairs: Sequence[tuple[str, str]], code: str) -> bool:
    """Whether none of the numbers that differ stands in the code."""
    written = set(re.findall(r"\d[\d.]*", code))
    return not any(right.lstrip("+-") in written for left, right in pairs if left != right)


def _without_own_methods(shown: str, code: str) -> str:
    """Code without the sizes of plain types, and without calls of methods that the document defines.

    Such a method may have the name of another's.
    """
    own = set(re.findall(r"(?m)^\s+def (\w+)\(", code))
    shown = _OF_ONE_SIZE.sub("", shown)
    return re.sub(r"\.(\w+)\(", lambda called: ".own(" if called[1] in own else called[0], shown)


def _other_pins(context: Context, used: frozenset[str], language: str) -> str:
    """Say which packages a file beside the document pins at another version than is here."""
    others = [
        f"; {pin.file} pins {name} {pin.version}, and {pin.here} is here"
        for name, pin in sorted(context.pins.items())
        if language == "python" and name in used and pin.here and not pin.same
    ]
    return "".join(others[:3])


def _asks_the_prompt(shown: str) -> bool:
    """Whether code uses what IPython keeps of earlier cells, and does not set it itself."""
    used = {name for name in names_in(shown, "python").uses if _HISTORY.fullmatch(name)}
    return bool(used) and not re.search(r"\bfor\b[^\n]*(?<!\w)_+(?!\w)|(?<!\w)_+\s*[,=](?!=)", shown)


def _same_but(pattern: re.Pattern[str], published: str, produced: str) -> bool:
    """Whether two texts are the same where a pattern does not match."""
    return pattern.sub("", published).split() == pattern.sub("", produced).split()


def _isolated(context: Context, packages: frozenset[str], language: str) -> tuple[int, int]:
    """How many outputs that use the same packages are reproduced, and how many differ."""
    if not packages:
        return context.alike.get(language, 0), context.unlike.get(language, 0)
    same = min((context.reproduced.get(name, 0) for name in packages), default=0)
    return same, max((context.different.get(name, 0) for name in packages), default=0)


def _unlike(published: str, produced: str) -> str:
    """The lines of two texts that only one of them has, whatever addresses they show."""
    left, right = ([_PATH.sub("", row).strip() for row in text.split("\n")] for text in (published, produced))
    return "\n".join(row for row in (*left, *right) if (row in left) is not (row in right))


def _before_3_7(stated: str) -> bool:
    """Whether a version of Python is one whose dicts had no order; so may be one that is not stated."""
    parts = [int(part) for part in re.findall(r"\d+", stated)[:2]]
    return len(parts) < 2 or parts < [3, 7]
