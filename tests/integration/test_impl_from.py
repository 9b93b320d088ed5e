"""An implementation from a file that exists, in each language that is not Python, R or Julia: it is run."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import main

NODE = """
function rowSums(scores) {
  const [n, k] = scores.shape;
  const data = new Float64Array(n);
  scores.data.forEach((number, at) => (data[Math.floor(at / k)] += number));
  return { shape: [n], data };
}
export const product = (W, x) => {
  const [n, d] = x.shape, k = W.shape[1], data = new Float64Array(n * k);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < k; j++)
      for (let m = 0; m < d; m++) data[i * k + j] += x.data[i * d + m] * W.data[m * k + j];
  return { shape: [n, k], data };
};
"""
PLAIN_NODE = """
export const scores = (x, W) =>
  x.map((row) => W[0].map((_, k) => row.reduce((sum, each, d) => sum + each * W[d][k], 0)))

function total(table) {
  const all = []
  for (const row of table) { all.push(sum(row)) }
  return all
}
const sum = (list) => { let s = 0; for (let i = 0; i < list.length; i++) s += list[i]; return s }
export { total }
"""
OCTAVE = """
function y = product(W, x)
  y = x * W;
end

function y = total(scores)
  y = sum(scores, 2);
end
"""
C = """
#include <stddef.h>
#include "part.h"

void product(size_t n, size_t d, size_t k, const double *x, const double *W, double *out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++) {
            out[i * k + j] = 0;
            for (size_t m = 0; m < d; m++)
                out[i * k + j] += x[i * d + m] * W[m * k + j];
        }
}

void total(size_t n, size_t k, const double *scores, double *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = ZERO;
        for (size_t j = 0; j < k; j++)
            out[i] += scores[i * k + j];
    }
}
"""
FORTRAN = """
subroutine scores(n, d, k, x, W, out)
  implicit none
  integer, intent(in) :: n, d, k
  real(8), intent(in) :: x(n, d), W(d, k)
  real(8), intent(out) :: out(n, k)
  out = matmul(x, W)
end subroutine

subroutine total(n, k, scores, out)
  implicit none
  integer, intent(in) :: n, k
  real(8), intent(in) :: scores(n, k)
  real(8), intent(out) :: out(n)
  out = sum(scores, 2)
end subroutine
"""
_TOTAL = "void total(size_t n, size_t k, const double *scores, double *out)"
HIDDEN_C = C.replace("void product(", "static void\nscores(").replace(
    _TOTAL, f"static inline {_TOTAL};\nstatic inline {_TOTAL}"
)
MODULE = f"module sums\ncontains\n{FORTRAN}end module sums\n"
JAX = "def product(W, x):\n    return x @ W\n\n\ndef total(scores):\n    return scores.sum(axis=1)\n"


def harness(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(words))
    return result.exit_code, result.output


@pytest.fixture(autouse=True)
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("part.h").write_text("#define ZERO 0\n", encoding="utf-8")
    for name, text in (
        ("mine.js", NODE), ("plain.js", PLAIN_NODE),
        ("mine.m", OCTAVE), ("mine.c", C), ("mine.cc", C.replace("stddef.h", "cstddef")),
        ("hidden.c", HIDDEN_C), ("hidden.cc", HIDDEN_C.replace("stddef.h", "cstddef")),
        ("module.f90", MODULE), ("mine.f90", FORTRAN), ("mine_jax.py", JAX),
    ):  # fmt: skip
        Path(name).write_text(text, encoding="utf-8")
    assert harness("new", "case", "mine", "--suite", "suite", "--lang", "numpy")[0] == 0


@pytest.mark.parametrize(
    ("language", "file", "pairs"),
    [
        pytest.param("node", "mine.js", ("scores=product", "total=rowSums"), marks=pytest.mark.node),
        pytest.param("node", "plain.js", (), marks=pytest.mark.node),
        pytest.param("octave", "mine.m", ("scores=product",), marks=pytest.mark.octave),
        ("c", "mine.c", ("scores=product",)),
        ("cpp", "mine.cc", ("scores=product", "total=total")),
        ("c", "hidden.c", ()),
        ("cpp", "hidden.cc", ()),
        ("fortran", "mine.f90", ()),
        pytest.param("jax", "mine_jax.py", ("scores=product",), marks=pytest.mark.jax),
    ],
)
def test_a_file_becomes_an_implementation_that_agrees(
    language: str, file: str, pairs: tuple[str, ...]
) -> None:
    given = [word for pair in pairs for word in ("--pair", pair)]
    code, said = harness("new", "impl", "mine", language, "--from", file, *given, "--suite", "suite")
    assert code == 0, said
    code, said = harness(
        "run",
        "--suite",
        "suite",
        "--precision",
        "float64",
        "--impl",
        "numpy",
        "--impl",
        language,
        "--require",
        language,
    )
    if code == 3:
        pytest.skip(f"{language} is not here")
    assert code == 0, said
    assert "AGREEMENT" in said


@pytest.mark.node
def test_plain_arrays_of_javascript_are_rounded_to_float32() -> None:
    file = Path("suite/mine/case.toml")
    text = file.read_text(encoding="utf-8")
    title = next(line for line in text.splitlines() if line.startswith("title"))
    file.write_text(text.replace(title, f'{title}\nprecisions = ["float64", "float32"]'), encoding="utf-8")
    code, said = harness("new", "impl", "mine", "node", "--from", "plain.js", "--suite", "suite")
    assert code == 0, said
    code, said = harness("run", "--suite", "suite", "--require", "node")
    assert code == 0, said
    assert "AGREEMENT" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("c", "--from", "mine.c"), "mine.c has no scores: write them into mine.c; it has product"),
        (("octave", "--from", "mine.m"), "mine.m has no scores"),
        (("octave", "--from", "mine.m"), "product, which are no stages; --pair NAME=FUNCTION would say"),
        (("c", "--from", "hidden.c"), "hidden.c: scores, total: static in the file, and not in the copy"),
    ],
)
def test_what_a_file_lacks_is_told(words: tuple[str, ...], said: str) -> None:
    code, printed = harness("new", "impl", "mine", *words, "--suite", "suite")
    assert (code, said in printed) == (0, True), printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("node", "--from", "mine.c"), "is no file for node -> it ends in .mjs or .js"),
        (
            ("c", "--from", "mine.c", "--pair", "total=product", "--pair", "scores=total"),
            "mine.c:15: total takes 4 arguments, and scores has 6",
        ),
        (
            ("fortran", "--from", "mine.f90", "--pair", "scores=total", "--pair", "total=scores"),
            "mine.f90:10: the subroutine total would have to be called scores",
        ),
        (
            ("fortran", "--from", "module.f90"),
            "module.f90:4: scores is inside of a module, from where it cannot be called -> write it outside",
        ),
        (("onnx", "--from", "mine.c"), "is no file for onnx"),
        (("node", "--from", "none.mjs"), "cannot be read: No such file"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_is_refused_and_nothing_written(words: tuple[str, ...], said: str) -> None:
    code, printed = harness("new", "impl", "mine", *words, "--suite", "suite")
    assert code == 2
    assert said in " ".join(printed.split())
    assert sorted(path.name for path in Path("suite/mine").iterdir()) == ["case.toml", "mine.py"]


def test_a_model_is_copied_as_it_is() -> None:
    Path("any.onnx").write_bytes(b"\x00a model")
    code, said = harness("new", "impl", "mine", "onnx", "--from", "any.onnx", "--suite", "suite")
    assert code == 0, said
    assert Path("suite/mine/mine.onnx").read_bytes() == b"\x00a model"
