"""Weights that are normalised along the wrong axis: their sums are measured where they are multiplied."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from harness.documents.model import Chunk
from harness.findings.around import blanked, cone, statement_at, words_near
from harness.findings.products import Product, measured, products
from harness.findings.runs import DocumentRuns
from harness.findings.track import Track, tracks
from harness.model.article import Finding, Kind, Severity
from harness.sessions.statements import Statement, call, probed, rows

_EXPONENTIAL = re.compile(r"(?i)\bexp\b|softmax")
_MEANT = re.compile(r"(?i)\bcolumns?\b|\bcol(?:umn)?[- ]|\baxis ?=? ?0\b|\bdim ?=? ?0\b")
_OTHERWISE = re.compile(
    r"(?i)responsib|mixture|posterior|cluster|k-?means|\bEM\b|topic|markov|transition|stationary|page.?rank"
    r"|sinkhorn|doubly|transport|slot"
)
"""Where columns of weights sum to one rightly."""
_WEIGHTS = re.compile(r"(?i)softmax|attention|attend|quer(?:y|ies)")
_ONE = 1e-6
_INSTEAD = {
    ("python", "left"): "axis=1, keepdims=True (dim=1 in torch; axis=-1 in any number of dimensions)",
    ("r", "left"): "rowSums, or t(apply(S, 1, softmax)): apply returns what it makes of a row as a column",
    ("julia", "left"): "dims=2",
    ("julia", "right"): "dims=1",
}


class Measured(msgspec.Struct, frozen=True):
    """A factor as it was multiplied: its size, and the ends of its values and of its sums."""

    rows: int
    columns: int
    values: tuple[float, float]
    across: tuple[float, float]
    down: tuple[float, float]
    plain: bool

    @property
    def weights(self) -> bool:
        """Whether it may hold weights: from 0 to 1, neither diagonal nor of zeros and ones alone."""
        low, high = self.values
        return low >= 0 and high <= 1 + _ONE and min(self.rows, self.columns) > 1 and not self.plain

    def normalised(self, side: str) -> bool:
        """Whether the sums that ``side`` is asked for are one: of its rows (left), or of its columns."""
        return all(abs(end - 1) <= _ONE for end in (self.across if side == "left" else self.down))


def wrong_axis(runs: DocumentRuns) -> Iterator[Finding]:
    """Find weights made by exp or softmax whose sums are one along the axis that is not summed over."""
    for track in tracks(runs):
        sites = list(_sites(track))
        if not sites:
            continue
        said = _measure(track, sites)
        seen: set[int] = set()
        for place, (chunk, product, statement) in enumerate(sites):
            pairs = list(zip(said.get(f"{place}:left", ()), said.get(f"{place}:right", ()), strict=False))
            for side in ("left", "right") if track.language == "julia" else ("left",):
                found = bool(pairs) and all(is_wrong(left, right, side) for left, right in pairs)
                factor = product.left if side == "left" else product.right
                # X' * W is the gradient of X * W, or the sums of a mixture.
                turned = factor.transposed or (side == "right" and product.left.transposed)
                if (
                    found
                    and not turned
                    and not _is_meant(track, chunk, statement, factor.text, pairs[0], side)
                ):
                    finding = _finding(track, chunk, product, pairs[0], side)
                    if finding.line not in seen:
                        seen.add(finding.line)
                        yield finding


def is_wrong(left: Measured, right: Measured, side: str) -> bool:
    """Whether the weights on one side of a product are normalised along the other axis alone.

    Parameters
    ----------
    left, right : Measured
        The factors.
    side : str
        Where the weights are: ``left``, or ``right`` of what they weight.
    """
    weights, other = (left, right) if side == "left" else (right, left)
    turned = "right" if side == "left" else "left"
    wide = other.columns if side == "left" else other.rows
    return (
        left.columns == right.rows
        and weights.weights
        and weights.normalised(turned)
        and not weights.normalised(side)
        # A vector of probabilities, a diagonal, or weights of the same kind are moved on by such a matrix.
        and wide > 1
        and not other.plain
        and not (other.values[0] >= 0 and other.normalised(turned))
    )


def _sites(track: Track) -> Iterator[tuple[Chunk, Product, Statement]]:
    for chunk in track.chunks:
        for product in products(track.code(chunk), track.language):
            statement = statement_at(track, chunk, product.row)
            if statement is not None and _EXPONENTIAL.search(cone(track, statement)):
                yield chunk, product, statement


def _measure(track: Track, sites: Sequence[tuple[Chunk, Product, Statement]]) -> dict[str, list[Measured]]:
    function = probed(track.language, "factor")

    def changed(chunk: Chunk) -> str | None:
        mine = [
            (f"{place}:{side}", factor)
            for place, (where, product, _) in enumerate(sites)
            for side, factor in (("left", product.left), ("right", product.right))
            if where.index == chunk.index
        ]
        return measured(track.code(chunk), mine, function) if mine else None

    with track.runs.session(track.language) as trial:
        track.prepared(trial)
        track.replay(trial, changed)
        said = trial.code(call(track.language, "keepsakes")).text
    found: dict[str, list[Measured]] = {}
    for key, m, n, *ends, plain in rows(said, "factor", 10):
        low, high, left, right, top, bottom = map(float, ends)
        size = int(m), int(n)
        kept = Measured(*size, (low, high), (left, right), (top, bottom), plain == "1")
        found.setdefault(key, []).append(kept)
    return found


def _is_meant(
    track: Track,
    chunk: Chunk,
    statement: Statement,
    text: str,
    pair: tuple[Measured, Measured],
    side: str,
) -> bool:
    """Whether the document says that the other axis is meant, or divides by the missing sums later."""
    near = words_near(track, chunk)
    chunks = {track.chunk_of(each).index for each in track.statements if text in each.sets}
    near += "".join(words_near(track, each) for each in track.chunks if each.index in chunks)
    everything = "\n".join(blanked(track.code(each), track.language) for each in track.chunks)
    weights = pair[0] if side == "left" else pair[1]
    if _MEANT.search(near) or _OTHERWISE.search(near) or _OTHERWISE.search(cone(track, statement)):
        return True
    if weights.rows != weights.columns and not _WEIGHTS.search(near + everything):
        return True
    if re.fullmatch(r"[^\W\d][\w.!]*", text) is None:
        return False
    name = re.escape(text)
    return any(
        _divides(line, name)
        or re.match(rf"\s*{name}\s*(?:=|<-)\s*(?:[\w.]+(?:'|\.m?T)|t\([\w.]+\))\s*$", line)
        for line in everything.split("\n")
    )


def _divides(line: str, name: str) -> bool:
    """Whether a line divides something else than the weights by sums of them."""
    if re.match(rf"\s*{name}\s*\.?/?(?:=|<-)(?!=)", line):
        return False
    return re.search(rf"/=?\s*\(?(?:[\w.]*[sS]ums?\(\s*{name}\b|{name}\.sum\()", line) is not None


def _finding(
    track: Track, chunk: Chunk, product: Product, pair: tuple[Measured, Measured], side: str
) -> Finding:
    weights, factor = (pair[0], product.left) if side == "left" else (pair[1], product.right)
    wrong, right, low_high = (
        ("columns", "rows", weights.across) if side == "left" else ("rows", "columns", weights.down)
    )
    text = " ".join(factor.text.split())
    line = chunk.code_line + product.row - 1 if chunk.code_line else chunk.line
    other = " ".join((product.right if side == "left" else product.left).text.split())
    return track.runs.finding(
        chunk,
        Kind.AXIS,
        Severity.FRAGILE,
        f"{text} ({weights.rows} × {weights.columns}) is multiplied with {other} from the {side}"
        f"{track.shortened}: its {wrong} sum to 1, and its {right} to {_ends(low_high)}",
        f"a {right.removesuffix('s')} of the product is no weighted mean of the {right} of {other}; "
        f"to normalise {right}: {_INSTEAD[track.language, side]}",
        line=line,
        row=product.row,
        smallest=track.code(chunk).split("\n")[product.row - 1].strip(),
    )


def _ends(ends: Iterable[float]) -> str:
    low, high = (f"{end:.4g}" for end in ends)
    return f"{low} to {high}" if low != high else low
