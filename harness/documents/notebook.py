"""Jupyter notebooks: code cells and the outputs that were saved with them."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from typing import Any

import msgspec

from harness.documents.cell_magics import through_ipython
from harness.documents.cell_numbers import numbered_by_values
from harness.documents.engines import with_handed
from harness.documents.exercises import Exercises
from harness.documents.json_lines import cell_lines
from harness.documents.languages import SUPPORTED, canonical
from harness.documents.model import Chunk, Document, Note, UnreadOutput
from harness.documents.notebook_output import each_shown, read_outputs
from harness.documents.older_notebooks import is_older, upgraded
from harness.documents.options import Options, parse_comments, split_comments
from harness.documents.prose_model import Paragraph
from harness.documents.prose_numbers import prose_numbers
from harness.documents.source import Text
from harness.documents.text_cells import unread_in_text
from harness.documents.transcript import without_prompts
from harness.errors import DocumentError

_FAILS = (AssertionError, AttributeError, LookupError, TypeError, ValueError, RecursionError)
"""What nbformat fails with on what its schema would refuse."""
_CELL_MAGIC = re.compile(r"%%(\w+)[^\n]*\n?")
_LINE_MAGIC = re.compile(r"^[ \t]*[%!]\w", re.MULTILINE)
_MAGIC_LANGUAGES = frozenset({"html", "javascript", "js", "latex"})


def parse_notebook(path: Path, source: Text) -> Document:
    """Read a notebook of format 4, or of format 3 as one of 4.

    Raises
    ------
    DocumentError
        If it is not JSON, not a notebook of these formats, or has options that make no sense.
    """
    notebook, lines = _load(path, source.text)
    notes = list(source.notes)
    default = canonical(_language(notebook))
    chunks: list[Chunk] = []
    unread: list[UnreadOutput] = []
    prose: list[Paragraph] = []
    exercises = Exercises()
    pictures = 0
    labels: dict[str, int] = {}
    values: dict[int, set[int | None]] = {}
    title = ""
    for number, (cell, line) in enumerate(zip(notebook.cells, lines, strict=True), 1):
        if cell.cell_type == "markdown" and not title:
            headings = (text for text in cell.source.split("\n") if text.startswith("# "))
            title = next(headings, "").strip("# \t")
        if cell.cell_type == "markdown":
            prose.append(Paragraph(line, cell.source, len(chunks) - 1, number))
            unread += unread_in_text(path, cell.source, line)
            exercises.read(cell.source)
        if cell.cell_type != "code":
            continue
        shown = read_outputs(cell.outputs, line)
        pictures += shown.pictures
        unread += shown.unread
        if not cell.source.strip():
            why = "the cell holds no code, only what code printed that is not there"
            unread += (UnreadOutput(line=line, text=block.text[:200], why=why) for block in shown.blocks)
            continue
        handed = through_ipython(cell.source) if default == "python" else None
        language, code, magic_notes = _magic(cell.source, default, line)
        if handed is not None:
            code, magic_notes = handed.code, []
        above = cell.source.count("\n") - code.count("\n") if handed is None else 1
        comments, code = split_comments(code) if handed is None else ([], code)
        above += len(comments)
        code = without_prompts(code) if language == "python" and handed is None else code
        options = parse_comments(comments, path=path, line=line)
        notes += [*magic_notes, *options.notes]
        if options.label and labels.setdefault(options.label, number) != number:
            raise DocumentError(
                f"two cells have the label {options.label!r}: cells {labels[options.label]} and {number}",
                path=path,
                line=line,
                advice="labels are unique in a document",
            )
        if language not in SUPPORTED:
            notes.append(
                Note(line=line, text=f"no engine runs {language}: cell {number} is kept, and not run")
            )
        chunk = _chunk(cell, len(chunks), number, line, language, code, options)
        blocks = each_shown(code, shown.blocks) if language == "python" else shown.blocks
        stale = any(other not in (None, chunk.execution_count) for other in shown.counts)
        values[len(chunks)] = set(shown.counts)
        doubtful = handed.doubtful if handed is not None else exercises.left_out(code)
        chunk = msgspec.structs.replace(chunk, skipped=above, doubtful=doubtful)
        chunks.append(msgspec.structs.replace(chunk, output=blocks, stale=stale))
    named = notebook.metadata.get("title")
    document = Document(
        path=path,
        kind="notebook",
        title=str(named or title or path.stem),
        chunks=numbered_by_values(chunks, values),
        notes=tuple(sorted(notes, key=lambda note: note.line)),
        unread=tuple(unread),
        pictures=pictures,
        prose=tuple(prose),
        numbers=tuple(prose_numbers((one for one in prose if one.after >= 0), chunks)),
        written_for=_versions(notebook, default),
    )
    return with_handed(document)


def _chunk(
    cell: Any, index: int, number: int, line: int, language: str, code: str, options: Options
) -> Chunk:
    tags = cell.metadata.get("tags", [])
    return Chunk(
        index=index,
        line=line,
        end_line=line,
        code_line=0,
        cell=number,
        execution_count=_count(cell.get("execution_count")),
        language=language,
        code=code if code.endswith("\n") else code + "\n",
        label=options.label,
        options=options.values,
        executable=True,
        evaluated=options.flag("eval", "skip-execution" not in tags),
        echo=options.flag("echo", True),
        error=options.flag("error", "raises-exception" in tags),
        supported=language in SUPPORTED,
    )


def _versions(notebook: Any, language: str) -> dict[str, str]:
    """Return the version of the language that the notebook was saved with."""
    info = notebook.metadata.get("language_info", {})
    named = str(info.get("version", ""))
    # What another tool wrote there is another's: Julia has had no version beyond 1.
    if not named or (language == "julia" and not re.match(r"[01]\.", named)):
        kernel = str(notebook.metadata.get("kernelspec", {}).get("display_name", ""))
        found = re.search(r"\d+(?:\.\d+)+", kernel)
        named = found[0] if found else ""
    return {language: named} if named else {}


def _count(number: Any) -> int | None:
    return number if type(number) is int else None


def _magic(source: str, default: str, line: int) -> tuple[str, str, list[Note]]:
    if default != "python":
        return default, source, []
    notes: list[Note] = []
    magic = _CELL_MAGIC.match(source)
    language = canonical(magic[1]) if magic else default
    if magic is not None and (language in SUPPORTED or language in _MAGIC_LANGUAGES):
        return language, source[magic.end() :], notes
    if magic is not None or _LINE_MAGIC.search(source):
        notes.append(Note(line=line, text="the cell uses IPython magics, which are not Python"))
    return default, source, notes


def _language(notebook: Any) -> str:
    kernel = notebook.metadata.get("kernelspec", {})
    return str(kernel.get("language") or notebook.metadata.get("language_info", {}).get("name") or "python")


def _load(path: Path, text: str) -> tuple[Any, list[int]]:
    import nbformat

    try:
        raw = json.loads(text)
    except json.JSONDecodeError as problem:
        raise DocumentError(
            f"is not JSON: {problem.msg} (column {problem.colno})", path=path, line=problem.lineno
        ) from problem
    except (RecursionError, ValueError) as problem:
        raise DocumentError(f"is not JSON that can be read: {problem}", path=path) from problem
    if is_older(raw):
        raw = _of_today(raw, path)
    version = raw.get("nbformat") if isinstance(raw, dict) else None
    if version != 4:
        raise DocumentError(
            "is not a notebook: it names no format"
            if version is None
            else f"is a notebook of format {version!r:.20}; only 3 and 4 are read",
            path=path,
            advice="jupyter nbconvert --to notebook writes format 4",
        )
    places = cell_lines(text)
    starts = [place.start for place in places]
    _check_frame(raw, starts, path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of cells without ids, which older minor formats do not have
            nbformat.validate(raw, relax_add_props=True)
    except nbformat.ValidationError as problem:
        at = next((part for part in problem.absolute_path if isinstance(part, int)), None)
        raise DocumentError(
            f"is not a valid notebook: {problem.message.splitlines()[0][:200]}",
            path=path,
            line=starts[at] if at is not None and at < len(starts) else None,
        ) from problem
    except _FAILS as problem:
        # It takes for granted what its schema would refuse, such as an id that is a text.
        raise DocumentError(
            f"is not a valid notebook: nbformat fails on it with {type(problem).__name__}: {problem}"[:300],
            path=path,
            advice="jupyter nbconvert --to notebook writes a valid one",
        ) from problem
    if len(starts) != len(raw["cells"]):
        raise DocumentError("is not a valid notebook: it lists its cells twice", path=path)
    try:
        json.dumps(raw, ensure_ascii=False).encode()
        return nbformat.v4.nbjson.JSONReader().to_notebook(raw), [place.source for place in places]
    except UnicodeEncodeError as problem:
        raise DocumentError(
            f"is not a valid notebook: it holds half a character, {problem.object[problem.start]!a}",
            path=path,
        ) from problem
    except RecursionError as problem:
        raise DocumentError("is not a valid notebook: it is nested too deeply", path=path) from problem


def _of_today(notebook: dict[str, Any], path: Path) -> dict[str, Any]:
    try:
        return upgraded(notebook)
    except _FAILS as problem:
        raise DocumentError(
            f"is not a valid notebook of format 3: {type(problem).__name__}: {problem}"[:300],
            path=path,
            advice="jupyter nbconvert --to notebook writes a valid one",
        ) from problem


def _check_frame(notebook: dict[str, Any], starts: list[int], path: Path) -> None:
    """Refuse what nbformat cannot even say that it is wrong."""
    minor = notebook.get("nbformat_minor")
    if type(minor) is not int or minor < 0:
        raise DocumentError(
            f"is not a valid notebook: nbformat_minor is {minor!r:.80}, which is no number of a format",
            path=path,
            advice="jupyter nbconvert --to notebook writes a valid one",
        )
    cells = notebook.get("cells")
    if not isinstance(cells, list):
        raise DocumentError("is not a valid notebook: it has no list of cells", path=path)
    # Of a list that stands there twice, the lines are those of the first one.
    lines = starts if len(starts) == len(cells) else [None] * len(cells)
    for number, (cell, line) in enumerate(zip(cells, lines, strict=True), 1):
        if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
            raise DocumentError(
                f"is not a valid notebook: cell {number} is {_excerpt(cell)}, which has no cell_type",
                path=path,
                line=line,
            )
        outputs = cell.get("outputs", [])
        for output in outputs if isinstance(outputs, list) else ():
            if not isinstance(output, dict) or not isinstance(output.get("output_type"), str):
                raise DocumentError(
                    f"is not a valid notebook: an output of cell {number} is {_excerpt(output)},"
                    " which has no output_type",
                    path=path,
                    line=line,
                )


def _excerpt(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
