"""The pages of the site are those of the checkout, and lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

import harness
from tests.site import fences, gather

ROOT = Path(__file__).parents[3]


def test_every_page_of_the_navigation_is_gathered(tmp_path: Path) -> None:
    report = tmp_path / "runs" / "pca" / "report.html"
    report.parent.mkdir(parents=True)
    report.write_text("<p>AGREEMENT</p>")
    gather(tmp_path / "pages", tmp_path / "runs")
    text = re.sub(r"!!python/name:\S+", "x", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    navigation = re.findall(r"[\w/.-]+\.md", str(yaml.safe_load(text)["nav"]))
    assert len(navigation) > 20
    assert [page for page in navigation if not (tmp_path / "pages" / page).is_file()] == []
    pages = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/**/*.md")}
    assert pages <= set(navigation)
    assert (tmp_path / "pages" / "reports" / "pca.html").read_text() == "<p>AGREEMENT</p>"
    assert "[pca](reports/pca.html)" in (tmp_path / "pages" / "reports.md").read_text()
    # What a page links to, outside of the documentation.
    assert (tmp_path / "pages" / "tests" / "node" / "worker.mjs").is_file()


def test_the_reference_has_every_name(tmp_path: Path) -> None:
    gather(tmp_path / "pages")
    named = re.findall(r"^::: harness\.(\w+)$", (tmp_path / "pages" / "reference.md").read_text(), re.M)
    assert sorted(named) == sorted(harness.__all__)


def test_of_a_fence_its_language_is_left() -> None:
    text = "```python line.py\nx = 1\n```\n\n``` commands\nls\n```\n\n  ````markdown a.md\n```\n````\n"
    assert fences(text) == "```python\nx = 1\n```\n\n```sh\nls\n```\n\n  ````markdown\n```\n````\n"
