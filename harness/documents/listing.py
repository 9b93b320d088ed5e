"""What a block of a document is, from its name, its text and what stands before it."""

from __future__ import annotations

import ast
import re

import msgspec

from harness.documents.comment_marks import with_known_mark
from harness.documents.continued import parsed
from harness.documents.languages import DATA, OUTPUT, SUPPORTED, canonical
from harness.documents.markdown import Fence
from harness.documents.model import Chunk, OutputBlock, OutputKind
from harness.documents.output_words import (
    OUTPUT_WORD,
    RESULT_WORD,
    last_paragraph,
    leads_to_output,
    without_emphasis,
)
from harness.documents.raw_output import is_printed
from harness.documents.read_errors import errors_apart
from harness.documents.values_below import are_shown
from harness.documents.warned import begins_with_a_warning, warnings_apart

_NAMED: tuple[tuple[OutputKind, re.Pattern[str]], ...] = (
    ("error", re.compile(r"(?:.*[-_])?(?:errors?|traceback|py3?tb)", re.I)),
    ("message", re.compile(r"(?:.*[-_])?(?:stderr|messages?|warnings?)|qmdmessages?", re.I)),
    ("printed", re.compile(r"(?:.*[-_])?(?:stdout|out(?:put)?|results?|ans)|qmdresults?", re.I)),
)
_WORD = re.compile(r"[@\w][\w.+#-]*")
_CELL = re.compile(r"\.?cell-output(?:-(?P<what>\w+))?")
_EXERCISE = re.compile(r"challenge|exercise|solution|question|quiz", re.I)
CONSOLE = frozenset(
    {"console", "terminal", "ansi", "log", "shell-session", "sh-session", "bash-session", "prompt", "repl"}
)
SHELL = frozenset({"sh", "shell", "bash", "zsh", "cmd", "powershell", "ps1", "bat"})
_SHOWS_MARKDOWN = re.compile(r"\s*(?:`{3,}|~{3,})[ \t]*\{?\w")
"""A listing that shows how a chunk is written."""
_DRAWN = frozenset({"mermaid", "math", "dot", "graphviz", "html", "svg"})
"""What a page renders, and does not show."""
_COMMAND = re.compile(
    r"[\w.@-]+@?[\w.-]*:[^$]*\$ |[#$%>!] ?[\w./]|\./|\w+=\S|(?:sudo|pip3?|python[\d.]*|conda|mamba|cd|ls"
    r"|git|mkdir|source|export|curl|wget|npm|apt|apt-get|brew|Rscript|R|julia|touch|cat|echo|docker|make"
    r"|jupyter|pytest|uv|poetry|cp|mv|rm)(?: |$)"
)
_PRINTS = re.compile(r"\b(?:print(?:ln)?|cat)\(")
_LED = re.compile(r"#\s*[Oo]utput:?")
_SAYS = re.compile(
    rf"{OUTPUT_WORD}|{RESULT_WORD}|\b(?:outputs?|results?|prints?|printed|returns?|returned|gives?|yields?|shows?|displays?|see|get|looks?)\b"
    r"|输出|结果|运行|打印|显示|返回",
    re.I,
)
_SAID = re.compile(r"(?P<lead>[^`\n]+)`(?P<text>[^`\n]+)`[.*_]*")
_SAID_BARE = re.compile(r"(?P<lead>[^:：\n]+[:：])\s*(?P<text>.+)", re.DOTALL)
_CALLS_OUTPUT = re.compile(r"\b(?:outputs?|prints?(?:\(\w*)?|printed)\b", re.I)
_STATES = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.For, ast.While, ast.If)
_OF_CODE = re.compile(r"\w\s*\([^\n]*\)|\w\s*(?:=|<-)\s*\S|<-|\|>|%>%")
"""What a line of R or Julia has, and the number or word that it prints has not."""
_TYPED = re.compile(r"\s*[$%>#]|.*(?:\s--?[A-Za-z]|&&|\.(?:py|sh|jl|R)\b)")
"""What is typed in a terminal, and no program prints as its first line."""
_TABLE = re.compile(r"\|?(?:[^|\n]*\|)+[^|\n]*\n\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-*:?\s*)(?:\n.*)*", re.DOTALL)
_MAKES_TABLES = re.compile(r"kable|pander|xtable|tabulate|to_markdown|pretty_table|print_md|print_html")
_SQL = 'knit_engines$get("sql")'
_SHORT = 240
_SPHINX = re.compile(r"\{(doctest|testcode|testoutput)\}(?:[ \t].*)?")
_LISTED_AS = {"doctest": "python", "testcode": "python", "testoutput": "output"}
_BRACED = re.compile(r"\{[.:]?(?:outputs?|results?)(?:[:.-](?P<what>\w+))?(?:[\s,][^}]*)?\}")


class Reading(msgspec.Struct, frozen=True):
    """An output: its kind, and whether it is one beyond doubt, or only an example of one."""

    kind: OutputKind
    certain: bool = True
    example: bool = False


def reading_of(block: Fence, name: str, *, prose: str, awaited: bool, above: str = "") -> Reading | None:
    """Say whether a listing is printed output.

    Parameters
    ----------
    block : Fence
        The listing.
    name : str
        The first word of its info string, in lower case.
    prose : str
        What stands between it and the code above.
    awaited : bool
        Whether there is such code, in the same section.
    above : str
        That code, where a language that is run here has it: what is called a shell's may be what it prints.

    Returns
    -------
    Reading or None
        None where it is code or data, or nothing says what it is.
    """
    if _SHOWS_MARKDOWN.match(block.text):
        return None
    cell = [found["what"] or "" for found in _CELL.finditer(block.classes)]
    if cell and name != "html":
        what = cell[-1]
        return Reading("message" if what == "stderr" else "error" if what == "error" else "printed")
    lines = [line.lstrip() for line in with_known_mark(block.text).split("\n") if line.strip()]
    marks = ("#>",) if name and name not in OUTPUT else ("#>", "##")
    if lines and all(line.startswith(marks) for line in lines):
        return Reading("printed")
    coloured = name in DATA or canonical(name) in SUPPORTED
    coloured = coloured or (bool(name) and bool(above) and name not in OUTPUT and name not in _DRAWN)
    if is_printed(block.text, canonical(name)):
        return Reading("printed", certain=not prose.strip())
    first = lines[:1] or [""]
    typed = name in SHELL | CONSOLE and (_is_command(first) or _TYPED.match(first[0]))
    program = _is_program(block.text, canonical(name))
    if coloured and awaited and not typed and not program and leads_to_output(prose):
        return Reading("printed")
    if canonical(name) == "python" and awaited and not prose.strip() and _is_value_of(block.text, above):
        return Reading("printed", certain=False)
    kind = _named(name) if name not in DATA and canonical(name) == name else None
    if name in OUTPUT or kind is not None:
        # Where a question stands between, it may be what the reader's own code is to print.
        asked = "?" in prose or _EXERCISE.search(block.classes) is not None
        leads = not prose.strip() or _says(prose.strip()) or kind is not None
        return Reading(kind or "printed", certain=leads and not asked)
    right_below = awaited and name in SHELL and not prose.strip()
    shown = _PRINTS.search(above) is not None or ("[" in block.text and are_shown(lines, "python"))
    if right_below and shown and lines and not _is_command(lines):
        return Reading("printed", certain=False)
    if not awaited or (name and name not in CONSOLE) or _is_shell(lines):
        return None
    if name and (not lines or _is_command(lines)):
        return None
    before = prose.strip()
    if not before:
        return Reading("printed", certain=not name and block.kind == "fence")
    if _says(before) or leads_to_output(before):
        certain = leads_to_output(before) and not name and bool(lines) and not looks_typed(lines[0])
        return Reading("printed", certain=certain)
    return None


def _is_value_of(text: str, above: str) -> bool:
    """Whether a listing of Python is nothing but values, and the code right above ends by showing some."""
    shown, code = parsed(text), parsed(above)
    if shown is None or code is None or not shown.body or not code.body:
        return False
    last = code.body[-1]
    written = all(isinstance(part, ast.Expr) and _is_written(part) for part in shown.body)
    return written and isinstance(last, ast.Expr) and not _is_written(last)


def _is_written(part: ast.Expr) -> bool:
    """Whether an expression is a value that is written out."""
    named = (ast.Name, ast.Call, ast.Attribute, ast.Subscript)
    return not any(isinstance(node, named) for node in ast.walk(part))


def said_output(prose: str) -> str:
    """Return what the code above prints, of a paragraph that says nothing else: ``output: `3```."""
    found = _SAID.fullmatch(prose.strip())
    if found is not None:
        return found["text"] if leads_to_output(found["lead"]) else ""
    found = _SAID_BARE.fullmatch(without_emphasis(prose))
    text = found["text"] if found is not None and leads_to_output(found["lead"]) else ""
    return text if is_shown_alone(text) else ""


def is_shown_alone(text: str) -> bool:
    """Whether a text is nothing but what Python, R or Julia print: values, a vector, a table."""
    tree = parsed(text) if not text.startswith("{{") else None  # a shortcode of Hugo's
    body = tree.body if tree is not None else []
    written = bool(body) and all(isinstance(part, ast.Expr) and _is_written(part) for part in body)
    return written or any(is_printed(text, of) for of in ("r", "julia"))


def is_called_output(prose: str) -> bool:
    """Whether the last paragraph above a listing, perhaps among other things, calls it an output."""
    last = last_paragraph(prose)
    return last.endswith((":", "：")) and _CALLS_OUTPUT.search(last) is not None


def _is_program(text: str, language: str) -> bool:
    """Whether a listing has prompts or statements, and is not only coloured as code."""
    if language in SUPPORTED - {"python"} and _OF_CODE.search(text):
        return True
    if re.search(r"(?m)^\s*(?:>>>|julia>|In \[\d+\]|R?> )", text):
        return True
    tree = parsed(text)
    return tree is not None and (
        any(isinstance(node, _STATES) for node in tree.body) or _PRINTS.match(text) is not None
    )


def listed_as(info: str) -> str:
    """Return what a listing in braces that is no chunk is called: a directive of Sphinx's, or an output."""
    if sphinx := _SPHINX.fullmatch(info):
        return _LISTED_AS[sphinx[1]]
    braced = _BRACED.fullmatch(info)
    return (braced["what"] or "output") if braced else ""


def first_word(info: str) -> str:
    """Return the first word of an info string, in lower case, as HTML would not call it."""
    word = _WORD.match(info)
    return word[0].lower().removeprefix("language-").removeprefix("lang-") if word else ""


def names_output(name: str, block: Fence) -> bool:
    """Say whether a listing is called output, and not only text."""
    return _named(name) is not None or "cell-output" in block.classes


def outputs_of(block: Fence, reading: Reading, info: str, language: str) -> tuple[OutputBlock, ...]:
    """Return a listing as outputs of code in a language; errors and warnings are known by their text too."""
    text = with_known_mark(block.text.rstrip("\n"))
    line = block.first_line
    if info in SHELL and _LED.fullmatch(text.partition("\n")[0].strip()):
        text, line = text.partition("\n")[2], line + 1
    output = OutputBlock(
        line=line,
        text=text,
        info=info,
        kind=reading.kind,
        certain=reading.certain,
        example=reading.example,
    )
    if reading.kind in ("printed", "error"):
        found = errors_apart(output, language)
        if len(found) > 1:
            return found
        output = found[0]
    if output.kind != "printed" or language != "r":
        return (output,)
    parts = warnings_apart(output)
    if len(parts) == 1 and begins_with_a_warning(text):
        return (msgspec.structs.replace(output, kind="message"),)
    return parts


def is_table(block: Fence, chunk: Chunk) -> bool:
    """Say whether a paragraph is a table that the chunk above it made."""
    text = block.text.strip()
    if not _TABLE.fullmatch(text):
        return False
    makes = chunk.language == "sql" or _SQL in chunk.code or _MAKES_TABLES.search(chunk.code) is not None
    return "cell-output" in block.classes or makes


def _named(name: str) -> OutputKind | None:
    return next((kind for kind, pattern in _NAMED if pattern.fullmatch(name)), None)


def _says(prose: str) -> bool:
    """Whether prose leads to what is printed."""
    prose = without_emphasis(prose)
    return prose.endswith((":", "：")) or (len(prose) <= _SHORT and _SAYS.search(prose) is not None)


def looks_typed(line: str) -> bool:
    """Whether a line of what is called a shell's listing may be a command."""
    return _COMMAND.match(line) is not None


def is_command_alone(text: str) -> bool:
    """Whether a listing is one line that is typed in a terminal."""
    return re.fullmatch(r"\s*(?:\S*[$%] |> (?:cd|python[\d.]*|pip3?) )\S.*\s*", text) is not None


def _is_command(lines: list[str]) -> bool:
    """Whether the first line of what is called a shell's listing may be typed there."""
    return not _LED.fullmatch(lines[0].strip()) and looks_typed(lines[0])


def _is_shell(lines: list[str]) -> bool:
    return bool(lines) and lines[0].startswith(("$ ", "% ", "C:\\", "PS "))
