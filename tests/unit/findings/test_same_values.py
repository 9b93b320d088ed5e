"""What is shown in another form or order says of a version how it prints, and nothing of what it computes."""

from __future__ import annotations

import pytest

from harness.findings.answers import judged
from harness.findings.same_values import hold_the_same
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left, said

WRONG, HERE, UNTOLD = Answer.WRONG, Answer.HERE, Answer.UNCHECKED
FRAME = "   area     name\n0   305  Belgium\n1   671   France\n"
TURNED = "      name  area\n0  Belgium   305\n1   France   671\n"


@pytest.mark.parametrize(
    ("published", "printed", "same"),
    [
        (FRAME, TURNED, True),
        (FRAME, TURNED.replace("671", "617"), False),
        (FRAME, TURNED.replace("1   France   671\n", ""), False),
        ("<Axes at 0x7fa70ee497f0>", "<Axes: xlabel='a'>", True),
        ("<Axes at 0x7fa70ee497f0>\n3", "<Axes: >\n4", False),
        ("Index(['b', 'a'], dtype='object')", "Index(['a', 'b'], dtype='str')", True),
        ("Index(['b', 'a'], dtype='object')", "Index(['a', 'c'], dtype='str')", False),
        ("[ 1.50000000e+00 2.5 3.]", "[1.5 2.5 3. ]", True),
        ("[1.5 2.5 3.]", "[1.5 2.5 3.1]", False),
        ("0.3333", "1/3", False),
        ("1+2j", "1+3j", False),
        ("1+2j", "1+2j ", True),
        ("", "a", False),
    ],
)
def test_what_holds_the_same_values(published: str, printed: str, same: bool) -> None:
    assert hold_the_same(published, printed) is same


def first(other: tuple[str, str], published: str = "37\n", *, off: int = 4) -> Answer | None:
    """What is said of one number of pandas beside others, some of which are printed otherwise."""
    code = "import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.size)"
    chunks = [chunk(0, code, output=published)]
    results = [left("32\n")]
    for _ in range(6):
        chunks.append(chunk(len(chunks), "import pandas as pd\nprint(pd.Series([1]).sum())", output="1\n"))
        results.append(left("1\n"))
    for _ in range(off):
        chunks.append(chunk(len(chunks), "import pandas as pd\nprint(pd.DataFrame(d))", output=other[0]))
        results.append(left(other[1]))

    def alone(document: object) -> Ran | None:
        parts = getattr(document, "chunks", ())
        if len(parts) != len(chunks):
            return None
        return Ran(list(parts), [left("32\n"), *map(left, [""] * (len(chunks) - 1))])

    return judged(Ran(chunks, results, alone=alone)).blocks[0].answer


def test_a_version_that_orders_columns_otherwise_gives_no_other_number() -> None:
    assert first((FRAME, TURNED)) is WRONG
    assert first((FRAME, TURNED.replace("671", "700").replace("305", "300"))) is not WRONG


@pytest.mark.parametrize(
    ("published", "answer"), [("n = 00042\n", WRONG), ("n = 42\n", HERE), ("n = 042.0\n", HERE)]
)
def test_no_type_and_no_version_fills_up_with_more_zeros(published: str, answer: Answer) -> None:
    assert said("print('n = %06d' % 42)", published, "n = 000042\n") is answer


@pytest.mark.parametrize(
    ("published", "answer"),
    [
        ("(-26.4+6j)  # by eight", WRONG),
        ("(-26.4+6j)  # or the like", HERE),
        ("# (-26.4+6j)", HERE),
        ("(-26.4+8j)  # by eight", Answer.REPRODUCED),
    ],
)
def test_a_remark_behind_a_value_excuses_no_other_value(published: str, answer: Answer) -> None:
    assert said("8 * complex(-3.3, 1)", f"{published}\n", "(-26.4+8j)\n") is answer
