"""A real Chromium that may load nothing, and axe-core's rules, for the tests of pages."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from platformdirs import user_cache_path

AXE = "4.10.3"


NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core, kept in the user's cache."""
    folder = user_cache_path("harness") / f"axe-core-{AXE}"
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("axe-core is not there, and neither is npm, which would fetch it")
        folder.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), f"axe-core@{AXE}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        if done.returncode:
            pytest.skip(f"npm cannot fetch axe-core: {done.stderr.strip().splitlines()[-1:]}")
    return script.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("there is no Chromium")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@contextlib.contextmanager
def opened(browser: Any, path: Path) -> Iterator[Any]:
    """A page, in a browser that may load nothing else; an error of a script ends the test."""
    context = browser.new_context(viewport={"width": 1200, "height": 900}, bypass_csp=True)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: problems.append(f"dialog: {dialog.message}"))
    page.on(
        "request", lambda request: None if request.url.startswith("file:") else problems.append(request.url)
    )
    page.goto(path.as_uri())
    yield page
    context.close()
    assert problems == []


def violations(page: Any, axe: str) -> list[str]:
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.evaluate(axe)
    checked = page.evaluate("axe.run(document, { resultTypes: ['violations', 'incomplete'] })")
    assert checked["passes"]
    return [
        f"{violation['id']}: {violation['help']}: {violation['nodes'][0]['html'][:200]}"
        for violation in checked["violations"]
    ]
