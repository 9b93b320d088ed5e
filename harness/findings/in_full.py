"""Numbers that torch prints rounded, held to all of their digits: which of them no machine rounds so."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from harness.documents.model import Chunk, Document
from harness.findings.digits import is_one_unit
from harness.findings.judging_state import JudgingState
from harness.findings.names import upstream
from harness.findings.number_pairs import number_pairs, same_digits
from harness.findings.outputs import produced
from harness.findings.reached import shown_by
from harness.findings.rounding import ITERATES
from harness.findings.runs import DocumentRuns
from harness.findings.slices import statements_behind

_TORCH = re.compile(r"\b(?:import|from)\s+torch\b")
_SETS = re.compile(r"\bset_(?:printoptions|default_dtype)\b|\b(?:float16|bfloat16|half)\b")
_IN_FULL = "import torch\ntorch.set_printoptions(precision=12)\ndel torch"
_IN_DOUBLE = (
    "import torch\ntorch.set_printoptions(precision=12)\ntorch.set_default_dtype(torch.float64)\ndel torch"
)
_SINGLE = {
    re.compile(r"\bfloat32\b"): "float64",
    re.compile(r"\.float\(\s*\)"): ".double()",
    re.compile(r"\bFloatTensor\b"): "DoubleTensor",
}
"""What has single precision whatever the default is, and its like in double precision."""
_TIMES = 8
"""How many times what single precision loses here of any number of an output, another machine may lose."""
_DECIMALS = re.compile(r"[-+\d]*\.\d+")
_HALF = 0.5
_OF_A_UNIT = 0.01
"""Of the last decimal, what a number is farther away than half of it where it is falsely rounded."""
_EPSILON = 2.0**-23
_ALIKE = 1e-4
"""Of the largest number, what single and double precision differ by where both compute the same."""
_UNITS, _UNITS_OF_SUMS = 4, 64
"""Units of rounding that functions leave open in single precision, and sums."""
_SUMS = re.compile(
    r"\b(?:\w*sum\w*|mean|std|var|norm|matmul|b?mm|mv|dot|einsum|\w*softmax|prod|conv\w*|linear|\w*loss|det|inv)\("
    r"|[\w)\]]\s*@\s*\w|\bnn\."
)


def is_misprinted(state: JudgingState, chunk: Chunk, place: int) -> bool:
    """Whether numbers of torch differ in their last digit, and by more than another machine's rounding.

    Parameters
    ----------
    state : JudgingState
        The document.
    chunk, place : Chunk, int
        The output. What is fitted, and what is drawn, has free digits.
    """
    published, printed = chunk.output[place].text, produced(chunk, state.runs.published.of(chunk), place)
    apart = [pair for pair in number_pairs(published, printed) or () if pair[0] != pair[1]]
    last = all(_DECIMALS.fullmatch(left) and is_one_unit(left, right) for left, right in apart)
    if chunk.language != "python" or not apart or not last:
        return False
    code = statements_behind(upstream(state.chunks, chunk), shown_by(chunk, place))
    if not _TORCH.search(code) or _SETS.search(code) or ITERATES.search(code):
        return False
    full = printed_in_full(state.runs)
    if full is None:
        return False
    pairs = number_pairs(published, produced(chunk, full.published.of(chunk), place))
    apart = [pair for pair in pairs or () if same_digits(*pair)[0] != same_digits(*pair)[1]]
    if not apart:
        return False
    if not _SUMS.search(code):
        return _are_far(apart, _UNITS)
    if _are_far(apart, _UNITS_OF_SUMS):
        return True
    # How many terms a sum has, its code seldom says; what it loses, more precision shows.
    lost = _lost_in_single(state, chunk, place)
    return lost is not None and _are_far(apart, _UNITS, _TIMES * lost)


def _lost_in_single(state: JudgingState, chunk: Chunk, place: int) -> float | None:
    """The most that single precision loses of any number of an output; None where double gives another."""
    full = printed_in_full(state.runs)
    double = state.runs.once("in double", lambda: state.runs.alone(in_double(state.runs.document)))
    if full is None or double is None:
        return None
    pairs = number_pairs(*(produced(chunk, runs.published.of(chunk), place) for runs in (full, double)))
    if not pairs:
        return None
    values = [(float(one), float(other)) for one, other in pairs]
    lost = max(abs(one - other) for one, other in values)
    return lost if lost <= _ALIKE * max(abs(other) for _, other in values) else None


def printed_in_full(runs: DocumentRuns) -> DocumentRuns | None:
    """Return the runs of a document in which torch prints all digits.

    Parameters
    ----------
    runs : DocumentRuns
        Those of the document as it is.
    """
    return runs.once("in full", lambda: runs.alone(_below(runs.document, _IN_FULL)))


def in_double(document: Document) -> Document:
    """Return a document with double precision wherever it has single precision, all of which is printed.

    Parameters
    ----------
    document : Document
        Code that calls torch.
    """
    chunks = []
    for chunk in document.chunks:
        code = chunk.code
        for single, other in _SINGLE.items():
            code = single.sub(other, code)
        chunks.append(msgspec.structs.replace(chunk, code=code) if chunk.language == "python" else chunk)
    return _below(msgspec.structs.replace(document, chunks=tuple(chunks)), _IN_DOUBLE)


def _below(document: Document, code: str) -> Document:
    """The document below a chunk of some code."""
    first = next(chunk for chunk in document.chunks if chunk.language == "python")
    before = msgspec.structs.replace(
        first, index=len(document.chunks), code=code, output=(), label="", options={}, evaluated=True
    )
    return msgspec.structs.replace(document, chunks=(before, *document.chunks))


def _are_far(apart: Sequence[tuple[str, str]], units: int, lost: float = 0.0) -> bool:
    """Whether all of some numbers are far from those in full, be these others by some units."""
    return all(_is_far(*pair, units * _EPSILON * abs(float(pair[1])) + lost) for pair in apart)


def _is_far(published: str, full: str, noise: float) -> bool:
    """Whether a number in full is none that rounds to the published one, be it another one by some noise."""
    decimals, value = len(published.partition(".")[2]), float(full)
    off = abs(float(published) - value) - noise
    return off > (_HALF + _OF_A_UNIT) / 10.0**decimals
