"""Checks of hello and load: what a worker says of itself, and how it finds, refuses and reads files anew."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.audit.worker_checks.bench import DECLARED, FUNCTIONS, MORE, Bench, Check, words
from harness.audit.worker_checks.declared import CASE, with_one_more, without_inputs
from harness.audit.worker_checks.ends import NotOffered, Wrong, wrong
from harness.errors import ImplementationError

HELLO = "hello"
LOAD = "load"
_FORMATS = ("float64", "float32", "float16", "bfloat16")
_GARBAGE = b"\n)]} this is no source file {[( ''' \"\n"
CONSTANT, OTHER = 2.5, 3.5


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
    must = FUNCTIONS if bench.declared is None else DECLARED
    if lost := [name for name in must if name in problems]:
        wrong(f"{lost[0]} is refused: {problems[lost[0]].message}")
    there = {**FUNCTIONS, **MORE} if bench.declared is None else bench.declared.stages
    absent = [name for name in there if name in problems]
    return f"the source file has no {', '.join(absent)}" if absent else None


def missing(bench: Bench) -> None:
    """A stage without a function is told at once, and the others can be called."""
    if bench.declared is not None:
        path = _redeclared(bench, "missing", lambda case: with_one_more(case, "no_such_stage"))
        _is_told(bench, path, "no_such_stage", "missing")
        return
    problems = bench.load(bench.source, {"no_such_stage": 1, "same": 1}).problems
    kinds = {name: problem.kind for name, problem in problems.items()}
    if kinds != {"no_such_stage": "missing"}:
        wrong(f"the problems are {kinds}, and no_such_stage is 'missing'")


def arity(bench: Bench) -> None:
    """A function that takes fewer arguments than the stage has inputs is told at once.

    Where functions are declared, the stage has none: what is computed from names, as a graph is, may leave
    one more out of account.
    """
    if bench.declared is not None:
        path = _redeclared(bench, "arity", lambda case: without_inputs(case, "corner"))
        _is_told(bench, path, "corner", "arity")
        return
    problems = bench.load(bench.source, {"same": 3, "two": 2}).problems
    kinds = {name: problem.kind for name, problem in problems.items()}
    if kinds != {"same": "arity"}:
        wrong(f"the problems are {kinds} where same has three inputs, and it is 'arity'")


def _is_told(bench: Bench, path: Path, stage: str, kind: str) -> None:
    """Load a file whose case.toml declares a stage without inputs that the file has not so."""
    loaded = bench.load(path, {stage: 0, "same": 1})
    kinds = {name: problem.kind for name, problem in loaded.problems.items()}
    if kinds == {stage: kind}:
        return
    if kinds:
        wrong(f"the problems are {kinds}, and {stage} is {kind!r}")
    try:
        got = bench.worker().call(loaded.handle, stage, (), outputs=1, deadline=bench.patience)[0]
    except ImplementationError as error:
        if error.kind != "call":
            raise
        raise NotOffered(
            f"what a function takes is not known before it is called: {error.message}"
        ) from error
    wrong(f"no problem is told, {stage} is {kind!r}, and its call gave {words(got)}")


def broken(bench: Bench) -> str | None:
    """A file that cannot be evaluated is an error of kind load, told once; the worker goes on."""
    path = _copy(bench, "broken", f"broken {bench.source.name}")
    data = path.read_bytes() + _GARBAGE
    path.write_bytes(data)
    error = _load_error(bench, path)
    last = data.count(b"\n") + 1
    if error.line is not None and not 0 < error.line <= last:
        wrong(f"line {error.line} of a file of {last} lines")
    bench.call("constant")
    return None if error.line is not None else "no line is told"


def gone(bench: Bench) -> None:
    """A file that is not there is an error of kind load."""
    path = _copy(bench, "gone", f"not there {bench.source.name}")
    path.unlink()
    _load_error(bench, path)
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
    path.write_bytes(changed)
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
    path.write_bytes(_with_another_constant(path))
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


def _with_another_constant(path: Path) -> bytes:
    """A source file, as text or as a model, with another number in its function ``constant``."""
    data = path.read_bytes()
    for before, after in (
        (str(CONSTANT).encode(), str(OTHER).encode()),
        (struct.pack("<d", CONSTANT), struct.pack("<d", OTHER)),
    ):
        if data.count(before) == 1:
            return data.replace(before, after)
    raise NotOffered(f"the source file does not have {CONSTANT} once, in its function constant")


def _redeclared(bench: Bench, folder: str, how: Callable[[str], str]) -> Path:
    """A copy of the source file beside a case.toml that is changed."""
    path = _copy(bench, folder, bench.source.name)
    case = path.parent / CASE
    case.write_text(how(case.read_text(encoding="utf-8")), encoding="utf-8")
    return path


def _copy(bench: Bench, folder: str, name: str) -> Path:
    path = bench.folder / folder / name
    shutil.copytree(bench.source.parent, path.parent, ignore=_only(bench))
    return (path.parent / bench.source.name).rename(path)


def _only(bench: Bench) -> Callable[[Any, list[str]], list[str]]:
    """Of the folder of a source file with a case.toml all is taken along; of any other, the file alone."""
    alone = bench.declared is None
    return lambda _folder, names: [name for name in names if alone and name != bench.source.name]


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
