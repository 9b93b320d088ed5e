"""Each published output beside what one run printed in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.documents.compare_printed import compare_printed
from harness.documents.compare_value import compare_value
from harness.documents.model import Chunk, OutputBlock
from harness.documents.results import ChunkRun, Execution
from harness.documents.warned import warnings_in, warns_in
from harness.findings.messages import (
    MARKS,
    are_lines_of,
    ends_with,
    is_another_call,
    is_another_kind,
    is_error,
    words,
)
from harness.findings.runs import first_line
from harness.findings.wrapped import without_marks
from harness.model.article import BlockKind, BlockVerdict
from harness.sessions.session import CodeError, Evaluated

LIKE = frozenset({BlockKind.REPRODUCED, BlockKind.FORMATTING})
"""How an output compares that the code gives."""
_SEVERAL = 3
_COUNTS = re.compile(r"(?m)^[ \t]*\[\d+\] ")
_BEHIND = re.compile(r"(?m)(?<=\S)[^\S\n]+#.*$")
_BEFORE = re.compile(r"(?m)^[^\S\n]*# ?")
_WHERE = re.compile(r" ?\((?:<[^<>]*>|[^\s()]+), line \d+\)$")
"""Where an error of Python's syntax says that it is: in which file or cell, and line."""
_OTHER_CALL = "R names the call {} in front of its message here, which depends on versions"
_KIND = re.compile(r"(?:\w+\.)*\w+(?:Error|Exception|Warning|Exit|Interrupt|Iteration):")
_ERROR = re.compile(
    r"^\s*(?:[\w.]*(?:Error|Exception|Warning|Interrupt)\b|ERROR:|Error\b[^:]*:|[! ]*Caused by error)"
)


def verdicts(chunk: Chunk, run: ChunkRun) -> tuple[BlockVerdict, ...]:
    """Compare each output of a chunk with what one run of it printed.

    Parameters
    ----------
    chunk : Chunk
        The chunk.
    run : ChunkRun
        Its result.

    Returns
    -------
    tuple of BlockVerdict
        One for each of ``chunk.output``.
    """
    if run.left is None:
        return (_unchecked(run.skipped),) * len(chunk.output)
    found: dict[int, BlockVerdict] = {}
    printed: list[int] = []
    for place, block in enumerate(chunk.output):
        part = run.parts[place] if place < len(run.parts) else run.left
        if kind_of(block) == "error":
            found[place] = _error(block, part.error if part is not None else run.left.error, chunk)
        elif part is None:
            found[place] = _unreached(run)
        elif kind_of(block) == "message":
            found[place] = _message(block, part, chunk.language)
        elif block.info == "value" and part.error is None:
            found[place] = compare_value(block.text, part.text, chunk.language, certain=block.certain)
        elif run.parts:
            found[place] = _printed([block.text], part, part.error, chunk)
        else:
            printed.append(place)
    found.update(zip(printed, _together(chunk, run, printed), strict=True))
    return tuple(found[place] for place in range(len(chunk.output)))


def produced(chunk: Chunk, run: ChunkRun, place: int) -> str:
    """Return what a run printed in the place of one output; all of its text where that is not known."""
    if run.left is None:
        return ""
    part = run.parts[place] if place < len(run.parts) else run.left
    match kind_of(chunk.output[place]):
        case "error":
            return run.left.error.message if run.left.error is not None else ""
        case "message":
            return _said(part) if part is not None else ""
        case _:
            alone = {} if run.parts or len(chunk.output) == 1 else _lines_of(chunk, run.left)
            text = alone.get(place, part.text if part is not None else "")
            return _as_in_comment(chunk, chunk.output[place], text)


def _as_in_comment(chunk: Chunk, block: OutputBlock, text: str) -> str:
    """A value of R without its counts, where a comment of several digits gives it without them."""
    plain = block.info == "value" and "[" not in block.text and chunk.language == "r"
    return _COUNTS.sub("", text) if plain and len(re.findall(r"\d", block.text)) >= _SEVERAL else text


def piece(chunk: Chunk, place: int) -> str:
    """Return the part of a chunk's code that an output is of; all of it where that is not known."""
    if not any(block.after for block in chunk.output):
        return chunk.code
    lines = chunk.code.split("\n")
    end = chunk.output[place].after or len(lines)
    begin = max((block.after for block in chunk.output if 0 < block.after < end), default=0)
    return "\n".join(lines[begin:end])


def kind_of(block: OutputBlock) -> str:
    """Return the kind of an output: ``printed``, ``message``, ``error`` or ``table``."""
    if block.info in ("stderr", "error"):
        return "message" if block.info == "stderr" else "error"
    return block.kind


def shows_error(chunk: Chunk) -> bool:
    """Whether the document shows an error below a chunk, or tolerates one in it."""
    return chunk.error or any(
        kind_of(block) == "error"
        or (not _is_a_warning(block, chunk) and _ERROR.match(MARKS.sub("", block.text, count=1)))
        for block in chunk.output
    )


def _is_a_warning(block: OutputBlock, chunk: Chunk) -> bool:
    """Whether an output is a warning, behind which its code goes on, of R's or of what says no kind of it."""
    said = chunk.language == "r" or MARKS.sub("", block.text, count=1).startswith("Warning")
    return said and kind_of(block) == "message"


def differs(execution: Execution, other: Execution, chunk: Chunk, place: int) -> bool:
    """Whether two runs print something else in the place of one output."""
    left, right = (produced(chunk, run.of(chunk), place) for run in (execution, other))
    return left != right and compare_printed(left, right, chunk.language).kind is BlockKind.DIFFERS


def _together(chunk: Chunk, run: ChunkRun, places: Sequence[int]) -> list[BlockVerdict]:
    """Compare outputs that are one text as far as the run tells; one by one where their lines can be told."""
    if not places or run.left is None:
        return []
    texts = [chunk.output[place].text for place in places]
    whole = _printed(texts, run.left, run.left.error, chunk)
    if len(texts) == 1 or whole.kind is not BlockKind.DIFFERS:
        return [whole] * len(texts)
    lines = _lines_of(chunk, run.left)
    if not lines.keys() >= set(places):
        some = _the_certain(chunk, run.left, places) or _the_first(chunk, run.left, places)
        return some or [whole] * len(texts)
    alone = [
        compare_printed(text, lines[place], chunk.language) for text, place in zip(texts, places, strict=True)
    ]
    return alone if any(verdict.kind is BlockKind.DIFFERS for verdict in alone) else [whole] * len(texts)


def _the_certain(chunk: Chunk, left: Evaluated, places: Sequence[int]) -> list[BlockVerdict]:
    """Compare the outputs that are so beyond doubt, where they are all that is printed; else nothing."""
    sure = [chunk.output[place].text for place in places if chunk.output[place].certain]
    if not sure or len(sure) == len(places):
        return []
    verdict = _printed(sure, left, left.error, chunk)
    if verdict.kind not in LIKE:
        return []
    other = _unchecked("it may be something else than what the code prints")
    return [verdict if chunk.output[place].certain else other for place in places]


def _the_first(chunk: Chunk, left: Evaluated, places: Sequence[int]) -> list[BlockVerdict]:
    """Compare the outputs that are all that is printed, where more stand below: a chunk may not be shown."""
    if chunk.cell or chunk.executable:
        return []
    for count in range(len(places) - 1, 0, -1):
        verdict = _printed([chunk.output[place].text for place in places[:count]], left, left.error, chunk)
        if verdict.kind in LIKE:
            other = _unchecked("it stands behind all that the code prints: its own may not be shown")
            return [verdict] * count + [other] * (len(places) - count)
    return []


def _lines_of(chunk: Chunk, left: Evaluated) -> dict[int, str]:
    """Return the lines that each printed output of a chunk is of; nothing where they do not add up."""
    places = [place for place, block in enumerate(chunk.output) if kind_of(block) not in ("error", "message")]
    texts = [chunk.output[place].text for place in places]
    lines = left.text.rstrip("\n").split("\n")
    heights = [len(text.strip("\n").split("\n")) for text in texts]
    if sum(heights) != len(lines):
        lines = [line for line in lines if line.strip()]
        heights = [sum(bool(line.strip()) for line in text.split("\n")) for text in texts]
    if sum(heights) != len(lines):
        return _left_to_one(places, texts, lines)
    found = {}
    for place, height in zip(places, heights, strict=True):
        found[place] = "\n".join(lines[:height])
        lines = lines[height:]
    return found


def _left_to_one(places: Sequence[int], texts: Sequence[str], lines: Sequence[str]) -> dict[int, str]:
    """The lines of outputs of which all but one are as printed, above and below it; else nothing."""
    bare = [[line for line in without_marks(text).split("\n") if line.strip()] for text in texts]
    shown = [[line.split() for line in text] for text in bare]
    rows = [line for line in lines if line.strip()]
    printed = [line.split() for line in rows]
    first, last, begin, end = 0, len(shown), 0, len(rows)
    while first < last - 1 and printed[begin : begin + len(shown[first])] == shown[first]:
        begin += len(shown[first])
        first += 1
    while last > first + 1 and printed[max(begin, end - len(shown[last - 1])) : end] == shown[last - 1]:
        end -= len(shown[last - 1])
        last -= 1
    if last != first + 1 or begin == end or not all(shown):
        return {}
    found = [rows[begin:end] if at == first else text for at, text in enumerate(bare)]
    height = len(bare[first])
    # What is printed between two outputs, and shown in neither, may be missing in each.
    if first > 0 and printed[begin:end][-height:] == shown[first]:
        found[first - 1] = [*bare[first - 1], *rows[begin : end - height]]
    elif last < len(bare) and printed[begin : begin + height] == shown[first]:
        found[last] = [*rows[begin + height : end], *bare[last]]
    return dict(zip(places, map("\n".join, found), strict=True))


def _printed(texts: Sequence[str], part: Evaluated, error: CodeError | None, chunk: Chunk) -> BlockVerdict:
    if error is not None and not part.text.strip():
        reason = f"its chunk fails: {first_line(error.message)}"
        return BlockVerdict(kind=BlockKind.NOT_REPRODUCIBLE, reason=reason)
    if part.cut:
        return _unchecked(f"{part.cut} printed bytes were not kept")
    published = "\n".join(texts)
    verdict = compare_printed(published, part.text, chunk.language)
    if verdict.kind is not BlockKind.DIFFERS:
        return verdict
    if "#" in published and "#" not in part.text:
        # Remarks stand behind what is printed, or it is written as remarks itself.
        for pattern in (_BEHIND, _BEFORE):
            bare = compare_printed(pattern.sub("", published), part.text, chunk.language)
            if bare.kind in LIKE:
                return bare
    # Some documents show the warnings and messages of a chunk with what it prints.
    said = _said(part)
    for text in (f"{part.text}\n{said}", f"{said}\n{part.text}") if said.strip() else ():
        other = compare_printed(published, text, chunk.language)
        if other.kind in LIKE:
            return other
    if chunk.language == "r" and len(texts) == 1 and warns_in(published):
        return _behind_a_warning(published, part)
    if error is not None and error.message.strip() and first_line(error.message) in published:
        rows = published.split("\n")
        shown = "\n".join(row for row in rows if not ends_with(row, first_line(error.message)))
        if compare_printed(shown, part.text, chunk.language).kind in LIKE or not part.text.strip():
            return BlockVerdict(kind=BlockKind.FORMATTING, reason="the error's message")
    return verdict


def _behind_a_warning(published: str, part: Evaluated) -> BlockVerdict:
    """Compare a value of R's in front of or behind a warning that no line tells apart from it."""
    lines = published.split("\n")
    for place in range(1, len(lines)):
        parts = "\n".join(lines[:place]), "\n".join(lines[place:])
        for value, warning in (parts[::-1], parts):
            if part.text.strip() and compare_printed(value, part.text, "r").kind in LIKE:
                said = _message(OutputBlock(line=0, text=warning, kind="message"), part, "r")
                beside = BlockVerdict(kind=BlockKind.FORMATTING, reason="the warning beside it")
                return beside if said.kind in LIKE else said
    return _unchecked("a warning stands with it, and where that ends cannot be told")


def _message(block: OutputBlock, part: Evaluated, language: str) -> BlockVerdict:
    said = _said(part)
    if are_lines_of(block.text, said):
        return BlockVerdict(kind=BlockKind.REPRODUCED)
    warned = warnings_in(MARKS.sub("", block.text)) if language == "r" else ()
    alike = [[given for given in _warnings(part) if ends_with(warning, given[0])] for warning in warned]
    if warned and all(alike):
        for warning, found in zip(warned, alike, strict=True):
            if all(is_another_call(warning, *given) for given in found):
                return _unchecked(_OTHER_CALL.format(found[0][1]))
        return BlockVerdict(kind=BlockKind.FORMATTING, reason="how a warning is announced")
    verdict = compare_printed(block.text, said, language)
    if verdict.kind in LIKE:
        return verdict
    return _unchecked("messages and warnings depend on the versions of the packages")


def _error(block: OutputBlock, error: CodeError | None, chunk: Chunk) -> BlockVerdict:
    """Compare an error that is shown: its kind and its message."""
    if error is None:
        return _unchecked("the document shows an error here, and the code runs without one")
    published = _WHERE.sub("", (chunk.language != "r" and block.evalue) or block.text)
    if chunk.language == "python" and (kinds := list(_KIND.finditer(published))):
        published = published[kinds[-1].start() :]  # the lines above it name the author's own
    bare = words(error.message.partition(":")[2] if chunk.language == "python" else error.message)
    message = words(error.message)
    # What Python refuses to read has its kind in the message.
    own = error.message.partition(":")[0] if error.kind == "syntax" else error.kind
    shown = block.ename or _kind_in(words(published), bare)
    if chunk.language != "r" and is_another_kind(shown, own):
        return _unchecked(f"it fails with {first_line(error.message, 120)}, and the document shows {shown}")
    if is_error(published, error.message, own, chunk.language):
        if chunk.language == "r" and is_another_call(published, error.message, error.call):
            return _unchecked(_OTHER_CALL.format(error.call))
        return BlockVerdict(kind=BlockKind.REPRODUCED)
    published = words(block.evalue or published)
    if re.sub(r"\d+", "0", published) in (re.sub(r"\d+", "0", bare), re.sub(r"\d+", "0", message)):
        return compare_printed(published, bare if len(bare) == len(published) else message, chunk.language)
    return _unchecked(f"the error's message reads otherwise here: {first_line(error.message, 120)}")


def _kind_in(published: str, message: str) -> str:
    """The kind of an error of Python that a text gives in front of a message; nothing where it gives none."""
    before = published.removesuffix(message).split()
    return before[-1].rstrip(":") if message and before and _KIND.fullmatch(before[-1]) else ""


def _warnings(part: Evaluated) -> list[tuple[str, str]]:
    """What warnings say, and the calls that they are of, where those are known."""
    calls = part.calls if len(part.calls) == len(part.warnings) else [""] * len(part.warnings)
    return list(zip(part.warnings, calls, strict=True))


def _said(part: Evaluated) -> str:
    return "\n".join(text for text in (part.messages, *part.warnings) if text.strip())


def _unreached(run: ChunkRun) -> BlockVerdict:
    if run.error is None:
        return _unchecked("the code that it is of was not run")
    reason = f"its chunk fails: {first_line(run.error.message)}"
    return BlockVerdict(kind=BlockKind.NOT_REPRODUCIBLE, reason=reason)


def _unchecked(reason: str) -> BlockVerdict:
    return BlockVerdict(kind=BlockKind.UNCHECKED, reason=reason)
