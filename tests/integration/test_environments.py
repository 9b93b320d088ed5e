"""Places and settings in which the harness runs as anywhere, or ends with a sentence that says why not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import pytest

from harness.model import Mode, Outcome, Source, Verdict, outcome_of
from harness.store.record import read_record
from tests.integration.one_case import write_case

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="mounts, limits and paths of Linux"),
    pytest.mark.usefixtures("interpreted_julia"),
]
ROOT = Path(__file__).parents[2]
CASE = """
[case]
name = "toy"
title = "Twice, and one"
origin = "made up"
fixture = "toy"
reference = "numpy"
timeout = 120

[inputs]
x = ["n"]

[[stage]]
name = "twice"
inputs = ["x"]
shape = ["n"]
tolerance = { rule = "exact" }

[[stage]]
name = "more"
inputs = ["twice"]
shape = ["n"]
tolerance = { rule = "exact" }
"""
PYTHON = "def twice(x):\n    return 2 * x\n\n\ndef more(twice):\n    return twice + 1\n"
SOURCES = {
    "numpy": (".py", PYTHON),
    # What NumPy is compared with where there is nothing else.
    "numpy.same": (".same.py", f"# A file of its own.\n{PYTHON}"),
    "r": (".R", "twice <- function(x) 2 * x\nmore <- function(twice) twice + 1\n"),
    "julia": (".jl", "twice(x) = 2 .* x\nmore(twice) = twice .+ 1\n"),
    "torch": ("_torch.py", PYTHON),
}
NUMPY = pytest.param(("numpy", "numpy.same"), id="numpy")
R = pytest.param(("numpy", "r"), marks=pytest.mark.r, id="r")
# Julia and PyTorch take seconds to start: all languages side by side, with several oddities at once.
ALL = ("numpy", "r", "julia", "torch")
OF_ALL = [pytest.mark.r, pytest.mark.julia, pytest.mark.torch, pytest.mark.slow]
TOGETHER = pytest.param(ALL, marks=OF_ALL, id="all")

Languages = tuple[str, ...]


def put_suite(folder: Path, languages: Languages) -> Path:
    files = {f"toy{ending}": text for ending, text in (SOURCES[language] for language in languages)}
    write_case(folder, "toy", CASE, files, [1.0, 2.5, -4.0])
    return folder


def run(
    suite: Path,
    out: Path | None,
    *,
    before: str = "",
    within: Sequence[str] = (),
    unset: Sequence[str] = (),
    settings: Mapping[str, str] = MappingProxyType({}),
) -> tuple[int, str]:
    """``harness run`` in a shell, after other commands of it; its exit code, and what it printed."""
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    words = [sys.executable, "-m", "harness", "run", "--suite", str(suite)]
    words += [] if out is None else ["--out", str(out)]
    done = subprocess.run(
        [*within, "sh", "-ec", f'{before}\nexec "$@"', "sh", *words],
        env={**environment, "PYTHONPATH": str(ROOT), **settings},
        cwd=suite.parent,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=300,
        check=False,
    )
    printed = done.stdout + done.stderr
    assert "Traceback" not in printed
    return done.returncode, printed


def all_pass(ran: tuple[int, str], out: Path, languages: Languages) -> None:
    """Every language computed everything, live, and all agree."""
    code, printed = ran
    assert code == 0, printed
    record = read_record(out / "results.jsonl")
    assert outcome_of(record).outcome is Outcome.AGREEMENT
    cells = {(cell.implementation, cell.stage, cell.mode): cell for cell in record.cells}
    for language in languages[1:]:
        for stage in ("twice", "more"):
            for mode in Mode:
                cell = cells[language, stage, mode]
                assert (cell.verdict, cell.source) == (Verdict.PASS, Source.LIVE), cell
    assert record.footer is not None
    assert record.footer.complaints == ()


SETTINGS: dict[str, dict[str, str | None]] = {
    "C": {"LANG": "C", "LC_ALL": "C"},
    "a locale that is not here": {"LC_ALL": "tr_TR.UTF-8"},
    "a home that cannot be made": {"HOME": "/proc/no/home"},
    "no home": {"HOME": None, "XDG_CACHE_HOME": None},
}


@pytest.mark.parametrize(
    ("languages", "names"),
    [
        *(pytest.param(("numpy", "numpy.same"), (name,), id=name) for name in SETTINGS),
        pytest.param(ALL, ("C", "no home"), marks=OF_ALL, id="all-C"),
        pytest.param(
            ALL, ("a locale that is not here", "a home that cannot be made"), marks=OF_ALL, id="all-wrong"
        ),
    ],
)
def test_other_settings(tmp_path: Path, languages: Languages, names: tuple[str, ...]) -> None:
    suite, out = put_suite(tmp_path / "suite", languages), tmp_path / "out"
    chosen = {variable: value for name in names for variable, value in SETTINGS[name].items()}
    unset = [variable for variable, value in chosen.items() if value is None]
    settings = {variable: value for variable, value in chosen.items() if value is not None}
    all_pass(run(suite, out, unset=unset, settings=settings), out, languages)


NAMES = {
    "spaces": "a  b c",
    "unicode": "éß 本 𝔸",
    "quotes": 'it\'s "so"',
    "others": "a$HOME`b`\\n%s{x}#;&*?",
}


@pytest.mark.parametrize(
    ("languages", "name"),
    [
        *(pytest.param(*each.values, text, marks=each.marks, id=f"{name}-{each.id}")
          for name, text in NAMES.items() for each in (NUMPY, R)),
        pytest.param(ALL, " ".join(NAMES.values()), marks=OF_ALL, id="all"),
    ],
)  # fmt: skip
def test_folders_of_any_name(tmp_path: Path, languages: Languages, name: str) -> None:
    folder = tmp_path / name
    (folder / "tmp").mkdir(parents=True)
    # A command that takes the name for several words removes it.
    precious = tmp_path / "a" / "precious"
    precious.parent.mkdir()
    precious.touch()
    suite, out = put_suite(folder / "suite", languages), folder / "out"
    all_pass(run(suite, out, settings={"TMPDIR": str(folder / "tmp")}), out, languages)
    assert not list((folder / "tmp").iterdir())
    assert precious.exists()
    assert {path.name for path in tmp_path.iterdir()} == {"a", name}


@pytest.mark.parametrize(
    ("languages", "said"),
    [
        pytest.param(("numpy", "numpy.same"), "", id="numpy"),
        # R keeps a hundred for itself.
        pytest.param(
            ("numpy", "r"),
            "Fatal error: the limit on the number of open files is too low",
            marks=pytest.mark.r,
            id="r",
        ),
        pytest.param(
            ("numpy", "julia", "torch"),
            "",
            marks=[pytest.mark.julia, pytest.mark.torch, pytest.mark.slow],
            id="julia-torch",
        ),
    ],
)
def test_few_open_files(tmp_path: Path, languages: Languages, said: str) -> None:
    suite, out = put_suite(tmp_path / "suite", languages), tmp_path / "out"
    code, printed = run(suite, out, before="ulimit -n 64")
    if not said:
        all_pass((code, printed), out, languages)
        return
    assert code == 4, printed
    cells = [cell for cell in read_record(out / "results.jsonl").cells if cell.implementation == "r"]
    assert len(cells) == 4
    for cell in cells:
        assert cell.verdict is Verdict.ERROR
        assert said in cell.reason


MOUNTS = ["unshare", "--map-root-user", "--mount"]


@pytest.fixture(scope="module")
def mounts() -> list[str]:
    """Runs a command where it may mount, for itself alone."""
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare")
    tried = subprocess.run([*MOUNTS, "mount", "-t", "tmpfs", "x", "/mnt"], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip(f"nothing can be mounted here: {tried.stderr.decode()}")
    return MOUNTS


@pytest.mark.parametrize("languages", [NUMPY, TOGETHER])
def test_a_temporary_folder_without_programs(tmp_path: Path, languages: Languages, mounts: list[str]) -> None:
    suite, out, temporary = put_suite(tmp_path / "suite", languages), tmp_path / "out", tmp_path / "tmp"
    temporary.mkdir()
    before = f"mount -t tmpfs -o noexec x '{temporary}'; cp /bin/true '{temporary}'; ! '{temporary}/true'"
    ran = run(suite, out, before=before, within=mounts, settings={"TMPDIR": str(temporary)})
    all_pass(ran, out, languages)


@pytest.mark.parametrize("languages", [NUMPY, TOGETHER])
def test_nothing_can_be_written_but_results(tmp_path: Path, languages: Languages, mounts: list[str]) -> None:
    here, out = tmp_path / "here", tmp_path / "out"
    suite = put_suite(here / "suite", languages)
    cache = here / "cache"
    cache.mkdir()
    before = "\n".join(
        f"mount --bind '{path}' '{path}'; mount -o remount,bind,ro '{path}'; ! touch '{path}/written'"
        for path in (ROOT, here)
    )
    before += f"\ncd '{here}'"
    settings = {"HARNESS_CACHE": str(cache)}
    all_pass(run(suite, out, before=before, within=mounts, settings=settings), out, languages)
    assert not list(cache.iterdir())
    code, printed = run(suite, None, before=before, within=mounts, settings=settings)
    assert code == 2, printed
    assert "results: cannot write here: Read-only file system" in printed
    assert "give --out another folder" in printed


# No test may set the machine's clock: programs that load this get another time once a file is there.
CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long set_back(void) { return access(getenv("CLOCK_IS_SET_BACK"), F_OK) ? 0 : 9 * 86400; }

int clock_gettime(clockid_t clock, struct timespec *now) {
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec -= set_back();
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

int timespec_get(struct timespec *now, int base) {
    clock_gettime(CLOCK_REALTIME, now);
    return base;
}

time_t time(time_t *now) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (now) *now = exact.tv_sec;
    return exact.tv_sec;
}
"""
# Each says how far its own clock was set back in the call, as the test must not pass where it was not.
CLOCKS = {
    "numpy": """
import time

def twice(x):
    before = time.time()
    open("{mark}", "w").close()
    open("{said}", "w").write(str(before - time.time()))
    return 2 * x

def more(twice):
    return twice + 1
""",
    "r": """
twice <- function(x) {{
  before <- Sys.time()
  file.create("{mark}")
  cat(as.numeric(before) - as.numeric(Sys.time()), file = "{said}")
  2 * x
}}
more <- function(twice) twice + 1
""",
    "julia": """
function twice(x)
    before = time()
    touch("{mark}")
    write("{said}", string(before - time()))
    return 2 .* x
end
more(twice) = twice .+ 1
""",
}


@pytest.mark.parametrize(
    "language",
    [
        "numpy",
        pytest.param("r", marks=pytest.mark.r),
        pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow]),
    ],
)
def test_a_clock_that_is_set_back_in_a_call(tmp_path: Path, language: str) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    library, mark, said = (tmp_path / name for name in ("clock.so", "mark", "said"))
    (tmp_path / "clock.c").write_text(CLOCK, encoding="ascii")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", str(library), str(tmp_path / "clock.c"), "-ldl"], check=True
    )
    languages = ("numpy", "numpy.same") if language == "numpy" else ("numpy", language)
    suite, out = put_suite(tmp_path / "suite", languages), tmp_path / "out"
    ending = SOURCES[languages[1]][0]
    text = CLOCKS[language].format(mark=mark, said=said)
    (suite / "toy" / f"toy{ending}").write_text(text, encoding="utf-8")
    settings = {"LD_PRELOAD": str(library), "CLOCK_IS_SET_BACK": str(mark)}
    all_pass(run(suite, out, settings=settings), out, languages)
    assert 8 * 86400 < float(said.read_text(encoding="ascii")) <= 9 * 86400
    record = read_record(out / "results.jsonl")
    assert record.footer is not None
    assert 0 < record.footer.seconds < 300
