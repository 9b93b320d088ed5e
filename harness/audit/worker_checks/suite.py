"""The whole suite of checks of one worker, and the source file that they need."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from harness.audit.worker_checks import (
    of_calls,
    of_codes,
    of_dtypes,
    of_files,
    of_frames,
    of_shared,
    of_values,
)
from harness.audit.worker_checks.bench import FUNCTIONS, MORE, Bench, Check, Finding, Outcome, made
from harness.errors import UsageError
from harness.model import RuntimeInfo
from harness.runtimes.registry import Launch

CHECKS: tuple[Check, ...] = (
    *of_files.CHECKS,
    *of_dtypes.CHECKS,
    *of_values.CHECKS,
    *of_calls.CHECKS,
    *of_codes.CHECKS,
    *of_shared.CHECKS,
    *of_frames.CHECKS,
)
"""All of them, in the order in which they are made; the first is hello."""

_SOURCES = Path(__file__).with_name("sources")
_OF_LIBRARIES: Mapping[str, str] = {"torch": "stages_torch.py", "jax": "stages_jax.py"}
_OF_LANGUAGES: Mapping[str, str] = {
    "Python": "stages.py", "R": "stages.R", "Julia": "stages.jl", "JavaScript": "stages.mjs",
    "Octave": "stages.m", "C": "declared/stages.c", "C++": "declared/stages.cpp",
    "Fortran": "declared/stages.f90", "ONNX Runtime": "declared/stages.onnx",
    "Program": "declared/stages.program.toml",
}  # fmt: skip


def source_for(info: RuntimeInfo) -> Path:
    """The source file of the checks that is there for a language.

    Raises
    ------
    UsageError
        There is none: one has to be written.
    """
    of_library = next((name for each, name in _OF_LIBRARIES.items() if each in info.libraries), None)
    name = of_library or _OF_LANGUAGES.get(info.language)
    if name is None:
        must, may = (
            ", ".join(f"{name}/{count}" for name, count in those.items()) for those in (FUNCTIONS, MORE)
        )
        raise UsageError(
            f"there is no source file in {info.language} to check a worker with",
            advice=f"write one and name it with --source: it needs the functions {must} and may have {may};"
            " docs/protocol.md says what each does",
        )
    return _SOURCES / name


def check_worker(
    launch: Launch,
    folder: Path,
    *,
    source: Path | None = None,
    only: tuple[str, ...] = ("*",),
    patience: float = 60.0,
    say: Callable[[Finding], None] = lambda finding: None,
    hint: Callable[[str], None] = lambda text: None,
) -> list[Finding]:
    """Hold a worker to the protocol.

    Parameters
    ----------
    launch : Launch
        How it is started.
    folder : Path
        Empty, for files.
    source : Path, optional
        A file in its language with the functions of the checks; where it is a language that the harness has
        one for, that.
    only : tuple of str
        Patterns of names of checks, with ! before them those that are left out; hello is made always.
    patience : float
        Seconds for a call or a load.
    say : callable, optional
        Told each finding at once.
    hint : callable, optional
        Told, while a worker does not answer, what may be the matter.

    Returns
    -------
    list of Finding
        One for each check; where the worker does not answer hello, that one alone.

    Raises
    ------
    UsageError
        There is no source file in its language, or no check has such a name.
    """
    for pattern in only:
        if not any(fnmatchcase(check.name, pattern.removeprefix("!")) for check in CHECKS):
            what = f"no check is called {pattern.removeprefix('!')}"
            raise UsageError(what, advice=f"there are: {_names()}")
    chosen = [check for check in CHECKS[1:] if _is_chosen(check.name, only)]
    findings: list[Finding] = []
    bench = Bench(launch, source or Path(), folder, patience, hint)
    try:
        for finding in _made(bench, chosen, source):
            findings.append(finding)
            say(finding)
    finally:
        bench.close()
    return findings


def _is_chosen(name: str, only: tuple[str, ...]) -> bool:
    wanted = [pattern for pattern in only if not pattern.startswith("!")] or ["*"]
    left_out = [pattern[1:] for pattern in only if pattern.startswith("!")]
    matches = [any(fnmatchcase(name, pattern) for pattern in patterns) for patterns in (wanted, left_out)]
    return matches == [True, False]


def _made(bench: Bench, chosen: list[Check], source: Path | None) -> Iterator[Finding]:
    greeting = made(CHECKS[0], bench)
    yield greeting
    if greeting.outcome is Outcome.FAIL:
        return
    bench.take(source or source_for(bench.worker().info))
    for check in chosen:
        yield made(check, bench)


def _names() -> str:
    return ", ".join(check.name for check in CHECKS)
