from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from harness.workers.batches import each


def doubled(given: Sequence[Any]) -> list[Any]:
    return [2 * given[0]]


def test_results_are_stacked_in_order() -> None:
    arrays, others = each(([np.full(2, n)] for n in range(3)), doubled, 1)
    assert others == []
    assert arrays[0].tolist() == [[0, 0], [2, 2], [4, 4]]


def test_who_raises_or_is_unlike_most_is_left_to_a_call_of_its_own() -> None:
    def odd(given: Sequence[Any]) -> list[Any]:
        if given[0] == 1:
            raise ValueError
        if given[0] == 2:
            raise SystemExit(3)
        return [np.zeros(3) if given[0] == 4 else np.array([given[0] + 0.5])]

    arrays, others = each(([np.array(n)] for n in range(6)), odd, 1)
    assert others == [1, 2, 4]
    assert arrays[0].tolist() == [[0.5], [0.0], [0.0], [3.5], [0.0], [5.5]]


def test_another_dtype_is_another_form() -> None:
    arrays, others = each(([n] for n in (1, 2, 2.5)), lambda given: [np.asarray(given[0])], 1)
    assert others == [2]
    assert arrays[0].dtype == np.int64


def test_where_nothing_came_back_the_arrays_are_empty() -> None:
    def never(given: Sequence[Any]) -> list[Any]:
        raise ValueError

    arrays, others = each(([n] for n in range(3)), never, 2)
    assert others == [0, 1, 2]
    assert [array.shape for array in arrays] == [(0,), (0,)]


@pytest.mark.parametrize("error", [KeyboardInterrupt, GeneratorExit])
def test_what_ends_the_worker_is_not_kept_back(error: type[BaseException]) -> None:
    def ends(given: Sequence[Any]) -> list[Any]:
        raise error

    with pytest.raises(error):
        each(([n] for n in range(3)), ends, 1)
