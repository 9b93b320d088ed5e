"""The numbers of a notebook's cells, where only their values show them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.documents.parse import parse_document


@pytest.mark.parametrize(
    ("cells", "values", "numbers", "stale"),
    [
        ([None] * 5, [None, 2, 3, 4, None], [1, 2, 3, 4, None], False),
        ([None] * 4, [7, None, 9, 10], [7, 8, 9, 10], False),
        ([None] * 4, [1, 2, None, 9], [None] * 4, True),
        ([None] * 4, [3, 2, 1, None], [None] * 4, True),
        ([None] * 4, [1, 2, None, None], [None] * 4, True),
        ([1, None, None, None], [1, 2, 3, 4], [1, None, None, None], True),
    ],
)
def test_numbers_of_values_are_those_of_their_cells_where_one_numbering_fits(
    cells: list[int | None],
    values: list[int | None],
    numbers: list[int | None],
    stale: bool,
    tmp_path: Path,
) -> None:
    def shown(count: int | None) -> list[object]:
        value = {"output_type": "execute_result", "data": {"text/plain": ["5"]}, "metadata": {}}
        return [] if count is None else [{**value, "execution_count": count}]

    cell = {"cell_type": "code", "metadata": {}, "source": ["x"]}
    made = [
        {**cell, "execution_count": own, "outputs": shown(value)}
        for own, value in zip(cells, values, strict=True)
    ]
    whole = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
    (tmp_path / "a.ipynb").write_text(json.dumps(whole), encoding="utf-8")
    chunks = parse_document(tmp_path / "a.ipynb").chunks
    assert [chunk.execution_count for chunk in chunks] == numbers
    assert any(chunk.stale for chunk in chunks) is stale
