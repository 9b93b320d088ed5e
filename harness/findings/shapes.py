"""Shapes that comments state: the values are measured where they are set, in every call."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from harness.documents.model import Chunk
from harness.findings.runs import DocumentRuns
from harness.findings.track import Track, tracks
from harness.model.article import Finding, Kind, Severity
from harness.sessions.statements import probed, quoted, rows

_ASSIGNMENT = re.compile(
    r"^(?P<indent>\s*)(?P<names>(?:NAME)(?:\s*,\s*(?:NAME))*)\s*(?:=|<-)(?![=])(?P<value>[^#]+)#(?P<said>.*)$".replace(
        "NAME", r"[^\W\d][\w.!]*|[∂∇][\w.!∂∇]*"
    )
)
_GROUP = re.compile(r"[\[(]([^\[\]()]+)[\])]")
_PART = re.compile(r"\w+")
_SHOWN = 3


class StatedShape(msgspec.Struct, frozen=True):
    """A name that a line sets, and the shape that the line's comment states, with that word or without."""

    chunk: Chunk
    row: int
    name: str
    parts: tuple[str, ...]
    says_shape: bool

    @property
    def key(self) -> str:
        """Its name in the probe's output."""
        return f"{self.chunk.index}:{self.row}:{self.name}"

    @property
    def line(self) -> int:
        """The line of the document."""
        return self.chunk.code_line + self.row if self.chunk.code_line else self.chunk.line


Shape = tuple[int, ...]


def stated_shapes(runs: DocumentRuns) -> Iterator[Finding]:
    """Find comments such as ``# shape: [3xn]`` that state another shape than the measured one."""
    for track in tracks(runs):
        stated = [
            stated_shape for chunk in track.chunks for stated_shape in shapes_in(chunk, track.code(chunk))
        ]
        if not stated:
            continue
        calls = _measured(track, stated)
        for stated_shape in stated:
            contradictions = list(_contradictions(stated_shape, stated, calls))
            if contradictions:
                yield _finding(
                    track, stated_shape, contradictions, sum(stated_shape.key in call for call in calls)
                )


def shapes_in(chunk: Chunk, code: str) -> Iterator[StatedShape]:
    """Yield the shapes that a chunk's comments state for the names that their line sets.

    Parameters
    ----------
    chunk : Chunk
        The chunk.
    code : str
        Its code.
    """
    for row, text in enumerate(code.split("\n")):
        match = _ASSIGNMENT.match(text)
        if match is None or not _balanced(match["value"]):
            continue
        names = [name.strip() for name in match["names"].split(",")]
        says = re.search(r"(?i)\bshapes?\b", match["said"]) is not None
        groups = list(_groups(match["said"], says))
        if len(groups) == len(names):
            for name, parts in zip(names, groups, strict=True):
                yield StatedShape(chunk, row, name, parts, says)


def _groups(said: str, says_shape: bool) -> Iterator[tuple[str, ...]]:
    """Yield the shapes of a comment that has the word, or begins with a shape; of a formula, the result's."""
    if not says_shape and not re.match(r"\s*[\[(]", said):
        return
    # (2, 3) x (3, 4) = (2, 4), and [2, 3] -> [3, 2]
    result = re.split(r"=|->|→", said)[-1]
    for group in _GROUP.findall(re.split(r"(?<=[\])])\s+[(\w]", result)[0]):
        parts = [part.strip() for part in (group.split(",") if "," in group else re.split(r"[x×*]", group))]
        parts = parts[:-1] if parts[-1] == "" else parts
        if all(_PART.fullmatch(part) for part in parts):
            yield tuple(parts)


def _balanced(text: str) -> bool:
    """Whether a statement ends on its line, as far as brackets and operators tell."""
    pairs = all(text.count(left) == text.count(right) for left, right in ("()", "[]", "{}"))
    return pairs and text.strip() != "" and text.strip()[-1] not in "+-*/%,|&\\({["


def _measured(track: Track, stated: Sequence[StatedShape]) -> list[dict[str, Shape]]:
    """The shapes in each call, or each pass through a chunk, in order."""
    with track.runs.session(track.language) as trial:
        track.prepared(trial)
        track.replay(trial, lambda chunk: _looked_at(track, chunk, stated))
        said = trial.code(f"{probed(track.language, 'shapes')}()").text
    calls: list[dict[str, Shape]] = [{}]
    for key, sizes in rows(said, "shape", 2):
        shape = tuple(int(size) for size in sizes.split())
        if key in calls[-1]:
            calls.append({})
        calls[-1][key] = shape
    return calls


def _looked_at(track: Track, chunk: Chunk, stated: Iterable[StatedShape]) -> str | None:
    mine = [stated_shape for stated_shape in stated if stated_shape.chunk.index == chunk.index]
    lines = track.code(chunk).split("\n")
    for stated_shape in mine:
        code, mark, comment = lines[stated_shape.row].partition("#")
        look, name = probed(track.language, "shape"), quoted(stated_shape.key, track.language)
        # Inserted on the line itself, so that every other line keeps its number.
        lines[stated_shape.row] = f"{code.rstrip()}; {look}({name}, {stated_shape.name}) {mark}{comment}"
    return "\n".join(lines) if mine else None


def _contradictions(
    stated_shape: StatedShape, stated: Sequence[StatedShape], calls: Iterable[dict[str, Shape]]
) -> Iterator[tuple[Shape, str]]:
    """The measured shapes that are not the stated one, and what speaks against it."""
    for call in calls:
        shape = call.get(stated_shape.key)
        if shape is None:
            continue
        if len(shape) != len(stated_shape.parts):
            # Without the word, brackets after a # may be a list of values.
            if stated_shape.says_shape:
                yield shape, f"it has {len(shape)} dimensions"
            continue
        for part, size in zip(stated_shape.parts, shape, strict=True):
            if part.isdecimal() and int(part) != size:
                yield shape, f"where it says {part} it is {size}"
                break
            usual = _usual(part, stated_shape, stated, call)
            if usual is not None and usual != size:
                yield shape, f"{part} is {size} here, and {usual} on most other lines"
                break


def _usual(
    part: str, stated_shape: StatedShape, stated: Sequence[StatedShape], call: dict[str, Shape]
) -> int | None:
    """Return the size that a letter has on the other lines of the same call, if most of them agree."""
    if part.isdecimal():
        return None
    sizes: Counter[int] = Counter()
    for other in stated:
        shape = call.get(other.key)
        if shape is not None and other != stated_shape and len(shape) == len(other.parts):
            sizes.update(size for name, size in zip(other.parts, shape, strict=True) if name == part)
    if not sizes:
        return None
    (size, count), *others = sizes.most_common(2)
    return size if count > 2 * sum(n for _, n in others) and count > 1 else None


def _finding(
    track: Track, stated_shape: StatedShape, contradictions: Sequence[tuple[Shape, str]], times: int
) -> Finding:
    why = contradictions[0][1]
    shapes = [
        " × ".join(map(str, shape)) or "a scalar"
        for shape in dict.fromkeys(shape for shape, _ in contradictions)
    ]
    listed = ", ".join(shapes[:_SHOWN]) + (", …" if len(shapes) > _SHOWN else "")
    often = f", in {len(contradictions)} of {times} calls" if times > 1 else ""
    return track.runs.finding(
        stated_shape.chunk,
        Kind.SHAPE,
        Severity.NOTE,
        f"{stated_shape.name}"
        f" is stated to be {' × '.join(stated_shape.parts)}, and is {listed}{often}{track.shortened}: {why}",
        "who follows the comment expects another array",
        line=stated_shape.line,
        smallest=track.code(stated_shape.chunk).split("\n")[stated_shape.row].strip(),
    )
