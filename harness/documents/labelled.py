"""Listings that a book labels ``In:`` and ``Out:`` in the first line, in place of prompts."""

from __future__ import annotations

import re
import textwrap

import msgspec

from harness.documents.continued import is_python
from harness.documents.markdown import Fence

_IN = re.compile(r"^In: ", re.MULTILINE)
_OUT = re.compile(r"\s*Out: ?")


def without_label(block: Fence, language: str) -> Fence:
    """Return a listing without its label; one that has none is left as it is.

    Parameters
    ----------
    block : Fence
        The listing.
    language : str
        ``python``, or nothing for a listing that names no language.
    """
    if language == "python" and _IN.match(block.text):
        code = textwrap.dedent(_IN.sub("    ", block.text))
        return msgspec.structs.replace(block, text=code) if is_python(code) else block
    found = _OUT.match(block.text) if not language else None
    return block if found is None else msgspec.structs.replace(block, text=block.text[found.end() :])
