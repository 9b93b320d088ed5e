"""A document as chunks of code with the output that it claims for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from harness.documents.amid_text import with_sessions_apart
from harness.documents.ascii_doc import ELSEWHERE, ascii_doc_blocks
from harness.documents.beside import project_options
from harness.documents.crossing import with_crossings
from harness.documents.docstrings import doctests_in
from harness.documents.engines import with_handed
from harness.documents.held_output import with_held_output
from harness.documents.hidden_code import with_hidden_output, without_listings
from harness.documents.html_page import page_blocks
from harness.documents.included_code import with_included
from harness.documents.inline import published
from harness.documents.listing import first_word
from harness.documents.markdown import Blocks, Fence, read_blocks
from harness.documents.model import Document, DocumentKind, Note
from harness.documents.moved_names import with_names_that_stayed
from harness.documents.notebook import parse_notebook
from harness.documents.of_python_2 import with_print_as_calls
from harness.documents.options import Options
from harness.documents.org_mode import org_blocks
from harness.documents.reader import Reader
from harness.documents.rendered import with_rendered
from harness.documents.restructured import as_markdown
from harness.documents.script_text import SCRIPTS, script_blocks
from harness.documents.source import Text, read_text
from harness.documents.unnamed_code import with_named_code
from harness.documents.usual_imports import usual_imports
from harness.errors import DocumentError

KINDS: dict[str, DocumentKind] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".rst": "markdown",
    ".rmd": "rmarkdown",
    ".qmd": "quarto",
    ".ipynb": "notebook",
    ".org": "markdown",
    ".adoc": "markdown",
    ".asciidoc": "markdown",
    ".html": "markdown",
    ".htm": "markdown",
}


_HTML = (".html", ".htm")
_READERS = {
    ".org": org_blocks,
    ".adoc": ascii_doc_blocks,
    ".asciidoc": ascii_doc_blocks,
    **dict.fromkeys(_HTML, page_blocks),
}
_SOURCES = frozenset(KINDS) - frozenset(_HTML)
_UNSHOWN = "blocks of the document are given values or code that they do not show"
_OF_ANOTHER = "its doctests are of a package's source, of which another version is here"
_OF_IPYTHON = ("ipython", "ipython2", "ipython3")
"""How pages that were made of notebooks call their code, which show the last value of each cell."""
_BESIDE = (".md", ".html", ".nb.html")
"""What R Markdown and Quarto make of a document, in its folder; the first that is there is read."""
_BY_KNITR = re.compile(r"^engine:\s*[\"']?knitr\b", re.MULTILINE)
_OF_R = re.compile(r"\{[rR](?![\w.-])")


def parse_document(path: Path) -> Document:
    """Read a document.

    Parameters
    ----------
    path : Path
        A Markdown (``.md``), reStructuredText (``.rst``), R Markdown (``.Rmd``), Quarto (``.qmd``), Org
        (``.org``), AsciiDoc (``.adoc``), HTML (``.html``) or Jupyter (``.ipynb``) file, or a script (``.py``,
        ``.R``, ``.jl``) whose comments show what it gives.

    Returns
    -------
    Document
        Its chunks in order, each with the output blocks that belong to it.

    Raises
    ------
    DocumentError
        If it cannot be read as such; with the line, where one is to blame.
    """
    kind = KINDS.get(path.suffix.lower(), "markdown" if path.suffix.lower() in SCRIPTS else None)
    if kind is None:
        raise DocumentError(
            f"{path.suffix or 'a file without a suffix'} is no kind of document",
            path=path,
            advice=f"known are {', '.join(sorted(KINDS))}",
        )
    source = read_text(path)
    if kind == "notebook":
        return with_names_that_stayed(with_print_as_calls(parse_notebook(path, source)))
    if path.suffix.lower() == ".rst":
        source = msgspec.structs.replace(source, text=as_markdown(source.text))
    reader = _read(path, kind, source)
    document = with_print_as_calls(with_crossings(with_handed(with_included(reader.document()))))
    document = with_names_that_stayed(document)
    if kind == "markdown":
        elsewhere = any(chunk.language == ELSEWHERE for chunk in document.chunks)
        why = _OF_ANOTHER if path.suffix.lower() in SCRIPTS else _UNSHOWN
        return _with_doubt(document, why) if reader.handed or elsewhere else document
    beside = next((file for end in _BESIDE if (file := path.with_suffix(end)).is_file()), None)
    if beside is None:
        return document
    own = read_blocks(source.text, kind).blocks
    try:
        text = read_text(beside)
        code = "\n".join(chunk.code for chunk in document.chunks if chunk.language == "r")
        blocks = without_listings(_blocks(beside, text.text, "markdown").blocks, own)
        blocks = with_named_code(blocks, code)
        other = _read(beside, "markdown", text, blocks)
    except DocumentError as error:
        note = Note(line=1, text=f"{beside.name} beside it cannot be read: {error.message}")
        return msgspec.structs.replace(document, notes=(note, *document.notes))
    found = with_hidden_output(with_rendered(document, other.document()), blocks, own)
    return msgspec.structs.replace(found, inline=tuple(published(reader.paragraphs, other.paragraphs)))


def is_rendered(path: Path) -> bool:
    """Say whether a page of HTML was made of a document beside it, which has the same name."""
    if path.suffix.lower() not in _HTML:
        return False
    stem = path.stem.removesuffix(".nb")
    beside = (file for file in path.parent.iterdir() if file.suffix.lower() in _SOURCES)
    return any(file.stem == stem for file in beside)


def _with_doubt(document: Document, why: str) -> Document:
    """Let a document accuse nobody whose blocks are given, or of, what it does not show."""
    chunks = (msgspec.structs.replace(chunk, doubtful=chunk.doubtful or why) for chunk in document.chunks)
    return msgspec.structs.replace(document, chunks=tuple(chunks))


def _blocks(path: Path, text: str, kind: DocumentKind) -> Blocks:
    """Read the blocks of a text by the rules of its file's kind."""
    if language := SCRIPTS.get(path.suffix.lower()):
        # Code that doctests are of belongs to a package, which they load.
        tests = doctests_in(text) if language == "julia" else ()
        return Blocks(tests, handed=True) if tests else Blocks(script_blocks(text, language))
    reader = _READERS.get(path.suffix.lower())
    return read_blocks(text, kind) if reader is None else reader(text)


def _is_of_jupyter(blocks: Sequence[Fence], text: str) -> bool:
    """Whether a page was made of a notebook: by what it calls its code, or with style sheets of pandas."""
    return "<style scoped>" in text or any(first_word(block.info) in _OF_IPYTHON for block in blocks)


def _read(path: Path, kind: DocumentKind, source: Text, chosen: tuple[Fence, ...] | None = None) -> Reader:
    """Read a document's blocks, or those of them that are chosen."""
    blocks = _blocks(path, source.text, kind)
    notes = [*source.notes, *blocks.notes]
    reader = Reader(path, kind, notes)
    reader.handed = blocks.handed
    if kind == "quarto":
        options, header, found = project_options(path)
        reader.given(Options(values=options.values, expressions=options.expressions), header)
        notes += found
        # Quarto hands a document to knitr if it says so, or has a chunk of R.
        infos = [block.info for block in blocks.blocks if block.kind == "fence"]
        front = next((block.text for block in blocks.blocks if block.kind == "front"), "")
        reader.knitr = _BY_KNITR.search(front) is not None or any(map(_OF_R.match, infos))
    if chosen is None:
        markdown = kind == "markdown"
        chosen = with_held_output(with_named_code(blocks.blocks)) if markdown else blocks.blocks
        chosen = with_sessions_apart(chosen) if markdown else chosen
        if markdown and _is_of_jupyter(chosen, source.text):
            reader.given(Options(), {"engine": "jupyter"})
        if markdown and (imports := usual_imports(chosen)):
            said = "; ".join(imports)
            notes.append(Note(line=1, text=f"the page imports them nowhere: run as if it began with {said}"))
            text = "\n".join([*imports, ""])
            reader.take(Fence(kind="fence", line=1, end_line=1, text=text, info="python"))
    for block in chosen:
        reader.take(block)
    return reader
