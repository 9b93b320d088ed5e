"""The packages that code uses: those it imports, and those it finds attached."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.documents.model import Chunk
from harness.findings.names import names_in
from harness.findings.versions import packages

_RUNS_FILE = re.compile(
    r"""(?<![\w.])(?:source|sys\.source|include|load_all)\(\s*(?:file\s*=\s*)?["']([^"'\n]+)["']"""
)
"""What runs a file of code from R or Julia."""


def used_packages(chunks: Sequence[Chunk], cone: Sequence[Chunk]) -> frozenset[str]:
    """Return the packages that code uses: those it imports, and those it finds attached.

    Parameters
    ----------
    chunks : sequence of Chunk
        Those of the document.
    cone : sequence of Chunk
        A chunk with those that it depends on.
    """
    language = cone[-1].language
    found = {name for part in cone for name in packages(part.code, language)}
    if language == "python":
        used = {name for part in cone for name in names_in(part.code, language).reads}
        # A chunk may import more than the others use.
        kept = set()
        for name in found:
            sets = [part for part in cone if name in packages(part.code, language)]
            bound = {bound for part in sets for bound in _bound(part.code, name)}
            if not bound or bound & used:
                kept.add(name)
        return frozenset(kept)
    # library(x) and using X attach names that no assignment shows.
    last = cone[-1].index
    attached = [c for c in chunks if c.language == language and c.index <= last]
    # So does source("common.R"), and what it attaches is not in the document: the file counts as a package.
    files = {name for part in attached for name in _RUNS_FILE.findall(part.code)}
    return frozenset(found | files | {name for part in attached for name in packages(part.code, language)})


def _bound(code: str, package: str) -> set[str]:
    """Return the names by which an import of a package is known."""
    names: set[str] = set()
    for line in re.findall(rf"(?m)^\s*(?:import|from)\s+{re.escape(package)}\b[^\n]*", code):
        names |= set(re.findall(r"[^\W\d]\w*", line.partition("import")[2])) - {"as"}
        names |= {package} if line.lstrip().startswith("import") else set()
    return names
