"""Engines of knitr that are no language of a session: texts, files that they write, and what a shell runs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import msgspec

from harness.documents.model import Chunk, Document
from harness.documents.options import Options

_TEXTS = frozenset({"asis", "block", "block2", "cat", "comment", "css", "embed", "js", "verbatim"})
_PROGRAMS = {"bash": "-c", "sh": "-c", "zsh": "-c", "perl": "-E", "ruby": "-e", "node": "-e"}
"""Programs that knitr hands a chunk to, and the option that it has for that."""
_BY_KNITR = frozenset(
    {"awk", "c", "fortran", "fortran95", "gawk", "rcpp", "rscript", "sed", "sql", *_PROGRAMS}
)
"""Engines that knitr's own code hands a chunk to, where knitr is installed."""
_NAMED = {"rcpp": "Rcpp", "rscript": "Rscript"}
_OPTIONS = (
    "connection",
    "output.var",
    "max.print",
    "params",
    "tab.cap",
    "engine.opts",
    "engine.path",
    "engine.env",
    "results",
)
_EXPORTED = re.compile(
    r"^[ \t]*//[ \t]*\[\[Rcpp::export[^\n]*\n\s*[\w:<>&* ]*?[\s&*>](\w+)\s*\(", re.MULTILINE
)
_IDENTIFIER = re.compile(r"[A-Za-z.][\w.]*")
_CALL = (
    'local({{f <- knitr::opts_knit$get("out.format"); knitr::opts_knit$set(out.format = "markdown");'
    " on.exit(knitr::opts_knit$set(out.format = f));"
    ' t <- suppressMessages(knitr::knit_engines$get("{engine}")(knitr::opts_chunk$merge(list({options}))));'
    ' cat(grep("^Table: ", strsplit(paste(t, collapse = "\\n"), "\\n")[[1L]], value = TRUE, invert = TRUE),'
    ' sep = "\\n")}})'
)
"""Its output without the line that only counts the rows of a table."""
_RUN_BY = "it is run by "
_READS = re.compile(
    r"\b(?:read|scan|load|source|file|dir|list\.?dir|glob|open|Path|Sys\.\w+|system2?|environ|getenv|subprocess)"
    r"[\w.]*[\[(]"
)
"""What code takes from files, the environment or other programs."""
_FILE = re.compile(r"list\(\s*file\s*=\s*(?P<quote>[\"'])(?P<name>[^\"'\\\n]+)(?P=quote)\s*\)")


def holds_text(engine: str) -> bool:
    """Whether an engine's chunks are put into the document, or into a file, and not run."""
    return engine in _TEXTS


def written_by(engine: str, options: object, text: str) -> str | None:
    """Return code of R that writes a chunk into a file, as knitr's engine ``cat`` does.

    Parameters
    ----------
    engine : str
        The chunk's engine.
    options : object
        Its ``engine.opts``, as text.
    text : str
        What it holds.

    Returns
    -------
    str or None
        Of as many lines as the text; None where no file is named, or by an expression.
    """
    found = _FILE.fullmatch(str(options or "").strip()) if engine == "cat" else None
    if found is None:
        return None
    lines = ",\n".join(json.dumps(line, ensure_ascii=False) for line in text.rstrip("\n").split("\n"))
    return f'cat(c({lines}), file = {json.dumps(found["name"], ensure_ascii=False)}, sep = "\\n")\n'


def handed_to(engine: str, options: Mapping[str, object], text: str) -> str | None:
    """Return code of R that hands a chunk to a program, as knitr's engines ``bash``, ``perl`` and others do.

    Parameters
    ----------
    engine : str
        The chunk's engine.
    options : mapping
        The chunk's.
    text : str
        What it holds.

    Returns
    -------
    str or None
        Of as many lines as the text, and without an error where the program fails: its messages are its
        output. None where another engine is asked for, or other arguments: see `through_knitr`.
    """
    if engine not in _PROGRAMS or {"engine.opts", "engine.path", "engine.env"} & options.keys():
        return None
    lines = ",\n".join(json.dumps(line, ensure_ascii=False) for line in text.rstrip("\n").split("\n"))
    handed = f'"{_PROGRAMS[engine]}", shQuote(paste(c({lines}), collapse = "\\n"))'
    return (
        f'if (!nzchar(Sys.which("{engine}"))) stop("could not find program {engine}"); writeLines('
        f'suppressWarnings(system2("{engine}", c({handed}), stdout = TRUE, stderr = TRUE)))\n'
    )


def by_another(engine: str, options: Options, text: str) -> str | None:
    """Return code of R that hands a chunk to a program, or to knitr's own engine; None for any other engine.

    Parameters
    ----------
    engine, options, text : str, Options, str
        The chunk's engine, its options, and what it holds.
    """
    return handed_to(engine, options.values, text) or through_knitr(engine, options, text)


def through_knitr(engine: str, options: Options, text: str) -> str | None:
    """Return code of R that has knitr's own engine run a chunk: of SQL, compiled code, or a program.

    Parameters
    ----------
    engine : str
        The chunk's engine.
    options : Options
        The chunk's; its expressions are evaluated by R.
    text : str
        What it holds.

    Returns
    -------
    str or None
        Of as many lines as the text. A table is laid out as in a Markdown file. None for any other engine.
    """
    if engine not in _BY_KNITR:
        return None
    values = options.values
    lines = ",\n".join(json.dumps(line, ensure_ascii=False) for line in text.rstrip("\n").split("\n"))
    named = _NAMED.get(engine, engine)
    given = [
        f'engine = "{named}", label = "{named}", echo = FALSE, eval = TRUE, comment = NA, code = c({lines})'
    ]
    for name in _OPTIONS:
        if name in values:
            value = str(values[name])
            literal = name not in options.expressions
            given.append(f"{name} = {_literal(values[name]) if literal else value}")
    made = [*_EXPORTED.findall(text)] if engine == "rcpp" else [str(values.get("output.var", ""))]
    # What the engine sets in the session, for those who read the code.
    sets = "".join(f"if (FALSE) {name} <- NULL; " for name in made if _IDENTIFIER.fullmatch(name))
    return f"{sets}{_CALL.format(engine=named, options=', '.join(given))}\n"


def _literal(value: object) -> str:
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            return str(value)
        case None:
            return "NULL"
        case list():
            return f"c({', '.join(map(_literal, value))})"
        case _:
            return json.dumps(str(value), ensure_ascii=False)


def of_this_machine(engine: str) -> str:
    """Say why nobody is accused of what a program prints."""
    if engine == "sql":
        return "its table is laid out by knitr, of which the author may have had another version"
    return f"{_RUN_BY}{engine}, whose programs and files are those of another machine here"


def with_handed(document: Document) -> Document:
    """Mark the chunks that may read what a program has made: what differs there accuses nobody.

    Parameters
    ----------
    document : Document
        As it was read.
    """
    chunks: list[Chunk] = []
    made = ""
    for chunk in document.chunks:
        if made and not chunk.doubtful and _READS.search(chunk.code):
            chunk = msgspec.structs.replace(chunk, doubtful=made)
        if not made and chunk.doubtful.startswith(_RUN_BY):
            made = f"it may read what the program at line {chunk.line} has made"
        chunks.append(chunk)
    return msgspec.structs.replace(document, chunks=tuple(chunks)) if made else document
