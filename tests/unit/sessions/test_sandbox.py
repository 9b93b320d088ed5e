import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import psutil
import pytest

from harness.errors import UsageError, WorkerStartFailed
from harness.runtimes.registry import Launch, Registry
from harness.sessions.sandbox import (
    Limits,
    Sandbox,
    _why_not,
    enclose,
    find_sandbox,
)
from harness.sessions.sandboxed_session import SandboxedSession, Setting
from harness.sessions.scratch import make_scratch_dirs
from harness.sessions.session import Evaluated
from harness.sessions.trust import requires_trust

SANDBOX = find_sandbox(unsandboxed=True)
NAMESPACES = Sandbox(kind="namespaces", reason="for this test", unsandboxed=True)
HARNESS = Path(__file__).parents[3] / "harness"
LIMITS = Limits(
    chunk_seconds=20,
    memory=600 << 20,
    processes=40,
    file_bytes=8 << 20,
    scratch_bytes=24 << 20,
    text_bytes=1 << 16,
)

FORKS = """
import os, time
for _ in range(150):
    if os.fork() == 0:
        time.sleep(15)
        os._exit(0)
"""

FILES = """
import time
for i in range(40):
    open(f"{i}", "wb").write(b"x" * (1 << 20))
    time.sleep(0.1)
"""

bubblewrap = pytest.mark.skipif(SANDBOX.kind != "bubblewrap", reason=f"needs bubblewrap: {SANDBOX.statement}")


def session(limits: Limits = LIMITS, **given: object) -> SandboxedSession:
    launch = Registry.load(Path(__file__).parent).session("numpy")
    assert isinstance(launch, Launch)
    return SandboxedSession("numpy", launch, Setting(sandbox=SANDBOX, limits=limits, **given))  # type: ignore[arg-type]


def run(code: str, limits: Limits = LIMITS) -> tuple[Evaluated, Evaluated | None]:
    """What a hostile chunk leaves, and what the next one does in the same session, if that goes on."""
    with session(limits) as sandboxed_session:
        first = sandboxed_session.eval(code, file="attack.md", line=1)
        return first, None if sandboxed_session.ended else sandboxed_session.eval(
            "print('goes on')", file="attack.md", line=9
        )


def goes_on(second: Evaluated | None) -> bool:
    return second is not None and second.text == "goes on\n"


def message(left: Evaluated) -> str:
    assert left.error is not None
    return left.error.message


@pytest.mark.skipif(
    os.name != "posix" or not Path("/proc").is_dir(), reason="sandboxes are looked for on Linux"
)
def test_what_was_found_says_what_it_protects() -> None:
    assert ("NOT protected" in SANDBOX.statement) == (SANDBOX.kind != "bubblewrap")
    assert SANDBOX.kind == "bubblewrap" or SANDBOX.reason


def test_without_any_program_there_is_a_plain_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    sandbox = find_sandbox(unsandboxed=True)
    assert sandbox.kind == "none"
    assert not sandbox.confines
    assert "NOT protected" in sandbox.statement
    assert "there is no bwrap; there is no unshare" in sandbox.statement


class TestConfinement:
    def test_without_it_there_is_none_to_be_had_unless_the_user_says_so(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", "/nowhere")
        with pytest.raises(UsageError, match="there is no bwrap") as caught:
            find_sandbox()
        assert caught.value.exit_code == 2
        assert "--unsandboxed" in caught.value.advice
        assert "bubblewrap" in caught.value.advice

    @pytest.mark.skipif(os.uname().sysname != "Linux", reason="programs of Linux")
    def test_a_bubblewrap_that_does_not_work_is_none(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "bwrap").write_text("#!/bin/sh\necho bwrap: No permissions >&2\nexit 1\n")
        (tmp_path / "bwrap").chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
        with pytest.raises(UsageError, match="bwrap: No permissions") as caught:
            find_sandbox()
        assert "let bubblewrap make namespaces" in caught.value.advice

    @pytest.mark.parametrize("kind", ["namespaces", "none"])
    def test_no_session_starts_in_a_sandbox_that_confines_nothing(self, kind: str) -> None:
        launch = Launch(command=("/bin/true",))
        setting = Setting(sandbox=Sandbox(kind=kind))  # type: ignore[arg-type]
        with pytest.raises(UsageError, match="not run"), SandboxedSession("numpy", launch, setting):
            pytest.fail("it started")

    @pytest.mark.skipif(os.getuid() != 0, reason="needs root, whose rights are dropped")
    def test_root_is_dropped_or_nothing_runs(self, tmp_path: Path) -> None:
        dirs = make_scratch_dirs(tmp_path / "room", {})
        (tmp_path / "mine").mkdir(mode=0o700)
        closed = Launch(command=("/bin/true",), env={"R_LIBS": str(tmp_path / "mine")})
        sandbox = Sandbox(kind="bubblewrap", drops_root=True)
        with pytest.raises(WorkerStartFailed, match=f"as root: {tmp_path}/mine is closed") as caught:
            enclose(sandbox, closed, dirs, LIMITS)
        assert "chmod o+rX" in caught.value.advice
        assert '"user"' in " ".join(
            enclose(sandbox, Launch(command=("/bin/true",)), dirs, LIMITS).launch.command
        )
        with pytest.raises(UsageError):
            enclose(Sandbox(kind="bubblewrap"), Launch(command=("/bin/true",)), dirs, LIMITS)
        said = Sandbox(kind="bubblewrap", unsandboxed=True)
        assert enclose(said, closed, dirs, LIMITS).as_root == "this sandbox does not change the user"

    @pytest.mark.skipif(os.getuid() != 0, reason="needs root, whose rights are dropped")
    @pytest.mark.skipif(not Path("/usr/bin/python3").exists(), reason="needs a Python that everybody may run")
    @pytest.mark.parametrize("kind", ["namespaces", "none"])
    def test_root_is_dropped_outside_of_bubblewrap_too(
        self, kind: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        code = "import os; print(os.getuid(), os.access('/etc/shadow', os.R_OK)); open('own', 'w')"
        monkeypatch.setattr("sys.executable", "/usr/bin/python3")
        with tempfile.TemporaryDirectory() as name:
            Path(name).chmod(0o755)
            # The harness itself may lie in a folder of root's own.
            limited = shutil.copy(HARNESS / "workers" / "limited.py", name)
            monkeypatch.setattr("harness.sessions.sandbox._LIMITED", Path(limited))
            dirs = make_scratch_dirs(Path(name) / "room", {})
            launch = Launch(command=("/usr/bin/python3", "-c", code))
            sandbox = Sandbox(kind=kind, drops_root=True, unsandboxed=True)  # type: ignore[arg-type]
            enclosed = enclose(sandbox, launch, dirs, LIMITS)
            assert enclosed.as_root == ""
            out = subprocess.run(enclosed.launch.command, capture_output=True, text=True, check=True).stdout
        user, shadow = out.split()
        assert 61184 <= int(user) < 65520
        assert shadow == "False"


class TestTrust:
    def test_nothing_runs_unasked(self) -> None:
        with pytest.raises(UsageError, match=r"a\.md") as caught:
            requires_trust([Path("x/a.md")], SANDBOX, trust=False)
        assert "--trust" in caught.value.advice

    def test_trust_or_a_yes_is_enough(self) -> None:
        asked: list[str] = []

        def yes(question: str) -> bool:
            asked.append(question)
            return True

        requires_trust([Path("a.md")], SANDBOX, trust=True, ask=yes)
        assert not asked
        requires_trust([Path("a.md")], SANDBOX, trust=False, ask=yes)
        assert "a.md" in asked[0]

    @pytest.mark.parametrize(
        ("kind", "said"),
        [
            ("bubblewrap", "in bubblewrap, kept from the network, other processes and this user's files"),
            (
                "namespaces",
                "WITHOUT a sandbox for files: it can read, change and delete whatever this user can",
            ),
            (
                "none",
                "WITHOUT a sandbox: it can read, change and delete whatever this user can, use the network",
            ),
        ],
    )
    def test_the_question_names_the_sandbox(self, kind: str, said: str) -> None:
        asked: list[str] = []
        with pytest.raises(UsageError) as caught:
            requires_trust([Path("a.md")], Sandbox(kind=kind), False, lambda text: bool(asked.append(text)))  # type: ignore[arg-type, func-returns-value]
        assert said in asked[0]
        assert said in caught.value.advice

    def test_the_question_names_a_suite_that_would_run_outside(self) -> None:
        with pytest.raises(UsageError) as caught:
            requires_trust([Path("a.md")], SANDBOX, False, suite=Path("/got/reference_impls"))
        assert "/got/reference_impls run outside of it, with this user's rights" in caught.value.advice

    def test_a_no_is_a_no(self) -> None:
        with pytest.raises(UsageError):
            requires_trust([Path("a.md")], SANDBOX, trust=False, ask=lambda question: False)


class TestEnvironment:
    def test_it_has_no_secrets(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("API_TOKEN", "hush")
        launch = Launch(command=("/usr/bin/env",), env={"R_HOME": "/usr/lib/R"})
        inside = enclose(SANDBOX, launch, make_scratch_dirs(tmp_path / "room", {}), LIMITS).launch
        out = subprocess.run(inside.command, capture_output=True, text=True, check=True).stdout
        assert "hush" not in out
        assert "R_HOME=/usr/lib/R" in out
        assert "OMP_NUM_THREADS=1" in out

    @bubblewrap
    def test_no_process_in_sight_has_them(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("API_TOKEN", "hush")
        code = """
import pathlib
for each in pathlib.Path("/proc").glob("[0-9]*/environ"):
    try:
        print(b"hush" in each.read_bytes())
    except OSError:
        print(False)
"""
        left, _ = run(code)
        assert left.text.splitlines()
        assert "True" not in left.text

    def test_files_are_there_to_read_and_change_as_copies(self, tmp_path: Path) -> None:
        (tmp_path / "small.csv").write_text("a,b\n1,2\n")
        with session(files={"small.csv": tmp_path / "small.csv"}) as sandboxed_session:
            left = sandboxed_session.eval("open('small.csv').read()", file="d.md", line=1)
            assert left.text == "'a,b\\n1,2\\n'\n"
            changed = sandboxed_session.eval("open('small.csv', 'w').write('x')", file="d.md", line=2)
            assert changed.text == "1\n"
        assert (tmp_path / "small.csv").read_text() == "a,b\n1,2\n"

    def test_more_can_be_written_into_a_folder_of_theirs(self, tmp_path: Path) -> None:
        (tmp_path / "small.csv").write_text("a,b\n1,2\n")
        code = "open('data/more.csv', 'w').write('a') + len(open('data/small.csv').read())"
        with session(files={"data/small.csv": tmp_path / "small.csv"}) as sandboxed_session:
            assert sandboxed_session.eval(code, file="d.md", line=1).text == "9\n"
        assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["small.csv"]


@bubblewrap
class TestAttacks:
    def test_it_is_active(self) -> None:
        left, _ = run("import os; print(os.getuid(), os.getcwd(), os.path.exists('/home'), os.getppid())")
        user, folder, home, parent = left.text.split()
        assert folder == "/document"
        assert home == "False"
        assert parent == "1"
        assert user != "0" or not SANDBOX.drops_root

    def test_a_fork_bomb(self) -> None:
        first, second = run(FORKS)
        assert "Resource temporarily unavailable" in message(first) or "processes" in message(first)
        assert goes_on(second) or second is None

    def test_a_fork_bomb_whose_children_fork(self) -> None:
        code = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"
        first, second = run(code, Limits(chunk_seconds=3, processes=40, memory=2 << 30))
        assert "within 3 s" in message(first) or "40 processes" in message(first)
        assert second is None
        assert psutil.Process().children(recursive=True) == []
        assert goes_on(run("1")[1])

    def test_filling_the_disk(self) -> None:
        code = """
for i in range(20):
    with open(f"f{i}", "wb") as file:
        file.write(b"x" * (4 << 20))
"""
        first, second = run(code)
        assert "No space left" in message(first)
        assert goes_on(second)

    def test_one_large_file(self) -> None:
        first, second = run("open('big', 'wb').write(b'x' * (12 << 20))")
        assert "File too large" in message(first)
        assert goes_on(second)

    def test_allocating_everything(self) -> None:
        code = """
kept = []
for _ in range(150):
    kept.append(b"x" * (10 << 20))
"""
        first, second = run(code)
        assert message(first) == "stopped: it used more than the 600 MiB of memory that it may"
        assert second is None

    def test_looping_for_ever(self) -> None:
        limits = Limits(chunk_seconds=2, processes=40)
        first, second = run("print('begins')\nwhile True: pass", limits)
        assert message(first) == "stopped: it did not end within 2 s"
        assert first.error is not None
        assert first.error.kind == "time"
        assert first.text == "begins\n"
        assert second is None

    def test_killing_its_parent(self) -> None:
        first, second = run("import os, signal; os.kill(os.getppid(), signal.SIGKILL)\nprint('tried')")
        assert "tried" in first.text or first.error is not None
        assert goes_on(second)

    def test_killing_everything(self) -> None:
        code = "import os, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); os.kill(-1, signal.SIGKILL)"
        _, second = run(code)
        assert goes_on(second) or second is None

    def test_ending_itself(self) -> None:
        first, second = run("print('last words')\nimport os; os._exit(0)")
        assert "exit code 0" in message(first)
        assert first.text == "last words\n"
        assert second is None

    @pytest.mark.slow
    def test_printing_a_gigabyte(self) -> None:
        limits = Limits(chunk_seconds=120, text_bytes=1 << 16)
        first, second = run("for _ in range(1024): print('x' * ((1 << 20) - 1))", limits)
        assert first.error is None
        assert len(first.text) == 1 << 16
        assert first.cut == (1 << 30) - (1 << 16)
        assert goes_on(second)

    @pytest.mark.parametrize("path", ["/outside", "/usr/outside", "/dev/outside", f"{HARNESS}/outside"])
    def test_writing_outside_its_folder(self, path: str) -> None:
        first, second = run(f"open({path!r}, 'w')")
        assert "Read-only file system" in message(first) or "Permission denied" in message(first)
        assert goes_on(second)
        assert not Path(path).exists()

    def test_writing_to_tmp_stays_inside(self, tmp_path: Path) -> None:
        name = f"outside-{tmp_path.name}-{os.getpid()}"
        first, _ = run(f"open('/tmp/{name}', 'w').write('x')")
        assert first.error is None
        assert not (Path("/tmp") / name).exists()

    def test_opening_a_socket(self) -> None:
        first, second = run("import socket; socket.create_connection(('192.0.2.1', 80), timeout=5)")
        assert "unreachable" in message(first)
        assert goes_on(second)

    def test_seeing_the_other_processes(self) -> None:
        left, _ = run("import os; print(len([n for n in os.listdir('/proc') if n.isdigit()]))")
        assert int(left.text) <= 4


@pytest.mark.skipif(SANDBOX.kind != "bubblewrap", reason=SANDBOX.statement)
def test_root_that_stays_root_is_watched() -> None:
    launch = Registry.load(Path(__file__).parent).session("numpy")
    assert isinstance(launch, Launch)
    setting = Setting(sandbox=Sandbox(kind="bubblewrap", unsandboxed=True), limits=LIMITS)
    with SandboxedSession("numpy", launch, setting) as sandboxed_session:
        left = sandboxed_session.eval(FORKS + "time.sleep(10)", file="a.md", line=1)
    assert "unavailable" in message(left) or "more than the 40 processes" in message(left)


@pytest.mark.skipif(bool(_why_not(NAMESPACES)), reason="needs namespaces that a user may make")
def test_namespaces_alone_keep_the_network_and_the_other_processes_away() -> None:
    launch = Registry.load(Path(__file__).parent).session("numpy")
    assert isinstance(launch, Launch)
    setting = Setting(sandbox=NAMESPACES, limits=LIMITS)
    with SandboxedSession("numpy", launch, setting) as sandboxed_session:
        code = "import socket; socket.create_connection(('192.0.2.1', 80), timeout=5)"
        assert "unreachable" in message(sandboxed_session.eval(code, file="a.md", line=1))
        kill = f"import os; print(os.getpid()); os.kill({os.getpid()}, 0)"
        left = sandboxed_session.eval(kill, file="a.md", line=1)
        assert int(left.text) < 20
        assert "No such process" in message(left)


def test_a_sandbox_without_a_program_still_has_limits() -> None:
    none = Sandbox(kind="none", reason="for this test", unsandboxed=True)
    launch = Registry.load(Path(__file__).parent).session("numpy")
    assert isinstance(launch, Launch)
    limits = Limits(chunk_seconds=20, file_bytes=1 << 20, memory=600 << 20, scratch_bytes=6 << 20)
    setting = Setting(sandbox=none, limits=limits)
    with SandboxedSession("numpy", launch, setting) as sandboxed_session:
        large = sandboxed_session.eval("open('big', 'wb').write(b'x' * (2 << 20))", file="a.md", line=1)
        assert "File too large" in message(large)
        left = sandboxed_session.eval(FILES, file="a.md", line=1)
        assert "it wrote more than the 6 MiB" in message(left)
        assert sandboxed_session.ended
