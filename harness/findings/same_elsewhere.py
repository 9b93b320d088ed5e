"""Whether a document's other outputs leave another version as the reason of a difference in one place.

What another version of a language or of a package changes, it changes wherever it is used: the form of all
that is printed, or a value altogether. Where the rest of a document is reproduced, with outputs of the same
packages, and one value alone is another, two stand in each other's place, or one element is missing or too
many, nothing speaks for a version. What is known to differ in one value between versions and machines is
listed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from harness.documents.model import Chunk
from harness.documents.of_python_2 import OF_PYTHON_2
from harness.findings.apart import Apart, in_order_of, says_own_words, tokens_of, values_apart
from harness.findings.doubts import CUT, ONLY_A_PART
from harness.findings.evidence import is_far
from harness.findings.firm_ground import rest_beside
from harness.findings.judging_state import JudgingState, Key
from harness.findings.julia_versions import CALENDAR
from harness.findings.kinds_of_values import are_plain_kinds
from harness.findings.lost_lines import lost_line
from harness.findings.named_files import files_named_in
from harness.findings.names import upstream
from harness.findings.names_of_months import names_months
from harness.findings.older_pythons import (
    of_another_kind,
    of_whole_division,
    of_whole_numbers,
    splits_at_nothing,
)
from harness.findings.one_place import (
    VERY_MANY,
    are_other_rows,
    are_rows_turned,
    in_one_place,
    is_one_of_many,
    lacks_one_of_its_kind,
    row_left_out,
)
from harness.findings.outputs import LIKE, piece, produced
from harness.findings.plain_slips import changed_between, is_mistyped
from harness.findings.r_texts import texts_of
from harness.findings.r_versions import may_be_factors, may_be_other_classes, rounds_otherwise
from harness.findings.random_numbers import without_comments
from harness.findings.rounding import ITERATES
from harness.findings.same_values import holds_the_same
from harness.findings.sizes_shown import differs_in_a_shape
from harness.findings.slices import statements_behind
from harness.findings.slips import without_texts
from harness.findings.sources import (
    SHIPPED,
    Ground,
    called_packages,
    own_texts,
    source_of,
    without_own_data,
)
from harness.findings.stands_for import are_of_other_sizes, may_stand_for
from harness.findings.steady import VALUES
from harness.findings.symbolic import OF_EXPRESSIONS, has_exact_digits, is_determined
from harness.findings.telling import is_of_mixed_kinds
from harness.findings.torn import is_torn
from harness.findings.used_packages import used_packages
from harness.findings.versions import generation, unsteady
from harness.model.article import Answer, BlockKind

_MOST = 0.75
"""Of a document's other outputs, how many are reproduced where a number or a truth value is another."""
_MORE = 0.8
"""The same where it is a word, or how many elements there are."""
_HALF = 0.5
"""The same where two numbers or rows stand in each other's place, a row is missing or stands twice, or one
of very many values is another."""
_QUARTER = 0.25
"""The same where all outputs are reproduced that show what the value is computed from."""
_SEVERAL = 4
"""Outputs that are reproduced without which a document shows nothing."""
_MANY = 8
"""Values of an output that show as much as an output by itself."""
_EXCHANGED = 2
"""Numbers that stand in each other's place."""
_ROUNDED = 1e-9
"""Of its size, by how much a number may be another on another machine."""
_FEW = 3
"""Outputs of a package, or of the code above, that are reproduced."""
_SENTENCE = 3
"""Words that nothing but a document says in a row."""
_COUNTS_METHODS = re.compile(r"\bgeneric function with\b|\bmethods?\b")
_TALKS = re.compile(
    r"\bexcept\b|\btry\(|\btryCatch\(|\bcatch\b|\bhelp\(|\b__doc__|\btraceback\b"
    r"|\bis (?:not )?(?!None\b|not\b)\w"
)
"""What shows a language's own words, or asks whether two objects are one."""
_GROWN = re.compile(r"\b(?:starwars|storms|presidential|world_bank_pop|who2?|flights|gapminder)\b(?!\()")
"""Data of R's packages that have other rows and columns in other versions."""
_ASKS_FOR_TYPES = re.compile(
    r"===|≡|<:|\bisa\b|\bidentical\(|\binherits\(|\bis\.(?:vector|factor|character|array)\("
)
_NUMBER = (
    r"(?:Any|Number|Real|Integer|Signed|Unsigned|AbstractFloat|Bool"
    r"|U?Int(?:8|16|32|64|128)?|Float(?:16|32|64))"
)
_OF_NUMBERS = re.compile(rf"(?<![\w.{{]){_NUMBER}\s*<:\s*{_NUMBER}(?![\w.{{])")
"""How Julia is asked where a type of numbers belongs, which has been the same in all its versions."""
_NAMES = """
tuple list dict set bool int float str bytes complex function NoneType slice frozenset
double integer numeric character logical closure
Int64 Float64 String Bool Char Tuple Dict Set Symbol Complex Rational
"""
_TYPES = frozenset(_NAMES.split())
"""Names of types that no version has changed."""
_OTHERWISE_IN_PYTHON_2 = re.compile(
    r"/|[<>]|\b(?:round|hash|input|type|long|unicode|encode|decode)\(|\brandom\b|\bexcept\b"
)
_ORDERED_IN_PYTHON_3 = re.compile(
    r"\bdict\b|\bset\b|\{|\b(?:map|filter|zip|range|keys|values|items|reversed|enumerate)\("
)
"""What gives another order, or another kind of object, in Python 2."""
_ROUNDS = frozenset({"summary", "round"})
"""What other versions round otherwise, and leave in its order."""
_MISSING = re.compile(r"\b(?:NaN|nan|NA)(?!\w)")
_COUNTS_NA = frozenset({"table"})
_ASKS_FOR_CLASSES = frozenset({"class"})
_ALL_OF = re.compile(r"(?m)^\s*from\s+(\w+)[\w.]*\s+import\s+\*")
_OF_A_SOURCE = re.compile(r"\.\w{1,3}:\d+|\bline \d+")


def no_version_differs(state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], key: Key) -> bool:
    """Whether nothing in a document speaks for another version as the reason of one output's difference.

    Parameters
    ----------
    state : JudgingState
        The document, judged.
    answers : mapping
        What is said of each output.
    key : Key
        The output.
    """
    chunk = state.chunks[key[0]]
    published = chunk.output[key[1]].text
    printed = in_order_of(published, produced(chunk, state.runs.published.of(chunk), key[1]))
    line = lost_line(state, answers, key, printed)
    slip = "element" if line == "lost" else in_one_place(published, printed, chunk.language)
    several = slip != "element" and state.verdicts[key].differing > _EXCHANGED
    if not slip or line == "left out" or several:
        return False
    wide = not state.context.other_sizes(chunk.language) and are_of_other_sizes(published, printed)
    if may_stand_for(published, printed) and not wide:
        return False
    cone, shown = upstream(state.chunks, chunk), piece(chunk, key[1])
    rest = rest_beside(state, answers, key)
    rows = slip == "element" and (line == "lost" or are_other_rows(published, printed))
    share = _MOST if slip == "value" else _HALF if rows or slip == "exchange" else _MORE
    if slip != "element" and is_one_of_many(published, printed, chunk.language, VERY_MANY):
        share = _HALF
    if slip == "value" and _reads_what_is_reproduced(answers, key, cone):
        share = _QUARTER
    if _shown_beside(state, answers, key) < _SEVERAL or rest.share(failing=False) < share:
        return False
    behind = statements_behind(cone, shown)
    bare = without_comments(behind)
    plain = without_texts(bare)
    above = "\n".join(part.code for part in state.chunks[: key[0] + 1] if part.language == chunk.language)
    if _are_last_digits(published, printed) and not has_exact_digits(plain, above):
        return False
    if not _is_of_generation(state, chunk, plain, slip):
        return False
    turned = slip == "element" and are_rows_turned(published, printed)
    own = turned or _are_own_lines(published, printed, own_texts(behind, chunk.language))
    if (
        (_TALKS.search(plain) and not own)
        or _COUNTS_METHODS.search(published)
        or _OF_A_SOURCE.search(published)
    ):
        return False
    shipped = SHIPPED.get(chunk.language)
    loads = without_texts(without_own_data(bare, chunk.language))
    grown = chunk.language == "r" and _GROWN.search(plain)
    if grown or (shipped is not None and shipped.search(loads)):
        return False
    apart = values_apart(published, printed) or ()
    if names_months(apart, plain):
        return False
    stated, here = (known.get(chunk.language, "") for known in (state.context.stated, state.context.here))
    promotes = chunk.language == "julia" and generation(stated) == "1"
    if not promotes and is_of_mixed_kinds(published, printed, plain):
        return False
    numbers = bool(apart) and all(pair.what == "number" for pair in apart)
    if chunk.language == "python" and (
        of_another_kind(apart, plain)
        or of_whole_numbers(apart, plain)
        or of_whole_division([(pair.published, pair.produced) for pair in apart if numbers], plain)
        or splits_at_nothing(bare)
    ):
        return False
    kinds = may_be_factors(published, printed, plain)
    changed = changed_between(plain, chunk.language, stated, here, numbers=numbers, kinds=kinds)
    # What is rounded otherwise has other numbers, and no other rows or words; what counts NA, other NA.
    same = frozenset() if slip == "value" and rounds_otherwise(apart) else _ROUNDS
    # Which numbers are integers, functions decide, and did it otherwise before.
    integers = are_plain_kinds(apart, chunk.language)
    if slip == "word" and not (integers or may_be_other_classes(published, printed, plain, stated)):
        same |= _ASKS_FOR_CLASSES
    if changed - same - (frozenset() if "NA" in published + printed else _COUNTS_NA):
        return False
    asks = _OF_NUMBERS.sub("", plain) if chunk.language == "julia" else plain
    if any(pair.what == "truth" for pair in apart) and _ASKS_FOR_TYPES.search(asks):
        return False
    if slip == "word" and not all(_is_known(state, answers, pair, behind, chunk.language) for pair in apart):
        return False
    used = _called(state, cone, behind, above)
    # Of how many values a package says something, and where it says that there are too few, versions decide.
    if used and len({len(_MISSING.findall(text)) for text in (published, printed)}) > 1:
        return False
    symbolic = slip in ("value", "exchange") and numbers and is_determined(plain)
    steady = VALUES[chunk.language] | (OF_EXPRESSIONS if symbolic else frozenset())
    if not used <= steady and not is_one_of_many(published, printed, chunk.language):
        return False
    row = row_left_out(published, printed)
    # What packages say below a head, as the name of an index, or at an end comes and goes.
    if row and used and row == 1:
        return False
    torn = chunk.language == "r" and is_torn(published, printed)
    if used and line and not torn and not lacks_one_of_its_kind(published, printed):
        return False
    mine = answers[key][1]
    # What is not printed so, and stands more than once in a document, its author does on purpose.
    if mine in (ONLY_A_PART, CUT) and sum(why == mine for _, why in answers.values()) > 1:
        return False
    if not all(_is_borne_out(state, answers, key, name) for name in used):
        return False
    # What was looked at above, and what is attached and not called, is no other version's.
    attached = used_packages(state.chunks, cone)
    # What is estimated has free digits, and its rows the order in which they are given.
    free = turned and not ITERATES.search(plain)
    sized = chunk.language == "python" and differs_in_a_shape(published, printed, plain)
    most = Ground.FITS if free or sized or (symbolic and used and used <= OF_EXPRESSIONS) else Ground.VALUES
    return source_of(state.chunks, cone, attached, shown, same=attached).ground <= most


def _shown_beside(state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], key: Key) -> int:
    """How many other outputs are reproduced, of which one of many values shows as much as two or three."""
    language = state.chunks[key[0]].language
    right = (
        state.chunks[index].output[place].text
        for (index, place), (answer, _) in answers.items()
        if answer is Answer.REPRODUCED and (index, place) != key and state.chunks[index].language == language
    )
    values = (sum(kind in ("number", "quoted", "truth") for kind, _ in tokens_of(text)) for text in right)
    return sum(min(_FEW, 1 + count // _MANY) for count in values)


def _are_own_lines(published: str, printed: str, texts: str) -> bool:
    """Whether the lines that differ are sentences among the document's own texts, as they are printed."""
    shown, rows = ([row.strip() for row in text.strip().split("\n")] for text in (published, printed))
    rows = [row for row in rows if row not in shown]
    return bool(rows) and all(len(row.split()) >= _SENTENCE and row.lower() in texts for row in rows)


def _is_known(
    state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], pair: Apart, code: str, language: str
) -> bool:
    """Whether a word that is printed is the document's own, or one that no version chooses."""
    word = pair.produced.strip("'\"")
    if pair.what in ("number", "truth") or {word, pair.published.strip("'\"")} <= _TYPES:
        return True
    if language == "julia" and {word, pair.published.strip("'\"")} <= CALENDAR:
        return True
    if word in _TYPES and is_mistyped(pair):
        return True
    if says_own_words(pair, texts_of(code, language, pair.produced)):
        return True
    shown: Iterable[str] = (
        state.chunks[index].output[place].text
        for (index, place), (answer, _) in answers.items()
        if answer is Answer.REPRODUCED
    )
    if is_mistyped(pair):
        # What its author writes elsewhere is spelt so: a column, a level, a name, a value of a file.
        shown = chain(shown, (part.code for part in state.chunks if part.language == language))
        shown = chain(shown, files_named_in(code, state.runs.document.path.parent))
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for text in shown)


def _reads_what_is_reproduced(
    answers: Mapping[Key, tuple[Answer, str]], key: Key, cone: Sequence[Chunk]
) -> bool:
    """Whether several outputs show what a value is computed from, and all of them are reproduced."""
    chunks = {part.index for part in cone}
    said = [answer for other, (answer, _) in answers.items() if other != key and other[0] in chunks]
    return len(said) >= _FEW and all(answer is Answer.REPRODUCED for answer in said)


def _is_borne_out(
    state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], key: Key, name: str
) -> bool:
    """Whether several outputs that need a package are reproduced, and three for each that differs."""
    using = state.runs.once("packages of chunks", lambda: _packages_of(state))
    said = [
        answer
        for other, (answer, _) in answers.items()
        if other != key
        and name in using[other[0]]
        and state.verdicts[other].kind in (*LIKE, BlockKind.DIFFERS)
        and not (answer is Answer.HERE and holds_the_same(state, other))
    ]
    good, bad = said.count(Answer.REPRODUCED), said.count(Answer.HERE) + said.count(Answer.WRONG)
    return good >= _FEW and bad <= good // _FEW


def _packages_of(state: JudgingState) -> dict[int, frozenset[str]]:
    cones = {part.index: upstream(state.chunks, part) for part in state.chunks if part.output}
    # What brings all of its names stands in no cone.
    every = frozenset(name for part in state.chunks for name in _ALL_OF.findall(part.code))
    return {index: used_packages(state.chunks, cone) | every for index, cone in cones.items()}


def _called(state: JudgingState, cone: Sequence[Chunk], code: str, above: str) -> frozenset[str]:
    """The packages that code uses: of those that R and Julia attach, none where it calls nothing else."""
    language = cone[-1].language
    used = unsteady(used_packages(state.chunks, cone), language) - state.context.same_versions
    return frozenset(called_packages(code, above, language, used))


def _are_last_digits(published: str, printed: str) -> bool:
    """Whether the numbers that differ do so by as little as another machine's rounding."""
    apart = values_apart(published, printed) or ()
    numbers = [(pair.published, pair.produced) for pair in apart if pair.what == "number"]
    return bool(numbers) and all("." in "".join(pair) and not is_far((pair,), _ROUNDED) for pair in numbers)


def _is_of_generation(state: JudgingState, chunk: Chunk, code: str, slip: str) -> bool:
    """Whether another generation of the language, if the author had one, gives the same for some code."""
    other = state.context.other_generation(chunk.language) or OF_PYTHON_2 in chunk.doubtful
    if not other or chunk.language == "r":
        return True
    if chunk.language == "julia" or _OTHERWISE_IN_PYTHON_2.search(code):
        return False
    return slip == "value" or _ORDERED_IN_PYTHON_3.search(code) is None
