"""A suite as one file, called by its content: what is sent to other machines, once to each."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import os
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from harness.errors import ClusterError, UsageError
from harness.store.atomic import write_whole

LARGEST = 1 << 30
"""Bytes of a suite and its fixtures that are sent; more belong on a disk that all machines share."""

FORGOTTEN = 30 * 86400.0
"""Seconds after which a machine forgets a suite that nobody used."""

FIXTURES = "fixtures"
GLOVE = "glove"


class Archive(msgspec.Struct, frozen=True):
    """A suite with its fixtures, packed: ``suite`` is the folder's name in it, ``sha256`` of all bytes."""

    suite: str
    sha256: str
    data: bytes


def pack(suite: Path, *, glove: Path | None = None, without: Path | None = None) -> Archive:
    """Pack a suite, the fixtures beside it, and word vectors; the same files give the same bytes.

    Parameters
    ----------
    suite : Path
        The folder of case folders.
    glove : Path, optional
        Word vectors that the fixtures look words up in.
    without : Path, optional
        A folder in it that is left out, where results are written to. So are folders whose names begin with a
        dot, and what Python compiled.

    Raises
    ------
    UsageError
        It is too large, or a file cannot be read.
    """
    suite = suite.resolve()
    roots = {f"{suite.name}": suite}
    beside = suite.parent / FIXTURES
    if beside.is_dir() and beside != suite:
        roots[FIXTURES] = beside
    if glove is not None:
        roots[f"{GLOVE}/{glove.name}"] = glove.expanduser()
    left_out = None if without is None else without.resolve()
    packed, size = io.BytesIO(), 0
    try:
        with (
            gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=1, mtime=0) as stream,
            tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as tar,
        ):
            for name, root in sorted(roots.items()):
                for inside, path in _files(root, name, left_out, ()):
                    size += path.stat().st_size
                    if size > LARGEST:
                        raise UsageError(
                            f"is too large to be sent: more than {LARGEST >> 30} GiB with its fixtures",
                            path=suite,
                            advice="remove from the folder what no case reads",
                        )
                    _add(tar, inside, path)
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", path=error.filename or suite) from error
    data = packed.getvalue()
    return Archive(suite.name, hashlib.sha256(data).hexdigest(), data)


def _files(
    path: Path, name: str, left_out: Path | None, above: tuple[Path, ...]
) -> Iterator[tuple[str, Path]]:
    """All files of a folder, links followed, by their names in the archive."""
    if path.is_file():
        yield name, path
    elif path.is_dir():
        real = path.resolve()
        if real in above or real == left_out:
            return
        for inner in sorted(path.iterdir()):
            hidden = inner.name == "__pycache__" or inner.name.startswith(".")
            if not (hidden and inner.is_dir()):
                yield from _files(inner, f"{name}/{inner.name}", left_out, (*above, real))


def _add(tar: tarfile.TarFile, name: str, path: Path) -> None:
    data = path.read_bytes()
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    entry.mode = 0o755 if os.access(path, os.X_OK) else 0o644
    tar.addfile(entry, io.BytesIO(data))


def kept(cache: Path, sha256: str) -> Path:
    """Where a machine keeps an archive."""
    return cache / "suites" / f"{sha256}.tar.gz"


def keep(cache: Path, archive: Archive) -> None:
    """Keep an archive on this machine, and forget those that nobody has used for long.

    Raises
    ------
    ClusterError
        It did not arrive whole, or cannot be written.
    """
    if hashlib.sha256(archive.data).hexdigest() != archive.sha256:
        raise ClusterError("the suite did not arrive as it was sent", advice="try again")
    path = kept(cache, archive.sha256)
    try:
        write_whole({path: archive.data})
        for other in path.parent.glob("*.tar.gz"):
            with contextlib.suppress(OSError):
                if time.time() - other.stat().st_mtime > FORGOTTEN:
                    other.unlink()
    except OSError as error:
        raise ClusterError(f"cannot be written: {error.strerror}", path=path) from error


def unpacked(cache: Path, sha256: str, into: Path) -> Path | None:
    """Unpack a suite that this machine keeps into a new folder; None if it has none, or a damaged one."""
    path = kept(cache, sha256)
    try:
        data = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    if hashlib.sha256(data).hexdigest() != sha256:
        return None
    into.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="harness-suite-", dir=into))
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as tar:
        # Python 3.11 has filters from 3.11.4 on; these bytes are what `pack` wrote, by their hash.
        tar.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        tar.extractall(folder)
    return folder
