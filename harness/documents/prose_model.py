"""The prose of a document as types: its paragraphs, code in them, and numbers that repeat an output."""

from __future__ import annotations

from harness.model import Frozen


class Paragraph(Frozen, frozen=True):
    """A paragraph or heading.

    Attributes
    ----------
    line : int
        Its first line.
    text : str
        With its marks.
    after : int
        The index of the chunk before it; -1 where none is.
    cell : int
        In a notebook, the number of the cell; 0 elsewhere.
    """

    line: int
    text: str
    after: int
    cell: int = 0


class InlineCode(Frozen, frozen=True, kw_only=True):
    """Code inside prose, such as ``r mean(x)``.

    Attributes
    ----------
    line : int
        The line of the file.
    language, code : str
        What is evaluated.
    after : int
        The index of the chunk before it; -1 where none is.
    published : str or None
        The text that stands in its place in the rendered document beside it; None where that is not known.
    rendered_line : int
        The line of that text in the rendered document.
    """

    line: int
    language: str
    code: str
    after: int
    published: str | None = None
    rendered_line: int = 0


class ProseNumber(Frozen, frozen=True, kw_only=True):
    """A number in prose that repeats a number of a printed output beside it.

    Attributes
    ----------
    line : int
        The line of the file.
    text : str
        The number as written.
    quote : str
        The words around it.
    exact : bool
        Whether the printed number rounds to it. Where it does not, both have the same label or all digits
        but one, so that one of them is wrong.
    cell : int
        In a notebook, the number of the cell; 0 elsewhere.
    chunk, block, item : int
        The output: the chunk's index, the block's place among the chunk's outputs, and the number's place
        among the items of that block, as `printed_number` counts them.
    """

    line: int
    text: str
    quote: str
    chunk: int
    block: int
    item: int
    exact: bool = True
    cell: int = 0
