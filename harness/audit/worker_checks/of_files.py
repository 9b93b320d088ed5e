"""Checks of hello and load: what a worker says of itself, and how it finds, refuses and reads files anew."""

from __future__ import annotations

import shutil
from pathlib import Path

from harness.audit.worker_checks.bench import FUNCTIONS, MORE, Bench, Check, NotOffered, Wrong, words, wrong
from harness.errors import ImplementationError

HELLO = "hello"
LOAD = "load"
_FORMATS = ("float64", "float32", "float16", "bfloat16")
_GARBAGE = "\n)]} this is no source file {[( ''' \"\n"
CONSTANT, OTHER = "2.5", "3.5"


def greeting(bench: Bench) -> str:
    """``hello`` is answered in time, and says the language, its version and the precisions."""
    info = bench.worker().info
    if not info.language:
        wrong("its runtime has no language")
    if not info.dtypes:
        wrong("its runtime has no dtypes: the formats that stages can be run in, at least float64")
    if odd := [name for name in info.dtypes if name not in _FORMATS]:
        wrong(f"its dtypes have {odd[0]!r}; there are {', '.join(_FORMATS)}")
    return f"{info.language} {info.version}, {', '.join(info.dtypes)}, {bench.worker().start_seconds:.2f} s"


def functions(bench: Bench) -> str | None:
    """Every function of the source file is found."""
    problems = bench.loaded().problems
    if lost := [name for name in FUNCTIONS if name in problems]:
        wrong(f"{lost[0]} is refused: {problems[lost[0]].message}")
    absent = [name for name in MORE if name in problems]
    return f"the source file has no {', '.join(absent)}" if absent else None


def missing(bench: Bench) -> None:
    """A stage without a function is told at once, and the others can be called."""
    problems = bench.load(bench.source, {"no_such_stage": 1, "same": 1}).problems
    kinds = {name: problem.kind for name, problem in problems.items()}
    if kinds != {"no_such_stage": "missing"}:
        wrong(f"the problems are {kinds}, and no_such_stage is 'missing'")


def arity(bench: Bench) -> None:
    """A function that takes fewer arguments than the stage has inputs is told at once."""
    problems = bench.load(bench.source, {"same": 3, "two": 2}).problems
    kinds = {name: problem.kind for name, problem in problems.items()}
    if kinds != {"same": "arity"}:
        wrong(f"the problems are {kinds} where same has three inputs, and it is 'arity'")


def broken(bench: Bench) -> str | None:
    """A file that cannot be evaluated is an error of kind load, told once; the worker goes on."""
    path = bench.folder / f"broken {bench.source.name}"
    text = bench.source.read_text(encoding="utf-8") + _GARBAGE
    path.write_text(text, encoding="utf-8")
    error = _load_error(bench, path)
    last = text.count("\n") + 1
    if error.line is not None and not 0 < error.line <= last:
        wrong(f"line {error.line} of a file of {last} lines")
    bench.call("constant")
    return None if error.line is not None else "no line is told"


def gone(bench: Bench) -> None:
    """A file that is not there is an error of kind load."""
    _load_error(bench, bench.folder / f"not there {bench.source.name}")
    bench.call("constant")


def _load_error(bench: Bench, path: Path) -> ImplementationError:
    try:
        loaded = bench.load(path, {"same": 1})
    except ImplementationError as error:
        if error.kind != "load":
            wrong(f"an error of kind {error.kind!r}, and 'load' is expected: {error.message}")
        return error
    kinds = {name: problem.kind for name, problem in loaded.problems.items()}
    raise Wrong(f"{path.name} was loaded, with the problems {kinds}, and 'load' is expected to fail")


def anew(bench: Bench) -> None:
    """A file is read anew each time, and what was loaded before stays as it was."""
    path = _copy(bench, "again", bench.source.name)
    changed = _with_another_constant(path)
    before = bench.load(path, {"constant": 0}).handle
    values = [bench.call_of(before, "constant", ())]
    path.write_text(changed, encoding="utf-8")
    after = bench.load(path, {"constant": 0}).handle
    values += [bench.call_of(handle, "constant", ()) for handle in (after, before)]
    if [array.item() for (array,) in values] != [2.5, 3.5, 2.5]:
        wrong(
            "constant is 2.5 in a file, then 3.5 in the same file, then 2.5 by the first handle:"
            f" {'; '.join(words(value) for value in values)}"
        )


def apart(bench: Bench) -> None:
    """Two files that are loaded do not see each other's functions."""
    path = _copy(bench, "apart", bench.source.name)
    path.write_text(_with_another_constant(path), encoding="utf-8")
    first = bench.loaded().handle
    second = bench.load(path, {"constant": 0}).handle
    got = [bench.call_of(handle, "constant", ())[0].item() for handle in (first, second, first)]
    if got != [2.5, 3.5, 2.5]:
        wrong(f"constant is 2.5 in one file and 3.5 in another; of one, the other and the one: {got}")


def any_name(bench: Bench) -> None:
    """A file can have any name and lie anywhere."""
    path = _copy(bench, 'it\'s "odd" $HOME \\ ∂ \U0001d6fc', f"two words {bench.source.name}")
    handle = bench.load(path, {"constant": 0}).handle
    bench.call_of(handle, "constant", ())


def _with_another_constant(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if text.count(CONSTANT) != 1:
        raise NotOffered(f"the source file does not have {CONSTANT} once, in its function constant")
    return text.replace(CONSTANT, OTHER)


def _copy(bench: Bench, folder: str, name: str) -> Path:
    path = bench.folder / folder / name
    shutil.copytree(bench.source.parent, path.parent, ignore=_only(bench.source))
    return (path.parent / bench.source.name).rename(path)


def _only(source: Path) -> shutil._IgnoreFn:  # type: ignore[name-defined]
    """Of the folder of a source file of a program, all is taken along; of any other, the file alone."""
    beside = source.name.endswith(".toml")
    return lambda _folder, names: [name for name in names if not beside and name != source.name]


CHECKS = (
    Check("hello", HELLO, greeting),
    Check("functions", LOAD, functions),
    Check("a missing function", LOAD, missing),
    Check("too many inputs", LOAD, arity),
    Check("a broken file", LOAD, broken),
    Check("a file that is not there", LOAD, gone),
    Check("a file read anew", LOAD, anew),
    Check("two files", LOAD, apart),
    Check("any name of a file", LOAD, any_name),
)
