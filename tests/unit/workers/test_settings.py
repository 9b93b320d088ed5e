"""What a file sets holds for its own calls, and for no other file's."""

from __future__ import annotations

import decimal
import warnings
from pathlib import Path

import numpy as np
import pytest

from harness.workers.loop import WorkerFault
from harness.workers.python_source import PythonFile

SETS = """
import decimal
import warnings
import numpy as np
np.seterr(all="raise")
decimal.getcontext().prec = 3
warnings.simplefilter("error")
def third():
    return decimal.Decimal(1) / 3
def infinite():
    return np.float64(1) / 0
def warned():
    warnings.warn("careful")
"""


def loaded(folder: Path, text: str) -> PythonFile:
    path = folder / "a.py"
    path.write_text(text, encoding="utf-8")
    return PythonFile(str(path))


def test_settings_hold_in_the_files_own_calls_alone(tmp_path: Path) -> None:
    errors, filters, context = np.geterr(), list(warnings.filters), decimal.getcontext().prec
    file = loaded(tmp_path, SETS)
    assert (np.geterr(), list(warnings.filters), decimal.getcontext().prec) == (errors, filters, context)
    assert file.call("third", ())[1] == decimal.Decimal("0.333")
    for stage, said in (("infinite", "FloatingPointError"), ("warned", "UserWarning: careful")):
        with pytest.raises(WorkerFault, match=said):
            file.call(stage, ())
        assert (np.geterr(), list(warnings.filters), decimal.getcontext().prec) == (errors, filters, context)


def test_what_a_call_sets_holds_in_the_next(tmp_path: Path) -> None:
    file = loaded(
        tmp_path,
        "import decimal\ndef sets():\n    decimal.getcontext().prec = 3\n"
        "def third():\n    return decimal.Decimal(1) / 3\n",
    )
    assert len(str(file.call("third", ())[1])) == 30
    file.call("sets", ())
    assert file.call("third", ())[1] == decimal.Decimal("0.333")
    assert decimal.getcontext().prec == 28


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import builtins\nbuiltins.sum = lambda *a: 7\n", "builtins.sum"),
        ("import math\nmath.pi = 3\n", "math.pi"),
        ("import numpy as np\nnp.inf = 1e308\n", "numpy.inf"),
    ],
)
def test_a_number_or_built_in_function_that_is_replaced_is_put_back(
    tmp_path: Path, text: str, name: str
) -> None:
    with pytest.raises(WorkerFault, match=f"the file replaces {name}"):
        loaded(tmp_path, text)
    import math

    assert (sum([1, 2]), math.pi > 3.1, np.isinf(np.inf)) == (3, True, True)


@pytest.mark.torch
def test_a_default_dtype_of_torch_is_one_files(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    file = loaded(
        tmp_path,
        "import torch\ntorch.set_default_dtype(torch.float64)\ndef made():\n    return torch.ones(1).dtype\n",
    )
    assert torch.ones(1).dtype == torch.float32
    assert file.call("made", ())[1] == torch.float64
    assert torch.ones(1).dtype == torch.float32
