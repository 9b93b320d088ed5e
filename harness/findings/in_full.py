"""Numbers that torch prints rounded, held to all of their digits: which of them no machine rounds so."""

from __future__ import annotations

import re

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
_DECIMALS = re.compile(r"[-+\d]*\.\d+")
_HALF = 0.5
_OF_A_UNIT = 0.01
"""Of the last decimal, what a number is farther away than half of it where it is falsely rounded."""
_EPSILON = 2.0**-23
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
    units = _UNITS_OF_SUMS if _SUMS.search(code) else _UNITS
    return bool(apart) and all(_is_far(*pair, units * _EPSILON) for pair in apart)


def printed_in_full(runs: DocumentRuns) -> DocumentRuns | None:
    """Return the runs of a document in which torch prints all digits.

    Parameters
    ----------
    runs : DocumentRuns
        Those of the document as it is.
    """
    return runs.once("in full", lambda: runs.alone(_in_full(runs.document)))


def _in_full(document: Document) -> Document:
    """The document below a chunk that lets torch print all digits."""
    first = next(chunk for chunk in document.chunks if chunk.language == "python")
    before = msgspec.structs.replace(
        first, index=len(document.chunks), code=_IN_FULL, output=(), label="", options={}, evaluated=True
    )
    return msgspec.structs.replace(document, chunks=(before, *document.chunks))


def _is_far(published: str, full: str, noise: float) -> bool:
    """Whether a number in full is none that rounds to the published one, on whatever machine."""
    decimals, value = len(published.partition(".")[2]), float(full)
    off = abs(float(published) - value) - noise * abs(value)
    return off > (_HALF + _OF_A_UNIT) / 10.0**decimals
