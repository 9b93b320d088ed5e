"""The page of two programs in a real Chromium: axe-core's rules, links, keyboard, hostile text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.programs.alignment import Aligned, aligned
from harness.programs.launch import as_program
from harness.programs.page import SIGNS, render
from harness.sessions.sandbox import find_sandbox
from tests.integration.in_browser import opened, violations

pytest.importorskip("scipy")
pytestmark = pytest.mark.browser

FIRST = """import numpy as np

height = np.array([151.8, 139.7, 136.5, 156.8, 145.4, 163.8])
spread = np.sqrt(np.sum((height - height.mean()) ** 2) / (len(height) - 1))
note = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u202e"
lone = np.array([0.31, 0.77, 4.41])
print("spread", spread)
"""
SECOND = """import numpy as np
alone = ["&lt;b&gt;", "\'onclick=alert(3)"]
{filler}
h = np.array([151.8, 139.7, 136.5, 156.8, 145.4, 163.8])
s = h.std()
print("spread", s)
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Aligned:
    folder = tmp_path_factory.mktemp("programs")
    (folder / "first.py").write_text(FIRST, encoding="utf-8")
    (folder / "<b>.py").write_text(SECOND.format(filler="# below\n" * 120), encoding="utf-8")
    programs = [as_program(folder / name) for name in ("first.py", "<b>.py")]
    return aligned(*programs, find_sandbox(unsandboxed=True))


@pytest.fixture
def page(browser: Any, both: Aligned, tmp_path: Path) -> Iterator[Any]:
    """The page, in a browser that may load nothing else; an error of a script ends the test."""
    path = tmp_path / "programs.html"
    path.write_text(render(both), encoding="utf-8")
    with opened(browser, path) as shown:
        yield shown


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(page: Any, axe: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.locator("#a0-3 a").click()
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 1200


def test_a_line_shows_its_variables_and_moves_the_other_program(page: Any, both: Aligned) -> None:
    partner = page.locator("#b0-125")
    assert SIGNS[both.said.divergences[0].kind][1] in partner.inner_text()
    assert not page.evaluate("document.querySelector('#b0-125').closest('.pane').scrollTop")
    page.locator("#a0-4 a").click()
    assert partner.evaluate("line => line.classList.contains('partner')")
    assert page.evaluate("document.querySelector('#b0-125').closest('.pane').scrollTop") > 100
    row = page.locator("#chosen tr").inner_text()
    assert "differs" in row
    assert "ddof" in row
    assert page.url.endswith("#a0-4")
    assert "spread" in page.locator("#said").inner_text()


def test_a_keyboard_goes_from_a_divergence_to_its_line_and_on(page: Any) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#a0-4.chosen')")
    assert page.evaluate("document.activeElement.closest('li').id") == "a0-4"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.querySelector('.chosen').id") == "a0-3"
    assert "height" in page.locator("#said").inner_text()
    page.go_back()
    page.wait_for_function("document.querySelector('#a0-4.chosen')")


def test_what_is_said_of_a_line_is_not_said_by_colour_alone(page: Any, both: Aligned) -> None:
    said = {number: page.locator(f"#a0-{number} .hidden").inner_text() for number in (3, 4)}
    assert said == {3: "agrees: ", 4: f"{SIGNS[both.said.divergences[0].kind][1]}: "}
    assert page.locator("#a0-6 .mark").inner_text().strip() == "○"
    assert page.locator("#a0-1 .hidden").count() == 0


def test_hostile_text_is_shown_and_does_nothing(page: Any) -> None:
    assert "</script><script>alert(1)</script>" in page.locator("#a0-5").inner_text()
    assert "\\u202e" in page.locator("#a0-5").inner_text()
    assert "&lt;b&gt;" in page.locator("#b0-2").inner_text()
    assert "<b>.py" in page.locator("h1").inner_text()


def test_without_a_script_each_line_leads_to_its_row(browser: Any, both: Aligned, tmp_path: Path) -> None:
    path = tmp_path / "programs.html"
    path.write_text(render(both), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto(path.as_uri())
    opened.locator("#a0-4 a").click()
    row = opened.locator(f"#{opened.url.partition('#')[2]}")
    assert "spread" in row.locator("th").inner_text()
    context.close()
