"""Differences of R's plain vectors that no version makes: how it prints them has not changed."""

from __future__ import annotations

import re

from harness.findings.apart import lacks_one, tokens_of

_ROW = re.compile(r"\s*\[\d+\]\s+\S.*")
_PLAIN = frozenset({"number", "truth", "quoted"})
_MISSING = frozenset({("word", "NA"), ("word", "NaN"), ("word", "Inf")})
"""Elements that are no words."""
_AS_NUMBERS = {"TRUE": "1", "FALSE": "0"}
_MARKS = re.compile(r"(?m)^[ \t]*#[#>]? ?")
_ENOUGH = 3
"""Elements of a vector of which one is missing, or is of another kind as all of them are."""


def differs_as_no_version_does(published: str, produced: str, code: str) -> bool:
    """Whether a vector lacks an element, is doubled, has NA or truths for numbers, or is another text.

    Parameters
    ----------
    published, produced : str
        The two texts.
    code : str
        The statements that the output is computed by.
    """
    texts = [_MARKS.sub("", text) for text in (published, produced)]
    if not all(_ROW.fullmatch(row) for text in texts for row in text.splitlines() if row.strip()):
        return False
    left, right = map(tokens_of, texts)
    shown = {kind for kind, text in left + right if (kind, text) not in _MISSING}
    if not (left and right) or not shown <= _PLAIN:
        return False
    if _is_doubled(*texts):
        return True
    if len(left) != len(right):
        return max(len(left), len(right)) >= _ENOUGH and lacks_one(left, right)
    if len(left) == 1 and left[0][0] == right[0][0] == "quoted":
        return left != right and all(f"{text[1:-1]}" in code for ((_, text),) in (left, right))
    apart = [{mine, theirs} for mine, theirs in zip(left, right, strict=True) if mine != theirs]
    if len(left) >= _ENOUGH and all(
        pair & _MISSING and any(kind == "number" for kind, _ in pair) for pair in apart
    ):
        return bool(apart)
    kinds = {kind for kind, _ in left}, {kind for kind, _ in right}
    if len(left) < _ENOUGH or sorted(map(sorted, kinds)) != [["number"], ["truth"]]:
        return False
    return [_AS_NUMBERS.get(text, text) for _, text in left] == [
        _AS_NUMBERS.get(text, text) for _, text in right
    ]


def _is_doubled(published: str, produced: str) -> bool:
    """Whether one row stands twice in the place where the code prints it once, and all else is the same."""
    left, right = (
        [" ".join(row.split()) for row in text.splitlines() if row.strip()] for text in (published, produced)
    )
    if len(left) != len(right) + 1:
        return False
    at = next((n for n, row in enumerate(right) if row != left[n]), len(right))
    return left[at] == left[at - 1] and left[at + 1 :] == right[at:] and at > 0
