"""One chunk in its session: in pieces where its outputs stand between its lines, and past what is missing."""

from __future__ import annotations

import ast
import contextlib
import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from harness.documents.model import Chunk, OutputBlock
from harness.sessions.lasting_session import LastingSession
from harness.sessions.session import CodeError, Evaluated

_IMPORTS = re.compile(
    r"^\s*(?:import\s|from\s+[\w.]+\s+import\s|using\s|(?:suppress\w+\()?(?:library|require|requireNamespace)\("
    r"|install\.packages\(|Pkg\.|%pylab\b|[!%]\s*(?:pip|conda)|(?:sns|seaborn|plt|mpl|matplotlib)\.)"
)
_NOT_HERE = re.compile(
    r"No module named|no package called|Package .{1,60} not found|unable to install packages"
)
_NO_PACKAGE = re.compile(r"no package called [‘'\"`]?(?P<name>[\w.]*\w)")
_SEVERAL = re.compile(r"\s*(?P<how>using|import)\s+(?P<modules>\w+(?:\s*,\s*\w+)+)\s*(?:#.*)?")
_ENDS = (
    "local({{r <- attr(parse(text = {text}, keep.source = TRUE), 'srcref');"
    ' for (s in r) cat("harness: ", s[1L], " ", s[3L], "\\n", sep = "")}})'
)
"""Code of R that prints where each statement of a text begins and ends."""
_PLOTS = re.compile(r"^(?P<of>sns|seaborn|plt|mpl|matplotlib|pylab)\.")
"""What is only drawn or set up for drawing, where its value is not kept."""
_QUIET = re.compile(
    r"^(?P<indent>[ \t]*)%(?:matplotlib|config|load_ext|reload_ext|autoreload|xmode|"
    r"pdb off|watermark|notebook)\b[^\n]*$",
    re.MULTILINE,
)
_OF_SYMPY = re.compile(r"%(?:re)?load_ext\s+sympy(?:printing|\.interactive\.ipythonprinting)\b")


class Pieces(NamedTuple):
    """A chunk's result; ``parts`` has what each of its outputs is of, or nothing where that is not known.

    ``lacking`` are the errors of imports after which the rest of the chunk was run all the same.
    """

    left: Evaluated
    parts: tuple[Evaluated | None, ...] = ()
    lacking: tuple[CodeError, ...] = ()


def evaluate_chunk(session: LastingSession, chunk: Chunk, code: str, file: str) -> Pieces:
    """Evaluate a chunk.

    Parameters
    ----------
    session : LastingSession
        That of its language.
    chunk : Chunk
        The chunk.
    code : str
        Its code, or what is run in its place.
    file : str
        What messages call its file.
    """
    done: list[Evaluated] = []
    parts: list[Evaluated | None] = [None] * len(chunk.output)
    lacking: list[CodeError] = []
    # A listing with a value behind each statement is typed at a prompt, where an error stops nothing.
    typed = _placed(chunk) and not chunk.executable
    for start, piece, blocks, shows in _pieces(chunk, without_quiet_magics(code)):
        if done and (session.ended or (done[-1].error is not None and not (chunk.error or typed))):
            break
        line = max(1, chunk.code_line + start)
        if typed:
            mine = session.eval(piece, file=file, line=line, keep_going=True)
        else:
            mine = _past_imports(session, chunk, piece, file, line, lacking)
        if shows and mine.error is None:
            mine = _joined([mine, session.eval(shows, file="<value>", line=1)])
        done.append(mine)
        for block in blocks:
            parts[block] = _shown_in(chunk.output[block], mine, done)
    return Pieces(_joined(done), tuple(parts) if len(done) and _placed(chunk) else (), tuple(lacking))


def _shown_in(block: OutputBlock, mine: Evaluated, done: list[Evaluated]) -> Evaluated:
    """Return what an output is of: one below all code may list again what comments in the code have shown.

    Parameters
    ----------
    block : OutputBlock
        The output.
    mine : Evaluated
        What was evaluated behind the output before it.
    done : list of Evaluated
        All that was, to its end.
    """
    whole = _joined(done)
    begins = whole.text.strip().partition("\n")[0].strip()
    if block.after or len(done) == 1 or mine.text.strip() == block.text.strip() or not begins:
        return mine
    return whole if block.text.strip().partition("\n")[0].strip() == begins else mine


def without_quiet_magics(code: str) -> str:
    """Return code without the IPython magics that change nothing but how a notebook looks."""
    if "%" not in code:
        return code
    return _QUIET.sub(_in_place_of, code)


def _in_place_of(magic: re.Match[str]) -> str:
    """Return what is run for a magic: of sympy's extension, what it calls."""
    if _OF_SYMPY.search(magic[0]):
        return f'{magic["indent"]}__import__("sympy").init_printing()'
    return f"{magic['indent']}pass" if magic["indent"] else ""


def quiet_magic(code: str) -> str:
    """Return the first IPython magic of those that are left out; empty where code has none."""
    found = _QUIET.search(code)
    return found[0].strip() if found is not None else ""


def _placed(chunk: Chunk) -> bool:
    """Whether the outputs of a chunk name the statements that they are of."""
    ends = [block.after for block in chunk.output if block.after and block.kind == "printed"]
    # Two outputs of one statement: code between them was not shown, so that neither can be told.
    return len(set(ends)) == len(ends) and any(block.after or block.shows for block in chunk.output)


def _pieces(chunk: Chunk, code: str) -> Iterator[tuple[int, str, list[int], str]]:
    """Yield each piece: the lines before it, its text, its outputs, and what it shows at its end."""
    lines = code.split("\n")
    if not _placed(chunk):
        yield 0, code, [], ""
        return
    ends: dict[int, list[int]] = {}
    for place, block in enumerate(chunk.output):
        ends.setdefault(block.after or len(lines), []).append(place)
    begun = 0
    for end in sorted(ends):
        shows = "\n".join(
            dict.fromkeys(chunk.output[place].shows for place in ends[end] if chunk.output[place].shows)
        )
        yield begun, "\n".join(lines[begun:end]), ends[end], shows
        begun = end
    if any(line.strip() for line in lines[begun:]):
        yield begun, "\n".join(lines[begun:]), [], ""


def _past_imports(
    session: LastingSession, chunk: Chunk, code: str, file: str, line: int, lacking: list[CodeError]
) -> Evaluated:
    """Evaluate code; after an import of something that is not here, the lines behind it too."""
    done: list[Evaluated] = []
    lines = code.split("\n")
    begun = 0
    while True:
        text = "\n".join(lines[begun:])
        done.append(session.eval(text, file=file, line=line + begun, keep_going=chunk.error))
        error = done[-1].error
        place = (error.line or 0) - line if error is not None else -1
        if error is None or session.ended or chunk.error or not begun <= place < len(lines) - 1:
            break
        plots = _PLOTS.match(lines[place])
        lacks = _NOT_HERE.search(error.message) and _IMPORTS.match(lines[place])
        if not lacks and chunk.language == "r" and (end := _end_of_use(session, error, text, place - begun)):
            lacking.append(error)
            begun += end
        elif not lacks and (plots is None or f"name '{plots['of']}' is not defined" not in error.message):
            break
        else:
            lacking.append(error)
            for other in _others(lines[place], chunk.language, error):
                done.append(session.eval(other, file=file, line=line + place))
                if done[-1].error is not None and _NOT_HERE.search(done[-1].error.message):
                    lacking.append(done[-1].error)
            begun = place + (1 if lacks else len(statement_at(lines, place)))
        if not any(rest.strip() for rest in lines[begun:]):
            break
    return _joined(done, lacking=lacking)


def _others(text: str, language: str, error: CodeError) -> Iterator[str]:
    """Yield an import of each module of a line of Julia, but of the one that is not here."""
    found = _SEVERAL.fullmatch(text) if language == "julia" else None
    if found is not None:
        for module in re.split(r"\s*,\s*", found["modules"]):
            if not re.search(rf"Package {re.escape(module)} not found", error.message):
                yield f"{found['how']} {module}"


def _end_of_use(session: LastingSession, error: CodeError, text: str, place: int) -> int:
    """Return how many lines of R end with the statement that takes something of a package that is not here.

    0 where the line is not of such a statement: it may be called from elsewhere.
    """
    named = _NO_PACKAGE.search(error.message)
    if named is None or not 0 <= place < text.count("\n") + 1:
        return 0
    asked = session.eval(_ENDS.format(text=json.dumps(text, ensure_ascii=False)), file="<lines>", line=1)
    for first, last in re.findall(r"harness: (\d+) (\d+)", asked.text):
        if int(first) <= place + 1 <= int(last):
            statement = "\n".join(text.split("\n")[int(first) - 1 : int(last)])
            uses = re.search(rf"(?<![\w.]){re.escape(named['name'])}:::?", statement)
            return int(last) if uses and "function" not in statement else 0
    return 0


def statement_at(lines: Sequence[str], place: int) -> Sequence[str]:
    """Return the lines of the statement of Python that begins in one; that line alone where none is read."""
    for end in range(place + 1, len(lines) + 1):
        with contextlib.suppress(SyntaxError, ValueError):
            ast.parse("\n".join(lines[place:end]))
            return lines[place:end]
    return lines[place : place + 1]


def _joined(done: list[Evaluated], *, lacking: Sequence[CodeError] = ()) -> Evaluated:
    if len(done) == 1:
        return done[0]
    errors = [evaluated.error for evaluated in done if evaluated.error is not None]
    # An error that is not the lack of a package says more.
    worst = [error for error in errors if error not in lacking and not _NOT_HERE.search(error.message)]
    worst = worst if lacking else errors
    return Evaluated(
        text="".join(evaluated.text for evaluated in done),
        messages="".join(evaluated.messages for evaluated in done),
        error=next(iter([*worst, *errors]), None),
        seconds=sum(evaluated.seconds for evaluated in done),
        warnings=tuple(warning for evaluated in done for warning in evaluated.warnings),
        plots=tuple(plot for evaluated in done for plot in evaluated.plots),
        calls=tuple(call for evaluated in done for call in evaluated.calls),
        cut=sum(evaluated.cut for evaluated in done),
    )
