"""Gather the pages of the documentation's site: ``python tests/site.py build/pages [build/reports]``.

The pages lie as in the checkout, so that their links hold, with every file to which one links. The reports
that ``harness run --out`` has written into a folder each become pages, and the docstrings a reference.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import harness

ROOT = Path(__file__).parents[1]
PAGES = ("*.md", "docs/**/*.md", "examples/**/*.md")
_FENCE = re.compile(r"^(?P<mark> *`{3,}) *(?P<language>\w*)[^`\n]*$", re.MULTILINE)
_LINK = re.compile(r"\]\((?!\w+:|#)(?P<target>[^)#\s]+)(?:#[^)\s]*)?\)")
_LANGUAGES = {"commands": "sh", "path": "text", "js": "javascript"}


def gather(into: Path, reports: Path | None = None) -> None:
    """Write all pages into a folder, which is made anew."""
    shutil.rmtree(into, ignore_errors=True)
    waiting = [path for pattern in PAGES for path in sorted(ROOT.glob(pattern))]
    done: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in done:
            continue
        done.add(path)
        place = into / path.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".md":
            shutil.copyfile(path, place)
            continue
        text = path.read_text(encoding="utf-8")
        place.write_text(fences(text), encoding="utf-8")
        linked = [(path.parent / link["target"]).resolve() for link in _LINK.finditer(text)]
        waiting += [target for target in linked if target.is_file() and target.is_relative_to(ROOT)]
    (into / "reference.md").write_text(reference(), encoding="utf-8")
    (into / "reports.md").write_text(living(into / "reports", reports), encoding="utf-8")


def fences(text: str) -> str:
    """Leave the language alone of what a fence says, which the site's Markdown does not read otherwise."""

    def plain(fence: re.Match[str]) -> str:
        language = fence["language"]
        return fence["mark"] + _LANGUAGES.get(language, language)

    return _FENCE.sub(plain, text)


def reference() -> str:
    """One entry for each name that the package shows."""
    entries = "\n\n".join(f"::: harness.{name}" for name in sorted(harness.__all__, key=str.lower))
    return f"# Reference\n\n{entries}\n"


def living(into: Path, reports: Path | None) -> str:
    """Copy the page of each run, and list them."""
    pages = sorted(reports.glob("*/report.html")) if reports else []
    into.mkdir()
    lines = ["# The examples' reports", "", "As `harness run` has just written them."]
    for page in pages:
        shutil.copyfile(page, into / f"{page.parent.name}.html")
    lines += ["", *[f"- [{page.parent.name}](reports/{page.parent.name}.html)" for page in pages]]
    return "\n".join(lines if pages else [*lines[:2], "None was run for this build."]) + "\n"


if __name__ == "__main__":
    gather(*map(Path, sys.argv[1:3]))
