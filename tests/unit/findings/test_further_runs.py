"""A second run of a document is made where its answer depends on it, and nowhere else."""

from __future__ import annotations

from harness.documents.results import Execution
from harness.findings.answers import judged
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left


class RanOnce(Ran):
    """Runs of which the second has not been made."""

    made_again = False

    @property
    def again(self) -> Execution:  # type: ignore[override]
        """The second run, which is counted."""
        self.made_again = True
        again: Execution = self.__dict__["again"]
        return again


def ran(code: str, published: str, printed: str) -> tuple[Answer, bool]:
    chunks = [chunk(0, code, output=published), *(chunk(n, f"{n}", output=f"{n}\n") for n in range(1, 12))]
    runs = RanOnce(chunks, [left(printed), *(left(f"{n}\n") for n in range(1, 12))])
    return judged(runs).blocks[0].answer, runs.made_again


def test_what_a_package_may_give_otherwise_needs_no_second_run() -> None:
    code = "import shapely\nshapely.area(shapely.box(0, 0, 2, 3))"
    assert ran(code, "[4, 5]\n", "[8, 9]\n") == (Answer.HERE, False)


def test_what_is_drawn_without_a_seed_needs_no_second_run() -> None:
    code = "import numpy as np\nnp.random.rand(2)"
    assert ran(code, "array([0.1, 0.2])\n", "array([0.3, 0.4])\n") == (Answer.NOBODY, False)


def test_an_accusation_needs_one() -> None:
    assert ran("20 + 2", "18\n", "22\n") == (Answer.WRONG, True)
