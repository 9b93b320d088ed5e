"""reStructuredText as Markdown, line by line: listings as fences, headings underlined with ``---``.

Written from the directives that docutils and Sphinx document: https://docutils.sourceforge.io/docs/ref/rst/
and https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from harness.documents.unnamed_code import is_of_python

_LISTING = re.compile(
    r"[ \t]*\.\. (code-block|code|sourcecode|testcode|testsetup|doctest|testoutput|parsed-literal"
    r"|ipython|jupyter-execute|plot)::(.*)"
)
_PYTHON = frozenset({"testcode", "testsetup", "doctest", "ipython", "jupyter-execute", "plot"})
_PSEUDO = re.compile(r"^[ \t]*@(?:savefig|suppress|doctest|verbatim|ok\w+)\b.*$", re.MULTILINE)
"""What IPython's directive takes for itself of its code."""
_HIGHLIGHT = re.compile(r"[ \t]*\.\. highlight::[ \t]*([\w.+-]+)")
_HIDDEN = re.compile(
    r"[ \t]*\.\.(?:[ \t]*$|[ \t]+(?![\w:.+-]+::)"
    r"|[ \t]+(?:raw|math|(?:csv-|list-)?table|toctree|\w*include|image|figure|graphviz|mermaid)::)"
)
"""A comment, a target, or a directive with a body that is neither prose nor code."""
_MARKUP = re.compile(r"[ \t]*\.\.(?:[ \t]|$)")
_OPTION = re.compile(r"[ \t]+:[\w-]+:")
_LINE = re.compile(r"([^\w\s])\1{2,}[ \t]*$")
"""What underlines a heading."""
_BLANKS = re.compile(r"^[ \t]+", re.MULTILINE)
_FENCE = "~" * 8


def as_markdown(text: str) -> str:
    """Return a document as Markdown whose lines have the same numbers.

    Code is found where a directive holds it (``code-block``, ``testcode``, ``ipython``), behind ``::``, and
    where a paragraph begins with ``>>>`` or ``julia>``. Behind ``::`` of a page with those, what imports,
    defines or prints in Python is Python. Nothing is left of comments, and of tables, formulas and pictures
    that a directive holds.

    Parameters
    ----------
    text : str
        reStructuredText.
    """
    shown = _PSEUDO.sub("", text) if ".. ipython::" in text else text
    return "\n".join(_Lines(shown.split("\n")).made())


class _Lines:
    """The lines of a document, and what has been made of them so far."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._made: list[str] = []
        self._language = ""
        self._has_sessions = any(map(_is_prompt, lines))

    def made(self) -> list[str]:
        """All lines."""
        while (n := len(self._made)) < len(self._lines):
            line = self._lines[n]
            if found := _LISTING.match(line):
                named = "python" if found[1] in _PYTHON else found[2].strip()
                output = "output" if found[1] == "testoutput" else ""
                self._listing("", output or named or self._language)
            elif _is_prompt(line):
                self._session()
            elif _MARKUP.match(line):
                self._language = found[1] if (found := _HIGHLIGHT.match(line)) else self._language
                end = self._end_of_body(n) if _HIDDEN.match(line) else n + 1
                self._made += [""] * (end - n)
            elif line.rstrip().endswith("::"):
                # What sessions call is often defined between them, and Sphinx takes a listing for Python.
                self._listing(line.strip()[:-1], self._language, perhaps=self._has_sessions)
            else:
                self._made.append(self._prose(n))
        return self._made

    def _prose(self, n: int) -> str:
        """A line of prose at the margin, which makes no listing in Markdown; headings as it has them."""
        line, above = self._lines[n].strip(), self._made[-1].strip() if self._made else ""
        if not _LINE.match(line):
            return line
        return "---" if above and not above.startswith("~~~") else ""

    def _end_of_body(self, n: int) -> int:
        """Behind the last line that is set in deeper than one."""
        depth, end = _depth(self._lines[n]), n + 1
        for k in range(n + 1, len(self._lines)):
            if self._lines[k].strip():
                if _depth(self._lines[k]) <= depth:
                    break
                end = k + 1
        return end

    def _listing(self, head: str, language: str, *, perhaps: bool = False) -> None:
        """Take a directive or a paragraph with the code that is set in below it, which may be Python's."""
        n = len(self._made)
        end = self._end_of_body(n)
        start = n + 1
        while start < end and (not self._lines[start].strip() or _OPTION.match(self._lines[start])):
            start += 1
        self._made.append(head)
        if start >= end:
            return
        self._made += [""] * (start - n - 1)
        code = _at_the_margin(self._lines[start:end])
        if perhaps and not language and is_of_python(code):
            language = "python"
        self._fenced(start, end, language)

    def _session(self) -> None:
        """Take a paragraph that begins with a prompt, and more of them; a line right above it is lost."""
        start = end = len(self._made)
        while end < len(self._lines) and self._lines[end].strip():
            end += 1
            below = self._lines[end : end + 2]
            if len(below) == 2 and not below[0].strip() and _is_prompt(below[1]):
                end += 1
        if self._made and self._made[-1].startswith(_FENCE):
            self._made += [line.strip() for line in self._lines[start:end]]
        else:
            self._fenced(start, end, "python" if ">>>" in self._lines[start] else "julia")

    def _fenced(self, start: int, end: int, language: str) -> None:
        """Put code between fences, which stand on the lines above and below it."""
        if self._made:
            self._made[-1] = f"{_FENCE}{language}"
        else:
            self._made.append(f"{_FENCE}{language}")
        self._made += _at_the_margin(self._lines[start:end]).split("\n")
        self._made.append(_FENCE)


def _at_the_margin(lines: Sequence[str]) -> str:
    """Lines without the blanks that all begin with; a tab there goes on to the next eighth place."""
    text = "\n".join(lines)
    return textwrap.dedent(_BLANKS.sub(lambda blanks: blanks[0].expandtabs(), text))


def _is_prompt(line: str) -> bool:
    return line.lstrip().startswith((">>> ", "julia> "))


def _depth(line: str) -> int:
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())
