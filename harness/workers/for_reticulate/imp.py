"""What reticulate 1.28, Debian 12's, asks a Python for that it takes for older than 3.4, such as 3.12."""

from __future__ import annotations

from importlib.util import find_spec


def find_module(name: str) -> tuple[None, str | None, tuple[str, str, int]]:
    """Return a package's folder, or a module's file, in second place.

    Raises
    ------
    ImportError
        There is no such module.
    """
    spec = find_spec(name)
    if spec is None:
        raise ImportError(f"No module named {name!r}")
    folders = spec.submodule_search_locations
    return None, folders[0] if folders else spec.origin, ("", "", 5)
