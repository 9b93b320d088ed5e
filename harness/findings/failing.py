"""Why a chunk did not run to its end: what is missing, an earlier failure, a version, or its code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from harness.documents.crossing import is_of_the_other
from harness.documents.model import Chunk
from harness.documents.results import ChunkRun
from harness.documents.surroundings import blames_version, undefined_name
from harness.findings.beyond_names import brings_names
from harness.findings.carried import of_the_place
from harness.findings.causes import Cause, named
from harness.findings.evidence import is_rounded_by_libraries
from harness.findings.excerpts import part_of
from harness.findings.failure_lines import from_failure, left_out, line_in
from harness.findings.judging_state import JudgingState
from harness.findings.lacking import may_bring, missing_of, not_carried, set_nowhere
from harness.findings.lacks_elsewhere import lacks_elsewhere
from harness.findings.left_as_it_was import is_set_whole
from harness.findings.meant_to_fail import SHOWS_NOTHING, is_meant_to_fail, succeeds_there
from harness.findings.names import names_in, set_by, upstream
from harness.findings.not_run import Known, skipped
from harness.findings.outputs import kind_of, shows_error
from harness.findings.r_versions import makes_factors
from harness.findings.random_numbers import machine_in, says
from harness.findings.reached import handed_to
from harness.findings.runs import first_line
from harness.findings.sources import Ground, asks_in, source_of
from harness.findings.used_packages import used_packages
from harness.findings.versions import older, printing
from harness.findings.which_session import called_otherwise, of_another_session, set_in_several
from harness.model.article import Answer, Kind
from harness.sessions.session import CodeError


def cause_of(state: JudgingState, chunk: Chunk, run: ChunkRun, taken: Cause | None) -> Known | Cause | None:
    """Return why a chunk was not run, or failed; None if it ran, or fails as the document shows.

    Parameters
    ----------
    state : JudgingState
        What is known of the chunks before it.
    chunk, run : Chunk, ChunkRun
        The chunk, and its result.
    taken : Cause or None
        The cause that its inputs come from, if they do not come from a sound run.
    """
    if run.left is None:
        return skipped(state, chunk, run, taken)
    imports = [lacking for lacking in run.lacking if not undefined_name(lacking)]
    brought = {name: cause for lacking in imports for name, cause in _imported(state, chunk, lacking)}
    error = run.error
    if error is None:
        return None
    for given in handed_to(chunk.code, brought.keys()) if chunk.language == "python" else ():
        brought.setdefault(given, next(iter(brought.values())))
    if error in run.lacking and (plots := undefined_name(error)) and plots not in brought:
        lost = state.tainted.get((chunk.language, plots))
        if lost is not None:
            return lost
    if brought and (error in run.lacking or _rests_on(chunk, error, brought)):
        return next(
            (cause for name, cause in brought.items() if name == undefined_name(error)),
            next(iter(brought.values())),
        )
    line = line_in(chunk, error)
    if error.kind in ("time", "ended"):
        said = error.message.removeprefix("stopped: ")
        return ("ended", chunk.index), Cause(Answer.UNCHECKED, chunk, line, said)
    lack = missing_of(state.runs.document, chunk, error)
    if lack is not None:
        kind = Kind.NEEDS_PACKAGE if lack.kind in ("package", "network") else None
        said = lack.said
        if lack.kind == "magic":
            line = 1 + chunk.code[: max(0, chunk.code.find(lack.name))].count("\n")
        name = lack.name or (chunk.index if lack.kind not in ("magic", "network") else "")
        key = ("lack", lack.kind, "" if lack.kind == "magic" else name)
        return key, Cause(Answer.UNCHECKED, chunk, line, said, kind=kind)
    if shows_error(chunk) and not (chunk.error and _shows_values(chunk)):
        return lacks_elsewhere(state, chunk, error, taken)
    by_itself = chunk.prompts or chunk.cell > 0  # a cell, and what is typed at a prompt
    whole = part_of(chunk, state.chunks) if not by_itself else None
    if whole is not None and not chunk.output:
        said = f"it is a part of the code at {named(state.runs.document, whole)}, and does not run by itself"
        return ("excerpt", chunk.language), Cause(Answer.UNCHECKED, chunk, 0, said, kind=Kind.EXCERPT)
    if taken is not None and taken.answer is not Answer.NOBODY:
        return taken
    return _own(state, chunk, run, error, line)


def _shows_values(chunk: Chunk) -> bool:
    """Whether a document shows what a chunk prints, and no error, although it tolerates one."""
    kinds = {kind_of(block) for block in chunk.output}
    return "printed" in kinds and not shows_error(msgspec.structs.replace(chunk, error=False))


def lacks_a_package(error: CodeError) -> bool:
    """Whether an error says that a function is not there, as where the author had a package attached."""
    return "could not find function" in error.message or error.kind == "UndefVarError"


def _imported(state: JudgingState, chunk: Chunk, error: CodeError) -> Iterator[tuple[str, Cause]]:
    """Yield the names that an import of something missing would have brought, each with that cause."""
    line = line_in(chunk, error)
    lack = missing_of(state.runs.document, chunk, error)
    kind = Kind.NEEDS_PACKAGE if lack is None or lack.kind == "package" else None
    text = chunk.code.split("\n")[line - 1] if line else ""
    name = lack.name if lack is not None else ""
    said = lack.said if lack is not None else first_line(error.message)
    cause = state.causes.get(
        ("lack", lack.kind if lack is not None else "package", name),
        Cause(Answer.UNCHECKED, chunk, line, said, kind=kind),
    )
    sets = names_in(left_out(text, error), chunk.language).sets or {name}
    for bound in sets:
        state.tainted[chunk.language, bound] = cause
        yield bound, cause


def _rests_on(chunk: Chunk, error: CodeError, brought: Mapping[str, Cause]) -> bool:
    line = line_in(chunk, error)
    text = chunk.code.split("\n")[line - 1] if line else ""
    return undefined_name(error) in brought or bool(names_in(text, chunk.language).uses & brought.keys())


def _own(state: JudgingState, chunk: Chunk, run: ChunkRun, error: CodeError, line: int) -> Known | Cause:
    message = first_line(error.message, 200)
    if asks_in(upstream(state.chunks, chunk), chunk.code):
        # Where that error is caught, another one may follow from it.
        return ("lack", "input", ""), Cause(Answer.UNCHECKED, chunk, line, "it asks for input")
    stand_in = state.stand_in(chunk)
    if stand_in is not None and not state.runs.patched.patched:
        return stand_in
    name = undefined_name(error)
    if name and chunk.language == "python" and _LAST_VALUE.fullmatch(name):
        return _last_value(state, chunk, line, name)
    if name:
        brought = [cause for cause in state.causes.all() if cause.kind is Kind.NEEDS_PACKAGE
                   and cause.chunk.language == chunk.language and may_bring(cause)]  # fmt: skip
        setters = set_by(state.chunks, name, chunk.language)
        if is_of_the_other(state.chunks, chunk, name):
            said = not_carried(chunk, line)
            return ("carried", said), Cause(Answer.UNCHECKED, chunk, line, said)
        earlier_set = any(index < chunk.index for index in setters)
        if brought and not earlier_set and (not setters or brings_names(state.chunks, chunk)):
            return next(
                (cause for cause in reversed(brought) if cause.chunk.index <= chunk.index), brought[-1]
            )
        lost = state.beyond.get((chunk.language, "session"))
        other = blames_version(error) and state.context.other_generation(chunk.language)
        if not setters and lost is not None and lost.answer is not Answer.WRONG and not other:
            return state.causes.known(lost)
        other_version = blames_version(error) and _other_version(state, chunk)
        if not setters and (not other_version or chunk.language == "r"):
            said = set_nowhere(state.runs.document, chunk, name, of_a_package=lacks_a_package(error))
            return ("nowhere", name, chunk.language), Cause(Answer.UNCHECKED, chunk, line, said)
        later = [index for index in setters if index > chunk.index]
        outside = set_by(state.chunks, name, chunk.language, outside=True)
        only_below = bool(outside) and later == setters and chunk.executable and not chunk.error
        if only_below and (earlier := state.unlike_the_authors(chunk)) is not None:
            return earlier
        if only_below and not brings_names(state.chunks, chunk) and _again(state, chunk, run):
            there = named(state.runs.document, state.chunks[outside[0]])
            said = f"{name} is used here, and set only below, at {there}: {message}"
            return _accused(chunk, run, line, said)
        if not other_version:
            return _not_set(state, chunk, name, line, setters)
    if said := called_otherwise(state.runs.document, chunk, error):
        return ("rebound", said), Cause(Answer.UNCHECKED, chunk, line, f"{said}: {message}")
    if _is_own(state, chunk, run, error):
        if said := set_in_several(state.runs.document, chunk, {}):
            return ("several", said), Cause(Answer.UNCHECKED, chunk, line, f"{said}: {message}")
        return _accused(chunk, run, line, f"{message}{_patched(state, chunk)}")
    if not blames_version(error) and _steady(state, chunk) and not _prints(state, chunk, run):
        said = f"it fails, and nothing that the document prints depends on it: {message}"
        return ("fails", said), Cause(Answer.UNCHECKED, chunk, line, said)
    if said := of_another_session(state.runs.document, chunk, error):
        return ("session", said), Cause(Answer.UNCHECKED, chunk, line, f"{said}: {message}")
    if chunk.language == "r" and error.kind == "syntax":
        return ("no code", chunk.index), Cause(
            Answer.UNCHECKED, chunk, line, f"it is no code of R as it stands: {message}"
        )
    here = state.context.here.get(chunk.language, "")
    stated = state.context.stated.get(chunk.language, "")
    named_language = chunk.language.upper() if chunk.language == "r" else chunk.language.title()
    version = f"{named_language} {here}".strip()
    if stated and older(stated, here or stated) and blames_version(error):
        version += f", and the document names {stated}"
    said = f"it fails here, in {version}: {message}"
    return ("fails", said), Cause(Answer.HERE, chunk, line, said)


def _last_value(state: JudgingState, chunk: Chunk, line: int, name: str) -> Known | Cause:
    """The cause of what a prompt keeps of the code before: that of the code which left nothing there."""
    above = [part.index for part in state.chunks[: chunk.index] if part.language == chunk.language]
    for cause in reversed(state.causes.all()):
        if above and (cause.chunk.index == above[-1] or above[-1] in cause.failing):
            return cause
    said = f"{name} is what the prompt showed last, and the code above it shows nothing here"
    return ("prompt", chunk.index), Cause(Answer.UNCHECKED, chunk, line, said)


def _accused(chunk: Chunk, run: ChunkRun, line: int, said: str) -> Known:
    """The cause of code that fails; it accuses only where the document shows that it succeeds."""
    if not succeeds_there(chunk, run):
        return ("fails", chunk.index), Cause(Answer.UNCHECKED, chunk, line, f"{SHOWS_NOTHING}: {said}")
    cause = Cause(Answer.WRONG, chunk, line, said, kind=Kind.CHUNK_FAILS, consequence=_STOPS)
    return ("fails", chunk.index), cause


def _not_set(
    state: JudgingState, chunk: Chunk, name: str, line: int, setters: Sequence[int]
) -> Known | Cause:
    """The cause of a name that code would set which did not run, or stands below: no accusation."""
    earlier = [index for index in setters if index < chunk.index]
    for cause in state.causes.all():
        if cause.chunk.index in earlier or any(index in cause.failing for index in earlier):
            return cause
    whole = [index for index in setters if is_set_whole(state.chunks[index].code, name)]
    if not whole and chunk.language == "python":
        said = set_nowhere(state.runs.document, chunk, name, of_a_package=False)
        return ("nowhere", name, chunk.language), Cause(Answer.UNCHECKED, chunk, line, said)
    there = named(state.runs.document, state.chunks[(whole or setters)[0]])
    said = f"{name} is used here, and the code at {there}, which sets it, has not run before"
    return ("unset", name, chunk.language), Cause(Answer.UNCHECKED, chunk, line, said)


_OF_THE_CODE = re.compile(
    r"\b(?:ZeroDivision|Index|Key|UnboundLocal|Assertion)Error\b|unsupported operand"
    r"|could not be broadcast|not aligned|mismatch|missing \d+ required|argument \"\w+\" is missing"
    r"|non-conformable|subscript out of bounds|non-numeric argument|not subsettable"
    r"|not subscriptable"
)
"""Errors that every version of the languages has raised for the same reason."""
_LAST_VALUE = re.compile(r"_{1,3}|_\d+")
_STOPS = "it fails for every reader who runs the document"


def _is_own(state: JudgingState, chunk: Chunk, run: ChunkRun, error: CodeError) -> bool:
    """Whether an error is the code's own: no package, version or machine can be the reason."""
    if blames_version(error) or error.kind in ("time", "ended", "syntax") or chunk.language == "julia":
        return False
    if chunk.error or not _steady(state, chunk) or machine_in(chunk.code):
        return False
    cone = upstream(state.chunks, chunk)
    if of_the_place(cone, chunk.code):
        return False
    if source_of(state.chunks, cone, used_packages(state.chunks, cone), chunk.code).ground > Ground.FITS:
        return False
    if state.context.other_generation(chunk.language):
        return False
    code = "\n".join((*(part.code for part in cone), chunk.code))
    if chunk.language == "r" and makes_factors(code, state.context.stated.get("r", "")):
        return False
    if state.unlike_the_authors(chunk) is not None or not _OF_THE_CODE.search(error.message):
        return False
    shown = chunk.evaluated and (chunk.echo or chunk.executable)
    if not shown or is_meant_to_fail(state.runs.document, chunk, line_in(chunk, error)):
        return False
    failed = from_failure(chunk, run)
    if says(failed) or (error.message.startswith("AssertionError") and _asserts_sums(state, chunk, failed)):
        return False
    if "broadcast" in error.message and re.search(r"==|!=", failed):
        return False  # older NumPy said of two shapes that they are not equal
    # A listing may be meant to fail: then nothing printed depends on it.
    return _prints(state, chunk, run) and _again(state, chunk, run)


def _asserts_sums(state: JudgingState, chunk: Chunk, failed: str) -> bool:
    """Whether an assertion is of numbers that libraries sum, each machine in an order of its own."""
    code = "\n".join((*(part.code for part in upstream(state.chunks, chunk)), failed))
    return is_rounded_by_libraries(code, chunk.language)


def _other_version(state: JudgingState, chunk: Chunk) -> bool:
    """Whether the document names a version of the language that may have a name which is not here.

    Later versions of a generation add names, and take none away.
    """
    stated, here = (among.get(chunk.language, "") for among in (state.context.stated, state.context.here))
    if not stated or not here or not older(stated, here):
        return False
    return state.context.other_generation(chunk.language) or _parts(stated) > _parts(here)


def _parts(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)][:2]


def _steady(state: JudgingState, chunk: Chunk) -> bool:
    """Whether all that a chunk depends on is the language itself, and packages that do not change."""
    used = used_packages(state.chunks, upstream(state.chunks, chunk))
    return not printing(used, chunk.language) - {"numpy"}


def _prints(state: JudgingState, chunk: Chunk, run: ChunkRun) -> bool:
    """Whether something printed depends on what a chunk does from its failure on."""
    sets = names_in(from_failure(chunk, run), chunk.language).sets
    below = (part for part in state.chunks if part.language == chunk.language and part.index > chunk.index)
    users = [part for part in below if sets & names_in(part.code, part.language).uses]
    return succeeds_there(chunk, run) or any(
        kind_of(block) == "printed" for user in users for block in user.output
    )


def _again(state: JudgingState, chunk: Chunk, run: ChunkRun) -> bool:
    """Whether a second fresh run fails in the same way."""
    second = state.runs.again.of(chunk).error
    return second is not None and run.error is not None and second.message == run.error.message


def _patched(state: JudgingState, chunk: Chunk) -> str:
    if not state.runs.patched.patched:
        return ""
    run = state.runs.patched.of(chunk)
    if run.error is None and run.patched:
        files = ", ".join(dict.fromkeys(spec.case for spec in state.runs.specs if spec.patch))
        return f" — it runs with the patch {', '.join(run.patched)} of {files}/document.toml"
    return ""
