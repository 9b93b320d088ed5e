"""``harness new``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import click

from harness.cli import options
from harness.cli.new_files import fixtures_of, source_name, write_case, write_source

_LANGUAGES = ("numpy", "torch", "r", "julia")
_ALL_LANGUAGES = (*_LANGUAGES, "c", "cpp", "fortran", "jax", "node", "octave")


@click.group("new")
@options.debug
def new() -> None:
    """Write files to begin with: a case that runs at once, or one more language. Nothing is overwritten."""


def _languages(_ctx: click.Context, _param: click.Parameter, given: str) -> tuple[str, ...]:
    names = [name.strip() for name in given.split(",") if name.strip()]
    unknown = [name for name in names if name not in _ALL_LANGUAGES]
    if unknown:
        raise click.BadParameter(
            f"no skeleton for {', '.join(unknown)}; there are {', '.join(_ALL_LANGUAGES)}"
        )
    # The reference is what the others are compared with.
    return tuple(dict.fromkeys(["numpy", *names]))


@new.command("case")
@click.argument("name")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE...]")
@click.option(
    "--from", "sources", multiple=True, type=click.Path(path_type=Path), metavar="FILE...",
    help="Source files that exist already, in Python, R and Julia alone: .py, .R, .jl; the first in Python is"
    " the reference.",
)  # fmt: skip
@click.option(
    "--data", multiple=True, type=click.Path(path_type=Path), metavar="FILE...",
    help="What the inputs hold: .csv, .npy, .npz, .safetensors, .parquet, .mat, .rds.",
)  # fmt: skip
@click.option(
    "--input", "chosen", multiple=True, metavar="NAME=WHAT",
    help="An input: columns of the data, or numbers, separated by commas; may be repeated.",
)  # fmt: skip
@click.option(
    "--pair", "paired", multiple=True, metavar="NAME=FUNCTION",
    help="The reference's function NAME is called FUNCTION in another file; may be repeated.",
)  # fmt: skip
@click.option("--suite", type=click.Path(path_type=Path), help="Folder of cases; made where there is none.")
@click.option(
    "--lang",
    "languages",
    default=",".join(_LANGUAGES),
    show_default=True,
    callback=_languages,
    metavar="LIST",
    help="Without --from: languages to write it in; NumPy, the reference, is always among them.",
)
@options.debug
def case(
    name: str,
    files: tuple[Path, ...],
    sources: tuple[Path, ...],
    data: tuple[Path, ...],
    chosen: tuple[str, ...],
    paired: tuple[str, ...],
    suite: Path | None,
    languages: tuple[str, ...],
) -> None:
    """Write a case called NAME: a case.toml, a source file for each language, and a fixture.

    With --from it is made of source files in Python, R and Julia that exist: their functions are the stages,
    and copies of the files are put beside the case.toml. Without, it is a small example, which runs at once
    and agrees: put your own stages in its place.
    """
    from harness.errors import UsageError

    check_name(name, "case")
    where = options.new_suite(suite)
    if not sources:
        if files or data or chosen or paired:
            raise UsageError(
                "files, --data, --input and --pair need --from", advice=f"new case {name} --from FILE..."
            )
        written = write_case(where, fixtures_of(where) / name, name, languages)
        _say(written, run_command(where, name), "put your own stages in, then")
        return
    paths, told = write_from_sources(name, where, [*sources, *files], data, chosen, paired)
    for line in told:
        click.echo(line)
    _say(paths, run_command(where, name), "")


def write_from_sources(
    name: str,
    suite: Path,
    files: Iterable[Path],
    data: Iterable[Path],
    chosen: Iterable[str],
    paired: Iterable[str] = (),
) -> tuple[list[Path], list[str]]:
    """Write a case from files: sources, and data among them by its ending.

    Returns
    -------
    paths : list of Path
        What was written.
    told : list of str
        What a person should know of it.

    Raises
    ------
    UsageError
        There is one of that name already, the name is reserved, or a file cannot be used.
    """
    from harness.authoring.write import SUFFIXES, is_other_source, not_taken, write_from
    from harness.errors import CaseError, UsageError
    from harness.store.samples_of_files import gather

    fixture = fixtures_of(suite) / name
    for there in (suite / name, fixture):
        if there.exists():
            raise UsageError("is there already", path=there, advice="choose another name")
    given = list(files)
    sources = [path for path in given if path.suffix.lower() in SUFFIXES]
    holding = [*data, *(path for path in given if path not in sources)]
    other = [path for path in given if is_other_source(path)]
    if other or not sources:
        raise not_taken((other or given)[0])
    choices = {}
    for text in chosen:
        key, equals, what = text.partition("=")
        if not (key and equals and what):
            raise UsageError(f"--input {text}: is not NAME=WHAT", advice="--input X=age,dose --input k=3")
        choices[key] = what
    found = gather(holding, texts=True) if holding else None
    try:
        written = write_from(name, suite, fixture, sources, found, choices, pairs_of(paired))
    except CaseError as error:
        raise UsageError(error.message, advice=error.advice) from error
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", path=error.filename or suite) from error
    return list(written.paths), list(written.told)


def pairs_of(paired: Iterable[str]) -> list[tuple[str, str]]:
    """The pairs of ``--pair NAME=FUNCTION``; raises UsageError where one is not that."""
    from harness.errors import UsageError

    pairs = []
    for text in paired:
        name, equals, function = (part.strip() for part in text.partition("="))
        if not (name and equals and function):
            raise UsageError(f"--pair {text}: is not NAME=FUNCTION", advice="--pair slope=cov_slope")
        pairs.append((name, function))
    return pairs


def run_command(suite: Path, case: str) -> str:
    """The command that runs a case, from this folder."""
    from harness.errors import UsageError
    from harness.store.suites import current_folder, find_suite

    try:
        is_found = find_suite(current_folder()) == suite.resolve()
    except UsageError:
        is_found = False
    return f"harness run{'' if is_found else f' --suite {suite}'} --case {case}"


@new.command("impl")
@click.argument("case")
@click.argument("language", metavar="LANG")
@click.option("--label", default="", help="Tells several in one language apart: julia.LABEL.")
@click.option(
    "--from", "source", type=click.Path(path_type=Path), metavar="FILE",
    help="A source file that exists already, whose functions are the stages.",
)  # fmt: skip
@click.option(
    "--pair", "paired", multiple=True, metavar="STAGE=FUNCTION",
    help="With --from: STAGE is called FUNCTION in the file; may be repeated.",
)  # fmt: skip
@options.suite
@options.debug
def impl(
    case: str, language: str, label: str, source: Path | None, paired: tuple[str, ...], suite: Path | None
) -> None:
    """Write an implementation of CASE in LANG: numpy, torch, r, julia, c, cpp, fortran, jax, node or octave.

    With --from it is a copy of a file in that language, for onnx of a model; without, a skeleton, of which
    each stage fails until it is filled.
    """
    from harness.errors import UsageError
    from harness.store.cases import load_case
    from harness.store.suites import case_folders

    where = options.the_suite(suite)
    folders = {folder.name: folder for folder in case_folders(where)}
    if case not in folders:
        raise UsageError(f"no case is called {case!r}", path=where, advice=f"there are: {', '.join(folders)}")
    if label and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}", label):
        raise UsageError(f"{label!r} cannot be a label", advice="use letters, digits, - and _")
    path = folders[case] / source_name(where, case, language, label, skeleton=source is None)
    command = f"{run_command(where, case)} --impl {language}{'.' if label else ''}{label}"
    if source is None and paired:
        raise UsageError("--pair needs --from", advice=f"new impl {case} {language} --from FILE")
    if source is None:
        write_source(path, load_case(folders[case]), language, {})
        _say([path], command, "fill it in, and")
        return
    from harness.authoring.implementation import copy_model, write_implementation

    if path.suffix == ".onnx":
        copy_model(source, path, pairs_of(paired))
        _say([path], command, "")
        return
    loaded = load_case(folders[case])
    for line in write_implementation(loaded, source, path, language, pairs_of(paired)):
        click.echo(line)
    _say([path], command, "")


@new.command("probe")
@click.argument("language", type=click.Choice(("python", "r", "julia")), metavar="LANG")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@options.debug
def probe(language: str, file: Path | None) -> None:
    """Write a file that gives a program in LANG, python, r or julia, the function probe("name", value).

    It depends on nothing. What it writes down, harness align compares with that of another program.
    """
    from importlib.resources import files

    from harness.errors import UsageError

    suffix, use = {
        "python": (".py", "from probe import probe"), "r": (".R", 'source("probe.R")'),
        "julia": (".jl", 'include("probe.jl")'),
    }[language]  # fmt: skip
    path = file or Path(f"probe{suffix}")
    text = files("harness.programs.probes").joinpath(f"probe{suffix}").read_text(encoding="utf-8")
    try:
        with path.open("x", encoding="utf-8") as written:
            written.write(text)
    except FileExistsError as error:
        raise UsageError("is there already", path=path, advice="name another FILE") from error
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", path=path) from error
    click.echo(f"written: {path}")
    trace = f"{language}.trace"
    click.echo(
        f'next: {use}, then probe("scores", x) where x is there; and harness align {trace} OTHER.trace'
    )


@new.command("fixture")
@click.argument("name")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--suite", type=click.Path(path_type=Path), help="Folder of cases; made where there is none.")
@click.option(
    "--array",
    default="",
    metavar="NAME",
    help="Every file, or key of one file, is a sample of this one array.",
)
@options.debug
def fixture(name: str, files: tuple[Path, ...], suite: Path | None, array: str) -> None:
    """Write a fixture called NAME from files: .csv, .npy, .npz, .safetensors, .parquet, .mat, .rds, .pb.

    Files that hold arrays of the same names are samples, named as the files; others are parts of one sample.
    A folder stands for ONNX's test_data_set_* in it.
    """
    from harness.errors import UsageError
    from harness.store.data_files import described
    from harness.store.fixture_writer import write_fixture
    from harness.store.samples_of_files import as_stored, fixture_arrays, gather, nonfinite, plain_name

    check_name(name, "fixture")
    if array and plain_name(array) != array:
        raise UsageError(
            f"--array: {array!r} cannot be the name of an input", advice="use letters, digits and _"
        )
    where = options.new_suite(suite)
    folder = fixtures_of(where) / name
    if folder.exists():
        raise UsageError("is there already", path=folder, advice="choose another name")
    gathered = gather(files, array)
    arrays = fixture_arrays(as_stored(gathered))
    write_fixture(
        folder,
        version=1,
        title=f"{name}: say in a few words what it is",
        origin=gathered.origin,
        licence="say whose data it is",
        generator=[{"kind": "data", "arrays": sorted(arrays)}],
        arrays=arrays,
        origins={full: _held_as(gathered.kinds.get(full.rpartition("/")[2])) for full in arrays},
        samples=[sample for sample in gathered.samples if sample],
        nonfinite=nonfinite(arrays),
    )
    for path in sorted(folder.iterdir()):
        click.echo(f"written: {path}")
    for full, value in arrays.items():
        missing = ", with NaN or infinity in it" if full in nonfinite(arrays) else ""
        kind = gathered.kinds.get(full.rpartition("/")[2])
        declared = f', which a case declares with dtype = "{kind}"' if kind else ""
        levels = gathered.levels.get(full.rpartition("/")[2])
        if levels is not None:
            declared += f" and levels = {json.dumps(levels, ensure_ascii=False)}"
        click.echo(f"  {full}: {described(value)}{missing}{declared}")
    for why in gathered.text:
        click.echo(f"left out: {why}")
    click.echo(f'next: fixture = "{name}" in a case.toml, and the arrays that it takes in [inputs]')


def _held_as(kind: str | None) -> str:
    """Where an array of a file is from, in words; numbers stand for dates and texts."""
    how = {
        "date": "days since 1970-01-01",
        "time": "microseconds since 1970-01-01",
        "category": "code points",
    }
    return "as the file holds it" + (f", {how[kind]}" if kind else "")


def check_name(name: str, what: str) -> None:
    """Refuse a name that a case or fixture cannot have."""
    from harness.errors import UsageError

    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,99}", name):
        raise UsageError(
            f"{name!r} cannot be the name of a {what}",
            advice="use up to 100 letters a-z and A-Z, digits and _, and begin with a letter",
        )


def _say(written: Iterable[Path], command: str, todo: str) -> None:
    for path in written:
        click.echo(f"written: {path}")
    click.echo(f"next: {todo} {command}" if todo else f"next: {command}")
