"""What a listing of a page is called, by its classes and those of the elements that it stands in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from harness.documents.languages import LANGUAGES, OUTPUT

_NAMED = re.compile(r"(?:language|lang|highlight|hl|src|brush:?)[-:](?P<name>[\w+-]+)", re.I)
_PLAIN = OUTPUT | {"default", "myst-ansi", "literal-block", "bare", "fallback", "highlight", "source"}
"""Names that highlighters give to what has none."""
_KINDS: tuple[tuple[str, frozenset[str]], ...] = (
    ("error", frozenset({"cell-output-error", "output_error", "application/vnd.jupyter.error", "traceback"})),
    (
        "stderr",
        frozenset({"cell-output-stderr", "output_stderr", "stderr", "application/vnd.jupyter.stderr"}),
    ),
    (
        "output",
        frozenset({"cell-output", "cell_output", "output_text", "output_stdout", "output", "r-output"})
        | {"jp-OutputArea-output", "jp-RenderedText", "output_subarea", "output_area"},
    ),
)
_OF_KNITR = {"error": "error", "warning": "stderr", "message": "stderr", "output": "output", "source": "r"}
"""What knitr calls the frames of its own pages."""
_RESULTS = frozenset({"example", "output", "julia-error"})
"""What Org and Weave call results."""
_CELL = re.compile(r"cell-output.*")


class Element(msgspec.Struct, frozen=True):
    """A tag and its classes; Jupyter's type of an output counts as one, and so does Hugo's language."""

    tag: str
    classes: frozenset[str]

    @classmethod
    def of(cls, tag: str, attrs: Sequence[tuple[str, str | None]]) -> Element:
        """Read a tag's attributes."""
        given = dict(attrs)
        classes = set(re.sub(r"brush: +", "brush:", given.get("class") or "").split())
        if named := given.get("data-lang"):
            classes.add(f"language-{named}")
        if named := given.get("data-mime-type"):
            classes.add(named)
        return cls(tag, frozenset(classes))


class Named(msgspec.Struct, frozen=True):
    """What a listing is called, and the classes by which Quarto marks outputs."""

    info: str
    classes: tuple[str, ...]


def listing_of(own: Sequence[Element], inside: Sequence[Element]) -> Named:
    """Say what a listing is.

    Parameters
    ----------
    own : sequence of Element
        The ``pre``, and each ``code`` in it.
    inside : sequence of Element
        What it stands in, the outermost first.
    """
    around = [*own, *reversed(inside)]
    cell = tuple(sorted(name for element in around for name in element.classes if _CELL.fullmatch(name)))
    marks = frozenset(name for element in around for name in element.classes)
    kind = next((kind for kind, names in _KINDS if names & marks), "")
    if own and "knitr" in own[0].classes and inside:
        kind = next((_OF_KNITR[name] for name in sorted(inside[-1].classes) if name in _OF_KNITR), kind)
    shown = own[0].classes if own else frozenset()
    kind = "output" if shown & _RESULTS else kind
    named = "r" if "examples" in shown else next(_languages(own, inside), "")
    return Named(kind or named, cell)


def _languages(own: Sequence[Element], inside: Sequence[Element]) -> Iterator[str]:
    """Yield the languages that classes name, the nearest first; a bare one counts on the listing alone."""
    for element in own:
        yield from (name.lower() for name in sorted(element.classes) if name.lower() in LANGUAGES)
        yield from _prefixed(element)
    for element in reversed(inside):
        yield from _prefixed(element)


def _prefixed(element: Element) -> Iterator[str]:
    for given in sorted(element.classes):
        found = _NAMED.fullmatch(given)
        if found is not None:
            name = found["name"].lower().removeprefix("source-")
            yield "" if name in _PLAIN else name
