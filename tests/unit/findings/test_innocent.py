"""Documents that are sound, by kind: sessions, platforms, order, older versions, examples, prose."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.documents.parse import parse_document
from harness.findings.answers import judged, published_outputs
from harness.findings.carried import changes_what_it_reads
from harness.findings.number_pairs import are_rounded, fewer_digits
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

HERE, NOBODY, WRONG, UNCHECKED = Answer.HERE, Answer.NOBODY, Answer.WRONG, Answer.UNCHECKED


def first_answer(
    above: str, shown: str, published: str, printed: str, *, language: str = "python", stated: str = ""
) -> Answer:
    others = [chunk(n + 2, f"{n} + 1", language, output=f"{n}\n") for n in range(5)]
    chunks = [chunk(0, above, language), chunk(1, shown, language, output=f"{published}\n"), *others]
    runs = Ran(chunks, [left(), left(f"{printed}\n"), *(left(f"{n}\n") for n in range(5))])
    if stated:
        runs.document = msgspec.structs.replace(runs.document, written_for={language: stated})
    return judged(runs).blocks[0].answer


DICT = "d = {'b': 1, 'a': 2, 'c': 3}"
COUNTS = "import numpy as np\ncounts = np.array([3, 1, 2, 1, 1, 3])"
SCORES = "import torch\nx = torch.tensor([1., 3., 3., 2.])"


@pytest.mark.parametrize(
    ("shown", "stated", "answer"),
    [
        ("print('at', bool(datetime.time(0, 0, 0)))", "", HERE),
        ("print('at', bool(datetime.time(0, 0, 0)))", "3.4.1", HERE),
        ("print('at', bool(datetime.time(0, 0, 0)))", "3.7.3", WRONG),
        ("print('at', bool(1))", "", WRONG),
    ],
)
def test_midnight_was_false_once(shown: str, stated: str, answer: Answer) -> None:
    """It is true since Python 3.5."""
    assert first_answer("import datetime", shown, "at False", "at True", stated=stated) is answer


@pytest.mark.parametrize(
    ("above", "shown", "published", "printed", "stated", "answer"),
    [
        ("s = {(1, 2), (1, 5)}", "s.pop()", "(1, 2)", "(1, 5)", "3.7.3", HERE),
        ("s = {'a', 'b'}", "[w for w in s].index('a')", "1", "0", "3.8.1", HERE),
        ("s = {5, 7}", "[w for w in s].index(5)", "1", "0", "3.8.1", WRONG),
        ("s = {(1, 2), (1, 5)}", "len(s)", "3", "2", "3.7.3", WRONG),
        (DICT, "list(d)[0]", "'a'", "'b'", "3.5.2", HERE),
        (DICT, "list(d)[0]", "'a'", "'b'", "3.8.1", WRONG),
        (DICT, "list(d)[0]", "'z'", "'b'", "3.5.2", WRONG),
        (DICT, "list(d.values())[0]", "2", "1", "", HERE),
        (DICT, "d.popitem()", "('a', 2)", "('c', 3)", "3.5.2", HERE),
        (DICT, "d['b']", "2", "1", "3.5.2", WRONG),
        (COUNTS, "np.argsort(counts)[:2]", "[1 4]", "[1 3]", "3.7.3", HERE),
        (COUNTS, "np.argsort(counts, kind='stable')[:2]", "[1 4]", "[1 3]", "3.7.3", WRONG),
        (COUNTS, "np.sort(counts)[:2]", "[1 2]", "[1 1]", "3.7.3", WRONG),
        (SCORES, "torch.topk(x, 1).indices", "tensor([2])", "tensor([1])", "3.7.3", HERE),
        (SCORES, "x.argmax()", "tensor(2)", "tensor(1)", "3.7.3", WRONG),
    ],
)
def test_which_of_several_comes_first(
    above: str, shown: str, published: str, printed: str, stated: str, answer: Answer
) -> None:
    assert first_answer(above, shown, published, printed, stated=stated) is answer


@pytest.mark.parametrize(
    ("shown", "published", "printed", "stated", "answer"),
    [
        ("first(d)", "1 => 2", "9 => 7", "1.6.3", HERE),
        ("sum(values(d))", "14", "13", "1.5.3", WRONG),
        ("length(d)", "4", "3", "1.5.3", WRONG),
        ("@time length(d)", "4", "3", "1.5.3", WRONG),
        ("@time length(d)", "  0.02 seconds\n4", "  0.01 seconds\n3", "1.5.3", NOBODY),
        ("@elapsed length(d)", "0.04", "0.03", "1.5.3", NOBODY),
        ("@time n = length(d)\nn + 1", "5", "4", "1.5.3", WRONG),
        (
            "+",
            "+ (generic function with 163 methods)",
            "+ (generic function with 184 methods)",
            "1.5.3",
            HERE,
        ),
        ("e", "MethodError(f, (1,), 0x0000000000006a0e)", "MethodError(f, (1,), 0x0000000000006dc1)", "1.5.3",
         HERE),
        ("e", "BoundsError([1, 2], (3,))", "BoundsError([1, 2], (4,))", "1.5.3", WRONG),
    ],
)  # fmt: skip
def test_dicts_and_methods_of_julia(
    shown: str, published: str, printed: str, stated: str, answer: Answer
) -> None:
    dicts = "d = Dict(1 => 2, 3 => 4, 9 => 7)"
    others = [chunk(n + 2, f"{n} + 1", "julia", output=f"{n}\n") for n in range(5)]
    chunks = [chunk(0, dicts, "julia"), chunk(1, shown, "julia", output=f"{published}\n"), *others]
    runs = Ran(chunks, [left(), left(f"{printed}\n"), *(left(f"{n}\n") for n in range(5))])
    runs.document = msgspec.structs.replace(runs.document, written_for={"julia": stated})
    from harness.documents.results import TrackRun
    from harness.model import RuntimeInfo

    here = TrackRun(language="julia", runtime=RuntimeInfo(runtime="julia", language="Julia", version="1.5.3"))
    runs.__dict__["published"] = msgspec.structs.replace(runs.published, tracks=(here,))
    assert judged(runs).blocks[0].answer is answer


THREADS = (
    "import threading\nout = []\nts = [threading.Thread(target=out.append, args=(i,)) for i in range(5)]"
)
DEEP = "def f(n):\n    try:\n        return f(n + 1)\n    except RecursionError:\n        return n"
NUMPY = "import numpy as np\nx = np.array([2000000000, 2000000000])"


@pytest.mark.parametrize(
    ("above", "shown", "published", "printed", "answer"),
    [
        (NUMPY, "x.sum() / 2", "-147483648.0", "2000000000.0", HERE),
        (NUMPY, "x.sum() / 1e9", "5.0", "4.0", WRONG),
        (NUMPY, "len(x.tobytes())", "8", "16", HERE),
        (NUMPY, "len(str([x[0]]))", "12", "22", HERE),
        ("import struct", "struct.calcsize('l')", "4", "8", HERE),
        ("", "len(str(12345))", "6", "5", WRONG),
        ("from datetime import datetime", "datetime(2020, 1, 1).timestamp()", "1577833200.0",
         "1577836800.0", HERE),
        ("from datetime import datetime", "datetime(2020, 1, 1).year", "2021", "2020", WRONG),
        (DEEP, "f(0)", "2970", "991", HERE),
        (THREADS, "out", "[0, 2, 1, 3, 4]", "[0, 1, 2, 3, 4]", HERE),
        ("out = []", "out", "[0, 2, 1, 3, 4]", "[0, 1, 2, 3, 4]", WRONG),
        ("", "f'{1234567:n}'", "'1,234,567'", "'1234567'", HERE),
        ("n = 4\nfiles = !ls", "len(files)", "12", "0", HERE),
        ("x = 1", "_ + 1", "44", "43", HERE),
        ("x = 1", "[3 for _ in [1, 2]]", "[3, 4]", "[3, 3]", WRONG),
        ("import numpy as np", "np.roots([1, -6, 11, -6])", "[1. 2. 3.]", "[3. 2. 1.]", HERE),
        ("import numpy as np\nnp.random.seed(0)", "np.random.multivariate_normal(m, c)", "[ 1.65 -1.23]",
         "[-1.72 0.32]", HERE),
        ("import numpy as np\nnp.random.seed(0)", "np.random.normal(m, c)", "[ 1.65 -1.23]", "[-1.72 0.32]",
         WRONG),
    ],
)  # fmt: skip
def test_what_a_platform_decides(
    above: str, shown: str, published: str, printed: str, answer: Answer
) -> None:
    assert first_answer(above, shown, published, printed, stated="3.7.3") is answer


@pytest.mark.parametrize(
    ("above", "shown", "published", "printed", "answer"),
    [
        ("x <- c('apple', 'Banana')", "as.integer(factor(x))", "[1] 2 1", "[1] 1 2", HERE),
        ("x <- c('apple', 'banana')", "as.integer(factor(x))", "[1] 2 1", "[1] 1 2", WRONG),
        ("", "'apple' < 'Banana'", "[1] FALSE", "[1] TRUE", HERE),
        ("x <- c('fig', 'Pear', 'fig', 'oak')", "as.vector(table(x))", "[1] 2 2 1", "[1] 2 1 1", WRONG),
        ("x <- c('fig', 'Pear', 'fig', 'oak')", "as.vector(table(x))", "[1] 1 2 1", "[1] 2 1 1", HERE),
        ("x <- c('fig', 'Pear', 'oak')", "order(x)[x > 'a']", "[1] 1 3 2", "[1] 1 3 3", HERE),
        ("x <- ISOdatetime(2020, 1, 1, 0, 0, 0)", "as.numeric(x)", "[1] 1577833200", "[1] 1577836800", HERE),
        ("x <- pi", "x * 1000", "[1] 3142", "[1] 3141.593", HERE),
        ("x <- pi", "x * 1000", "[1] 3152", "[1] 3141.593", WRONG),
    ],
)
def test_locale_zone_and_digits_of_r(
    above: str, shown: str, published: str, printed: str, answer: Answer
) -> None:
    assert first_answer(above, shown, published, printed, language="r") is answer


@pytest.mark.parametrize(
    ("left_text", "right_text", "same"),
    [
        ("3142", "3141.593", True),
        ("31", "31.4", False),
        ("2", "2.000007", True),
        ("2", "2.007", False),
        ("3152", "3141.593", False),
        ("x", "1", False),
        ("0.03550", "0.0355237", True),
        ("0.03650", "0.0355237", False),
    ],
)
def test_fewer_digits(left_text: str, right_text: str, same: bool) -> None:
    assert fewer_digits(left_text, right_text) is same


@pytest.mark.parametrize(
    ("pairs", "rounded"),
    [
        ([("512", "511.8"), ("3.7", "3.6519"), ("2e-04", "0.0001973"), ("6", "6")], True),
        ([("512", "511.8"), ("3.8", "3.6519")], False),
        ([("3.7", "3.6519"), ("6", "6")], False),
    ],
)
def test_a_table_of_fewer_digits_has_short_numbers_too(pairs: list[tuple[str, str]], rounded: bool) -> None:
    assert are_rounded(pairs) is rounded


@pytest.mark.parametrize(
    ("code", "message", "answer"),
    [
        ("y = x[mask]", "IndexError: boolean index did not match indexed array along axis 0", HERE),
        ("y = x[2.0]", "IndexError: only integers, slices (`:`) and arrays are valid indices", HERE),
        ("y = a == b", "ValueError: operands could not be broadcast together with shapes (2,) (3,)", HERE),
        ("y = a + b", "ValueError: operands could not be broadcast together with shapes (2,) (3,)", WRONG),
        ("y = 1\nassert x.sum() == 1", "AssertionError", HERE),
        ("assert x.sum() == 1\ny = 2", "AssertionError", HERE),
        ("assert n == 1\ny = 2", "AssertionError", WRONG),
    ],
)
def test_errors_that_older_numpy_and_other_machines_do_not_have(
    code: str, message: str, answer: Answer
) -> None:
    numpy = chunk(0, "import numpy as np\nx = np.arange(3)", executable=True)
    failing = chunk(1, f"{code}\nprint('set')", executable=True, output="set\n")
    chunks = [numpy, failing, chunk(2, "print(y)", executable=True, output="3\n")]
    failed = left(error=message, line=11 + code.count("\n", 0, code.find("assert")) + 1)
    assert first(Ran(chunks, [left(), failed, left()])) is answer


def first(runs: Ran) -> Answer:
    return next(finding.answer for finding in published_outputs(runs) if finding.answer is not None)


def saved(tmp_path: Path, cells: list[dict[str, Any]]) -> Path:
    """A notebook with these cells: ``source``, ``outputs`` and ``execution_count`` of each."""
    notebook = {
        "cells": [{"cell_type": "code", "metadata": {}, "outputs": []} | cell for cell in cells],
        "metadata": {"language_info": {"name": "python", "version": "3.7.3"}},
        "nbformat": 4,
        "nbformat_minor": 4,
    }
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def value(text: str, count: int | None) -> dict[str, Any]:
    data = {"text/plain": text}
    return {"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data}


@pytest.mark.parametrize(
    ("cell_count", "value_count", "answer"), [(2, 2, WRONG), (2, 1, HERE), (None, None, HERE)]
)
def test_a_cell_of_another_session(
    tmp_path: Path, cell_count: int | None, value_count: int | None, answer: Answer
) -> None:
    cells = [
        {"source": "a = 3", "execution_count": 1},
        {"source": "a * 2", "execution_count": cell_count, "outputs": [value("8", value_count)]},
    ]
    document = parse_document(saved(tmp_path, cells))
    runs = Ran(list(document.chunks), [left(), left("6\n")], kind="notebook")
    assert [block.answer for block in judged(runs).blocks] == [answer]


def test_a_cell_that_shows_all_its_values(tmp_path: Path) -> None:
    """IPython does where ``ast_node_interactivity`` is ``all``."""
    shown = [value(text, 1) for text in ("2", "4", "7")]
    each, rest = parse_document(
        saved(
            tmp_path,
            [
                {"source": "1 + 1\n2 + 2\n3 + 4", "execution_count": 1, "outputs": shown},
                {"source": "x = 1\nx + 1", "execution_count": 2, "outputs": shown},
            ],
        )
    ).chunks
    assert [block.after for block in each.output] == [1, 2, 3]
    assert all(block.example for block in rest.output)
    (block, *_) = judged(Ran([msgspec.structs.replace(rest, index=0)], [left("9\n")])).blocks
    assert block.answer is UNCHECKED


@pytest.mark.parametrize(
    ("counts", "again", "answer"),
    [
        ([1, 2, 4], "2\n", NOBODY),
        ([1, 2, 4], "1\n", HERE),
        ([1, 2, 3], "2\n", WRONG),
    ],
)
def test_a_cell_that_was_run_more_than_once(counts: list[int], again: str, answer: Answer) -> None:
    others = [
        chunk(n + 3, f"print({n})", output=f"{n}\n", cell=n + 4, execution_count=n + 5) for n in range(5)
    ]
    codes = ("n = 0", "y = 3", "n += 1\nprint(n)")
    chunks = [
        chunk(n, code, cell=n + 1, execution_count=counts[n], output="2\n" if n == 2 else "")
        for n, code in enumerate(codes)
    ]
    rest = [left(f"{n}\n") for n in range(5)]
    runs = Ran(
        [*chunks, *others],
        [left(), left(), left("1\n"), *rest],
        once_more=[left(), left(), left(again), *rest],
        kind="notebook",
    )
    assert judged(runs).blocks[0].answer is answer
    if answer is NOBODY:
        (finding,) = published_outputs(runs)
        assert (
            finding.evidence == "cell 3 (In [4]) changes what it reads, and was run more than once: 1 output"
        )


@pytest.mark.parametrize(
    ("code", "language", "changes"),
    [
        ("n += 1", "python", True),
        ("xs.append(1)", "python", True),
        ("next(it)", "python", True),
        ("x = np.random.rand()", "python", True),
        ("n = 0\nn += 1", "python", False),
        ("out = []\nout.append(1)", "python", False),
        ("df.head()", "python", False),
        ("def f(n):\n    return f(n - 1)", "python", False),
        ("view = A[:, 0]\nview[0] = 88", "python", True),
        ("twice = A * 2\nn = twice[0]", "python", False),
        ("v = view(A, :, 1)\nv[end] = 88\nA[end, 1]", "julia", True),
        ("v = A[, 1]\nv[2] <- 88\nA[2, 1]", "r", False),
    ],
)
def test_code_that_changes_what_it_reads(code: str, language: str, changes: bool) -> None:
    assert changes_what_it_reads(chunk(0, code, language=language)) is changes


LISTING = "# Tool\n\n```python\nprint(3 + 4)\n```\n\n{}\n\n```text\n12\n```\n"


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("You get something like:", UNCHECKED),
        ("The output file has this format:", UNCHECKED),
        ("For `x = 7` it prints:", UNCHECKED),
        ("`data.csv`:", UNCHECKED),
        ("This prints:", WRONG),
        ("Output:", WRONG),
    ],
)
def test_what_the_text_calls_an_example(tmp_path: Path, words: str, answer: Answer) -> None:
    path = tmp_path / "a.md"
    path.write_text(LISTING.format(words), encoding="utf-8")
    (only,) = parse_document(path).chunks
    assert [block.answer for block in judged(Ran([only], [left("7\n")])).blocks] == [answer]


def test_a_bare_comment_is_a_value_where_others_are(tmp_path: Path) -> None:
    def answers(comments: list[str], values: list[str]) -> list[Answer]:
        path = tmp_path / "a.md"
        code = "\n".join(f"print(x[{n}])  # {comment}" for n, comment in enumerate(comments))
        path.write_text(f"# A\n\n```python\n{code}\n```\n", encoding="utf-8")
        (only,) = parse_document(path).chunks
        parts = tuple(left(f"{text}\n") for text in values)
        runs = Ran([only], [left("".join(part.text for part in parts))])
        (run,) = runs.published.chunks
        with_parts = msgspec.structs.replace(run, parts=parts)
        again = msgspec.structs.replace(runs.published, chunks=(with_parts,))
        for name in ("published", "again", "elsewhere", "patched"):
            runs.__dict__[name] = again
        return [block.answer for block in judged(runs).blocks]

    assert answers(["4", "5", "6", "3"], ["4", "5", "6", "7"])[-1] is WRONG
    assert answers(["4", "5", "3"], ["4", "5", "7"])[-1] is UNCHECKED
    assert answers(["4", "5", "6", "(2, 2)"], ["4", "5", "6", "[1 7]"])[-1] is UNCHECKED


PROSE = "# Pi\n\n```python\nprint(3.1426)\n```\n\n```\n3.1426\n```\n\n{}\n"


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("This is close to the true value of 3.1416.", False),
        ("The theory says 3.1416.", False),
        ("We find 3.1416.", True),
    ],
)
def test_a_number_that_prose_holds_against_a_printed_one(tmp_path: Path, words: str, wrong: bool) -> None:
    path = tmp_path / "a.md"
    path.write_text(PROSE.format(words), encoding="utf-8")
    document = parse_document(path)
    runs = Ran(list(document.chunks), [left("3.1426\n")])
    runs.document = document
    said = judged(runs)
    assert [finding.answer for finding in said.findings] == ([WRONG] if wrong else [])
    assert len(said.suspects) == (not wrong)


@pytest.mark.parametrize(
    ("cell", "answer"),
    [("1.5", Answer.REPRODUCED), ("1.7", WRONG), ("1.7 8.0", HERE)],
)
def test_a_slip_in_a_matrix_that_julia_called_otherwise_before(cell: str, answer: Answer) -> None:
    published = f"2×2 Matrix{{Float64}}:\n {cell}  2.0\n 2.0  -1.0\n"
    printed = "2×2 Array{Float64,2}:\n 1.5  2.0\n 2.0  -1.0\n"
    assert first_answer("a = 1.5", "[a 2.0; 2.0 -1]", published, printed, language="julia") is answer


@pytest.mark.parametrize("draw", ["sample(26)", "sample.int(26)", "sample.int(n = 26)"])
def test_what_sample_and_its_kin_give_after_a_seed_is_another_since_r_3_6(draw: str) -> None:
    chunks = [chunk(index, f"length({index})", "r", output=f"[1] {index}\n") for index in range(20)]
    chunks.append(chunk(20, f"set.seed(123)\nvalues <- {draw}", "r"))
    chunks.append(chunk(21, "values[1] * values[2]", "r", output="[1] 651\n"))
    results = [*(left(f"[1] {index}\n") for index in range(20)), left(), left("[1] 75\n")]
    block = judged(Ran(chunks, results)).blocks[-1]
    assert (block.answer, block.why.split(" (")[0]) == (
        Answer.HERE, "what sample() gives after a seed is another since R 3.6",
    )  # fmt: skip
