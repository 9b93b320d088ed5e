"""What failed and changed nothing is no reason of what stands below it; nor is what is only called alike."""

from __future__ import annotations

import msgspec
import pytest

from harness.documents.model import Chunk, OutputBlock
from harness.findings.answers import judged
from harness.findings.apart import in_order_of
from harness.findings.left_as_it_was import is_set_whole, unchanged_by
from harness.findings.older_pythons import of_another_print
from harness.findings.slices import read_through
from harness.findings.sources import Ground, source_of
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left


@pytest.mark.parametrize(
    ("code", "message", "unchanged"),
    [
        ("frame.median()", "TypeError: Cannot perform reduction 'median'", True),
        ("frame.append(row)", "AttributeError: 'DataFrame' object has no attribute 'append'", True),
        ("frame.append(row)", "ValueError: no", False),
        ("frame.load(row)", "ValueError: no", False),
        ("frame.median()\nframe.load(row)", "TypeError: no", False),
        ("frame = frame.median()", "TypeError: no", False),
    ],
)
def test_a_method_that_gives_something_new_changes_nothing(code: str, message: str, unchanged: bool) -> None:
    assert unchanged_by(code, "python", message) == ({"frame"} if unchanged else frozenset())


@pytest.mark.parametrize(
    ("code", "unchanged"),
    [
        ("sp.median(x)", {"sp", "x"}),
        ("%timeit -n 10 sp.median(x)", {"sp", "x"}),
        ("%%time\nsp.median(x)", {"sp", "x"}),
        ("sp.median(np.append(x, 4))", {"sp", "np", "x"}),
        ("sp.median(load(x))", {"sp"}),
        ("sp.median(x.pop())", {"sp"}),
        ("sp.load(x)", {"sp"}),
    ],
)
def test_what_gives_something_new_leaves_what_it_is_given(code: str, unchanged: set[str]) -> None:
    name = "load" if "sp.load" in code else "median"
    assert unchanged_by(code, "python", f"AttributeError: module has no attribute '{name}'") == unchanged


def test_two_functions_of_a_module_share_no_value() -> None:
    code = "a = sp.f(b)\nsp.g(c)\nd = [a]\nsp.h(d, e)"
    assert read_through(f"{code}\nd", "d", "python", {"sp"}) == {"a", "b", "d", "e"}


def test_what_is_below_such_a_failure_is_compared() -> None:
    def answer(method: str) -> Answer:
        chunks = [chunk(0, "x = [1]"), chunk(1, f"x.{method}()"), chunk(2, "x[0] + 17", output="22\n")]
        chunks += [chunk(n, f"{n}", output=f"{n}\n") for n in range(3, 30)]
        failed = left(error="TypeError: no", line=12)
        said = judged(Ran(chunks, [left(), failed, left("18\n"), *(left(f"{n}\n") for n in range(3, 30))]))
        return said.blocks[0].answer

    assert answer("median") is Answer.WRONG
    assert answer("load") is not Answer.WRONG


@pytest.mark.parametrize(
    ("code", "whole"),
    [
        ("conn = connect()", True),
        ("import conn", True),
        ("def conn(): pass", True),
        ("conn.row_factory = Row", False),
        ("conn[0] = 1", False),
    ],
)
def test_a_part_that_is_set_is_not_the_whole(code: str, whole: bool) -> None:
    assert is_set_whole(code, "conn") is whole


def test_the_last_value_of_a_prompt_has_the_cause_of_the_code_above() -> None:
    lacks = left(error="ModuleNotFoundError: No module named 'dateparser'", line=2)
    below = left(error="NameError: name '_' is not defined", line=12)
    chunks = [chunk(0, "import dateparser\ndateparser.parse('now')"), chunk(1, "str(_)", output="'a'\n")]
    (block,) = judged(Ran(chunks, [lacks, below])).blocks
    assert (block.answer, block.why) == (Answer.UNCHECKED, "dateparser is not installed")


def test_an_object_of_the_documents_own_class_is_no_versions() -> None:
    shown = chunk(2, "a.go()", cell=3, execution_count=9, output="4\n")
    chunks = [
        chunk(0, "class A:\n    pass", cell=1, execution_count=1),
        chunk(1, "a = A()", cell=2, execution_count=2),
        shown,
    ]
    failed = left(error="AttributeError: 'A' object has no attribute 'go'", line=22)
    (block,) = judged(Ran(chunks, [left(), left(), failed], kind="notebook")).blocks
    assert (block.answer, "run before cell 3 (In [9])" in block.why) == (Answer.UNCHECKED, True)


def test_brackets_of_arrays_are_no_other_print() -> None:
    assert not of_another_print("[[1 2]]", "[1 2]")
    assert of_another_print("set([1, 2])", "{1, 2}")
    assert of_another_print("[u'a']", "['a']")


def test_an_address_in_a_text_asks_for_nothing() -> None:
    def ground(code: str) -> Ground:
        part = chunk(0, code)
        return source_of([part], [part], (), code).ground

    assert ground("site.url = 'https://a.b/'\nprint(site.url, 2)") is Ground.LANGUAGE
    assert ground("x = read_csv('https://a.b/')") is Ground.READER
    assert ground("url = 'https://a.b/'\nx = load(url)") is Ground.READER


def test_a_method_of_its_own_is_not_the_machines() -> None:
    codes = ["class A:\n    def info(self):\n        print(2008)", "A().info()"]
    chunks = [chunk(0, codes[0]), chunk(1, codes[1], output="20080\n")]
    assert judged(Ran(chunks, [left(), left("2008\n")])).blocks[0].answer is Answer.WRONG
    assert (
        judged(Ran([chunk(0, "x = 1"), chunks[1]], [left(), left("2008\n")])).blocks[0].answer is Answer.HERE
    )


def test_a_dict_is_held_in_the_order_in_which_it_is_published() -> None:
    assert in_order_of("{'b': 1, 'a': 2}", "{'a': 3, 'b': 1}\n") == "{'b': 1, 'a': 3}\n"
    for other in ("{'a': 3}\n", "[1]\n", "{'a': f, 'b': 1}\n"):
        assert in_order_of("{'b': 1, 'a': 2}", other) == other


def test_the_clock_of_sql_is_nobodys() -> None:
    chunks = [chunk(0, "list(db.query(\"select datetime('now')\"))", output="2022-01-03\n")]
    assert judged(Ran(chunks, [left("2026-11-24\n")])).blocks[0].answer is Answer.NOBODY


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("RuntimeError: CUDA out of memory", "of a device, such as a GPU"),
        ("RuntimeError: no", "the code runs without one"),
    ],
)
def test_an_error_of_a_device_that_is_not_here(text: str, why: str) -> None:
    block = OutputBlock(line=6, text=text, kind="error", ename="RuntimeError", evalue=text)
    chunks = [msgspec.structs.replace(chunk(0, "f()"), output=(block,))]
    (said,) = judged(Ran(chunks, [left("1\n")])).blocks
    assert (said.answer, why in said.why) == (Answer.HERE, True)


def test_listings_like_those_that_are_outputs_have_a_reason_of_their_own() -> None:
    def uncertain(index: int, code: str, text: str) -> Chunk:
        block = OutputBlock(line=6, text=text, certain=False)
        return msgspec.structs.replace(chunk(index, code), output=(block,))

    def why(alike: int) -> str:
        chunks = [uncertain(0, "import q\nq.f()", "deque([1])\n")]
        chunks += [uncertain(n, f"{n}", f"{n}\n") for n in range(1, alike + 1)]
        printed = [left("deque([1], maxlen=3)\n"), *(left(f"{n}\n") for n in range(1, alike + 1))]
        return judged(Ran(chunks, printed)).blocks[0].why

    assert why(3).startswith("another version of q may print it otherwise")
    assert why(2) == "it may be something else than what the code prints"


@pytest.mark.parametrize(
    ("numbers", "apart", "answer"),
    [(12, [7], Answer.WRONG), (12, [3, 7], Answer.UNCHECKED), (5, [3], Answer.UNCHECKED)],
)
def test_what_holds_many_values_of_the_code_is_its_output(
    numbers: int, apart: list[int], answer: Answer
) -> None:
    printed = [7 * n for n in range(1, numbers + 1)]
    shown = [number + (n in apart) for n, number in enumerate(printed)]
    block = OutputBlock(line=6, text=" ".join(map(str, shown)), certain=False)
    chunks = [
        msgspec.structs.replace(chunk(0, f"print(*range(7, {7 * numbers + 1}, 7))"), output=(block,)),
        *(chunk(n, f"{n}", output=f"{n}\n") for n in range(1, 9)),
    ]
    results = [left(" ".join(map(str, printed))), *(left(f"{n}\n") for n in range(1, 9))]
    assert judged(Ran(chunks, results)).blocks[0].answer is answer
