"""A finding as it is told: in words, with its inputs and scripts, and without what it was judged with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from harness.errors import UsageError
from harness.fuzz.finding import Finding, Key, Kind, Traits, is_fault, traits_in
from harness.fuzz.say import finding_lines
from harness.fuzz.scripts import write_scripts
from harness.model import Array
from harness.store.temporary import temporary_folder


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What a finding says.

    ``fault`` says that an implementation gave no answer; ``lines`` are its words. ``scripts`` are files by
    their names in a folder of the finding, those of each implementation in one of its own; ``missing`` says
    why others have none.
    """

    implementation: str
    stage: str
    kind: Kind
    fault: bool
    lines: tuple[str, ...]
    inputs: Mapping[str, Array]
    scripts: Mapping[str, bytes]
    missing: tuple[str, ...]

    @property
    def key(self) -> Key:
        """Whom it accuses, where and of what."""
        return self.implementation, self.stage, self.kind

    @property
    def place(self) -> tuple[str, str]:
        """Whom it accuses, and where."""
        return self.implementation, self.stage

    @property
    def traits(self) -> Traits:
        """What is special in its input."""
        return traits_in(self.inputs)

    def write(self, folder: Path) -> list[str]:
        """Write the scripts, and return the implementations that have one, the accused one first.

        Raises
        ------
        UsageError
            They cannot be written.
        """
        for name, content in self.scripts.items():
            path = folder / name
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            except OSError as error:
                raise UsageError(f"cannot be written: {error.strerror}", path=path) from error
        return list(dict.fromkeys(name.partition("/")[0] for name in self.scripts))


def told(finding: Finding, seed: int | None = None) -> Told:
    """Tell a finding; ``seed`` is said with the place where it was drawn, where there are several."""
    implementation, stage = finding.accusation.place
    with temporary_folder() as folder:
        written, missing = write_scripts(finding, folder)
        scripts = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for script in written
            for path in sorted(script.parent.rglob("*"))
            if path.is_file()
        }
    return Told(
        implementation=implementation,
        stage=stage,
        kind=finding.kind,
        fault=is_fault(finding),
        lines=tuple(finding_lines(finding, seed)),
        inputs={name: array.copy() for name, array in finding.inputs.items()},
        scripts=scripts,
        missing=tuple(missing),
    )
