"""Draw the graph of the packages: ``python tests/architecture.py docs/architecture.md``.

Its layers are those of the import-linter contract in pyproject.toml; its arrows are the imports.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- drawn by tests/architecture.py -->", "<!-- end -->"
_BESIDE = ("streams", "oracle", "workers")


def layers() -> list[list[str]]:
    """The packages of each layer, the highest first, without their common prefix."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = project["tool"]["importlinter"]["contracts"][0]
    return [[_short(name) for name in layer.split(" | ")] for layer in contract["layers"]]


def imports() -> list[tuple[str, str]]:
    """Which package imports which, sorted."""
    from grimp import build_graph

    graph = build_graph("harness", cache_dir=None)
    pairs = set()
    for module in graph.modules:
        for other in graph.find_modules_directly_imported_by(module):
            pairs.add((_package(module), _package(other)))
    return sorted((one, other) for one, other in pairs if one != other and "" not in (one, other))


def drawn() -> str:
    """The graph in Mermaid's language, between its marks."""
    lines = ["```mermaid", "flowchart TD"]
    for number, layer in enumerate([*layers(), list(_BESIDE)], 1):
        names = [name for name in layer if not name.startswith("_")]
        if names:
            lines += [f"  subgraph layer{number}[ ]", *(f"    {name}" for name in names), "  end"]
    # Everything may import the model, the errors and the names: their arrows would hide the others.
    lines += [
        f"  {one} --> {other}"
        for one, other in imports()
        if other not in ("model", "errors", "name", "runtime_names", "cores") and not one.startswith("_")
    ]
    return "\n".join([BEGIN, "", *lines, "```", "", END])


def replaced(text: str) -> str:
    """A page with the graph as it is now.

    Raises
    ------
    ValueError
        The page has no place for it.
    """
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    if not pattern.search(text):
        raise ValueError(f"the page has no {BEGIN} … {END}")
    return pattern.sub(lambda _: drawn(), text)


def _short(name: str) -> str:
    return name.removeprefix("harness.")


def _package(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


if __name__ == "__main__":
    page = Path(sys.argv[1])
    page.write_text(replaced(page.read_text(encoding="utf-8")), encoding="utf-8")
