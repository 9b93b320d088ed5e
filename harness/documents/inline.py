"""Code inside prose, and the text that stands in its place in the rendered document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from harness.documents.languages import SUPPORTED, canonical
from harness.documents.prose_model import InlineCode, Paragraph

_INLINE = re.compile(
    r"(?<!`)`(?:\{(?P<braced>\w+)\}|(?P<plain>r|julia|python))[ #]\s*(?P<code>[^`\n]+?)`(?!`)"
)
_SHOWN = re.compile(r"``(?:[^`]|`(?!`))*``")
_LONGEST = 4000


def inline_code(paragraphs: Sequence[Paragraph]) -> Iterator[InlineCode]:
    """Return the code inside paragraphs, in order."""
    for paragraph in paragraphs:
        # What stands between double backticks is shown, not evaluated.
        text = _SHOWN.sub(lambda span: re.sub(r"[^\n]", " ", span[0]), paragraph.text)
        for found in _INLINE.finditer(text):
            language = canonical(found["braced"] or found["plain"])
            if language in SUPPORTED:
                yield InlineCode(
                    line=paragraph.line + paragraph.text.count("\n", 0, found.start()),
                    language=language,
                    code=found["code"].strip(),
                    after=paragraph.after,
                )


def published(paragraphs: Sequence[Paragraph], rendered: Sequence[Paragraph]) -> Iterator[InlineCode]:
    """Return the code inside paragraphs with what the rendered document shows in its place.

    Parameters
    ----------
    paragraphs, rendered : sequence of Paragraph
        Of the source, and of the document that was rendered from it. A rendered paragraph is taken only
        where exactly one has all words around the code.
    """
    texts = [(paragraph, " ".join(paragraph.text.split())) for paragraph in rendered]
    for paragraph in paragraphs:
        codes = list(inline_code([paragraph]))
        if not codes or _SHOWN.search(paragraph.text):
            yield from codes
            continue
        pattern = _pattern(paragraph.text)
        hits = [(other, found) for other, text in texts if (found := pattern.fullmatch(text))]
        for number, code in enumerate(codes, 1):
            if len(hits) != 1:
                yield code
                continue
            other, found = hits[0]
            yield msgspec.structs.replace(code, published=found[number], rendered_line=other.line)


def _pattern(text: str) -> re.Pattern[str]:
    """Return an expression for a paragraph whose code was replaced by anything."""
    parts = [" ".join(f".{part}.".split())[1:-1] for part in _INLINE.split(text)[:: _INLINE.groups + 1]]
    return re.compile("(.{0,400}?)".join(re.escape(part) for part in parts)[:_LONGEST])
