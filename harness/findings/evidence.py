"""Whether a difference accuses: the firmer the ground of a value, the less has to speak for a slip."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median

from harness.findings import slips
from harness.findings.apart import Apart, are_lists, are_turned, says_own_words, values_apart
from harness.findings.digits import are_of_no_double, is_one_unit, is_slipped
from harness.findings.number_pairs import number_pairs, same_digits
from harness.findings.sources import Ground, Source

_MANY = 6
"""Values of which a single one that differs is no other version's."""
_STEADY = 8
"""Outputs of the same packages that are reproduced where a version cannot be the reason."""
_SOME = 3
_LITTLE = 0.05
"""Of their size, by how much numbers differ on the whole in another version, or with other data."""
_FREE = 1e-3
"""Of its size, by how much a fitted number is free."""
_NEAR_ZERO = 1e-6
"""Beside the largest number, what rounding may have left of zero in a package."""
_ALL = 8
"""Decimals that a number has more where all of them are printed."""
_HALF_A_UNIT = 0.6
"""Of the last decimal: what rounding takes away, and a tenth as what is printed is rounded too."""
_FEW_DECIMALS = re.compile(r"[-+\d_]*\.\d{1,4}")
_SUMS = re.compile(
    r"\b(?:sum|mean|average|std|var|sd|dot|matmul|inv|solve|det|exp|log\d*|sin|cos|tan|sqrt|norm|cumsum|cumprod|prod"
    r"|einsum|fft|corrcoef|cov|cor|linspace|arange|power|crossprod|rowSums|colMeans)\(|\w\s*@\s*\w|%\*%|\w'?\s*\*\s*\w+'"
)
_SINGLE = re.compile(r"\btorch\b|\b[Ff]loat32\b|\btensor\(")
_COMPARES = re.compile(
    r"==|!=|[<>]=?|\bisclose|\ballclose|\ball\.equal|\bidentical|\barray_equal|\bduplicated|\bin\b|\bany\(|\ball\("
)
_FRACTIONS = re.compile(r"\d\.\d|\d\.(?!\d|\w)|/|\brand|\br(?:norm|unif)|sqrt|exp|log|sin|cos|linspace|\*\*")
_CHOOSES = re.compile(
    r"\bsign\(|\barg(?:m(?:ax|in)|sort)|\bunique|\bset\(|\brank|\bwhich|count_nonzero|nonzero\("
    r"|\bhist(?:ogram)?\(|\bdigitize|\bcut\(|\border\(|\bsortperm\("
)
_CUTS = re.compile(r"\bfloor|\bceil|\bint\(|\bround|\btrunc|//|\bas\.integer\(|\bInt\(")
_ROUNDS = re.compile(
    r"\bround\(|\baround\(|\bsignif\(|%\.\d|:[\d,]*\.\d+[f%]|\bformat\(|\bsprintf\(|\bdigits\s*=|@printf"
)

Pairs = Sequence[tuple[str, str]]


def lacks_evidence(
    published: str,
    produced: str,
    source: Source,
    *,
    code: str,
    shown: str,
    texts: str,
    isolated: tuple[int, int],
    same_elsewhere: bool = False,
    misprinted: bool = False,
    of_no_version: bool = False,
    of_a_plain_kind: bool = False,
) -> str:
    """Say what an accusation lacks; empty where nothing but the document can be the reason of a difference.

    Parameters
    ----------
    published, produced : str
        The two texts.
    source : Source
        What the values are computed from.
    code, shown : str
        The code with all that it depends on, and the statement that shows them.
    texts : str
        What the document's code says in its own words, from `own_texts`.
    isolated : tuple of int
        How many outputs that use the same packages are reproduced, and how many differ.
    same_elsewhere : bool, optional
        Whether the document's other outputs leave no version as the reason of this one.
    misprinted : bool, optional
        Whether a run that printed all digits shows that no machine rounds to what is published.
    of_no_version : bool, optional
        Whether the language says the same words in all its versions, as those of its plain types.
    of_a_plain_kind : bool, optional
        Whether the same values are shown as the language shows those of another kind.
    """
    apart = values_apart(published, produced)
    if source.ground is Ground.READER:
        return source.why
    if not apart and not same_elsewhere:
        same_form = of_no_version or are_lists(published, produced)
        if source.ground is Ground.LANGUAGE and (same_form if apart is None else of_a_plain_kind):
            return ""
        return "not only values differ, but the form in which they are shown, which changes with the version"
    pairs = numbers_in(published, produced)
    if slipped_for_certain(pairs) or are_of_no_double(pairs, code):
        return ""
    false = misprinted or is_falsely_rounded(published, produced)
    if not false and is_a_unit_in_single(pairs, code):
        return "single precision leaves the last digit of a sum to the machine"
    apart = apart or ()
    if not same_elsewhere and any(pair.what in ("text", "kind") for pair in apart):
        if source.ground is not Ground.LANGUAGE:
            return source.why
        own = all(says_own_words(pair, texts) for pair in apart if pair.what == "text")
        if not own and not of_no_version and not are_turned(apart):
            return "the words that differ may be the language's, which changes them from version to version"
    match source.ground:
        case Ground.BEYOND:
            return source.why
        case Ground.FITS:
            slip = one_of_many(apart, pairs) and is_a_slip(pairs) and is_far(pairs)
            return "" if slip or same_elsewhere else source.why
        case Ground.VALUES:
            alone = one_of_many(apart, pairs) and not is_near_zero(pairs)
            steady = isolated[0] >= _STEADY and isolated[1] <= 1
            sure = (is_a_slip(pairs) and (slips.few(pairs) or steady)) or (is_turned(pairs) and steady)
            # No version prints fewer digits of a number that it shows with all of them.
            sure = sure or is_cut_by_hand(published, produced)
            return "" if alone or sure or same_elsewhere else source.why
        case _:
            pass
    if apart and is_a_jump(apart, shown, code):
        return "rounding decides which side of a limit a sum is on, and that is the machine's"
    if not false and is_at_a_half(pairs, shown, code):
        return "a number halfway between two is rounded to either, as its last digits fall"
    if differ_a_little(pairs):
        return "most of the numbers differ a little, as with another version or other data"
    return ""


def is_rounded_by_libraries(code: str, language: str) -> bool:
    """Whether numeric libraries compute what code shows: their kernels round in an order of their own."""
    if language == "python":
        return re.search(r"\bimport\b|%pylab\b", code) is not None and _SUMS.search(code) is not None
    return language == "julia" and _SUMS.search(code) is not None


def numbers_in(published: str, produced: str) -> list[tuple[str, str]]:
    """Pair all numbers of two texts of one form, with the digits that both show; none of another form."""
    return [same_digits(left, right) for left, right in number_pairs(published, produced) or []]


def slipped_for_certain(pairs: Pairs) -> bool:
    """Whether one number alone differs, in a digit or two that are turned, with the same three behind."""
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    return len(apart) == 1 and is_slipped(*apart[0])


def one_of_many(apart: Sequence[Apart], pairs: Pairs) -> bool:
    """Whether one number alone differs, of six or more."""
    return len(apart) == 1 and apart[0].what == "number" and len(pairs) >= _MANY


def is_a_slip(pairs: Pairs) -> bool:
    """Whether all that differ are the same but for one digit, two that changed places, or false rounding."""
    return slips.of_the_pen(pairs)


def is_turned(pairs: Pairs) -> bool:
    """Whether two numbers that differ stand in each other's place."""
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    return len(apart) == 2 and apart[0] == apart[1][::-1]


def is_far(pairs: Pairs, free: float = _FREE) -> bool:
    """Whether all that differ do so by more of their size than is free: by default, than fitting leaves."""
    return all(_relative(left, right) >= free for left, right in pairs if left != right)


def is_near_zero(pairs: Pairs) -> bool:
    """Whether all that differ are as good as zero beside the largest number."""
    values = [(_value(left), _value(right)) for left, right in pairs]
    largest = max((abs(value) for pair in values for value in pair), default=0.0)
    apart = [pair for pair, texts in zip(values, pairs, strict=True) if texts[0] != texts[1]]
    return all(max(map(abs, pair)) <= _NEAR_ZERO * largest for pair in apart)


def is_a_jump(apart: Sequence[Apart], shown: str, code: str) -> bool:
    """Whether what differs is on one side of a limit or the other, by as little as rounding.

    Parameters
    ----------
    apart : sequence of Apart
        What differs: truth values, signs, whole numbers.
    shown, code : str
        The statement that shows it, and all that it depends on: sums and other functions of fractions are
        rounded, and comparing, sorting, cutting off and counting what is different makes a step of it.
    """
    truths = all(pair.what == "truth" for pair in apart) and _COMPARES.search(shown) is not None
    whole = all(pair.what == "number" and _is_whole(pair) for pair in apart)
    next_to = whole and all(abs(_value(pair.published) - _value(pair.produced)) <= 1 for pair in apart)
    steps = (whole and _CHOOSES.search(shown)) or (next_to and _CUTS.search(shown))
    return (truths or bool(steps)) and _SUMS.search(code) is not None and _FRACTIONS.search(code) is not None


def is_at_a_half(pairs: Pairs, shown: str, code: str) -> bool:
    """Whether all that differ do so by one unit of the last of few digits, to which a sum was rounded."""
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    units = all(_FEW_DECIMALS.fullmatch(left) and is_one_unit(left, right) for left, right in apart)
    return bool(apart) and units and _ROUNDS.search(shown) is not None and _SUMS.search(code) is not None


def is_falsely_rounded(published: str, produced: str) -> bool:
    """Whether a number has fewer decimals than the printed one, and is none that this may be rounded to.

    Parameters
    ----------
    published, produced : str
        Two printed texts. What lies halfway between two numbers with fewer decimals may be rounded to either.
    """
    for left, right in number_pairs(published, produced) or []:
        if "." not in left or "." not in right or "e" in (left + right).lower():
            continue
        fewer, more = (len(text.partition(".")[2]) for text in (left, right))
        if fewer < more and abs(_value(left) - _value(right)) * 10**fewer > _HALF_A_UNIT:
            return True
    return False


def is_cut_by_hand(published: str, produced: str) -> bool:
    """Whether one number alone differs, which is printed with all its digits and published falsely rounded.

    Parameters
    ----------
    published, produced : str
        Two printed texts. Of other data, the same code would print all digits as well.
    """
    apart = [pair for pair in number_pairs(published, produced) or [] if pair[0] != pair[1]]
    if len(apart) != 1 or not is_falsely_rounded(published, produced):
        return False
    left, right = apart[0]
    fewer = len(left.partition(".")[2])
    return len(right.partition(".")[2]) - fewer >= _ALL and abs(_value(left) - _value(right)) * 10**fewer < 2


def is_a_unit_in_single(pairs: Pairs, code: str) -> bool:
    """Whether all that differ do so by one unit of their last digit, and are of sums in single precision."""
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    if not apart or not (_SINGLE.search(code) and _SUMS.search(code)):
        return False
    # "27." is whole, and single precision gives whole numbers exactly.
    return all(re.search(r"\.\d", left) and is_one_unit(left, right) for left, right in apart)


def differ_a_little(pairs: Pairs) -> bool:
    """Whether most of three fractions or more differ, and by little of their size."""
    apart = [(left, right) for left, right in pairs if left != right and ("." in left or "." in right)]
    if len(apart) < _SOME or 2 * len(apart) <= len(pairs):
        return False
    # No other data give the same numbers in other places.
    if all(len(left) > _SOME for left, _ in apart) and sorted(apart) == sorted(pair[::-1] for pair in apart):
        return False
    # The same number in another spelling differs by nothing.
    return 0 < median(_relative(left, right) for left, right in apart) < _LITTLE


def _is_whole(pair: Apart) -> bool:
    left, right = _value(pair.published), _value(pair.produced)
    return left == -right or (left.is_integer() and right.is_integer())


def _relative(left: str, right: str) -> float:
    one, other = _value(left), _value(right)
    largest = max(abs(one), abs(other))
    return abs(one - other) / largest if largest else 0.0


def _value(text: str) -> float:
    return float(text.replace("_", "").rstrip("jJ").removesuffix("im").replace(" ", ""))
