"""Two programs side by side, as one HTML page that loads nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from harness.numerics.layouts import different, layouts, plain
from harness.numerics.relations import relation_of
from harness.programs.alignment import Aligned, place_of, shown
from harness.programs.match import Pair
from harness.programs.program import Where
from harness.programs.relation import pair_of_values
from harness.programs.said import Divergence, Match, Place
from harness.programs.say import KINDS
from harness.programs.trace import Value
from harness.report.page import environment

SIGNS: Final[Mapping[str, tuple[str, str]]] = {
    "local": ("▲", "made here"),
    "unproved": ("?", "a candidate"),
    "differs": ("≠", "differs"),
    "agrees": ("=", "agrees"),
    "alone": ("○", "no counterpart"),
}
"""What can be said of a line, what counts most first: a sign, and words for those who do not see it."""

_MOST_LINES = 20_000


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A pair of variables, with all that is known of it; ``links`` are the ids of its two lines."""

    number: int
    match: Match
    links: tuple[str, str]
    values: tuple[str, str] = ("", "")
    difference: str = ""
    relation: str = ""
    occurrence: int = 1


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A divergence, what its kind means, and the ids of its two lines."""

    said: Divergence
    kind: str
    links: tuple[str, str]


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a program: what is said of it, its pairs, and the ids of the lines that they lead to."""

    id: str
    label: str
    text: str
    state: str = ""
    rows: tuple[int, ...] = ()
    partners: tuple[str, ...] = ()


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A file of one of the two programs."""

    side: str
    name: str
    lines: tuple[Line, ...]


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """The files of one of the two programs: labels and texts of their lines, and the id of each line."""

    side: str
    files: dict[str, list[tuple[str, str]]]
    ids: dict[Where, str]

    def id(self, place: Place) -> str:
        """The id of a line, or nothing where the page does not have it."""
        return self.ids.get(Where(place.file, place.line, place.cell), "")


def render(aligned: Aligned) -> str:
    """The page of two programs.

    Parameters
    ----------
    aligned : Aligned
        From `harness.programs.alignment.aligned`.

    Returns
    -------
    str
        A whole HTML document. What the programs hold is text in it, and nothing else.
    """
    said = aligned.said
    sheets = tuple(_sheet(aligned, side) for side in ("a", "b"))
    rows = tuple(_rows(aligned, sheets))
    found = tuple(
        Found(said=one, kind=KINDS[one.kind], links=(sheets[0].id(one.a), sheets[1].id(one.b)))
        for one in said.divergences
    )
    page: str = environment().get_template("programs.html").render(
        said=said,
        names=tuple(side.recorded.program.path.name for side in (aligned.a, aligned.b)),
        found=[one for one in found if one.said.kind != "inherited"],
        inherited=[one for one in found if one.said.kind == "inherited"],
        rows=rows,
        signs=SIGNS,
        sources={sheet.side: _sources(aligned, sheet, rows, found) for sheet in sheets},
    )  # fmt: skip
    return page


def _sheet(aligned: Aligned, side: str) -> Sheet:
    """The lines of a program's file, and of those beside it that something is said of."""
    program = (aligned.a if side == "a" else aligned.b).recorded.program
    files: dict[str, list[tuple[str, str]]] = {program.path.name: []}
    ids: dict[Where, str] = {}
    for number, text in enumerate(program.lines[:_MOST_LINES], 1):
        where = program.where(number)
        label = f"{where.cell}:{where.line}" if where.cell else str(where.line)
        files[program.path.name].append((label, text))
        ids[where] = f"{side}0-{number}"
    for place in _places(aligned, side):
        beside = program.path.parent / place.file
        known = place.file in files or Where(place.file, place.line, place.cell) in ids
        if known or Path(place.file).name != place.file or not beside.is_file():
            continue
        lines = beside.read_text(encoding="utf-8", errors="replace").splitlines()[:_MOST_LINES]
        for number in range(1, len(lines) + 1):
            ids[Where(place.file, number)] = f"{side}{len(files)}-{number}"
        files[place.file] = [(str(number), text) for number, text in enumerate(lines, 1)]
    return Sheet(side=side, files=files, ids=ids)


def _places(aligned: Aligned, side: str) -> Iterator[Place]:
    for match in aligned.said.matches:
        yield match.a if side == "a" else match.b
    for one in aligned.said.divergences:
        yield one.a if side == "a" else one.b
    yield from aligned.said.unmatched[side]


def _rows(aligned: Aligned, sheets: tuple[Sheet, ...]) -> Iterator[Row]:
    pairs = {_key(aligned, pair): pair for pair in reversed(aligned.matching.variables)}
    sizes = {
        size
        for side in (aligned.a, aligned.b)
        for unit in side.units
        for value in unit.values[:1]
        for size in value.shape
    }
    for number, match in enumerate(aligned.said.matches):
        links = sheets[0].id(match.a), sheets[1].id(match.b)
        pair = pairs.get((match.a.name, match.a.at, match.b.name, match.b.at))
        if pair is None:
            yield Row(number=number, match=match, links=links)
            continue
        occurrence = 0 if match.agrees else pair.compared.occurrence
        values = pair_of_values(aligned.a.units[pair.a], aligned.b.units[pair.b], occurrence)
        yield Row(
            number=number, match=match, links=links, values=(shown(values[0]), shown(values[1])),
            difference=difference(*values), relation="" if match.agrees else relation_of(*values, sizes),
            occurrence=occurrence + 1,
        )  # fmt: skip


def _key(aligned: Aligned, pair: Pair) -> tuple[str, str, str, str]:
    one = place_of(aligned.a, aligned.a.units[pair.a])
    other = place_of(aligned.b, aligned.b.units[pair.b])
    return one.name.removesuffix("[]"), one.at, other.name.removesuffix("[]"), other.at


def difference(one: Value, other: Value) -> str:
    """How far two values are apart, in words, in the layout in which the fewest elements differ."""
    first, second = plain(one), plain(other)
    laid = [value for _, value in layouts(first, second.shape)]
    if not laid:
        return f"of other sizes: {_shape(one)} and {_shape(other)}"
    first = min(laid, key=lambda value: int(different(value, second).sum()))
    off = int(different(first, second).sum())
    count = f"{off} of {second.size} elements differ" if second.size > 1 else ""
    if first.dtype == object or second.dtype == object:
        return (count or "not the same text") if off else "none"
    with np.errstate(all="ignore"):
        kind = complex if "c" in first.dtype.kind + second.dtype.kind else float
        apart = np.abs(first.astype(kind) - second.astype(kind)).ravel()
    finite = apart[np.isfinite(apart)]
    if not off:
        return "none" if not finite.any() else f"at most {finite.max():.2g}, which rounding explains"
    if not finite.any():
        return count or "one is no finite number"
    at = int(np.nanargmax(np.where(np.isfinite(apart), apart, -1)))
    size = abs(second.astype(kind).ravel()[at])
    share = f" ({finite.max() / size:.2g} of the value)" if size else ""
    return "; ".join(filter(None, (f"at most {finite.max():.6g}{share}", count)))


def _shape(value: Value) -> str:
    return "x".join(map(str, value.shape)) or "one element"


def _sources(
    aligned: Aligned, sheet: Sheet, rows: tuple[Row, ...], found: tuple[Found, ...]
) -> tuple[Source, ...]:
    own = 0 if sheet.side == "a" else 1
    states: dict[str, set[str]] = {}
    of_line: dict[str, list[Row]] = {}
    partners: dict[str, list[str]] = {}
    for one in found:
        kind = "differs" if one.said.kind == "inherited" else one.said.kind
        states.setdefault(one.links[own], set()).add(kind)
        partners.setdefault(one.links[own], []).append(one.links[1 - own])
    for row in rows:
        states.setdefault(row.links[own], set()).add("agrees" if row.match.agrees else "differs")
        partners.setdefault(row.links[own], []).append(row.links[1 - own])
        of_line.setdefault(row.links[own], []).append(row)
    for place in aligned.said.unmatched[sheet.side]:
        states.setdefault(sheet.id(place), set()).add("alone")
    # What returns, is given and is printed agrees too, where it is no variable's.
    side = (aligned.a, aligned.b)[own]
    for pair in aligned.matching.pairs:
        if pair.agrees:
            place = place_of(side, side.units[(pair.a, pair.b)[own]])
            states.setdefault(sheet.id(place), set()).add("agrees")

    def line(id: str, label: str, text: str) -> Line:
        return Line(
            id=id, label=label, text=text,
            state=next((state for state in SIGNS if state in states.get(id, ())), ""),
            rows=tuple(row.number for row in of_line.get(id, ())),
            partners=tuple(dict.fromkeys(filter(None, partners.get(id, ())))),
        )  # fmt: skip

    return tuple(
        Source(
            side=sheet.side,
            name=name,
            lines=tuple(
                line(f"{sheet.side}{index}-{number}", label, text)
                for number, (label, text) in enumerate(lines, 1)
            ),
        )
        for index, (name, lines) in enumerate(sheet.files.items())
    )
