"""The names that pylab brings to a session: those of NumPy, with or without matplotlib's."""

from __future__ import annotations

import importlib
import re
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

PYLAB = re.compile(
    r"^(?P<indent>[ \t]*)(?:(?P<magic>%pylab\b[^\n]*)"
    r"|from[ \t]+(?:matplotlib\.)?pylab[ \t]+import[ \t]+\*[ \t]*(?:#[^\n]*)?)$",
    re.MULTILINE,
)
"""The magic, and the import of all of its names."""
_THE_LANGUAGES = frozenset({"abs", "bool", "bytes", "long", "max", "min", "pow", "round"})
"""Names that NumPy has had for itself only since version 2, and pylab never has."""
_SAID = "Populating the interactive namespace from numpy and matplotlib"


@lru_cache(maxsize=1)
def numpys() -> dict[str, Any]:
    """Return the names that pylab takes from NumPy."""
    import numpy as np

    named = {
        name: getattr(module, name)
        for module in (np, np.fft, np.random, np.linalg)
        for name in module.__all__
        if name not in _THE_LANGUAGES
    }
    return {**named, "np": np, "ma": np.ma}


def as_calls(code: str) -> str:
    """Return code in which a call of `fill` stands for pylab; lines stay where they are."""
    if "pylab" not in code or code.lstrip().startswith("%%"):
        return code
    installed = find_spec("matplotlib") is not None

    def call(found: re.Match[str]) -> str:
        if found["magic"] is None and installed:
            return found[0]
        magic = found["magic"] is not None
        star = "no-import-all" not in (found["magic"] or "")
        return (
            f'{found["indent"]}__import__("{__name__}", fromlist=["fill"])'
            f".fill(globals(), magic={magic}, star={star})"
        )

    return PYLAB.sub(call, code)


def fill(names: dict[str, Any], *, magic: bool, star: bool) -> None:
    """Bring pylab's names.

    Parameters
    ----------
    names : dict
        The session's, which are added to. NumPy's are there also where matplotlib is not.
    magic, star : bool
        Whether the magic asks for them, which takes NumPy's own last, and whether it asks for all.

    Raises
    ------
    ModuleNotFoundError
        matplotlib is not installed.
    """
    import numpy as np

    of_itself: dict[str, Any] = {name: getattr(np, name) for name in np.__all__ if name not in _THE_LANGUAGES}
    all_of_it = {**numpys(), **(of_itself if magic else {})}
    names |= all_of_it if star else {}
    if magic:
        names |= {"np": np, "numpy": np}
    pylab = importlib.import_module("matplotlib.pylab")
    if star:
        names |= {name: value for name, value in vars(pylab).items() if not name.startswith("_")}
        names |= of_itself if magic else {}
    if magic:
        pyplot = importlib.import_module("matplotlib.pyplot")
        names |= {"matplotlib": importlib.import_module("matplotlib"), "pylab": pylab}
        names |= {"plt": pyplot, "pyplot": pyplot}
        print(_SAID)
