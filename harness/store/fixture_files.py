"""The files that a fixture.toml names: they lie in its folder, or in those of other fixtures."""

from __future__ import annotations

from pathlib import Path

from harness.store.toml import Key, Toml


def file_of(toml: Toml, name: str, *place: Key) -> Path:
    """Return the path of a file that a place of a fixture.toml names, relative to the fixture's folder.

    Raises
    ------
    FixtureError
        If the file, links followed, lies outside of the folder.
    """
    return _within(toml, toml.path.parent, "the folder of the fixture", name, *place)


def shared_file_of(toml: Toml, name: str, *place: Key) -> Path:
    """The same for a file that several fixtures share: it lies anywhere in the folder of the fixtures."""
    return _within(toml, toml.path.parent / "..", "the folder of the fixtures", name, *place)


def _within(toml: Toml, folder: Path, where: str, name: str, *place: Key) -> Path:
    path = toml.path.parent / name
    try:
        is_inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError) as problem:  # links in a circle, or a zero byte
        raise toml.refuse(f"{name!r} is not the name of a file", *place) from problem
    if not is_inside:
        raise toml.refuse(
            f"{name!r} is outside of {where}", *place, advice="put the file there, not a link to it"
        )
    return path
