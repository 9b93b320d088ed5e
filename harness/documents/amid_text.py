"""Listings with sessions in parts of them: notes that are set in as a whole, and those set in unevenly."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from harness.documents.continued import is_python
from harness.documents.languages import canonical
from harness.documents.listing import first_word
from harness.documents.markdown import Fence
from harness.documents.transcript import first_prompt, prompt_of, prompts_of_another, split_transcript
from harness.documents.unnamed_code import names_no_language
from harness.documents.values_below import is_prose

_PROMPT = re.compile(r"^[ \t]*(?P<prompt>>>>|julia>) ", re.MULTILINE)
_KINDS = {">>>": "python", "julia>": "julia"}
_HELP = re.compile(r"\s*(?:Help on |NAME\n|(?:Init )?[Ss]ignature:|Docstring:)")


def with_sessions_apart(blocks: Sequence[Fence]) -> tuple[Fence, ...]:
    """Take the sessions out of listings that hold text as well.

    Parameters
    ----------
    blocks : sequence of Fence
        The blocks of a Markdown document.

    Returns
    -------
    tuple of Fence
        In place of an indented listing that has prompts below its first line, where the document names no
        language, and of one that is called Python's or Julia's and is set in unevenly: each of its paragraphs
        from its first prompt on, whose outputs end with it. All others as they were: what ``help`` prints has
        prompts too.
    """
    unnamed = names_no_language(blocks)
    return tuple(piece for block in blocks for piece in _pieces(block, unnamed=unnamed))


def _pieces(block: Fence, *, unnamed: bool) -> Iterator[Fence]:
    found = _PROMPT.search(block.text)
    mixed = unnamed and block.kind == "indented" and not block.info
    uneven = block.kind == "fence" and found is not None and not block.text[: found.start()].strip()
    if found is None or not (mixed or (block.info and uneven)) or not _is_mixed(block):
        yield block
        return
    kind = _KINDS[found["prompt"]]
    lines = block.text.rstrip("\n").split("\n")
    first = block.first_line
    for start, end in _paragraphs(lines):
        begins = next((n for n in range(start, end) if _PROMPT.match(lines[n])), end)
        text = textwrap.dedent("\n".join(line.expandtabs() for line in lines[begins:end])) + "\n"
        if begins == end or not prompt_of(kind, text):
            continue
        yield msgspec.structs.replace(
            block,
            kind="indented",
            line=first + begins,
            end_line=first + end - 1,
            text=_without_remarks(kind, text),
            info=kind,
        )


def _is_mixed(block: Fence) -> bool:
    """Whether a listing has prompts, and is neither a session nor code that quotes or precedes one."""
    language = canonical(first_word(block.info))
    text = textwrap.dedent(block.text)
    if language not in ("", "python", "julia") or '"""' in text or "'''" in text or is_python(text):
        return False
    if _HELP.match(text):
        return False
    if language and first_prompt(language, text) >= 0:
        return False
    whole = prompt_of(language, text) or prompt_of(language, textwrap.dedent(block.text.expandtabs(4)))
    return not whole and prompts_of_another(text) is None


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where each paragraph begins and ends."""
    starts = [n for n, line in enumerate(lines) if line.strip() and (n == 0 or not lines[n - 1].strip())]
    yield from pairwise([*starts, len(lines)])


def _without_remarks(kind: str, text: str) -> str:
    """Return a session without the outputs that hold a sentence, which cannot be told from a remark below."""
    lines = text.split("\n")
    for entry in split_transcript(kind, text):
        shown = entry.output.split("\n")
        if any(map(is_prose, shown)):
            lines[entry.output_line : entry.output_line + len(shown)] = [""] * len(shown)
    return "\n".join(lines)
