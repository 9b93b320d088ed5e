"""Listings of prompts as chunks: one for each prompt, with what was printed below it."""

from __future__ import annotations

import textwrap

import msgspec

from harness.documents.markdown import Fence
from harness.documents.model import Chunk, Note, OutputBlock
from harness.documents.read_errors import errors_apart
from harness.documents.transcript import language_of, prompt_of, prompts_of_another, split_transcript
from harness.documents.warned import warnings_apart

_TAB = 4


class Prompted(msgspec.Struct, frozen=True):
    """The chunks of a transcript, and notes on what was left out."""

    chunks: tuple[Chunk, ...]
    notes: tuple[Note, ...]


def at_the_margin(block: Fence, language: str) -> Fence:
    """Take the blanks away that all lines of a transcript begin with; other listings are left as they are.

    Parameters
    ----------
    block : Fence
        A listing. What an indented piece of a program is for cannot be told, so that it keeps its blanks.
    language : str
        The listing's language, or nothing.
    """
    if block.text[:1] not in (" ", "\t", "\n"):
        return block
    text = textwrap.dedent(block.text)
    if not prompt_of(language, text):
        text = textwrap.dedent(block.text.expandtabs(_TAB))
    return msgspec.structs.replace(block, text=text) if prompt_of(language, text) else block


def called_otherwise(block: Fence) -> tuple[Fence, str]:
    """Return a transcript that is called by another language, for its colours, or by the shell's.

    Parameters
    ----------
    block : Fence
        A listing that begins with no prompt of its own language.

    Returns
    -------
    tuple of Fence and str
        The listing from its first prompt on, and the kind of its prompts; as it was, and nothing, where it
        is no such transcript.
    """
    found = prompts_of_another(textwrap.dedent(block.text))
    if found is None:
        return block, ""
    kind, lead = found
    text = textwrap.dedent(block.text)
    above = text.count("\n", 0, lead)
    return msgspec.structs.replace(block, text=text[lead:], line=block.line + above), kind


def chunks_of(block: Fence, prompt: str, *, index: int, source: str, evaluated: bool) -> Prompted:
    """Read a transcript.

    Parameters
    ----------
    block : Fence
        The listing.
    prompt : str
        The kind of its prompts, from `prompt_of`.
    index : int
        That of its first chunk.
    source : str
        The file that it stands in, where that is not the document.
    evaluated : bool
        Whether its code is run.
    """
    first = block.first_line
    language = language_of(prompt)
    chunks: list[Chunk] = []
    notes: list[Note] = []
    for entry in split_transcript(prompt, block.text):
        if entry.other:
            left_out = "an entry at Julia's pkg, shell or help prompt was left out"
            notes.append(Note(line=first + entry.line, text=left_out))
        elif entry.code.strip():
            shown = OutputBlock(line=first + entry.output_line, text=entry.output, info="prompt")
            parts = errors_apart(shown, language)
            if language == "r" and parts[0].kind == "printed":
                parts = warnings_apart(parts[0])
            chunks.append(
                Chunk(
                    index=index + len(chunks),
                    line=first + entry.line,
                    end_line=first + entry.end_line,
                    code_line=first + entry.line,
                    language=language,
                    code=entry.code,
                    track=block.track,
                    source=source,
                    evaluated=evaluated,
                    prompts=True,
                    doubtful=f"{entry.doubtful} (line {first + entry.line})" if entry.doubtful else "",
                    output=parts if entry.output else (),
                )
            )
    return Prompted(tuple(chunks), tuple(notes))
