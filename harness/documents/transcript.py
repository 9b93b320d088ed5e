"""Transcripts: prompts, what was typed behind them, and what was printed below."""

from __future__ import annotations

import re

import msgspec

# the prompt, and what the lines after it start with while one entry goes on
PROMPTS = {"julia": ("julia> ", "       "), "python": (">>> ", "... "), "r": ("> ", "+ ")}
_OTHER_MODE = re.compile(r"(?:\([^)]*\) )?(?:pkg|shell|help\?)> ")


class Entry(msgspec.Struct, frozen=True):
    """One prompt; lines are counted from 0 inside the transcript.

    ``other`` marks Julia's pkg, shell and help prompts.
    """

    line: int
    end_line: int
    code: str
    output_line: int
    output: str
    other: bool = False


def is_transcript(language: str, text: str) -> bool:
    """Say whether a listing begins with its language's prompt."""
    if language not in PROMPTS:
        return False
    first = next((line for line in text.split("\n") if line.strip()), "")
    return (first + " ").startswith(PROMPTS[language][0])


def split_transcript(language: str, text: str) -> tuple[Entry, ...]:
    """Split a transcript at its prompts; text above the first prompt is left out."""
    prompt, more = PROMPTS[language]
    lines = text.rstrip("\n").split("\n")
    starts = [n for n, line in enumerate(lines) if (line + " ").startswith(prompt) or _other(language, line)]
    entries = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        stop = start + 1
        while (
            stop < end
            and (lines[stop] + " ").startswith(more)
            and (language != "julia" or lines[stop].strip())
        ):
            stop += 1
        below = stop
        while below < end and not lines[below].strip():
            below += 1
        code = [line[len(prompt if n == 0 else more) :] for n, line in enumerate(lines[start:stop])]
        entries.append(
            Entry(
                line=start,
                end_line=stop - 1 if below == end else end - 1,
                code="\n".join(code).rstrip() + "\n",
                output_line=below,
                output="\n".join(lines[below:end]).rstrip(),
                other=_other(language, lines[start]),
            )
        )
    return tuple(entries)


def _other(language: str, line: str) -> bool:
    return language == "julia" and _OTHER_MODE.match(line) is not None
