"""Output that stands in the code's own comments: behind a statement, or in the lines below it."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

import msgspec

from harness.documents.comment_runs import Run, runs_of
from harness.documents.continued import parsed
from harness.documents.model import OutputBlock, UnreadOutput
from harness.documents.older_python import readable
from harness.documents.r_remarks import are_values
from harness.documents.read_errors import as_error
from harness.documents.scan import scan
from harness.documents.text_output import texts_below
from harness.documents.warned import warnings_apart
from harness.sessions.statements import NOT_PARSED

_TEXT = re.compile(r"\"[^\"]*\"|'[^']*'|True|False")
_QUOTED = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"")
_COMPUTED = (ast.Call, ast.BinOp, ast.Subscript, ast.Compare, ast.BoolOp, ast.ListComp, ast.JoinedStr)
_ASSIGNED = {
    "r": re.compile(r"\s*(?P<name>[A-Za-z.][\w.]*)\s*(?:<-|=(?!=))"),
    "julia": re.compile(r"\s*(?P<name>[^\W\d][\w!]*)\s*=(?!=)"),
}
_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_INNER = re.compile(
    r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\}"
)
_SETS = re.compile(r"<-|->|(?<![=!<>])=(?!=)")
_SILENT = re.compile(r"\s*(?:library|require|using|import|module|struct|mutable|abstract)\b")
_PRINTED_BY_R = re.compile(r"\s*#[#>]\s+\[1\]\s+\S")
"""How R prints a vector, behind marks as knitr sets them: no remark begins so."""
_PRINTS_A_VALUE = re.compile(r"\s*print\((?![frb]?[\"'])")
_ABOVE = "it stands above all code of its block"
_INSIDE = "it stands inside a function, a loop or a call"
_UNCLEAR = {
    "unclear": "which of the comments below the statement are printed cannot be told",
    "amid": "which words of the comment are printed cannot be told",
    "apart": "a blank line parts it from the statement",
}
_OR_A_REMARK = "behind an assignment it may be the value that is set, or a remark on it"
_NUMBERING = "the comments may number the steps"


class CommentOutputs(msgspec.Struct, frozen=True):
    """What a chunk's comments say that it prints, and what could not be read."""

    blocks: tuple[OutputBlock, ...]
    unread: tuple[UnreadOutput, ...]


class _End(msgspec.Struct, frozen=True):
    """A top-level statement that ends on a line: whether it shows a value, and the name that it sets.

    ``body`` says that it ends with a body, such as a loop's, whose last line is a statement too, and which is
    run where it stands; ``first`` is its first line; ``computed`` says that the name is set to what is not
    written there.
    """

    shows: bool
    name: str = ""
    body: bool = False
    computed: bool = False
    first: int = 0


def read_comments(code: str, language: str, first: int, *, values: bool) -> CommentOutputs:
    """Read the outputs that stand in comments.

    Parameters
    ----------
    code, language : str
        A chunk's code.
    first : int
        The line of the file that its first line stands on.
    values : bool
        Whether comments that hold a value are read, and those behind ``##`` that may be remarks, beside those
        marked ``#>``: not where the document's own program prints the outputs.

    Returns
    -------
    CommentOutputs
        Blocks by line; ``after`` is the line of the statement that each follows.
    """
    comments, ends = _python(code) if language == "python" else _scanned(code, language)
    literals = _literals(code, language) if values else ""
    runs = runs_of(code, comments, literals, language, values=values)
    if language == "python" and values:
        runs = sorted([*runs, *texts_below(code)], key=lambda run: run.line)
    blocks: list[OutputBlock] = []
    unread: list[UnreadOutput] = []
    numbering = _numbering(runs, code.split("\n"))
    count = code.rstrip().count("\n") + 1
    # Where knitr writes one output so, it writes all of a chunk so.
    knitted = language == "r" and any(_PRINTED_BY_R.match("\n".join(run.texts)) for run in runs)
    for run in runs:
        text = "\n".join(run.texts).rstrip()
        place = first + run.line - 1
        end = ends.get(run.after) if ends is not None else None
        why = ""
        if run.info == "prose" or (run.info == "below" and (end is None or not end.shows)):
            continue
        if run.info in ("comment", "below", "text"):
            # The output of the block above was copied with the code.
            if run.info == "comment" and not run.after and run.line + len(run.texts) <= count:
                unread.append(UnreadOutput(line=place, text=text[:200], why=_ABOVE))
                continue
            if not run.margin and not _ends_alone(run, end, runs):
                unread.append(UnreadOutput(line=place, text=text[:200], why=_INSIDE))
                continue
            block = _block(run, text, place, run.after if end is not None else 0, language)
            block = msgspec.structs.replace(block, certain=run.info == "comment" or knitted)
            blocks += warnings_apart(block) if language == "r" and block.kind == "printed" else (block,)
            continue
        if ends is not None and (end is None or (end.body and not run.margin)):
            why = _INSIDE
        elif end is None:
            why = "the statement before it cannot be told"
        elif not text:
            continue
        elif run.info in _UNCLEAR:
            why = _UNCLEAR[run.info]
        elif run.info == "bare" and (not end.shows or end.name) and not _is_set(end, text):
            if not _may_be_set(end, text, language, own=run.line > run.after):
                continue  # a remark
            why = _OR_A_REMARK
        elif not end.shows and not end.name:
            why = "the statement before it shows no value"
        elif run.info == "bare" and numbering:
            why = _NUMBERING
        if why:
            if run.info != "bare" or why == _OR_A_REMARK:
                unread.append(UnreadOutput(line=place, text=text[:200], why=why))
            continue
        assert end is not None
        block = _block(run, text, place, run.after, language)
        shows = end.name if end.name and not end.shows and not run.prints else ""
        blocks.append(msgspec.structs.replace(block, info="value", shows=shows, certain=run.info == "marked"))
    return CommentOutputs(tuple(blocks), tuple(unread))


def _ends_alone(run: Run, end: _End | None, runs: list[Run]) -> bool:
    """Whether an output inside of a loop's body and its like ends it, and is the only one there."""
    if end is None or not end.body:
        return False
    inside = [
        other
        for other in runs
        if other.info in ("comment", "text") and not other.margin and other.line >= end.first
    ]
    return [other for other in inside if other.line <= run.line or other.after == run.after] == [run]


def _is_set(end: _End, text: str) -> bool:
    """Whether a bare value may be what a name is set to; a number there may count or measure something."""
    if not end.computed:
        return False
    return _TEXT.fullmatch(text) is not None or any(isinstance(part, str | bool) for part in _parts(text))


def _may_be_set(end: _End, text: str, language: str, *, own: bool) -> bool:
    """Whether a bare remark on an assignment is an error, more than one number, or on a line of its own."""
    if language == "r":
        return bool(end.name) and " " in text and are_values(text)
    error = language == "python" and as_error(OutputBlock(line=1, text=text), language).kind == "error"
    return bool(end.name) and (error or (end.computed and (own or next(_parts(text), None) is not None)))


def _parts(text: str) -> Iterator[object]:
    """What a list, tuple, set or dictionary that is written in full holds; nothing of another text."""
    tree = parsed(text) if text[:1] in ("[", "(", "{") else None
    if tree is not None and not any(isinstance(node, ast.Name | ast.Call) for node in ast.walk(tree)):
        values = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
        yield from () if "..." in text else values


def _block(run: Run, text: str, place: int, after: int, language: str) -> OutputBlock:
    block = OutputBlock(line=place, text=text, info="comment", after=after)
    return as_error(block, language)


def _numbering(runs: list[Run], lines: list[str]) -> bool:
    """Whether comments may number the steps: they count 1, 2, 3, and not behind values that are printed."""
    bare = [run for run in runs if run.info == "bare"]
    counts = [run.texts[0] for run in bare] == [str(number) for number in range(1, len(bare) + 1)]
    printed = all(_PRINTS_A_VALUE.match(lines[abs(run.after) - 1]) for run in bare)
    return len(bare) > 1 and counts and not printed


def _literals(code: str, language: str) -> str:
    """The texts that code holds, in lower case; nothing of Python that cannot be read."""
    if language != "python":
        return " ".join(_QUOTED.findall(code)).lower()
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except NOT_PARSED:
        return ""
    texts = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return " ".join(texts).lower()


def _python(code: str) -> tuple[dict[int, str], dict[int, _End] | None]:
    comments: dict[int, str] = {}
    code = readable(code)
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.COMMENT:
                comments[token.start[0]] = token.string
        tree = ast.parse(code)
    except (*NOT_PARSED, tokenize.TokenError):
        return _plain(code), None
    ends: dict[int, _End] = {}
    for node in tree.body:
        name = ""
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
        body = hasattr(node, "body") and not isinstance(node, _DEFINES)
        computed = bool(name) and isinstance(node, ast.Assign) and isinstance(node.value, _COMPUTED)
        ends[node.end_lineno or node.lineno] = _End(
            isinstance(node, ast.Expr) or body, name, body, computed, node.lineno
        )
    return comments, ends


def _scanned(code: str, language: str) -> tuple[dict[int, str], dict[int, _End] | None]:
    lines = scan(code, language) if language in _ASSIGNED else None
    if lines is None:
        return _plain(code), None
    comments: dict[int, str] = {}
    ends: dict[int, _End] = {}
    statement = ""
    for number, line in enumerate(lines, 1):
        if line.comment:
            comments[number] = line.comment
        statement += line.code + "\n"
        if line.ends:
            ends[number] = _end(statement.strip("\n"), language)
            statement = ""
    return comments, ends


def _end(statement: str, language: str) -> _End:
    code = statement.rstrip()
    if _SILENT.match(code) or code.endswith(";"):
        return _End(False)
    assigned = _ASSIGNED[language].match(code)
    if language == "julia":
        return _End(True)
    if assigned is not None:
        return _End(False, assigned["name"])
    return _End(_SETS.search(_outermost(code)) is None)


def _outermost(code: str) -> str:
    """Return code without strings and what stands in brackets."""
    before = ""
    while before != code:
        before, code = code, _INNER.sub("", code)
    return code


def _plain(code: str) -> dict[int, str]:
    """Lines that are nothing but a comment, of code that cannot be read."""
    lines = enumerate(code.split("\n"), 1)
    return {number: line.strip() for number, line in lines if line.lstrip().startswith("#")}
