"""The files of a new example, and of a new skeleton."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.model import Case


def write_case(suite: Path, fixture: Path, name: str, languages: Iterable[str]) -> list[Path]:
    """Write a case and its fixture; a folder appears only when all of it is written.

    Returns
    -------
    list of Path
        The files, the case.toml first.

    Raises
    ------
    UsageError
        There is one of that name already, the name is a reserved word, or the disk refuses.
    """
    import shutil
    import tempfile

    import numpy as np

    from harness.cli.skeletons import CASE_TOML, EXAMPLE
    from harness.errors import CaseError, UsageError
    from harness.store.cases import load_case
    from harness.store.fixture_writer import write_fixture

    folder = suite / name
    for there in (folder, fixture):
        if there.exists():
            raise UsageError("is there already", path=there, advice="choose another name")
    arrays = {
        "x": [[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]],
        "W": [[0.5, -0.25, 1.0, 0.0], [2.0, 1.0, -1.5, 0.75]],
    }
    try:
        suite.mkdir(parents=True, exist_ok=True)
        fixture.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=suite, prefix=".new-") as kept:
            draft = Path(kept, name)
            draft.mkdir()
            (draft / "case.toml").write_text(CASE_TOML.format(name=name), encoding="utf-8")
            loaded = load_case(draft)
            for language in languages:
                source = draft / source_name(suite, name, language, "")
                write_source(source, loaded, language, EXAMPLE[language])
            drawn = Path(kept, "fixture", name)
            write_fixture(
                drawn,
                version=1,
                title=f"numbers to begin {name} with",
                origin="made up",
                licence="CC0-1.0",
                generator=[{"kind": "literal", "arrays": arrays}],
                arrays={key: np.array(rows) for key, rows in arrays.items()},
                origins=dict.fromkeys(arrays, "made up"),
            )
            shutil.move(drawn, fixture)
            draft.rename(folder)
    except CaseError as error:
        raise UsageError(error.message, advice=error.advice) from error
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", path=error.filename or suite) from error
    names = sorted(path for path in folder.iterdir() if path.name != "case.toml")
    return [folder / "case.toml", *names, *sorted(fixture.iterdir())]


def fixtures_of(suite: Path) -> Path:
    """Where a suite keeps its fixtures: beside it if there are some, else inside."""
    beside = suite.absolute().parent / "fixtures"
    return beside if any(beside.glob("*/fixture.toml")) else suite / "fixtures"


def source_name(suite: Path, case: str, language: str, label: str, *, skeleton: bool = True) -> str:
    """Return the name of an implementation's source file, of which a ``skeleton`` is to be written.

    Raises
    ------
    UsageError
        There is no skeleton in that language.
    """
    from harness.cli.skeletons import SKELETONS
    from harness.errors import UsageError
    from harness.runtimes.registry import Registry

    specs = Registry.load(suite).specs
    models = {name for name, spec in specs.items() if spec.suffix == ".onnx" and not spec.sources}
    if language not in SKELETONS and (skeleton or language not in models):
        known = f"there are {', '.join(SKELETONS)}"
        if language in specs:
            spec = specs[language]
            by_hand = f"write {case}{spec.suffix} by hand, one function per stage"
            if spec.sources:
                by_hand = f"{language} runs the files of {spec.sources}"
            elif spec.suffix == ".onnx":
                by_hand = f"export the model as {case}.onnx: its values have the names of the stages' outputs"
            known += f"; {by_hand}"
        raise UsageError(f"no skeleton for {language!r}", advice=known)
    return f"{case}{'.' if label else ''}{label}{specs[language].suffix}"


def write_source(path: Path, case: Case, language: str, bodies: Mapping[str, str]) -> None:
    """Write the skeleton of an implementation; ``bodies`` has what is known of its stages already.

    Raises
    ------
    UsageError
        A stage's name is a word of that language, there is such a file already, or the disk refuses.
    """
    from harness.cli.reserved_names import check_names
    from harness.cli.skeletons import BESIDE, SKELETONS
    from harness.errors import UsageError

    check_names(case, language)
    text = SKELETONS[language](case, bodies)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
        if language in BESIDE:
            suffix, write = BESIDE[language]
            included = path.with_name(f"{case.name}{suffix}")
            # A second implementation includes the first one's.
            if not included.exists():
                included.write_text(write(case), encoding="utf-8")
    except FileExistsError as error:
        raise UsageError("is there already", path=path, advice="give another --label") from error
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", path=path) from error
