"""Output that stands in the code's own comments: behind a statement, or in the lines below it."""

from __future__ import annotations

import ast
import io
import re
import tokenize

import msgspec

from harness.documents.model import OutputBlock, UnreadOutput
from harness.documents.older_python import readable
from harness.documents.r_remarks import value_behind, values_below
from harness.documents.read_errors import as_error
from harness.documents.scan import scan
from harness.documents.warned import warnings_apart
from harness.sessions.statements import NOT_PARSED

_PRINTED = re.compile(r"#>(?: |$)?(.*)")
_KNITR = re.compile(
    r"##? (?P<text>\[1\](?: .*|$)|# A tibble: .*|'data\.frame':.*|List of \d+"
    r"|Error(?: in .*|: .*)|Warning(?: in .*|: .*))"
    r"|## (?:\$[\w.`]+|\[\[\d+\]\])"
)
_BELOW = re.compile(r"##(?!#) {0,8}\S")
_HIGH = re.compile(r"##(?!#)(?: *$| {9,}\S)")
"""R begins what a test prints with an empty line, and the head of a table far to the right."""
_OF_R = re.compile(r"##\s+\[(?:1\]|,1\]|1,\])")
_SET_IN = re.compile(r"## {2,8}\S")
"""R sets the head of a table, and counts of several digits, more than one blank in."""
_ONE_MARK = re.compile(r"^#(?!#) ?")
_MARKED = re.compile(
    r"#+ ?(?:=+>|-+>|→|⇒|➜|Out(?:put)?(?: ?\[\d+\])?:|(?:[Pp]rints|[Rr]eturns)(?: out)?:)"
    r"(?:\s+(?P<text>.*)|$)"
)
_QUOTED = re.compile(
    r"#+ ?(?:[^\"`]*[;:.,)] ?)?(?:[Pp]rint|[Oo]utput|[Rr]eturn|[Gg]ive)s?:?[ ]+(?P<mark>[\"`])(?P<text>.*)"
)
"""``Prints "[[1 2]"``, perhaps behind a remark, on to the mark that ends it."""
_LEADS = re.compile(r"(?:[Pp]rints?|[Oo]utputs?|[Rr]eturns?) (?=\S)")
_MORE = re.compile(r"#+ (?: +|\s*=+> ?)(?P<text>.*)")
_REMARK = re.compile(r"\s+#+\s.*")
_LITERAL = re.compile(
    r"[-+]?(?:\d[\d_,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?:im|j|L)?(?:\.\.\.|…)?"
    r"|\"[^\"]*\"|'[^']*'|[Tt]rue|[Ff]alse|TRUE|FALSE|None|NULL|nothing|missing|NA|[-+]?(?:NaN|nan|Inf|inf)"
    r"|\[[^#]*\]|\([^#]*,[^#]*\)|\{[^#]*\}|array\(.*\)|tensor\(.*\)"
)
_TEXT = re.compile(r"\"[^\"]*\"|'[^']*'|True|False")
_COMPUTED = (ast.Call, ast.BinOp, ast.Subscript, ast.Compare, ast.BoolOp, ast.ListComp, ast.JoinedStr)
_ASSIGNED = {
    "r": re.compile(r"\s*(?P<name>[A-Za-z.][\w.]*)\s*(?:<-|=(?!=))"),
    "julia": re.compile(r"\s*(?P<name>[^\W\d][\w!]*)\s*=(?!=)"),
}
_INNER = re.compile(
    r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\}"
)
_SETS = re.compile(r"<-|->|(?<![=!<>])=(?!=)")
_PRINTS = re.compile(r"print\(")
_SILENT = re.compile(r"\s*(?:library|require|using|import|module|struct|mutable|abstract)\b")
_INSIDE = "it stands inside a function, a loop or a call"
_NUMBERING = "the comments may number the steps"


class CommentOutputs(msgspec.Struct, frozen=True):
    """What a chunk's comments say that it prints, and what could not be read."""

    blocks: tuple[OutputBlock, ...]
    unread: tuple[UnreadOutput, ...]


class _End(msgspec.Struct, frozen=True):
    """A top-level statement that ends on a line: whether it shows a value, and the name that it sets.

    ``body`` says that it ends with a body, such as a loop's, whose last line is a statement too; ``computed``
    that the name is set to what is not written there.
    """

    shows: bool
    name: str = ""
    body: bool = False
    computed: bool = False


class _Run(msgspec.Struct):
    """Comment lines that belong together; ``margin`` says that they begin at the margin."""

    line: int
    info: str
    texts: list[str]
    after: int
    margin: bool


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
    literals = _literals(code) if language == "python" and values else ""
    runs = _runs(code, comments, literals, language, values=values)
    blocks: list[OutputBlock] = []
    unread: list[UnreadOutput] = []
    numbering = _numbering(runs)
    for run in runs:
        text = "\n".join(run.texts).rstrip()
        place = first + run.line - 1
        end = ends.get(run.after) if ends is not None else None
        why = ""
        if run.info == "prose" or (run.info == "below" and (end is None or not end.shows)):
            continue
        if run.info in ("comment", "below"):
            block = _block(run, text, place, run.after if end is not None else 0, language)
            block = msgspec.structs.replace(block, certain=run.info == "comment")
            blocks += warnings_apart(block) if language == "r" and block.kind == "printed" else (block,)
            continue
        if ends is not None and (end is None or (end.body and not run.margin)):
            why = _INSIDE
        elif end is None:
            why = "the statement before it cannot be told"
        elif not text:
            continue
        elif run.info == "bare" and (not end.shows or end.name) and not _is_set(end, text):
            continue  # a remark
        elif not end.shows and not end.name:
            why = "the statement before it shows no value"
        elif run.info == "bare" and numbering:
            why = _NUMBERING
        if why:
            if run.info != "bare":
                unread.append(UnreadOutput(line=place, text=text[:200], why=why))
            continue
        assert end is not None
        block = _block(run, text, place, run.after, language)
        shows = end.name if end.name and not end.shows else ""
        blocks.append(msgspec.structs.replace(block, info="value", shows=shows, certain=run.info != "bare"))
    return CommentOutputs(tuple(blocks), tuple(unread))


def _is_set(end: _End, text: str) -> bool:
    """Whether a bare value may be what a name is set to; a number there may count or measure something."""
    return end.computed and _TEXT.fullmatch(text) is not None


def _block(run: _Run, text: str, place: int, after: int, language: str) -> OutputBlock:
    block = OutputBlock(line=place, text=text, info="comment", after=after)
    return as_error(block, language)


def _numbering(runs: list[_Run]) -> bool:
    bare = [run.texts[0] for run in runs if run.info == "bare"]
    return len(bare) > 1 and bare == [str(number) for number in range(1, len(bare) + 1)]


def _runs(code: str, comments: dict[int, str], literals: str, language: str, *, values: bool) -> list[_Run]:
    """Put comment lines together; ``comments`` are by line, from the ``#`` on.

    Words behind a call of ``print`` may be what it prints where the code's own strings hold all of them.
    """
    lines = code.split("\n")
    runs: list[_Run] = []
    last = 0  # the last line of code
    for number, line in enumerate(lines, 1):
        comment = comments.get(number, "")
        own = bool(comment) and line.strip() == comment.strip()
        if line.strip() and not own:
            last = number
        if not comment:
            if not line.strip():
                last = -abs(last)  # a blank line ends what a comment can belong to
            continue
        before = runs[-1] if runs and own and runs[-1].line + len(runs[-1].texts) == number else None
        printed = _PRINTED.fullmatch(comment.rstrip()) if own and line.startswith("#>") else None
        knitr = _KNITR.fullmatch(comment.rstrip()) if own else None
        if printed is not None:
            if before is not None and before.info == "comment":
                before.texts.append(line)
            else:
                runs.append(_Run(number, "comment", [line], abs(last), True))
            continue
        mark = before.texts[0][:3] if before is not None else ""
        same = comment.startswith(mark) or comment.strip() == mark.strip()
        if before is not None and before.info == "knitr" and same:
            before.texts.append(comment)
            continue
        if knitr is not None and last > 0:
            runs.append(_Run(number, "knitr", [comment], last, True))
            continue
        if before is not None and before.info == "below" and comment.startswith("##"):
            before.texts.append(line)
            continue
        high = _HIGH.match(line) and comments.get(number + 1, "").startswith("##")
        if own and values and last == number - 1 and (high or _BELOW.match(line)):
            runs.append(_Run(number, "below", [line], last, True))
            continue
        if not values:
            continue
        marked = _MARKED.fullmatch(comment.rstrip())
        quoted = _QUOTED.fullmatch(comment.rstrip()) if last > 0 else None
        if before is not None and before.info in ("`", '"') and before.info not in "".join(before.texts):
            before.texts.append(comment.lstrip("#"))
        elif quoted is not None:
            runs.append(_Run(number, quoted["mark"], [quoted["text"]], last, line.startswith("#")))
        elif before is not None and before.info == "marked" and (more := _MORE.fullmatch(comment.rstrip())):
            before.texts.append(more["text"])
        elif marked is not None and last > 0:
            text = _REMARK.sub("", marked["text"] or "") if not own else marked["text"] or ""
            runs.append(_Run(number, "marked", [text], last, line.startswith("#")))
        elif not own and (text := _bare(comment, line, literals, language)):
            runs.append(_Run(number, "bare", [text], last, False))
        elif language == "r" and own and before is None and last == number - 1:
            below = values_below(lines[number - 1 :])
            runs += [_Run(number, "bare", below, last, True)] if below else []
    knitted = any(run.info == "knitr" for run in runs)
    for run in runs:
        behind = lines[run.line + len(run.texts) - 1 : run.line + len(run.texts)]
        head = run.texts[0]
        of_r = _OF_R.match(head) is not None or (knitted and _SET_IN.match(head) is not None)
        if run.info == "below" and "".join(behind).strip() and not of_r:
            run.info = "prose"  # a remark on the code below it
        if run.info in ("`", '"'):
            text, closed, rest = "\n".join(run.texts).partition(run.info)
            run.info, run.texts = ("marked" if closed and not rest.strip(" .") else "prose"), [text]
        if run.info == "knitr":
            run.info = "comment"
            run.texts = [_ONE_MARK.sub("", text) for text in run.texts]
        if run.info == "marked" and not run.texts[0].strip():
            run.texts = run.texts[1:] or [""]
    return runs


def _literals(code: str) -> str:
    """The texts that Python code holds, in lower case; nothing of code that cannot be read."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except NOT_PARSED:
        return ""
    texts = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return " ".join(texts).lower()


def _bare(comment: str, line: str, literals: str, language: str) -> str:
    """Return what a remark behind a statement says, where it may be what is shown; else nothing."""
    text = _LEADS.sub("", comment.lstrip("# ").rstrip())
    if _may_be_shown(text, line, literals):
        return text
    return value_behind(comment) if language == "r" else ""


def _may_be_shown(text: str, line: str, literals: str) -> bool:
    """Whether a remark behind a statement is a value, or words that the code's own strings hold."""
    if _LITERAL.fullmatch(text):
        return True
    words = re.findall(r"\w+", text.lower()) if _PRINTS.match(line) else []
    return bool(words) and all(word in literals for word in words)


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
        body = hasattr(node, "body")
        computed = bool(name) and isinstance(node, ast.Assign) and isinstance(node.value, _COMPUTED)
        ends[node.end_lineno or node.lineno] = _End(isinstance(node, ast.Expr) or body, name, body, computed)
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
