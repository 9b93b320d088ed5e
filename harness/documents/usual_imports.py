"""Names that everybody gives to packages of Python, where a page uses them and sets them nowhere."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.documents.markdown import Fence

_USUAL = {
    "np": "import numpy as np",
    "pd": "import pandas as pd",
    "torch": "import torch",
    "plt": "import matplotlib.pyplot as plt",
}
"""As the documentation of each package has it, whose own pages leave it out."""
_LISTED = ("fence", "indented", "html")
_NEVER = re.compile(r"\bimport\s*\*|%pylab|is not defined")
"""What may set any name, and pages that show what a missing one leads to."""


def usual_imports(blocks: Sequence[Fence]) -> tuple[str, ...]:
    """Return the imports that a page leaves out: of the usual names that it uses and sets nowhere.

    Parameters
    ----------
    blocks : sequence of Fence
        The page. None is returned of a name that its code has in any other way.
    """
    code = "\n".join(block.text for block in blocks if block.kind in _LISTED)
    if _NEVER.search(code):
        return ()
    return tuple(line for name, line in _USUAL.items() if _is_presumed(name, code))


def _is_presumed(name: str, code: str) -> bool:
    """Whether code takes functions of a name, and sets it, asks for it or hands it on nowhere."""
    used = re.search(rf"(?m)^(?:>>> |In \[\d+\]: )?[^#\n\"']*(?<![\w.]){name}\.[A-Za-z]\w*\(", code)
    found = re.search(rf"\b{name}\s*=(?!=)|\b(?:import|as|for|in)\s+{name}\b|\b{name}\s*,|\({name}\)", code)
    return used is not None and found is None
