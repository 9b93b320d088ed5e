"""Which versions a document says that it was written for, and which packages its code uses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache

from harness.documents.model import Chunk, Document

_STATED = {
    "r": re.compile(r"R version (\d+\.\d+(?:\.\d+)?)|\bR (?:version )?(\d\.\d+(?:\.\d+)?)\b"),
    "julia": re.compile(r"Julia (?:Version )?v?(\d+\.\d+(?:\.\d+)?)", re.IGNORECASE),
    "python": re.compile(r"\bPython (\d+\.\d+(?:\.\d+)?)"),
}
_OF_JULIA = re.compile(r"[01]\.")
"""How versions of Julia begin: what another tool wrote into a notebook is another's."""
_ASKS = re.compile(
    r"\bsession_?[iI]nfo\(|\bR\.[vV]ersion|\bgetRversion\(|\bversioninfo\(|\bVERSION\b|\bsys\.version|--version\b"
    r"|\bpython_version\(|%watermark\b"
)
_PRINTED = {
    "r": re.compile(r"(?:R version |\[1\] [‘'\"]?|version\s+R version |\bR )(\d+\.\d+\.\d+)"),
    "julia": re.compile(r"(?:Julia Version |Commit \S+ |^v\"?)(\d+\.\d+\.\d+)", re.IGNORECASE | re.MULTILINE),
    "python": re.compile(
        r"(?:Python\s*(?:version)?\s*:?\s*|^['\"]?)([23]\.\d+(?:\.\d+)?)", re.IGNORECASE | re.MULTILINE
    ),
}
_IMPORT = {
    "python": re.compile(r"^\s*(?:import|from)\s+([\w.]+)", re.MULTILINE),
    "r": re.compile(
        r"\b(?:library|require|requireNamespace|loadNamespace)\(\s*[\"']?([\w.]+)|\b([A-Za-z][\w.]*):::?\w"
    ),
    "julia": re.compile(r"^\s*(?:using|import)\s+([\w.,: ]+)", re.MULTILINE),
}
_ASKS_OF = re.compile(r"\b([\w.]+?)\.__version__|\bpackageVersion\(\s*[\"']([\w.]+)")
_VERSION = re.compile(r"\d+\.\d+[\w.-]*")
_WITH_VERSION = re.compile(r"\b([A-Za-z]\w*)(?:==|_|\s*:\s*|\s+(?:version\s+)?)v?(\d+\.\d+[\w.-]*)")
_ALIAS = re.compile(r"(?m)^\s*import\s+([\w.]+)\s+as\s+(\w+)")
_PYTHON = """
abc argparse array ast base64 bisect builtins calendar collections contextlib copy csv
dataclasses datetime decimal enum fractions functools glob hashlib heapq inspect io itertools json
logging math numbers numpy operator os pathlib pickle pprint random re shutil
statistics string struct sys tempfile textwrap time timeit torch traceback types typing unittest urllib
warnings __future__
"""
_R = "base datasets graphics grDevices grid knitr methods parallel rmarkdown splines stats tools utils"
_JULIA = "Base Core Dates DelimitedFiles LinearAlgebra Markdown Printf SparseArrays Statistics Test"
_STEADY = {
    language: frozenset(names.split())
    for language, names in (("python", _PYTHON), ("r", _R), ("julia", _JULIA))
}
"""Packages of which the numbers that a program prints do not depend on the version."""
NUMERIC = frozenset({"numpy", "torch"})
"""Those of them that do not come with the language: their words and their errors do."""


def stated_versions(document: Document) -> dict[str, str]:
    """Return the version that a document states for each language of its code.

    Parameters
    ----------
    document : Document
        Of a notebook, what its metadata says; of any other, the first version that its text names.
    """
    text = document.path.read_text(encoding="utf-8", errors="replace") if document.path.is_file() else ""
    if document.kind == "notebook":
        try:
            metadata = json.loads(text).get("metadata", {})
            info, kernel = metadata.get("language_info", {}), metadata.get("kernelspec", {})
            name = str(info.get("name") or kernel.get("language") or "python").lower()
            version = str(info.get("version") or "")
            if name == "julia" and not _OF_JULIA.match(version):
                version = ""
            if not version and (named := re.search(r"(\d+(?:\.\d+)*)", str(kernel.get("display_name", "")))):
                version = named[1]
        except (ValueError, AttributeError):
            return {}
        return {name: version} if version else {}
    stated = {}
    for language in dict.fromkeys(chunk.language for chunk in document.chunks):
        match = _STATED[language].search(text) if language in _STATED else None
        if match is not None:
            stated[language] = next(group for group in match.groups() if group)
    return stated


def printed_versions(document: Document) -> dict[str, str]:
    """Return the versions that a document's own code printed, as by ``sessionInfo()`` or ``versioninfo()``.

    Parameters
    ----------
    document : Document
        Of what its metadata or its text says of versions, this is the surest: it was printed by the session.
    """
    found: dict[str, str] = {}
    for chunk in document.chunks:
        if chunk.language not in _STATED or not _ASKS.search(chunk.code):
            continue
        for block in chunk.output:
            match = _PRINTED[chunk.language].search(block.text)
            if match is not None:
                found[chunk.language] = match[1]
    return found


def same_versions(chunks: Iterable[Chunk], shown: str, published: str, printed: str) -> frozenset[str]:
    """Return the packages of which an output says that the author had the version that is here.

    Parameters
    ----------
    chunks : iterable of Chunk
        Those of the document, whose imports give packages other names.
    shown : str
        The code that the output is of.
    published, printed : str
        The two texts: names with versions, or the version alone of the only package that the code asks for.
    """
    asked = [first or second for first, second in _ASKS_OF.findall(shown)]
    if not asked and not _ASKS.search(shown):
        return frozenset()
    named = frozenset(_WITH_VERSION.findall(published)) & frozenset(_WITH_VERSION.findall(printed))
    found = {name for name, _ in named}
    if len(asked) == 1 and (alone := _VERSION.findall(published)) and alone == _VERSION.findall(printed):
        found.add(asked[0])
    aliases = {alias: name for chunk in chunks for name, alias in _ALIAS.findall(chunk.code)}
    return frozenset(aliases.get(name, name).split(".")[0] for name in found)


@lru_cache(maxsize=4096)
def packages(code: str, language: str) -> frozenset[str]:
    """Return the packages that code imports."""
    if language not in _IMPORT:
        return frozenset()
    names: set[str] = set()
    for groups in _IMPORT[language].findall(code):
        text = groups if isinstance(groups, str) else next(filter(None, groups), "")
        if language == "julia":
            names |= {
                part.strip().split(".")[0] for part in text.partition(":")[0].split(",") if part.strip()
            }
        else:
            names.add(text.split(".")[0] if language == "python" else text)
    return frozenset(names)


def unsteady(names: Iterable[str], language: str) -> frozenset[str]:
    """Return the packages of these whose results may change from one version to another."""
    return frozenset(names) - _STEADY.get(language, frozenset())


def printing(names: Iterable[str], language: str) -> frozenset[str]:
    """Return the packages of these that do not come with the language: what they print may change."""
    return unsteady(names, language) | (frozenset(names) & NUMERIC)


DICTS_HAVE_AN_ORDER = (3, 7)
"""The version of Python since which the items of a dict stand as they were put in."""


def is_since(stated: str, version: tuple[int, int]) -> bool:
    """Whether a version is at least another one; one that is not stated in two parts may be older.

    Parameters
    ----------
    stated : str
        What a document names.
    version : tuple of int
        Major and minor.
    """
    parts = tuple(int(part) for part in re.findall(r"\d+", stated)[:2])
    return len(parts) == len(version) and parts >= version


def generation(version: str) -> str:
    """Return the first part of a version: of Python 2 and 3 even the arithmetic is another."""
    return version.split(".")[0]


def older(stated: str, here: str) -> bool:
    """Whether two versions differ in their first two parts."""
    return stated.split(".")[:2] != here.split(".")[:2]
