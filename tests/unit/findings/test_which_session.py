"""A text is not one session: what hides a function, and names that each section sets anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.parse import parse_document
from harness.findings.answers import Judged, judged
from harness.findings.names import names_in
from harness.findings.which_session import set_in_several
from harness.model.article import Answer, BlockKind, BlockVerdict
from tests.unit.findings.made_runs import Ran, chunk, executed, left

RIGHT, WRONG, UNTOLD = Answer.REPRODUCED, Answer.WRONG, Answer.UNCHECKED
INT = "TypeError: 'int' object is not callable"


@pytest.mark.parametrize(
    ("first", "failing", "error", "answer"),
    [
        ("len = 5", "len('abc')", INT, UNTOLD),
        ("len = 5", "def f(x):\n    return len(x)\nf('abc')", INT, UNTOLD),
        ("words = ['a']", "words('a b')", "TypeError: 'list' object is not callable", UNTOLD),
        ("n = 5", "[1, 2][n]", "IndexError: list index out of range", WRONG),
    ],
)
def test_a_name_that_hides_a_function_accuses_nobody(
    first: str, failing: str, error: str, answer: Answer
) -> None:
    line = failing.count("\n") + 2
    said = judged(
        Ran([chunk(0, first), chunk(1, failing, output="3\n")], [left(), left(error=error, line=line + 10)])
    )
    assert said.blocks[0].answer is answer
    if answer is UNTOLD:
        assert "line 1 sets it to something else" in said.blocks[0].why


def judged_text(tmp_path: Path, between: str, printed: str, error: str = "") -> Judged:
    """What is said of the last output of a text in which a section sets a name that another had set."""
    path = tmp_path / "a.md"
    path.write_text(
        "# A\n\n```python\nx = [1, 2]\n```\n\n```python\nx = [3]\n```\n\n"
        f"{between}\n\n```python\n>>> x[0] * 20\n20.5\n```\n",
        encoding="utf-8",
    )
    document = parse_document(path)
    last = document.chunks[-1]
    results = [left(), left(), left(printed, error=error, line=last.code_line)]
    runs = Ran(list(document.chunks), results)
    runs.document = document
    for name in ("published", "again", "elsewhere", "patched"):
        runs.__dict__[name] = executed(document, results)
    return judged(runs)


@pytest.mark.parametrize(("between", "answer"), [("A text.", WRONG), ("## B", UNTOLD)])
@pytest.mark.parametrize(("printed", "error"), [("60\n", ""), ("", "IndexError: list index out of range")])
def test_names_that_sections_set_anew_accuse_only_within_one(
    tmp_path: Path, between: str, answer: Answer, printed: str, error: str
) -> None:
    said = judged_text(tmp_path, between, printed, error)
    assert said.blocks[0].answer is answer
    if answer is UNTOLD:
        assert "x is set at line 3 and at line 7, in other sections" in said.blocks[0].why


@pytest.mark.parametrize(
    ("code", "known"),
    [
        ("for (i in 1:9) {\n  n <- i # not n\n  if (n > 4) break\n}\nn", True),
        ("n <- 4\nn", True),
        ("for (i in 1:9) n <- n + i\nn", False),
        ("f <- function() {\n  n <- 3\n}\nn", False),
        ("if (late) {\n  n <- 3\n}\nn", False),
        ("n", False),
    ],
)
def test_what_code_of_r_sets_in_a_loop_before_it_reads_it_is_known(
    tmp_path: Path, code: str, known: bool
) -> None:
    path = tmp_path / "a.md"
    path.write_text(
        f"# A\n\n```r\nn <- 1\n```\n\n```r\nn <- 2\n```\n\n# B\n\n```r\n{code}\n```\n\n```\n## [1] 5\n```\n",
        encoding="utf-8",
    )
    document = parse_document(path)
    assert (set_in_several(document, document.chunks[-1], {}) == "") is known


@pytest.mark.parametrize(
    ("shown", "known"), [("m + 1", True), ("m + n", False), ("k + 1", False), ("", False)]
)
def test_which_value_a_name_has_is_asked_of_the_statements_that_need_it(
    tmp_path: Path, shown: str, known: bool
) -> None:
    path = tmp_path / "a.md"
    code = "k = n + 1\nn\nm + 1\nm + n\nk + 1"
    path.write_text(
        f"# A\n\n```python\nm = n = 1\n```\n\n```python\nn = 2\n```\n\n# B\n\n```python\n{code}\n```\n",
        encoding="utf-8",
    )
    document = parse_document(path)
    assert (set_in_several(document, document.chunks[-1], {}, shown) == "") is known


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("random.shuffle(names)", True),
        ("heapq.heappush(names, 3)", True),
        ("np.fill_diagonal(names, 0)", True),
        ("sorted(names)", False),
        ("len(names)", False),
        ("names.append(3)", True),
    ],
)
def test_what_functions_change_in_place_is_set(code: str, changed: bool) -> None:
    assert ("names" in names_in(code, "python").sets) is changed


def test_what_is_taken_from_a_shuffled_list_is_drawn() -> None:
    codes = ["import random\nnames = ['Jo', 'Jon']", "random.shuffle(names)", "it = iter(names)"]
    shown = chunk(3, "next(it)", output="'Jon'\n")
    said = judged(
        Ran(
            [*(chunk(n, code) for n, code in enumerate(codes)), shown],
            [left(), left(), left(), left("'Jo'\n")],
        )
    )
    assert said.blocks[0].answer is Answer.NOBODY


def test_a_module_is_not_changed_by_a_call_of_its_functions() -> None:
    assert not names_in("re.sub('a', 'b', x)\nitertools.chain(x)", "python").sets
    assert names_in("queue.append(2)\nqueue", "python").sets == {"queue"}


@pytest.mark.parametrize(("shown", "known"), [(3, True), (2, False)])
def test_others_show_which_value_of_a_name_holds(tmp_path: Path, shown: int, known: bool) -> None:
    path = tmp_path / "a.md"
    uses = "".join(f"```r\nn + {k}\n```\n\n```\n## [1] {k + 2}\n```\n\n" for k in range(shown))
    path.write_text(
        f"# A\n\n```r\nn <- 1\n```\n\n```r\nn <- 2\n```\n\n# B\n\n{uses}```r\nn\n```\n\n```\n## [1] 5\n```\n",
        encoding="utf-8",
    )
    document = parse_document(path)
    right = BlockVerdict(kind=BlockKind.REPRODUCED)
    verdicts = {(part.index, 0): right for part in document.chunks[2:-1]}
    assert (set_in_several(document, document.chunks[-1], verdicts) == "") is known


@pytest.mark.parametrize(
    ("language", "mark", "known"), [("r", "## ", True), ("r", "", False), ("python", "## ", True)]
)
def test_what_knitr_has_rendered_was_run_as_a_whole(
    tmp_path: Path, language: str, mark: str, known: bool
) -> None:
    path = tmp_path / "a.md"
    codes = [*((f"{k} + 1", k + 1) for k in range(4)), ("n + 1", 3), ("n", 5)]
    uses = "".join(f"```{language}\n{code}\n```\n\n```\n{mark}[1] {shown}\n```\n\n" for code, shown in codes)
    path.write_text(
        f"# A\n\n```{language}\nn = 1\n```\n\n```{language}\nn = 2\n```\n\n# B\n\n{uses}",
        encoding="utf-8",
    )
    document = parse_document(path)
    right = BlockVerdict(kind=BlockKind.REPRODUCED)
    verdicts = {(part.index, 0): right for part in document.chunks[2:-1]}
    assert (set_in_several(document, document.chunks[-1], verdicts) == "") is known
