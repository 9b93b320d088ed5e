"""Hold the archives in a folder against the checkout, and try them: ``python -m tests.release DIST [AGAIN]``.

AGAIN is a folder with the archives of a second build, which must have the same bytes. With ``--tag TAG``
alone, the versions are held against a release's tag, and its changes are printed.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from pathlib import Path

from tests.release.archives import differences, tracked
from tests.release.trial import failures
from tests.release.versions import changes, disagreements

ROOT = Path(__file__).parents[2]


def archives(folder: Path) -> list[Path]:
    """The sdist and the wheel of a folder that has one of each."""
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return [sdist, wheel]


def main(words: list[str]) -> int:
    """Print what is wrong; the exit code is 1 where something is."""
    if words[:1] == ["--tag"]:
        problems = disagreements(ROOT, words[1])
        print("\n".join(problems) or changes(ROOT, words[1].removeprefix("v")))
        return int(bool(problems))
    built, *again = [archives(Path(word)) for word in words]
    problems = disagreements(ROOT) + differences(*built, tracked(ROOT))
    for first, second in zip(built, *again, strict=True) if again else ():
        if first.read_bytes() != second.read_bytes():
            problems.append(f"two builds of {first.name} differ")
    for archive in built:
        print(hashlib.sha256(archive.read_bytes()).hexdigest(), archive.name, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            problems += failures(archive, Path(folder))
    print(
        "\n".join(problems)
        or "the archives hold what git knows, twice the same bytes, and work by themselves"
    )
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
