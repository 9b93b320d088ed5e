"""Every language's worker, live: bits in and out, noise, errors with lines, hangs, crashes."""

from __future__ import annotations

import re
import shutil
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

from harness.errors import ImplementationError, WorkerCrashed, WorkerTimeout
from harness.workers import huge_pages
from tests.integration.worker_hosts import (
    ALL,
    JULIA,
    LONG,
    NUMPY,
    TO_END,
    TORCH,
    Hosted,
    Language,
    R,
    bits,
    difficult,
    in_languages,
    open_worker,
)

DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip
SHAPES = [(), (0,), (1,), (5,), (0, 3), (3, 0, 2), (2, 3), (3, 1), (2, 3, 4), (2, 1, 3, 2)]


@in_languages(NUMPY, TORCH, *JULIA)
@pytest.mark.parametrize("dtype", DTYPES)
def test_bits_survive(hosted: Hosted, dtype: str) -> None:
    sent = difficult(dtype)
    assert bits(hosted.call("identity", sent)) == bits(sent)


@in_languages(R)
@pytest.mark.parametrize("dtype", ["float64", "complex128", "bool", "int8", "int16", "uint8", "uint16"])
def test_bits_survive_in_r(hosted: Hosted, dtype: str) -> None:
    sent = difficult(dtype)
    kept = sent.astype(np.int32) if sent.dtype.kind in "iu" else sent
    assert bits(hosted.call("identity", sent)) == bits(kept)


@in_languages(R)
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_short_floats_are_widened_in_r(hosted: Hosted, dtype: str) -> None:
    sent = difficult(dtype)
    sent = sent[~np.isnan(sent)]
    assert bits(hosted.call("identity", sent)) == bits(sent.astype(np.float64))


@in_languages(R)
def test_integers_in_r(hosted: Hosted) -> None:
    small = np.array([[-(2**31) + 1, 2**31 - 1]])
    assert bits(hosted.call("identity", small)) == bits(small.astype(np.int32))
    for large in (np.array([-(2**31), 5]), np.array([2**31]), np.array([2**53, 1]), np.uint64([2**63])):
        assert bits(hosted.call("identity", large)) == bits(large.astype(np.float64))
    error = hosted.refused("identity", np.array([1, 2**53 + 1]))
    assert "cannot hold" in error.message


@in_languages(R)
def test_missing_values_of_r(hosted: Hosted) -> None:
    x = np.zeros(1)
    handle = hosted.worker.load(
        hosted.language.path,
        {"missing_integer": 1, "missing_logical": 1, "missing_real": 1, "sequence": 1},
        deadline=LONG,
    ).handle
    na = np.uint64(0x7FF00000000007A2)
    for stage, expected in {
        "missing_integer": np.array([1.0, 0.0, 3.0]),
        "missing_logical": np.array([[1.0, 0.0]]),
        "missing_real": np.array([0.0, 1.0]),
    }.items():
        expected.view(np.uint64)[expected == 0] = na
        (received,), _ = hosted.worker.call(handle, stage, [x], outputs=1, deadline=LONG)
        assert bits(received) == bits(expected)
    (received,), _ = hosted.worker.call(handle, "sequence", [x], outputs=1, deadline=LONG)
    assert bits(received) == bits(np.arange(1, 5, dtype=np.int32))


@in_languages(*ALL)
@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_survive(hosted: Hosted, shape: tuple[int, ...]) -> None:
    sent = np.arange(int(np.prod(shape)), dtype=np.float64).reshape(shape) - 1.5
    # R has no 0-d array, and says so.
    kept = sent if hosted.worker.scalars or shape else sent.reshape(1)
    assert bits(hosted.call("identity", sent)) == bits(kept)
    flags = np.zeros(shape, dtype=bool)
    assert bits(hosted.call("identity", flags)) == bits(flags.reshape(kept.shape))


@in_languages(*ALL)
def test_memory_orders_survive(hosted: Hosted) -> None:
    block = np.arange(120.0).reshape(4, 5, 6)
    views = (block.T, block[::2, ::-1, 1:], block.transpose(1, 2, 0), block[:, 0])
    for sent in (np.asfortranarray(block), *views):
        assert bits(hosted.call("identity", sent)) == bits(sent)


@in_languages(*ALL)
def test_several_inputs_and_outputs(hosted: Hosted) -> None:
    a, b = np.arange(6.0).reshape(2, 3), np.array([[True], [False]])
    first, second = hosted.call("shapes", a, b, outputs=2)
    assert (bits(first), bits(second)) == (bits(a), bits(b))
    assert hosted.call("none_in").item() == 2.5


# Julia that does not compile takes a minute for them.
@in_languages(NUMPY, TORCH, R, *JULIA[1:])
def test_fifty_megabytes(hosted: Hosted) -> None:
    sent = np.random.default_rng(1).normal(size=(2500, 2501))
    assert bits(hosted.call("identity", sent)) == bits(sent)


@in_languages(*ALL)
def test_bits_of_large_vectors(hosted: Hosted) -> None:
    for name in ("float64", "complex128", "bool"):
        some = difficult(name).reshape(-1)
        sent = np.resize(some, huge_pages.LEAST // some.itemsize + some.size + 1)
        assert bits(hosted.call("identity", sent)) == bits(sent)


# Julia that does not compile takes long to put a matrix into its own order.
@in_languages(NUMPY, TORCH, R, *JULIA[1:])
def test_bits_of_large_matrices_of_both_orders(hosted: Hosted) -> None:
    some = difficult("float64")
    rows = np.resize(some, (700, huge_pages.LEAST // 8 // 700 + 3))
    for sent in (rows, rows.T, np.asfortranarray(rows), rows[::-1, 1:]):
        assert bits(hosted.call("identity", sent)) == bits(sent)
    first, second = hosted.call("shapes", rows, rows.T, outputs=2)
    assert (bits(first), bits(second)) == (bits(rows), bits(rows.T))


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells the most memory that a process had")
@in_languages(NUMPY, TORCH, R, *JULIA[1:])
def test_a_large_array_takes_three_of_its_size_at_most(hosted: Hosted) -> None:
    """What is shared, the argument and what is returned; nothing is left of the calls before."""
    x = np.arange(5e6)
    hosted.call("raised", x[:8])
    process = Path("/proc", str(hosted.worker.pid))

    def memory(key: str) -> int:
        (line,) = (row for row in (process / "status").read_text().splitlines() if row.startswith(key))
        return int(line.split()[1]) << 10

    before = memory("VmRSS")
    (process / "clear_refs").write_text("5")
    for _ in range(4):
        assert hosted.call("raised", x)[-1] == 5e6
    assert memory("VmHWM") - before < 3.4 * x.nbytes


@in_languages(*ALL)
def test_noise_is_kept_out_of_the_replies(hosted: Hosted) -> None:
    sent = np.arange(3.0)
    for _ in range(3):
        assert bits(hosted.call("noise", sent)) == bits(sent)
    assert bits(hosted.call("identity", sent)) == bits(sent)
    printed = hosted.worker.stderr_tail(100_000)
    assert "printed noise" in printed
    assert "echoed noise" in printed


@in_languages(*ALL)
def test_an_exception_names_its_line(hosted: Hosted) -> None:
    for _ in range(4):
        # R compiles a function when it has been called twice.
        error = hosted.refused("boom", np.ones(2))
        assert error.kind == "call"
        assert error.message.removeprefix("ValueError: ") in ("it went wrong", "it went")
        assert error.line == hosted.language.line("boom")
        assert f"{hosted.language.path}" in error.detail


@in_languages(R)
def test_an_error_of_what_is_built_in_names_its_line(hosted: Hosted) -> None:
    loaded = hosted.worker.load(hosted.language.path, {"not_conformable": 1}, deadline=LONG)
    for _ in range(4):
        with pytest.raises(ImplementationError) as caught:
            hosted.worker.call(loaded.handle, "not_conformable", [np.ones((2, 2))], outputs=1, deadline=LONG)
        assert "non-conformable" in caught.value.message
        assert caught.value.line == hosted.language.line("not_conformable")


@in_languages(*ALL)
def test_an_endless_recursion_is_an_error(hosted: Hosted) -> None:
    assert hosted.refused("deep", np.ones(2)).kind == "call"
    assert hosted.call("identity", np.ones(2)).tolist() == [1.0, 1.0]


@in_languages(*ALL)
def test_an_overflow_is_no_error(hosted: Hosted) -> None:
    assert np.isinf(hosted.call("overflow", np.ones(2))).all()


@in_languages(*ALL)
def test_what_is_no_array_is_refused(hosted: Hosted) -> None:
    x = np.ones((2, 3))
    nothing = "nothing_at_all" if hosted.language.runtime == "julia" else "nothing"
    for stage, outputs, words in (
        ("text", 1, "four"), (nothing, 1, "returned"), ("lonely", 1, "returned a"),
        ("identity", 2, "returned"), ("lonely", 2, "returned 1 values, and 2 are expected"),
    ):  # fmt: skip
        error = hosted.refused(stage, x, outputs=outputs)
        assert error.kind == "value"
        assert words in error.message


@in_languages(*ALL)
def test_a_stage_that_cannot_be_called(hosted: Hosted) -> None:
    stages = {"wrong_arity": 1, "no_such_stage": 1, "not_a_function": 1, "identity": 2}
    problems = hosted.worker.load(hosted.language.path, stages, deadline=LONG).problems
    kinds = {stage: problem.kind for stage, problem in problems.items()}
    assert kinds == {
        "wrong_arity": "arity", "no_such_stage": "missing", "not_a_function": "missing", "identity": "arity",
    }  # fmt: skip
    source = hosted.language.path.read_text(encoding="utf-8").splitlines()
    line = problems["wrong_arity"].line
    assert line is not None
    assert "wrong_arity" in source[line - 1]
    assert problems["wrong_arity"].path == hosted.language.path
    assert hosted.worker.load(hosted.language.path, {"wrong_arity": 2}, deadline=LONG).problems == {}
    assert hosted.worker.load(hosted.language.path, {"wrong_arity": 3}, deadline=LONG).problems == {}


BROKEN = {
    "numpy": "def f(x):\n    return x\n\ndef g(x:\n    return x\n",
    "torch": "def f(x):\n    return x\n\ndef g(x:\n    return x\n",
    "r": "f <- function(x) x\n\n\ng <- function(x) x x\n",
    "julia": "f(x) = x\n\n\ng(x) = (x]\n",
}


FAILING = {
    "numpy": "def f(x):\n    return x\n\nimport no_such_module_here\n",
    "torch": "def f(x):\n    return x\n\nimport no_such_module_here\n",
    "r": "f <- function(x) x\n\n\nlibrary(no_such_module_here)\n",
    "julia": "f(x) = x\n\n\nusing no_such_module_here\n",
}


@in_languages(*ALL)
@pytest.mark.parametrize("texts", [BROKEN, FAILING], ids=["syntax", "top level"])
def test_a_file_that_cannot_be_evaluated(hosted: Hosted, texts: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / hosted.language.file
    path.write_text(texts[hosted.language.runtime], encoding="utf-8")
    with pytest.raises(ImplementationError) as caught:
        hosted.worker.load(path, {"f": 1}, deadline=LONG)
    assert (caught.value.kind, caught.value.line, caught.value.path) == ("load", 4, path)
    assert "no_such_module_here" in caught.value.message or texts is BROKEN
    with pytest.raises(ImplementationError, match=r"missing\.") as caught:
        hosted.worker.load(tmp_path / "missing.file", {"f": 1}, deadline=LONG)
    assert caught.value.kind == "load"
    assert caught.value.line is None


LATIN_1 = {
    "numpy": "def f(x):\n    return x\n\ng = 'café'\n",
    "torch": "def f(x):\n    return x\n\ng = 'café'\n",
    "r": "f <- function(x) x\n\n\n# café\n",
    "julia": "f(x) = x\n\n\n# café\n",
}


@in_languages(*ALL)
def test_a_file_in_another_encoding(hosted: Hosted, tmp_path: Path) -> None:
    path = tmp_path / hosted.language.file
    path.write_text(LATIN_1[hosted.language.runtime], encoding="latin-1")
    with pytest.raises(ImplementationError, match=r"(?i)utf-8|incomplete character") as caught:
        hosted.worker.load(path, {"f": 1}, deadline=LONG)
    assert (caught.value.kind, caught.value.line, caught.value.path) == ("load", 4, path)


@in_languages(*ALL)
def test_files_do_not_see_each_other(hosted: Hosted, tmp_path: Path) -> None:
    texts = {"r": "value <- {}\nf <- function() value\n", "julia": "value = {}\nf() = value\n"}
    text = texts.get(hosted.language.runtime, "value = {}\ndef f():\n    return value\n")
    values = []
    for number in (1.0, 2.0):
        path = tmp_path / f"{number}" / hosted.language.file
        path.parent.mkdir()
        path.write_text(text.format(number), encoding="utf-8")
        handle = hosted.worker.load(path, {"f": 0}, deadline=LONG).handle
        values.append(lambda handle=handle: hosted.worker.call(handle, "f", [], outputs=1, deadline=LONG)[0])
    assert [value()[0].item() for value in values] == [1.0, 2.0]


@in_languages(*ALL)
def test_what_a_worker_says_of_itself(hosted: Hosted) -> None:
    info = hosted.worker.info
    assert info.runtime == hosted.language.runtime
    assert re.match(r"\d+\.\d+", info.version)
    assert info.blas
    assert info.threads == 1
    formats = ("float64", "float32", "float16", "bfloat16")
    known = 1 if info.language == "R" else 4 if info.libraries.get("torch") else 3
    assert info.dtypes == formats[:known]
    assert hosted.worker.start_seconds > 0
    assert hosted.worker.scalars is (info.language != "R")
    if hosted.language.hosting:
        assert info.hosting.startswith(hosted.language.hosting)


@in_languages(*ALL)
def test_any_name_of_a_file_can_be_said(hosted: Hosted, tmp_path: Path) -> None:
    folder = tmp_path / 'it\'s "odd" \\ ∂ \U0001d6fc'
    folder.mkdir()
    path = folder / f"stages of {hosted.language.file}"
    shutil.copy(hosted.language.path, path)
    loaded = hosted.worker.load(path, {"identity": 1, "boom": 1}, deadline=LONG)
    (received,), _ = hosted.worker.call(loaded.handle, "identity", [np.ones(2)], outputs=1, deadline=LONG)
    assert received.tolist() == [1.0, 1.0]
    with pytest.raises(ImplementationError) as caught:
        hosted.worker.call(loaded.handle, "boom", [np.ones(2)], outputs=1, deadline=LONG)
    assert (caught.value.path, caught.value.line) == (path, hosted.language.line("boom"))


@in_languages(R)
def test_values_of_r_that_are_no_arrays(hosted: Hosted) -> None:
    stages = {"a_factor": 1, "a_frame": 1, "a_date": 1}
    handle = hosted.worker.load(hosted.language.path, stages, deadline=LONG).handle
    for stage, word in (("a_factor", "factor"), ("a_frame", "data.frame"), ("a_date", "Date")):
        with pytest.raises(ImplementationError, match=word) as caught:
            hosted.worker.call(handle, stage, [np.ones(1)], outputs=1, deadline=LONG)
        assert caught.value.kind == "value"


@in_languages(R)
def test_arguments_with_defaults_and_dots_in_r(hosted: Hosted) -> None:
    def problems(**stages: int) -> set[str]:
        return set(hosted.worker.load(hosted.language.path, stages, deadline=LONG).problems)

    assert problems(with_dots=1, optional=1) == set()
    assert problems(with_dots=4, optional=2) == set()
    assert problems(with_dots=0, optional=3) == {"with_dots", "optional"}


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_until_gone(*pids: int) -> None:
    until = time.monotonic() + 5
    while not all(gone(pid) for pid in pids):
        assert time.monotonic() < until, [pid for pid in pids if not gone(pid)]
        time.sleep(0.05)


@pytest.mark.parametrize("language", TO_END)
def test_hangs_and_crashes(language: Language, tmp_path: Path) -> None:
    hosted = open_worker(language, tmp_path)
    grandchild = int(hosted.call("grandchild", np.ones(2)).item())
    assert not gone(grandchild)
    started = time.monotonic()
    with pytest.raises(WorkerTimeout, match="hang"):
        hosted.call("hang", np.ones(2), deadline=1.0)
    assert time.monotonic() - started < 5
    assert not hosted.worker.alive
    wait_until_gone(hosted.worker.pid, grandchild)
    with pytest.raises(WorkerCrashed):
        hosted.call("identity", np.ones(2))

    for stage, words in (("quits", r"exit code 3.*last words"), ("killed", "SIGKILL")):
        # Restarting is starting anew: everything works again until the next crash.
        hosted = open_worker(language, tmp_path)
        assert hosted.call("identity", np.ones(2)).tolist() == [1.0, 1.0]
        with pytest.raises(WorkerCrashed, match=words):
            hosted.call(stage, np.ones(2))
        assert not hosted.worker.alive
        wait_until_gone(hosted.worker.pid)
