"""SVG elements as escaped text."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

from harness.report.text import visible


def tag(name: str, *children: Markup | str, **attributes: float | str) -> Markup:
    """One element; text is escaped, ``_`` in an attribute's name is ``-``, a last ``_`` is dropped."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"' for key, value in attributes.items()
    )
    if not children:
        return Markup(f"<{name}{written}/>")
    inside = "".join(child if isinstance(child, Markup) else escape(visible(child)) for child in children)
    return Markup(f"<{name}{written}>{inside}</{name}>")


def group(children: Iterable[Markup], **attributes: float | str) -> Markup:
    """Several elements in one."""
    return tag("g", *children, **attributes)


def _attribute(value: float | str) -> str:
    if isinstance(value, str):
        return str(escape(visible(value)))
    return f"{value:.1f}".removesuffix(".0")


_SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M-3.6-3.6h7.2v7.2h-7.2z",
    "M0-4.6l4.4 7.8h-8.8z",
    "M0-5l5 5-5 5-5-5z",
    "M0 4.6l4.4-7.8h-8.8z",
    "M-1.4-4.4h2.8v3h3v2.8h-3v3h-2.8v-3h-3v-2.8h3z",
    "M-4.4-2.4l4.4-2.6 4.4 2.6v4.8l-4.4 2.6-4.4-2.6z",
    "M-4-4l4 2 4-2-2 4 2 4-4-2-4 2 2-4z",
)

SERIES = len(_SHAPES)
"""How many series differ in shape and colour; after that they begin again."""


def marker(series: int, x: float, y: float, *, filled: bool, title: str) -> Markup:
    """A mark whose shape and colour are the series'."""
    kind = "own" if filled else "fed"
    place = f"translate({_attribute(x)} {_attribute(y)})"
    return tag(
        "path",
        tag("title", title),
        class_=f"s{series % SERIES} {kind}",
        d=_SHAPES[series % SERIES],
        transform=place,
    )
