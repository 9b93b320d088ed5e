"""Names that packages took away are those that stayed: an older document runs with them."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from harness.documents.model import Document, OutputBlock
from harness.documents.moved_names import with_names_that_stayed
from harness.documents.parse import parse_document
from tests.unit.findings.made_runs import chunk

ABOVE = "import numpy as np\nimport pandas as pd\nimport collections"


def run_as(code: str, above: str = ABOVE, error: bool = False) -> str:
    mine = chunk(1, code)
    if error:
        shown = OutputBlock(line=3, text="AttributeError: it is gone", kind="error")
        mine = msgspec.structs.replace(mine, output=(shown,))
    document = Document(path=Path("a.md"), kind="markdown", title="A", chunks=(chunk(0, above), mine))
    after = with_names_that_stayed(document).chunks[1]
    assert (after.own or after.code) == code
    return after.code


@pytest.mark.parametrize(
    ("code", "same"),
    [
        ("np.array([1, np.NaN, np.Inf], dtype=np.float)", "np.array([1, np.nan, np.inf], dtype=float)"),
        ("np.product(x) + np.float_(2)", "np.prod(x) + np.float64(2)"),
        ("from collections import Mapping, Sequence", "from collections.abc import Mapping, Sequence"),
        ("isinstance(x, collections.Iterable)", "isinstance(x, collections.abc.Iterable)"),
        ("from IPython.core.display import display", "from IPython.display import display"),
        ("for k, v in d.iteritems(): pass", "for k, v in d.items(): pass"),
        ("df.as_matrix(), df.get_values()", "df.to_numpy(), df.to_numpy()"),
        ("np.in1d(x.tostring(), y)", "np.isin(x.tobytes(), y)"),
        ("integrate.trapz(y, x)", "integrate.trapezoid(y, x)"),
        ("from scipy.integrate import simps", "from scipy.integrate import simpson as simps"),
    ],
)
def test_names_that_were_taken_away(code: str, same: str) -> None:
    assert run_as(code) == same
    assert run_as(code, error=True) == code


@pytest.mark.parametrize(
    ("code", "same"),
    [
        ("y = np.reshape(a=x, newshape=(2, 3), order='F')", "y = np.reshape(x, (2, 3), order='F')"),
        ("np.reshape(x, newshape=(2,\n  3)) + 1", "np.reshape(x, (2, 3)\n) + 1"),
        ("'ü'; np.histogram(x, 5, normed=True)", "'ü'; np.histogram(x, 5, density=True)"),
        ("df.fillna(method='pad', limit=1)", "df.ffill(limit=1)"),
        ("df.groupby('k', axis=0).sum()", "df.groupby('k').sum()"),
        ("df.drop('b', 1).isnull().any(1)", "df.drop('b', axis=1).isnull().any(axis=1)"),
        ("pd.concat([df, df.drop('b', 1)], 1)", "pd.concat([df, df.drop('b', axis=1)], axis=1)"),
    ],
)
def test_arguments_that_were_renamed_or_taken_away(code: str, same: str) -> None:
    assert run_as(code) == same
    assert run_as(code, error=True) == code
    assert run_as(code, above="import mine as np, mine as pd") == code


@pytest.mark.parametrize(
    "code",
    [
        "np.reshape(newshape=(2, 3), a=x)",
        "np.any(x, 1), df.any(axis=1), df.drop(1), df.drop(x, n), df.groupby('k', axis=1)",
        "df.fillna(0), df.fillna(method=how), df.fillna(0, method='pad')",
        "df.drop('b', 1) +",
        "np.float32(1), np.int_(2), np.nan, np.matmul(a, b)",
        "from collections import Counter, Mapping",
        "collections.OrderedDict()",
        "print('np.NaN and', \"d.iteritems()\")  # not np.float",
    ],
)
def test_names_that_stayed(code: str) -> None:
    assert run_as(code) == code


def test_of_other_modules_a_name_is_their_own() -> None:
    assert run_as("np.float(2)", above="import mine as np") == "np.float(2)"
    assert run_as("d.iteritems()", above="import six") == "d.iteritems()"


@pytest.mark.parametrize("name", ["a.md", "a.ipynb"])
def test_documents_are_read_so(tmp_path: Path, name: str) -> None:
    code = ["import numpy as np\n", "print(np.NaN)"]
    cell = {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": code}
    notebook = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    listing = f"# A\n\n```python\n{''.join(code)}\n```\n"
    path = tmp_path / name
    path.write_text(notebook if name.endswith("ipynb") else listing)
    (read,) = parse_document(path).chunks
    assert read.code.strip() == "import numpy as np\nprint(np.nan)"
    assert read.own.strip() == "".join(code)


def test_what_is_run_in_its_place_is_said_once_for_each_name() -> None:
    chunks = (chunk(0, ABOVE), chunk(1, "x = 1\ny = np.NaN"), chunk(2, "z = np.NaN, np.Inf", cell=3))
    document = Document(path=Path("a.ipynb"), kind="notebook", title="A", chunks=chunks)
    said = [(note.line, note.text) for note in with_names_that_stayed(document).notes]
    assert said == [
        (13, "`np.NaN` is gone from newer versions: run as `np.nan`, which all have"),
        (22, "cell 3: `np.Inf` is gone from newer versions: run as `np.inf`, which all have"),
    ]
