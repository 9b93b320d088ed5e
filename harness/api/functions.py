"""Functions in files of other languages."""

from __future__ import annotations

from pathlib import Path

import msgspec

from harness.errors import UsageError


class FileFunction(msgspec.Struct, frozen=True):
    """One function of a source file.

    Parameters
    ----------
    path : str or Path
        The file.
    name : str
        The function's name.
    """

    path: Path | str
    name: str

    def file(self) -> Path:
        """The file, by its whole path.

        Raises
        ------
        UsageError
            It is not there.
        """
        path = Path(self.path).expanduser()
        if not path.is_file():
            raise UsageError("there is no such file", path=path, advice="name a source file")
        return path.resolve()


class RFunction(FileFunction, frozen=True):
    """A function of an R file; it is called with vectors and matrices, in the order of the inputs."""


class JuliaFunction(FileFunction, frozen=True):
    """A function of a Julia file; it is called with numbers and arrays, in the order of the inputs."""
