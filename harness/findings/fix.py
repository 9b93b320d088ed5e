"""Python packages that a document lacks, installed into a folder of its own."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from harness.errors import UsageError
from harness.model.article import Examined, Kind

DISTRIBUTIONS = {
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "PIL": "pillow",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}
"""Distributions whose name is not that of the module."""
_LACKING = re.compile(r"([\w.]+) is not installed")
_SECONDS = 900.0


def lacking_modules(examined: Examined, language: str = "python") -> tuple[str, ...]:
    """Return the modules or packages of a language that a document takes and that are not installed.

    Parameters
    ----------
    examined : Examined
        From `examine`.
    language : {"python", "r"}
        Whose.
    """
    said = [
        text
        for finding in examined.findings
        if finding.kind is Kind.NEEDS_PACKAGE and finding.language == language
        for text in (finding.evidence, *finding.follows)
    ]
    return tuple(dict.fromkeys(name for text in said for name in _LACKING.findall(text)))


def requirements(modules: Iterable[str], document: Path) -> tuple[str, ...]:
    """Return what is to be installed: the line of the requirements.txt beside the document, or the name.

    Parameters
    ----------
    modules : iterable of str
        From `lacking_modules`.
    document : Path
        The document.
    """
    file = document.with_name("requirements.txt")
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    plain = [line.partition("#")[0].strip() for line in lines]
    wanted = []
    for module in modules:
        name = DISTRIBUTIONS.get(module, module)
        same = [
            line for line in plain if re.match(rf"(?i){re.escape(name)}(?![\w.-])", line.replace("_", "-"))
        ]
        wanted.append(same[0] if same else name)
    return tuple(wanted)


def folder_for(document: Path, wanted: Sequence[str], cache: Path) -> Path:
    """Return the folder that a document's own packages are installed into.

    Parameters
    ----------
    document : Path
        The document.
    wanted : sequence of str
        From `requirements`.
    cache : Path
        The harness's cache folder.
    """
    name = hashlib.sha256("\n".join((str(document.resolve()), sys.version, *wanted)).encode()).hexdigest()[
        :16
    ]
    return cache / "documents" / name


def install(wanted: Sequence[str], folder: Path) -> None:
    """Install packages into a folder; nothing else is changed.

    Only built packages are taken: no code of theirs runs outside of the sandbox.

    Raises
    ------
    UsageError
        They cannot be installed, with what pip says.
    """
    if (folder / _DONE).is_file():
        return
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
    command += ["--disable-pip-version-check", "--target", str(folder), "--", *wanted]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired as late:
        raise UsageError(f"{', '.join(wanted)} could not be installed in {_SECONDS:g} s") from late
    if done.returncode:
        said = next(
            (line for line in done.stderr.splitlines() if line.startswith("ERROR")), done.stderr[-200:]
        )
        raise UsageError(
            f"{', '.join(wanted)} cannot be installed: {said}",
            advice="install it yourself, where it has another name",
        )
    (folder / _DONE).touch()


_DONE = ".installed"
