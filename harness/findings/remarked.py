"""Values behind which an author of Python code says something: the remark is no part of what is printed."""

from __future__ import annotations

import re

from harness.findings.apart import values_apart

_REMARK = re.compile(r"(?m)(?<=\S)[ \t]+#(?![#>])(.*)$")
_RESERVED = re.compile(
    r"\b(?:or|may|might|can|could|would|will|should|not|no|never|but|instead|than|was|were|if|on|in|for|before"
    r"|since|until|old\w*|new\w*|other\w*|differ\w*|var(?:y|ies)|depend\w*|random\w*|example|approx\w*|about"
    r"|around|roughly|say|like|my|your|actual\w*|expect\w*|wrong\w*|error|bug|oops|version\w*|python\w*|numpy)\b"
    r"|[\d?!~≈…]|n't\b|\.\.|e\.g|i\.e",
    re.IGNORECASE,
)
"""What a remark may say of a value that is another one elsewhere, or should be."""


def without_remarks(published: str, printed: str, language: str) -> str:
    """Return a published text without the remarks that stand behind its values.

    Parameters
    ----------
    published, printed, language : str
        The two texts, and what printed the second: of Python, or nothing is left out. Where more than values
        differ without the remarks, they may be a part of it, and stay, as do those that make a reservation.
    """
    if language != "python" or "#" in printed or "#" not in published:
        return published
    if any(map(_RESERVED.search, _REMARK.findall(published))):
        return published
    bare = _REMARK.sub("", published)
    return bare if values_apart(bare, printed) is not None else published
