"""Every kind of file that is read: its good files, how they are damaged, and what reads them."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import random
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from harness.documents.parse import parse_document
from harness.documents.patch import load_document_specs
from harness.errors import HarnessError, ImplementationError, WorkerError
from harness.findings.knowledge import load_knowledge
from harness.model import Case
from harness.numerics import compare
from harness.report.files import Request, rendered
from harness.runtimes.child import ChildEnded
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
from harness.sessions.printed_text import CapturedText
from harness.sessions.session import Session
from harness.store.arrays import bfloat16_in, read_array_file
from harness.store.cases import load_case
from harness.store.data_files import read_data
from harness.store.fixtures import load_fixture
from harness.store.glove import read_vectors
from harness.store.provenance import graph_hash
from harness.store.record import read_record
from harness.store.regenerate import check
from harness.store.snapshots import read_head, read_snapshot
from harness.store.truths import read_truths
from tests.damage import corpus, pages
from tests.damage.containers import (
    KEY,
    damage_frames,
    damage_npy,
    damage_npz,
    damage_record,
    damage_safetensors,
    damage_snapshot,
    damage_truths,
)
from tests.damage.mutations import damage_bytes, damage_json, damage_text, damage_toml

Damage = Callable[[random.Random, bytes, Sequence[bytes]], bytes | None]


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of file.

    ``read`` writes the file into an empty folder and reads it; it raises what the project raises. ``inside``
    damages what the format holds; ``words`` are texts that mean something in the format. ``share`` is how
    many of a thousand inputs are of this kind. ``lines`` says whether an error has a line.
    """

    name: str
    files: Callable[[], list[bytes]]
    read: Callable[[Path, bytes], None]
    inside: Damage | None = None
    words: tuple[bytes, ...] = ()
    share: int = 50

    @functools.cache  # noqa: B019 - a kind is made once
    def good(self) -> list[bytes]:
        """The good files."""
        return self.files()

    def damage(self, rng: random.Random, data: bytes) -> bytes:
        """A file that differs from this one."""
        damaged: bytes | None = None
        how = rng.random()
        if self.inside is not None and how < 0.6:
            # What is nested too deeply to be copied or written is damaged as bytes.
            with contextlib.suppress(RecursionError):
                damaged = self.inside(rng, data, self.good())
        elif how < 0.8:
            damaged = damage_text(rng, data, self.good(), self.words)
        return damage_bytes(rng, data, self.good(), self.words) if damaged is None else damaged


def _put(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


_NAME = re.compile(
    rb"""^[ \t]*(?:case[ \t]*=[ \t]*\{.*?)?["']?name["']?\s*=\s*["']([A-Za-z0-9_]{1,60})["']""", re.MULTILINE
)


def _named(data: bytes) -> str:
    """The name in a file's head, which its folder has to have."""
    found = _NAME.search(data)
    return found[1].decode() if found else "damaged"


def _read_case(folder: Path, data: bytes) -> None:
    case = load_case(_put(folder / _named(data) / "case.toml", data).parent)
    graph_hash(case)
    msgspec.json.encode(case)


def _read_suite(folder: Path, data: bytes) -> None:
    _put(folder / "suite.toml", data)
    _put(folder / "toy" / "toy.py", b"")
    Registry.load(folder).implementations(folder / "toy")


def _read_document_toml(folder: Path, data: bytes) -> None:
    _put(folder / "toy" / "document.toml", data)
    load_document_specs(folder)


def _read_probes(folder: Path, data: bytes) -> None:
    _put(folder / "toy" / "probes.toml", data)
    load_knowledge(folder)


@functools.cache
def _cases() -> dict[str, tuple[Case, Path]]:
    """A case of every fixture, and the fixture's folder."""
    found = {}
    for suite in (corpus.ROOT / "tests" / "suites", corpus.SUITE):
        for path in sorted(suite.glob("*/case.toml")):
            case = load_case(path.parent)
            for fixtures in corpus.FIXTURES:
                if (fixtures / case.fixture / "fixture.toml").is_file():
                    found[case.fixture] = (case, fixtures / case.fixture)
    return found


def _fixture(folder: Path, data: bytes, arrays: bytes | None = None) -> None:
    case, kept = _cases().get(_named(data), _cases()["four_word"])
    _put(folder / "suite" / case.name / "case.toml", b"")
    where = folder / "fixtures" / case.fixture
    _put(
        where / "arrays.safetensors", (kept / "arrays.safetensors").read_bytes() if arrays is None else arrays
    )
    for name in ("words.txt", "vectors.txt"):
        if (kept / name).is_file():
            _put(where / name, (kept / name).read_bytes())
    _put(where / "fixture.toml", data)
    problems: list[HarnessError] = []
    for read in (lambda: load_fixture(case, folder / "suite"), lambda: check(where)):
        try:
            read()
        except HarnessError as problem:
            problems.append(problem)
    for problem in problems:
        raise problem


def _read_arrays(folder: Path, data: bytes) -> None:
    sha256 = hashlib.sha256(data).hexdigest()
    head = b"".join(
        line if not line.startswith(b"sha256") else f'sha256 = "{sha256}"\n'.encode()
        for line in (corpus.ROOT / "fixtures" / "four_word" / "fixture.toml")
        .read_bytes()
        .splitlines(keepends=True)
    )
    problem: HarnessError | None = None
    try:
        _fixture(folder, head, data)
    except HarnessError as error:
        problem = error
    _read_array_file(".safetensors", folder, data)
    if problem is not None:
        raise problem


def _read_data(suffix: str, folder: Path, data: bytes) -> None:
    for array in read_data(_put(folder / f"given{suffix}", data)).arrays.values():
        if array.size < 1 << 16:
            compare(array, array, limit=0.0)


def _read_array_file(suffix: str, folder: Path, data: bytes) -> None:
    path = _put(folder / f"given{suffix}", data)
    arrays = read_array_file(path)
    bfloat16_in(path)
    for array in arrays.values():
        if array.size < 1 << 16:
            compare(array, array, limit=0.0)


def _read_record(folder: Path, data: bytes) -> None:
    record = read_record(_put(folder / "results.jsonl", data))
    rendered(
        Request(record=record, base=record, earlier=[record]), ("html", "junit", "markdown", "badge", "csv")
    )
    _shown(record)


def _shown(record: Any) -> None:
    """What the commands print of a record."""
    import io

    from rich.console import Console

    from harness.report import diff, history, terminal

    history.summarize(record)
    diff.compare(record, record)
    terminal.render(record, Console(file=io.StringIO(), width=100))


def _read_snapshot(folder: Path, data: bytes) -> None:
    path = _put(folder / "numpy.float64.safetensors", data)
    read_head(path)
    read_snapshot(path, None)


def _read_truths(folder: Path, data: bytes) -> None:
    _put(folder / "truths" / f"{KEY}.safetensors", data)
    read_truths(folder, KEY)


def _read_vectors(folder: Path, data: bytes) -> None:
    path = _put(folder / "vectors.txt", data)
    read_vectors(path, ["the", "naïve"])
    read_vectors(path, ["the"], dimensions=3)


def _read_document(suffix: str, folder: Path, data: bytes) -> None:
    document = parse_document(_put(folder / f"given{suffix}", data))
    msgspec.json.encode(document.chunks)
    load_document_specs(folder)


class Written:
    """A child process that has written these bytes and ended."""

    def __init__(self, data: bytes) -> None:
        self._data = memoryview(data)
        self.ended = False
        self.stderr_size = 0
        self.flooded = False
        self.process = self
        self.returncode = 0

    def write(self, pieces: Sequence[bytes | memoryview], until: float) -> None:
        pass

    def read_line(self, longest: int, until: float) -> bytes:
        end = bytes(self._data[:longest]).find(b"\n") + 1
        if not end and len(self._data) < longest:
            raise ChildEnded
        line, self._data = bytes(self._data[: end or longest]), self._data[end or longest :]
        return line

    def fill(self, view: memoryview, until: float) -> None:
        count = len(view)
        if len(self._data) < count:
            raise ChildEnded
        view[:] = self._data[:count]
        self._data = self._data[count:]

    def signal(self, number: int) -> None:
        self.ended = True

    def note_descendants(self) -> None:
        pass

    def wait(self, seconds: float) -> bool:
        self.ended = True
        return True

    def stderr_tail(self, most: int = 0, since: int = 0) -> str:
        return ""

    def close(self) -> None:
        pass


class NothingPrinted:
    """A pipe into which nothing was printed."""

    def take(self) -> CapturedText:
        return CapturedText("", 0)


def _read_frames(folder: Path, data: bytes) -> None:
    worker = Worker("r", Written(data), folder / "stderr")  # type: ignore[arg-type]
    session = Session("r", Written(data), folder / "stderr")  # type: ignore[arg-type]

    def as_worker() -> None:
        worker.greet(1.0)
        loaded = worker.load(folder / "toy.R", {"Q": 1}, deadline=1.0)
        for _ in range(2):
            worker.call(loaded.handle, "Q", [], outputs=1, deadline=1.0)

    def as_session() -> None:
        session.greet(1.0)
        session.eval("x", file="a.md", line=1, deadline=1.0)
        session.get(["x", "y"], deadline=1.0)

    session._pipes = (NothingPrinted(), NothingPrinted(), NothingPrinted())  # type: ignore[assignment]
    for talk in (as_worker, as_session):
        with contextlib.suppress(WorkerError, ImplementationError):
            talk()


_TOML = (
    b"[[stage]]\n",
    b"[a.b]\n",
    b"'''",
    b'"""',
    b"2020-01-01",
    b"1_0",
    b"0o7",
    b"a.b.c = 1\n",
    b"{",
    b"nan",
)
_FENCES = (
    b"```", b"~~~", b"```{r}\n", b"```{python}\n", b"---\n", b":::", b"::: {.panel-tabset}\n", b"#| eval: ",
    b"#|", b"{{", b"}", b"# ", b"> ", b"julia> ", b">>> ", b"!expr ", b"&a ", b"*a ", b"<<: ", b"\t", b"    ",
    b"title: &a [*a]\n", b"!!python/object:os.system ", b"? ", b"%YAML 9.9\n", b"2020-99-99", b"1:60:00",
    b"title: 2020-01-01\n", b"execute: {eval: [*a]}\n", b"engine: knitr\n", b"label: [1]\n",
)  # fmt: skip

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(name="case", files=corpus.cases, read=_read_case, inside=damage_toml, words=_TOML, share=70),
        Kind(name="suite", files=corpus.suites, read=_read_suite, inside=damage_toml, words=_TOML),
        Kind(
            name="document",
            files=lambda: corpus.toml_files("document.toml"),
            read=_read_document_toml,
            inside=damage_toml,
            words=_TOML,
        ),
        Kind(
            name="probes",
            files=lambda: corpus.toml_files("probes.toml"),
            read=_read_probes,
            inside=damage_toml,
            words=_TOML,
        ),
        Kind(name="fixture", files=corpus.fixtures, read=_fixture, inside=damage_toml, words=_TOML, share=70),
        Kind(name="arrays", files=corpus.array_files, read=_read_arrays, inside=damage_safetensors),
        Kind(
            name="npy",
            files=corpus.npys,
            read=functools.partial(_read_array_file, ".npy"),
            inside=damage_npy,
            share=70,
        ),
        Kind(
            name="npz",
            files=corpus.npzs,
            read=functools.partial(_read_array_file, ".npz"),
            inside=damage_npz,
            share=70,
        ),
        Kind(
            name="table",
            files=corpus.tables,
            read=functools.partial(_read_data, ".csv"),
            words=(b'"', b",", b"\r\n", b"nan", b"1e999", b"0x1p3", b"\xef\xbb\xbf", b"\xff\xfe", b"#"),
        ),
        Kind(name="mat", files=corpus.mats, read=functools.partial(_read_data, ".mat"), share=30),
        Kind(name="parquet", files=corpus.parquets, read=functools.partial(_read_data, ".parquet"), share=30),
        Kind(name="onnx", files=corpus.tensors, read=functools.partial(_read_data, ".pb"), share=30),
        Kind(name="record", files=corpus.records, read=_read_record, inside=damage_record, share=50),
        Kind(name="snapshot", files=corpus.snapshots, read=_read_snapshot, inside=damage_snapshot, share=70),
        Kind(name="truths", files=corpus.truths, read=_read_truths, inside=damage_truths),
        Kind(name="vectors", files=corpus.vectors, read=_read_vectors),
        Kind(
            name="notebook",
            files=corpus.notebooks,
            read=functools.partial(_read_document, ".ipynb"),
            inside=damage_json,
        ),
        Kind(
            name="rmd", files=corpus.markdown, read=functools.partial(_read_document, ".Rmd"), words=_FENCES
        ),
        Kind(
            name="qmd", files=corpus.markdown, read=functools.partial(_read_document, ".qmd"), words=_FENCES
        ),
        Kind(name="md", files=corpus.markdown, read=functools.partial(_read_document, ".md"), words=_FENCES),
        Kind(
            name="html",
            files=pages.html,
            read=functools.partial(_read_document, ".html"),
            words=pages.HTML_WORDS,
            share=30,
        ),
        Kind(
            name="org",
            files=pages.org,
            read=functools.partial(_read_document, ".org"),
            words=pages.ORG_WORDS,
            share=20,
        ),
        Kind(
            name="adoc",
            files=pages.ascii_doc,
            read=functools.partial(_read_document, ".adoc"),
            words=pages.ASCII_DOC_WORDS,
            share=20,
        ),
        Kind(name="frames", files=corpus.frames, read=_read_frames, inside=damage_frames, share=70),
    )
}
