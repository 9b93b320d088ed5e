"""Templates of pages that need nothing else; text that is put into them is escaped and visible."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from harness.report import text
from harness.report.article_sections import article

if TYPE_CHECKING:
    from jinja2 import Environment

    from harness.model.article import Examined


@functools.cache
def environment() -> Environment:
    """Return the Jinja environment with the report's templates and filters; it compiles each of them once."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("harness.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalized,
    )
    environment.filters |= {
        "short": text.short,
        "number": text.number,
        "share": text.share,
        "seconds": text.seconds,
        "index": text.index,
        "counted": text.counted,
    }
    return environment


def document(examined: Examined) -> str:
    """One document's findings as one HTML page that loads nothing."""
    page: str = environment().get_template("document.html").render(article=article(examined))
    return page


def _finalized(value: Any) -> Any:
    if value is None or isinstance(value, Markup | int | float):
        return value
    return text.visible(str(value))
