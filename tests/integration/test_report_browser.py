"""The report in a real Chromium: no violation of axe-core's rules, and every control does what it says.

Screenshots for the README come from here too: HARNESS_SCREENSHOTS names a folder, HARNESS_RECORD the record;
without one, the pictures are of the record made here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.report import html
from harness.report.page import document as stand_alone
from harness.store.record import read_record
from tests.integration.in_browser import opened, violations
from tests.integration.page_record import EVIL, document, record

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """The report, in a browser that may load nothing else; an error of a script ends the test."""
    path = tmp_path / "report.html"
    path.write_text(html.render(record(), [record()]), encoding="utf-8")
    with opened(browser, path) as shown:
        yield shown


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(page: Any, axe: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.evaluate("location.hash = '#cells=verdict=ERROR'")
    assert violations(page, axe) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_in_a_document_s_own_page(
    page: Any, axe: str, tmp_path: Path, scheme: str
) -> None:
    path = tmp_path / "document.html"
    path.write_text(stand_alone(document(EVIL)), encoding="utf-8")
    page.goto(path.as_uri())
    page.emulate_media(color_scheme=scheme)
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 1200


def test_what_is_published_is_the_last_column(page: Any) -> None:
    heads = [
        all_inner_text.strip() for all_inner_text in page.locator("table.matrix thead th").all_inner_texts()
    ]
    assert heads == ["case", "numpy", "torch", "r", "julia", "as published"]
    entry = page.locator("table.matrix tbody tr", has_text="four_word").first.locator("td").last
    assert [
        all_inner_text.split()[0] for all_inner_text in entry.locator("a", has_text="1").all_inner_texts()
    ] == ["Python", "R"]
    entry.get_by_role("link", name="patched").click()
    assert page.evaluate("location.hash") == "#provisos"
    entry.get_by_role("link", name="XFAIL").click()
    page.wait_for_function("document.querySelector('#shown').textContent.includes('match')")
    assert page.locator("#rows td:nth-child(3)").all_inner_texts() == ["published.r"]
    page.locator("#rows th a").first.click()
    page.wait_for_selector("tr.details")
    details = page.locator("tr.details").inner_text()
    assert "patched: apply_margin" in details
    assert "harness reproduce" not in details


def test_a_document_opens_by_keyboard(page: Any) -> None:
    page.get_by_role("link", name="attention.md", exact=True).focus()
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#article-0"
    section = page.locator("#article-0")
    assert section.get_by_text('argument "FUN" is missing').is_visible()
    fragile = section.get_by_text("non-conformable arguments")
    assert not fragile.is_visible()
    section.locator("summary", has_text="fragile").focus()
    page.keyboard.press("Enter")
    assert fragile.is_visible()


def test_the_matrix_opens_the_cells_behind_it(page: Any) -> None:
    page.locator("table.matrix a", has_text="ERROR").first.click()
    page.wait_for_function("document.querySelector('#shown').textContent.includes('match')")
    assert page.locator("#f-implementation").input_value() == "julia"
    assert page.locator("#rows tr").count() == 6
    assert set(page.locator("#rows td:nth-child(3)").all_inner_texts()) == {"julia"}


def test_a_case_unfolds_by_keyboard_and_by_its_link(page: Any) -> None:
    # The element itself: a locator would look for a closed one again.
    folded = page.locator("details.case:not([open])").first.element_handle()
    folded.query_selector("summary").focus()
    page.keyboard.press("Enter")
    assert folded.evaluate("details => details.open")
    page.keyboard.press("Enter")
    assert not folded.evaluate("details => details.open")
    link = page.locator("table.matrix th a[href='#case-0']")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = false; })")
    link.click()
    page.wait_for_function("document.getElementById('case-0').open")


def test_a_cell_shows_its_samples(page: Any) -> None:
    page.evaluate("location.hash = '#cells=stage=scores&implementation=torch'")
    page.locator("#rows th a").first.click()
    page.wait_for_selector("tr.details details")
    fold = page.locator("tr.details details")
    assert fold.locator("summary").inner_text() == "2 samples: 1 PASS, 1 FAIL"
    rows = [all_inner_text.split("\t") for all_inner_text in fold.locator("tbody tr").all_inner_texts()]
    assert [[part.strip() for part in row] for row in rows] == [
        ["short", "✓ PASS", "0.5", "", "", "", ""],
        ["long", "✗ FAIL", "9", "1e-15", "2", "", "2 of 4 beyond"],
    ]


@pytest.mark.parametrize(
    ("stage", "who", "chips", "facts"),
    [
        ("Q", "torch", ["coarse"], {"basis": "coarse", "weaker_because": "no limit can be derived"}),
        ("scores", "r", [], {"basis": "derived", "undecided": "3", "weaker_because": "a tie in line 12"}),
    ],
)
def test_a_cell_says_how_it_was_compared(
    page: Any, stage: str, who: str, chips: list[str], facts: dict[str, str]
) -> None:
    page.evaluate(f"location.hash = '#cells=stage={stage}&implementation={who}'")
    page.locator("#rows th a").first.click()
    page.wait_for_selector("tr.details dl")
    assert page.locator("#rows tr").first.locator(".chip.coarse").all_inner_texts() == chips
    shown = page.locator("tr.details dl").first.inner_text()
    for name, value in facts.items():
        assert f"{name}\n{value}" in shown.replace("\n\n", "\n")


def test_filters_sorting_and_links(page: Any) -> None:
    total = page.locator("#rows tr").count()
    page.select_option("#f-verdict", "FAIL")
    assert page.locator("#rows tr").count() == 5 < total
    page.select_option("#f-language", "Torch")
    assert page.locator("#rows tr").count() == 4
    assert "verdict=FAIL" in page.url
    page.get_by_role("button", name="show all").click()
    page.wait_for_function(f"document.querySelectorAll('#rows tr').length === {total}")
    page.get_by_role("button", name="error / limit").click()
    assert page.locator("th[aria-sort=descending]").count() == 1
    assert page.locator("#rows td:nth-child(10)").first.inner_text() == "10000000"
    page.locator("#rows th a").first.click()
    page.wait_for_selector("tr.details")
    assert "harness reproduce" in page.locator("tr.details code").inner_text()
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector("tr.details")
    assert page.locator("#rows > tr").count() == 2


def test_searching_for_a_text(page: Any) -> None:
    page.fill("#f-text", "WHY error")
    assert page.locator("#rows tr").count() == 2
    page.fill("#f-text", "nothing has this text")
    assert page.locator("#rows tr").count() == 0
    assert page.locator("#shown").inner_text().startswith("Cells 0 to 0 of 0")


def test_hostile_text_is_shown_and_does_nothing(page: Any) -> None:
    page.locator("#failing a", has_text="<script>").first.click()
    page.wait_for_selector("tr.details")
    assert "<script>alert(1)</script>\\u202e" in page.locator("tr.details").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1200


def test_a_keyboard_reaches_the_verdict_and_the_filters(page: Any) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#verdict"
    page.locator("#f-verdict").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.locator("#f-verdict").input_value() != ""


def test_printing_opens_everything(page: Any) -> None:
    assert page.locator("details:not([open])").count() > 0
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    assert not page.locator("#filters").is_visible()
    assert len(page.pdf()) > 10_000


@pytest.mark.slow
def test_a_hundred_thousand_cells_stay_usable(browser: Any, tmp_path: Path) -> None:
    whole = record()
    cell = whole.cells[1]
    names = [
        (f"case_{n // 1000}", f"stage_{n % 1000 // 4}", ("torch", "r", "julia", "numpy")[n % 4])
        for n in range(100_000)
    ]
    cells = tuple(
        msgspec.structs.replace(cell, case=case, stage=stage, implementation=who)
        for case, stage, who in names
    )
    text = html.render(msgspec.structs.replace(whole, cells=cells))
    path = tmp_path / "report.html"
    path.write_text(text, encoding="utf-8")
    page = browser.new_page()
    page.set_default_timeout(10_000)
    page.goto(path.as_uri())
    assert page.locator("#shown").inner_text().startswith("Cells 1 to 50 of 100000")
    page.select_option("#f-case", "case_77")
    assert page.locator("#shown").inner_text().startswith("Cells 1 to 50 of 1000 ")
    page.get_by_role("button", name="next page").click()
    assert page.locator("#shown").inner_text().startswith("Cells 51 to 100 of 1000 ")
    page.close()


@pytest.mark.skipif("HARNESS_SCREENSHOTS" not in os.environ, reason="HARNESS_SCREENSHOTS names no folder")
def test_screenshots(browser: Any, tmp_path: Path) -> None:
    folder = Path(os.environ["HARNESS_SCREENSHOTS"])
    folder.mkdir(parents=True, exist_ok=True)
    path = tmp_path / "report.html"
    shown = read_record(Path(os.environ["HARNESS_RECORD"])) if "HARNESS_RECORD" in os.environ else record()
    path.write_text(html.render(shown), encoding="utf-8")
    context = browser.new_context(viewport={"width": 1100, "height": 820})
    page = context.new_page()
    page.goto(path.as_uri())
    page.screenshot(path=folder / "report.png")
    cut = {
        "strip": "#stages details:has-text('multi_head') .wide",
        "heatmaps": "#maps details details",
        "curves": "#curves .maps",
    }
    for name, place in cut.items():
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        elements = page.locator(place)
        if elements.count():
            cut_out(page, elements.nth(elements.count() // 2), 1060, 820, folder / f"report-{name}.png")
    findings = page.locator("#articles article").filter(has=page.locator(".finding.wrong"))
    if findings.count():
        page.set_viewport_size({"width": 900, "height": 720})
        cut_out(page, findings.first, 860, 560, folder / "report-findings.png")
    context.close()
    for image in folder.glob("report*.png"):
        assert image.stat().st_size < 200_000


def cut_out(page: Any, element: Any, width: int, most: int, path: Path) -> None:
    """A picture of an element, of its upper part where it is high."""
    where = "one => { const box = one.getBoundingClientRect(); return [box.x, box.y + scrollY, box.height]; }"
    x, y, height = element.evaluate(where)
    clip = {"x": x, "y": y, "width": width, "height": min(height, most)}
    page.screenshot(path=path, full_page=True, clip=clip)
