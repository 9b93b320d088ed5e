"""Good small files of every kind: those of the repository, and made ones."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from safetensors.numpy import save

from harness.model import (
    Absent,
    Basis,
    Cell,
    Check,
    Consensus,
    ErrorStats,
    Examined,
    Exhibit,
    Failure,
    Footer,
    Header,
    Mode,
    Observation,
    Pair,
    Precision,
    RuntimeInfo,
    SampleVerdict,
    Source,
    Truth,
    Verdict,
)
from harness.model.article import (
    Block,
    BlockDifference,
    BlockKind,
    BlockVerdict,
    ChunkLine,
    Count,
    Finding,
    Kind,
    Severity,
)
from harness.store.cases import load_case
from harness.store.provenance import Provenance
from harness.store.record import RecordWriter
from harness.store.snapshots import Head, write_snapshot
from harness.store.truths import write_truths
from tests.damage.containers import KEY

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "reference_impls"
SUITES = (SUITE, ROOT / "tests" / "suites", ROOT / "tests" / "node" / "suite")
FIXTURES = (ROOT / "fixtures", ROOT / "tests" / "suites" / "fixtures")
SMALL = 8192
"""Bytes of a file of the repository that is damaged."""


def toml_files(name: str) -> list[bytes]:
    """The small files of this name in all suites."""
    found = [path for suite in SUITES for path in sorted(suite.glob(f"*/{name}"))]
    return [path.read_bytes() for path in found if path.stat().st_size <= SMALL]


def cases() -> list[bytes]:
    """Cases of the suites."""
    return toml_files("case.toml")


def suites() -> list[bytes]:
    """The stanzas of a suite, and those of the package."""
    builtin = (ROOT / "harness" / "runtimes" / "runtimes.toml").read_bytes()
    node = (ROOT / "tests" / "node" / "suite" / "suite.toml").read_bytes()
    renamed = builtin.replace(b'id = "', b'id = "my_').replace(b'suffix = "', b'suffix = ".my')
    return [node, node + renamed[renamed.index(b"[[") :], b""]


def fixtures() -> list[bytes]:
    """fixture.toml of every kind of generator, and with word vectors."""
    found = [path for folder in FIXTURES for path in sorted(folder.glob("*/fixture.toml"))]
    return [path.read_bytes() for path in found if path.stat().st_size <= SMALL]


def array_files() -> list[bytes]:
    """Safetensors files: of the fixtures, and of every dtype."""
    found = [path for folder in FIXTURES for path in sorted(folder.glob("*/arrays.safetensors"))]
    every = {
        name: np.ones((2, 1, 3), name)
        for name in ("bool", "int8", "uint16", "int64", "float16", "float32", "float64", "complex64")
    }
    made = save({**every, "scalar": np.array(2.5), "empty": np.zeros((0, 3))}, {"a": "note"})
    half = save({"b": np.ones(4, np.uint16)}).replace(b'"U16"', b'"BF16"').replace(b"<", b"=")
    return [*(path.read_bytes() for path in found if path.stat().st_size <= SMALL), made, _fitted(half)]


def _fitted(data: bytes) -> bytes:
    """A safetensors file after its header has changed in length."""
    end = data.index(b"}}") + 2
    return (end - 8).to_bytes(8, "little") + data[8:end] + data[-8:]


def npys() -> list[bytes]:
    """Arrays of several dtypes and orders."""
    arrays = (
        np.arange(6.0).reshape(2, 3), np.asfortranarray(np.ones((2, 2), np.float32)), np.array(True),
        np.zeros((0, 2), np.int16), np.array([1 + 2j]), np.array([1, 2], ">i4"), np.array(["a"]),
        np.array([(1, 2.0)], "i4,f8"), np.array(["2020-01-01"], "M8[D]"),
    )  # fmt: skip
    return [_npy(array) for array in arrays]


def tables() -> list[bytes]:
    """CSV files with and without a head, text, gaps and quotes."""
    return [
        b"x,y\n1,2.5\n3,-4e-3\n", b"1;2\n3;4\n", b"a\tb\n1\tNA\n2\t\n", b'"a b","c ""d"""\r\n1,2\r\n',
        b"name,x\nfirst,1\nsecond,2\n", b"\xef\xbb\xbfx\n1\n", b"x\nTRUE\nFALSE\n",
    ]  # fmt: skip


def mats() -> list[bytes]:
    """MATLAB files of formats 4 and 5, with and without compression."""
    from scipy.io import savemat

    found = []
    arrays = {"x": np.arange(6.0).reshape(2, 3), "z": np.array([1 + 2j]), "n": np.array([[1, 2]], np.int16)}
    for values in (arrays, {**arrays, "s": {"a": np.eye(2), "b": "text"}, "c": np.array(["a", 1], object)}):
        for compressed in (False, True):
            built = io.BytesIO()
            savemat(built, values, do_compression=compressed)
            found.append(built.getvalue())
    built = io.BytesIO()
    savemat(built, {"x": arrays["x"]}, format="4")
    return [*found, built.getvalue()]


def parquets() -> list[bytes]:
    """Parquet files with gaps, text and several compressions."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"x": [1.5, None, 2.0], "n": [1, 2, 3], "t": ["a", "b", None], "b": [True, None, False]})
    found = []
    for compression in ("none", "snappy", "gzip"):
        built = io.BytesIO()
        pq.write_table(table, built, compression=compression)
        found.append(built.getvalue())
    return found


def tensors() -> list[bytes]:
    """Tensors as ONNX writes them: the type, the shape, a name and the numbers, raw or one by one."""
    raw = np.arange(6.0).tobytes()
    packed = np.array([1.0, 2.0], "<f4").tobytes()
    return [
        b"\x08\x02\x08\x03\x10\x0b\x42\x01x\x4a" + bytes([len(raw)]) + raw,
        b"\x08\x02\x10\x01\x42\x01y\x22" + bytes([len(packed)]) + packed,
        b"\x0a\x01\x02\x10\x07\x3a\x02\x01\x02",
    ]


def _npy(array: Any) -> bytes:
    built = io.BytesIO()
    np.save(built, array, allow_pickle=False)
    return built.getvalue()


def npzs() -> list[bytes]:
    """Archives of arrays, stored and compressed."""
    arrays: dict[str, Any] = {
        "a": np.arange(6.0).reshape(2, 3),
        "b": np.ones(3, np.float32),
        "c": np.array(1),
    }
    files = []
    for write, names in ((np.savez, "abc"), (np.savez_compressed, "ab"), (np.savez, "c")):
        built = io.BytesIO()
        write(built, **{name: arrays[name] for name in names})
        files.append(built.getvalue())
    return files


def records() -> list[bytes]:
    """A record with every kind of line, one of an older schema's fields, and one of a document alone."""
    case = load_case(SUITE / "four_word")
    known = load_case(SUITE / "sentiment_backward").known_divergences[0]
    cases = (msgspec.structs.replace(case, published=(), known_divergences=(known,)),)
    header = Header(
        schema=3, harness="0.1.0", protocol=1, started="2026-01-01T00:00:00+00:00", suite="reference_impls",
        python="3.11.2", platform="Linux", cpu="a CPU", cores=2, locale="C",
        runtimes={
            name: RuntimeInfo(runtime=name, language=name.title(), version="1.2.3", dtypes=("float64",))
            for name in ("numpy", "r")
        },
        absent=(Absent(runtime="julia", language="Julia", reason="none here", advice=("get it",)),),
        fixtures={"four_word": "00"}, cases=cases,
    )  # fmt: skip
    stats = ErrorStats(
        count=12, max_abs=1e-3, max_abs_index=(0, 2), max_rel=0.1, max_rel_index=(0, 1), max_ulp=3.0,
        max_ulp_index=(1, 1), ulp_histogram=(11, 1), beyond=1, first_beyond=(0, 2), used=1.5,
    )  # fmt: skip
    cells = [
        _cell("Q", "PASS", limit=1e-9, basis=Basis.DERIVED, ulp_error=1.0, worst_sample="default"),
        _cell("K", "FAIL", reason="is off", stats=stats, limit=1e-9, basis=Basis.DERIVED, elements=12),
        _cell("K", "FAIL", mode=Mode.ISOLATED, stats=stats, basis=Basis.COARSE, weaker_because="unknown"),
        _cell("weights", "XFAIL", stats=stats, divergence=known.id),
        _cell("attention", "XFAIL", stats=stats, divergence=known.id, inherited=True),
        _cell("scores", "ERROR", reason="a fault", detail="a traceback\nin two lines"),
        _cell("scores", "NOT_RUN", implementation="julia", language="Julia", source=Source.NONE),
        _cell("V", "PASS", check=Check.ORACLE, against="truth", stats=stats, limit=float("inf"), undecided=2),
    ]
    cells[0] = msgspec.structs.replace(
        cells[0], by_sample=(SampleVerdict(sample="default", verdict=Verdict.PASS, used=0.5, max_abs=1e-17),)
    )
    pair = Pair(
        case="four_word",
        stage="K",
        precision=Precision.FLOAT64,
        left="numpy",
        right="r",
        agree=False,
        stats=stats,
    )
    consensus = Consensus(
        case="four_word", stage="K", precision=Precision.FLOAT64, clusters=(("numpy", "julia"), ("r",)),
        by_majority=("r",), by_oracle=("r",),
    )  # fmt: skip
    exhibit = Exhibit(
        case="four_word", stage="weights", sample="default", implementation="r", precision=Precision.FLOAT64,
        show="heatmap", shape=(2, 2), values=(0.25, 0.75, float("nan"), 1.0), labels=("a", "b"),
    )  # fmt: skip
    curve = msgspec.structs.replace(exhibit, stage="attention", show="curve", shape=(4,), labels=())
    differs = BlockVerdict(
        kind=BlockKind.DIFFERS, reason="a number", numbers=4, differing=1,
        first=BlockDifference(kind="number", published="0.5", produced="0.25", published_line=2, units=25.0),
    )  # fmt: skip
    document = Examined(
        document="a.md", title="A title", sha256="00", counts=(Count(language="r", total=3, run=3, sound=2),),
        chunks=(ChunkLine(line=5, language="r", outcome="ran", seconds=0.25, plots=("a plot",)),),
        blocks=(Block(line=7, chunk=0, language="r", verdict=differs),),
        findings=(
            Finding(
                document="a.md", line=3, language="r", chunk=0, kind=Kind.CHUNK_FAILS,
                severity=Severity.WRONG,
                evidence="what was measured", consequence="what comes of it", smallest="x = 1",
            ),
        ),
        runtimes={"r": "R 4.2.2"}, notes=("a note",), missing={"purrr": "is not installed"}, seconds=9.0,
    )  # fmt: skip
    footer = Footer(partial=False, seconds=1.5, start_up={"r": 0.5}, busy={"r": 0.25}, complaints=("slow",))
    lines: tuple[Any, ...] = (*cells, pair, consensus, exhibit, curve, document)
    return [
        _record(header, chosen, footer) for chosen in (lines, (cells[0],), (document,), (exhibit, cells[3]))
    ]


def _cell(stage: str, verdict: str, **more: Any) -> Cell:
    fields: dict[str, Any] = {
        "case": "four_word", "implementation": "r", "language": "R", "mode": Mode.CHAINED,
        "precision": Precision.FLOAT64, "check": Check.REFERENCE, "against": "numpy", "source": Source.LIVE,
        "samples": 1, "seconds": 0.001,
    }  # fmt: skip
    return Cell(stage=stage, verdict=Verdict(verdict), **{**fields, **more})


def _record(header: Header, lines: tuple[Any, ...], footer: Footer) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "results.jsonl")
        with RecordWriter(path) as writer:
            writer.header(header)
            for line in lines:
                writer.write(line)
            writer.footer(footer)
        return path.read_bytes()


def snapshots() -> list[bytes]:
    """Snapshots of a reference: of the repository, and one with odd arrays and a failure."""
    head = Head(
        format=1, case="toy", implementation="r", precision=Precision.FLOAT64, fixture="toy",
        made_from=Provenance(source="s", reference="r", fixture="f", graph="g", protocol=1),
        runtime=RuntimeInfo(runtime="r", language="R", version="4.2.2", dtypes=("float64",)),
        cpu="a processor", harness="0.1.0", recorded="2026-01-02", values="", base="",
    )  # fmt: skip
    arrays: dict[str, Any] = {
        "scalar": np.array(-0.0), "empty": np.zeros((0, 3)), "single": np.array([1.5, -2.5], np.float32),
        "truth": np.array([True, False]), "complex": np.array([1 + 2j]), "whole": np.array([[1, -(2**60)]]),
    }  # fmt: skip
    observed: dict[tuple[str, str], Observation | Failure] = {
        ("default", name): Observation(outputs={name: array}, seconds=1.0) for name, array in arrays.items()
    }
    observed["default", "failed"] = Failure(verdict=Verdict.TIMEOUT, reason="too slow")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "made")
        write_snapshot(
            made, head, observed, {**observed, ("default", "scalar"): observed["default", "truth"]}, {}
        )
        data = made.read_bytes()
    kept = ROOT / "fixtures" / "snapshots"
    return [
        data,
        *((kept / name / "numpy.float64.safetensors").read_bytes() for name in ("four_word", "multi_head")),
    ]


def truths() -> list[bytes]:
    """True values as the cache keeps them."""
    known = Truth(
        high=np.array([[1.0, -2.5], [4.0, np.inf]]),
        low=np.zeros((2, 2)),
        limit=np.ones((2, 2), np.float32),
        worst=0.1,
    )
    odd = Truth(
        high=np.array([3.0, 5.0]), low=np.zeros(2), limit=np.ones(2), worst=2.0**-1074,
        undecided=np.array([False, True]), reach=np.array([np.nan, 7.0]), why="x > 0 (line 3 of a.py)",
    )  # fmt: skip
    in_two = Truth(high=np.array([1 + 2j]), low=np.array([0j]), limit=np.array([0.5]), worst=1.5)
    every: dict[tuple[str, str], Truth | Failure] = {
        ("one", "a"): known, ("one", "b"): Failure(verdict=Verdict.NOT_RUN, reason="none"),
        ("two", "a"): odd, ("two", "c"): in_two,
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        write_truths(Path(folder), KEY, every)
        write_truths(Path(folder), "other", {("one", "a"): known})
        return [path.read_bytes() for path in sorted(Path(folder, "truths").iterdir())]


def vectors() -> list[bytes]:
    """Word vectors in GloVe's format."""
    shipped = (ROOT / "fixtures" / "sentiment" / "vectors.txt").read_bytes().split(b"\n")
    return [b"the 0.1 -0.2 1e-3\nof 1 2 3\n", "a 1\nnaïve 2.5\n".encode(), b"\n".join(shipped[:3]) + b"\n"]


def words() -> list[bytes]:
    """Word lists."""
    return [b"the\nof\n", "a\nnaïve\nthe\n".encode()]


def notebooks() -> list[bytes]:
    """Notebooks of format 4, with every kind of cell and output."""
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["1\n", "2\n"]},
        {
            "output_type": "execute_result",
            "execution_count": 1,
            "metadata": {},
            "data": {"text/plain": ["3"]},
        },
        {"output_type": "display_data", "metadata": {}, "data": {"text/plain": "4", "image/png": "aGk="}},
        {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": ["\u001b[31mno"]},
    ]
    code = {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {"tags": ["skip-execution"]},
        "outputs": outputs,
    }
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# A title\n", "text"]},
        {**code, "source": ["#| label: one\n", "print(1)\n"]},
        {**code, "metadata": {}, "outputs": [], "source": "%%R\nx <- 1"},
        {"cell_type": "raw", "metadata": {}, "source": "raw"},
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    whole = {"nbformat": 4, "nbformat_minor": 4, "metadata": kernel, "cells": cells}
    with_ids = [{**cell, "id": f"c{number}"} for number, cell in enumerate(cells)]
    return [
        json.dumps(whole, indent=1).encode(),
        json.dumps({**whole, "nbformat_minor": 5, "cells": with_ids, "metadata": {"title": "T"}}).encode(),
        json.dumps({**whole, "cells": []}).encode(),
    ]


MARKDOWN = """\
---
title: "Of words"
output: html_document
execute:
  echo: false
knitr:
  opts_chunk: {comment: "##", eval: !expr 1 > 0}
---

# A heading {#id .class}

```{r first, echo = FALSE, fig.cap = "a, b", eval = c(1, 2)}
x <- c(1, 2)
x
#> [1] 1 2
```

::: {.panel-tabset}
## R

```{python}
#| label: second
#| eval: true
print(1)
```

```
1
```

## Julia

```{{julia}}
1 + 1
```
:::

The file `words.csv`:

```csv
a,b
1,2
```

- a list

  ```julia
  julia> 1 + 1
  2

  julia> using LinearAlgebra
  ```

> a quote

~~~ r
> mean(1:3)
[1] 2
~~~
"""


def markdown() -> list[bytes]:
    """Documents with front matter, chunks, tabs, lists, transcripts and data."""
    plain = MARKDOWN[MARKDOWN.index("# A") :].replace(
        '{r first, echo = FALSE, fig.cap = "a, b", eval = c(1, 2)}', "r"
    )
    return [
        MARKDOWN.encode(),
        plain.encode(),
        b"# T\n\n```python\n>>> 1\n1\n```\n",
        MARKDOWN.replace("\n", "\r\n").encode(),
    ]


def frames() -> list[bytes]:
    """What a worker writes: hello, load, two calls; and as a session: hello, eval, get."""
    runtime = {
        "language": "R", "version": "4.2.2", "hosting": "rpy2", "libraries": {"base": "4.2.2"}, "blas": "a",
        "threads": 1, "dtypes": ["float64"], "platform": "Linux", "scalars": True,
    }  # fmt: skip
    hello = {"id": 1, "result": {"protocol": 1, "runtime": runtime}}
    array = [{"dtype": "float64", "shape": [2, 1], "order": "F"}]
    values = b"\0" * 6 + b"\xf0\x3f" + b"\0" * 6 + b"\x00\x40"
    load = {
        "id": 2,
        "result": {"handle": "h", "problems": [{"stage": "Q", "kind": "missing", "message": "m"}]},
    }
    call = {"id": 3, "result": {"seconds": 0.25}, "arrays": array}
    wrong = {"id": 4, "error": {"kind": "call", "message": "no", "line": 3, "detail": "a trace"}}
    evaluated = {"id": 2, "result": {"ok": True, "error": None, "seconds": 0.5, "warnings": [], "plots": []}}
    failed = {
        "id": 2,
        "result": {"ok": False, "error": {"message": "no", "line": 2, "kind": "x"}, "seconds": 1},
    }
    got = {"id": 3, "result": {"values": [{"array": True}, {"why": "none"}]}, "arrays": array}
    return [
        _framed(hello, load, call, values, wrong),
        _framed(hello, evaluated, got, values),
        _framed(hello, failed, got, values),
    ]


def _framed(*pieces: Mapping[str, Any] | bytes) -> bytes:
    return b"".join(
        piece if isinstance(piece, bytes) else json.dumps(piece).encode() + b"\n" for piece in pieces
    )


Corpus = Callable[[], list[bytes]]
