"""What versions of a program print, each run by itself from one process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from harness.errors import ProvisionError
from harness.programs.alignment import LIMITS
from harness.programs.launch import as_program, command_of, record
from harness.programs.program import Program
from harness.programs.versions import printouts
from harness.sessions.sandbox import Sandbox

SANDBOX = Sandbox(kind="none", unsandboxed=True)
ENDLESS = {".py": "while True:\n    pass\n", ".R": "repeat 1\n", ".jl": "while true end\n"}
EVERYTHING = """
include("part.jl")
using Printf, Random
struct Point
    x::Float64
end
const FACTOR = 1.5
Base.:+(a::Point, b::Point) = Point(a.x + b.x)
total = 0.0
for i in 1:3
    global total += i * FACTOR
end
if abspath(PROGRAM_FILE) == @__FILE__
    Random.seed!(1)
    @printf("%.3f %s\\n", total, (Point(1) + Point(part)).x)
    println(length(ARGS), " ", rand() < 2, " ", isfile("written"), " ", basename(@__DIR__) == basename(pwd()))
end
open(file -> print(file, "some"), "written", "w")
exit()
"""


@pytest.fixture
def julia() -> None:
    """Skip where there is no Julia."""
    try:
        command_of("julia")
    except ProvisionError:
        pytest.skip("no Julia here")


def printed(
    program: Program, versions: Sequence[str], as_is: str, seconds: float = 1.0
) -> list[list[str] | None]:
    made = printouts(program, SANDBOX, versions, limits=LIMITS, seconds=seconds, as_is=as_is)
    assert made.printed is not None
    assert made.seconds > 0
    return [None if one is None else one.split() for one in made.printed]


@pytest.mark.parametrize(
    ("name", "text", "fails"),
    [
        (
            "p.py",
            "import sys\nx = 1.5\nprint(x, len(sys.argv))\n",
            "import sys\nprint(1)\nraise ValueError\n",
        ),
        ("p.R", "x <- 1.5\ncat(x, length(commandArgs(TRUE)) + 1, '\\n')\n", "cat(1)\nstop('no')\n"),
        pytest.param(
            "p.jl",
            'x = 1.5\nprint(x, " ", length(ARGS) + 1)\n',
            "print(1)\nerror(2)\n",
            marks=pytest.mark.julia,
        ),
    ],
)
def test_each_version_is_a_run_of_its_own(tmp_path: Path, name: str, text: str, fails: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    program = as_program(tmp_path / name, ["--more"])
    try:
        command_of(program.language)
    except ProvisionError:
        pytest.skip(f"no {program.language} here")
    versions = ["x = (", text, fails, ENDLESS[Path(name).suffix], text.replace("1.5", "2.5")]
    made = printed(program, versions, "1.5 2\n")
    assert made == [None, ["1.5", "2"], None, None, ["2.5", "2"]]


def test_a_version_looks_for_modules_where_the_program_does(tmp_path: Path) -> None:
    text = "import sys\nfrom pathlib import Path\nprint(sum(Path(p, 'harness').is_dir() for p in sys.path))\n"
    (tmp_path / "p.py").write_text(text, encoding="utf-8")
    program = as_program(tmp_path / "p.py")
    as_is = record(program, SANDBOX, limits=LIMITS).printed
    assert printed(program, [text], as_is) == [as_is.split()]


@pytest.mark.parametrize(("name", "text"), [("p.py", "print(1.5)\n"), ("p.R", "cat(1.5)\n")])
def test_a_version_that_takes_much_longer_than_the_program_is_ended(
    tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    program = as_program(tmp_path / name)
    try:
        command_of(program.language)
    except ProvisionError:
        pytest.skip(f"no {program.language} here")
    versions = [ENDLESS[Path(name).suffix], text.replace("1.5", "2.5")]
    limits = msgspec.structs.replace(LIMITS, chunk_seconds=60.0)
    made = printouts(program, SANDBOX, versions, limits=limits, seconds=300.0, as_is="1.5\n")
    assert made.printed is not None
    assert [one and one.split() for one in made.printed] == [None, ["2.5"]]


@pytest.mark.julia
@pytest.mark.usefixtures("julia")
def test_a_version_in_julia_has_types_constants_and_files_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "p.jl").write_text(EVERYTHING, encoding="utf-8")
    (tmp_path / "part.jl").write_text("part = 2", encoding="utf-8")
    program = as_program(tmp_path / "p.jl")
    as_is = record(program, SANDBOX, limits=LIMITS).printed
    assert as_is.split() == ["9.000", "3.0", "0", "true", "false", "true"]
    changed = [("x::Float64", "x::Int"), ("FACTOR = 1.5", "FACTOR = 2"), ("a.x + b.x", "a.x - b.x")]
    made = printed(program, [EVERYTHING.replace(*one) for one in changed], as_is.replace("false", "true"), 20)
    assert [one and one[:2] for one in made] == [["9.000", "3"], ["12.000", "3.0"], ["9.000", "-1.0"]]


@pytest.mark.julia
@pytest.mark.usefixtures("julia")
def test_a_program_without_a_seed_is_not_judged(tmp_path: Path) -> None:
    (tmp_path / "p.jl").write_text("println(rand())\n", encoding="utf-8")
    program = as_program(tmp_path / "p.jl")
    made = printouts(program, SANDBOX, ["println(1)"], limits=LIMITS, seconds=20, as_is="0.25\n")
    assert made.printed is None


def test_nothing_is_said_of_a_program_that_had_no_time(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("import time\ntime.sleep(9)\nprint(1)\n", encoding="utf-8")
    limits = msgspec.structs.replace(LIMITS, chunk_seconds=0.5)
    made = printouts(
        as_program(tmp_path / "p.py"), SANDBOX, ["print(1)"], limits=limits, seconds=1.0, as_is="1\n"
    )
    assert made.printed == [None]
