"""Transcripts: prompts, what was typed behind them, and what was printed below."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from harness.documents.continued import Continued, continued, is_python
from harness.documents.raw_output import is_printed
from harness.documents.scan import scan

_OTHER_MODE = re.compile(r"(?:\([^)]*\) )?(?:pkg|shell|help\?)> ")
_MODES = ("?", "]", ";")
"""What opens another mode where it is typed first."""
_OUT = re.compile(r"Out ?\[\d+\]: ?")
_BLANK = re.compile(r"^<BLANKLINE>$", re.MULTILINE)
_PASTED = re.compile(r"^(?:>>>|\.\.\.)(?: |$)", re.MULTILINE)
_GOES_ON = re.compile(r"[^\n]*\S[^\n]*\n\.\.\. +[\w\[({\"']")


class _Prompt(msgspec.Struct, frozen=True):
    """``first`` opens an entry, ``more`` continues it."""

    language: str
    first: re.Pattern[str]
    more: re.Pattern[str]
    remark: str = "#"


PROMPTS = {
    "julia": _Prompt("julia", re.compile(r" ?julia>(?: |(?=[^\s\];?]))"), re.compile(r" {7}(?=.*\S)")),
    "python": _Prompt("python", re.compile(r">>>(?: |(?=[^\W\d]))"), re.compile(r"\.\.\. ")),
    "ipython": _Prompt("python", re.compile(r"In ?\[\d+\]: "), re.compile(r" {3,}\.{3,}: ")),
    "r": _Prompt("r", re.compile(r"(?:R ?)?> "), re.compile(r"\+ ")),
    "plain": _Prompt("python", re.compile(r"> "), re.compile(r"(?:\.\.\.|>(?=  )) ")),
    "called julia": _Prompt("julia", re.compile(r">>> ?"), re.compile(r"\.\.\. ")),
    "plain julia": _Prompt("julia", re.compile(r"> "), re.compile(r"(?!)")),
    "ijulia": _Prompt("julia", re.compile(r"In ?\[\d+\]: "), re.compile(r"(?!)")),
}
"""The last three are those of others in a listing that is called Julia's."""
_ONLY_CALLED = ("called julia", "plain julia", "ijulia")
_OF_JULIA = ("julia", "plain julia", "ijulia")
"""Below these an entry goes on without a mark."""
_SETS = re.compile(r"(?:import|from|del|def|class)\b|[\w.,\[\]'\" ]+?\s*(?:[-+*/%@&|^]|//|\*\*)?=(?!=)")
_VALUE = re.compile(r"# (?:[-+]?\d|['\"\[({<]|True|False|None|Traceback)")
_PRINTS_MARKS = re.compile(r"[\"'][^\"'\n]*#")
_IMPORTS = re.compile(r"> (?:from [\w.]+ )?import \w")
_OF_R = re.compile(
    r"\s*\[1\] |\s*\[(?:\[\d+\]\]|1,\]|,1\])|> [\w.]+(?:\([\w.]*\))? <- \S|Error in \S.*:"
    r"|'data\.frame':|> (?:library|str)\(\w+\)$|> [\w.]+ ?= ?c\([^()]*\)\s*$"
)
"""A line that R alone types or prints."""
_STARTS = re.compile(
    r"\s*$|[$%>] ?(?:\S*/)?(?:i?python|julia)[\w.]*(?: -\S+)*\s*$"
    r"|Python \d\.|\[(?:GCC|Clang|MSC)|Type \"|>>> ?$|#"
)
"""What stands above the first prompt where an interpreter is started."""
_LAUNCH = re.compile(
    r"(?:\S*[$#%>] ?)?(?:\S*/)?(?:i?python[\d.]*|pyspark|julia)(?: -\S+)*\s*$|Python \d\.\d.*", re.MULTILINE
)
"""The line that starts one, below which it may print anything."""
_INSIDE = {
    "julia": re.compile(r"^julia> ", re.MULTILINE),
    "python": re.compile(r"^>>> ", re.MULTILINE),
}
_LEAD = re.compile(r" {1,7}")
"""The blanks that stand below Julia's prompt."""
_METHODS = re.compile(r"# \d+ methods?\b|# methods ")
"""How Julia begins what ``methods(f)`` shows."""
_DEFINES = re.compile(r"(?:function \w|(?:mutable )?struct \w|type \w|for \w+ (?:in|=)|while )")
_LONGEST = 100
"""Lines of an entry."""
_BELOW = _INSIDE | {"julia": re.compile(r"^(?:julia> |>>>)", re.MULTILINE)}


class Entry(msgspec.Struct, frozen=True):
    """One prompt; lines are counted from 0 inside the transcript.

    ``other`` marks Julia's pkg, shell and help prompts; ``doubtful`` says why what it does cannot be told.
    """

    line: int
    end_line: int
    code: str
    output_line: int
    output: str
    other: bool = False
    doubtful: str = ""


def prompt_of(language: str, text: str) -> str:
    """Return the kind of prompt that a listing begins with, remarks aside; empty if it begins with none.

    Parameters
    ----------
    language : str
        The listing's language; empty where it names none, and its prompts must tell.
    text : str
        The listing.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    lines = lines[next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines)) :]
    if not lines:
        return ""
    for name, prompt in PROMPTS.items():
        if not prompt.first.match(lines[0] + " ") or language not in ("", prompt.language):
            continue
        # A > also begins a quotation and a shell's redirection.
        if not language and name == "r" and not any(map(_OF_R.match, lines)):
            continue
        if not language and name == "plain" and not any(map(_IMPORTS.match, lines)):
            continue
        if not language and name in _ONLY_CALLED:
            continue
        return name
    return ""


def first_prompt(language: str, text: str) -> int:
    """Return where the prompts of a listing begin that has code above them; -1 where it is no such listing.

    Parameters
    ----------
    language, text : str
        A listing in Python or Julia that does not begin with a prompt.
    """
    found = _BELOW[language].search(text) if language in _BELOW else None
    if found is None or (language == "python" and is_python(text)) or '"""' in text[: found.start()]:
        return -1
    return found.start()


def prompts_of_another(text: str) -> tuple[str, int] | None:
    """Return the kind of prompts of a listing that is called by a language which has none such.

    Parameters
    ----------
    text : str
        The listing. Only ``>>>`` before what is Python, and ``julia>``, are prompts for certain.

    Returns
    -------
    tuple of str and int, or None
        The kind, and how many characters of an interpreter's start stand above the first prompt.
    """
    for language, pattern in _INSIDE.items():
        found = pattern.search(text)
        if found is None or not _is_start(text[: found.start()]):
            continue
        first = split_transcript(language, text[found.start() :])[0]
        if language == "julia" or (first.code.strip() and is_python(first.code)):
            return language, found.start()
    return None


def _is_start(text: str) -> bool:
    """Whether nothing but the start of an interpreter stands above the first prompt."""
    lines = text.split("\n")
    launched = next((n for n, line in enumerate(lines) if _LAUNCH.fullmatch(line)), len(lines))
    return all(map(_STARTS.match, lines[:launched]))


def language_of(prompt: str) -> str:
    """Return the language that a kind of prompt takes."""
    return PROMPTS[prompt].language


def split_transcript(kind: str, text: str) -> tuple[Entry, ...]:
    """Split a transcript at its prompts; text above the first prompt is left out."""
    prompt = PROMPTS[kind]
    lines = text.rstrip("\n").split("\n")
    starts = [n for n, line in enumerate(lines) if prompt.first.match(line + " ") or _other(kind, line)]
    entries = []
    commented = not any(line[:1] not in ("#", "") and not _PASTED.match(line) for line in lines)
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        stop = start + 1
        while (
            stop < end
            and prompt.more.match(lines[stop] + " ")
            and (kind != "julia" or (lines[stop].strip() and not is_printed(lines[stop].strip(), "julia")))
        ):
            stop += 1
        code = [
            _behind(prompt.first if n == 0 else prompt.more, line) for n, line in enumerate(lines[start:stop])
        ]
        more = continued("\n".join(code), lines[stop:end]) if kind == "python" else Continued()
        if kind in _OF_JULIA:
            more = _closing(code, lines[stop:end])
        code += more.lines
        below = stop = stop + len(more.lines)
        while below < end and not lines[below].strip():
            below += 1
        shown = lines[below : end if end == len(lines) else _above_remarks(lines, stop, end)]
        if kind == "python":
            shown = _without_remarks("\n".join(code), shown, commented=commented)
        if kind in _OF_JULIA:
            remarks = [line for line in shown if line.strip()]
            only = all(line.startswith("# ") and not _METHODS.match(line) for line in remarks)
            shown = [] if only and not commented else shown
        output = "\n".join(_OUT.sub("", line, count=1) for line in shown).strip("\n").rstrip()
        entries.append(
            Entry(
                line=start,
                end_line=stop - 1 if below == end else end - 1,
                code="\n".join(code).rstrip() + "\n",
                output_line=below,
                output=_BLANK.sub("", output) if kind == "python" else output,
                other=_other(kind, lines[start]) or (kind in _OF_JULIA and code[0].lstrip()[:1] in _MODES),
                doubtful=more.why,
            )
        )
    return tuple(entries)


def _closing(code: Sequence[str], below: Sequence[str]) -> Continued:
    """Return the lines below an entry of Julia that are its code: up to the end of a block, bracket or text.

    A definition may stand below an entry without a prompt of its own.
    """
    whole = scan("\n".join(code), "julia") is not None
    if whole and not (below and _DEFINES.match(below[0])):
        return Continued()
    more = [line if whole else _LEAD.sub("", line, count=1) for line in below[:_LONGEST]]
    sizes = range(1, len(more) + 1)
    size = next((n for n in sizes if scan("\n".join([*code, *more[:n]]), "julia") is not None), 0)
    return Continued(tuple(more[:size]))


def without_prompts(code: str) -> str:
    """Return a notebook's cell as IPython reads it: without pasted prompts and a common indent.

    Parameters
    ----------
    code : str
        The cell. Newer versions leave ``...`` where no ``>>>`` stands above it, and older ones take it away:
        it is taken away where the cell is Python only without it, and where code goes on behind it on the
        second line, which is indexing or arithmetic of an ellipsis otherwise.
    """
    if is_python(code):
        unmarked = _PASTED.sub("", code)
        return unmarked if _GOES_ON.match(code) and is_python(unmarked) else code
    indent = re.match(r"\s*?\n?([ \t]*)\S", code)
    for text in (
        re.sub(rf"(?m)^{indent[1]}", "", code) if indent is not None and indent[1] else code,
        _PASTED.sub("", code),
    ):
        if text != code and is_python(text):
            return text
    return code


def _behind(prompt: re.Pattern[str], line: str) -> str:
    found = prompt.match(line) or prompt.match(line + " ")
    return line[found.end() :] if found else line


def _above_remarks(lines: list[str], stop: int, end: int) -> int:
    """Where the remarks begin that stand right above the prompt on a line, with a blank line above them."""
    first = end
    while first > stop and lines[first - 1].startswith("#"):
        first -= 1
    return first if stop < first < end and not lines[first - 1].strip() else end


def _without_remarks(code: str, shown: list[str], *, commented: bool) -> list[str]:
    """Leave out remarks on the prompt below: what is printed is not written as a comment there.

    Parameters
    ----------
    code : str
        What was typed.
    shown : list of str
        The lines below it.
    commented : bool
        Whether all outputs of the listing are comments: then remarks stand below what shows no value.
    """
    if commented and not _SETS.match(code):
        return shown
    last = len(shown)
    while last and (shown[last - 1].startswith("# ") or not shown[last - 1].strip()):
        last -= 1
    values = not any(line.strip() for line in shown[:last]) and not _SETS.match(code)
    if _PRINTS_MARKS.search(code) or (values and any(map(_VALUE.match, shown))):
        return shown
    return shown[:last]


def _other(kind: str, line: str) -> bool:
    return kind == "julia" and _OTHER_MODE.match(line) is not None
