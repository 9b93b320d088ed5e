"""Definitions that take a global which another part of the document sets: run them in a clean namespace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.findings.runs import DocumentRuns, Trial, first_line
from harness.findings.track import Step, Track, baseline, difference, tracks
from harness.model import Array
from harness.model.article import Finding, Kind, Severity
from harness.sessions.statements import Statement, text_of


def hidden_globals(runs: DocumentRuns) -> Iterator[Finding]:
    """For every definition that names data from outside: call it without that data, and with other data."""
    for track in tracks(runs):
        latest = {
            name: statement
            for statement in track.statements
            if statement.kind == "definition"
            for name in statement.sets
        }
        for name, definition in latest.items():
            taken = sorted(definition.inner & track.data)
            users = _users(track, name, definition)
            if taken and users:
                with runs.session(track.language) as trial:
                    yield from _tried(track, trial, name, definition, taken, users)


def _tried(
    track: Track,
    trial: Trial,
    name: str,
    definition: Statement,
    taken: Sequence[str],
    users: Sequence[Statement],
) -> Iterator[Finding]:
    track.prepared(trial)
    needed = [s for s in _needed(track, users) if not s.sets & set(taken) or s.kind != "other"]
    read = {n for statement in (*needed, *users) for n in statement.reads} & set(taken)
    # What the call itself reads at top level is an argument, not a hidden global.
    needed = [*needed, *(setter for setter in _setters(track, read, before=users[0]))]
    needed.sort(key=track.statements.index)
    for statement in needed:
        track.seed(trial)
        _evaluate(track, trial, statement)
    clean = _call(track, trial, users)
    hidden = [hidden_name for hidden_name in taken if hidden_name not in read]
    values = _last_values(baseline(track), users[0])
    for statement in _needed(track, users, hidden):
        if statement not in needed:
            track.seed(trial)
            _evaluate(track, trial, statement)
    for variable in hidden:
        if variable in values:
            _assign(trial, variable, values[variable])
    right = _call(track, trial, users)
    if isinstance(right, str):
        return
    how = clean if isinstance(clean, str) else _effect(right, clean)
    if not how:
        return
    evidence = f"in a clean namespace, with its arguments alone{track.shortened}: {how}"
    smallest = text_of(track.runs.code(track.chunk_of(users[0])), users[0]).strip()
    for variable in hidden:
        value = values.get(variable)
        if value is None or value.size != 1 or value.dtype.kind not in "iuf":
            continue
        _assign(trial, variable, value * 2)
        other = _call(track, trial, users)
        effect = other if isinstance(other, str) else _effect(right, other)
        _assign(trial, variable, value)
        if effect:
            evidence += f"; with {variable} = {value.item():g} it runs"
            evidence += f", with {variable} = {value.item() * 2:g}: {effect}"
            smallest = f"{variable} = {value.item() * 2:g}; {smallest}"
    names = ", ".join(hidden)
    yield track.runs.finding(
        track.chunk_of(definition),
        Kind.HIDDEN_GLOBAL,
        Severity.FRAGILE,
        f"{name} takes {names} from outside; {evidence}",
        f"it does what another chunk's {names} says, whatever arguments it is given",
        line=_line_of_name(track, definition, hidden),
        smallest=smallest,
    )


def _users(track: Track, name: str, definition: Statement) -> list[Statement]:
    """Return the statements of the first later chunk that use the definition, or what such statements set."""
    start = track.statements.index(definition)
    names = {name}
    for statement in track.statements:
        if statement.kind == "definition" and statement.inner & names:
            names |= statement.sets
    statements: list[Statement] = []
    for statement in track.statements[start + 1 :]:
        if statements and statement.chunk != statements[0].chunk:
            break
        if statement.kind == "other" and statement.reads & names:
            statements.append(statement)
            names |= statement.sets
    return statements


def _needed(track: Track, users: Sequence[Statement], also: Sequence[str] = ()) -> list[Statement]:
    """Return the imports, and what sets the names that users read at top level, or ``also``, recursively."""
    before = track.statements[: track.statements.index(users[0])]
    wanted = set(also)
    made: set[str] = set()
    for user in users:
        wanted |= user.reads - made
        made |= user.sets
    statements = {statement for statement in before if statement.kind in ("import", "constant")}
    for statement in reversed(before):
        if statement.sets & wanted:
            statements.add(statement)
            # The globals of a definition are left out: they are what is tested.
            wanted = (wanted - statement.sets) | statement.reads | (statement.inner - track.data)
    return sorted(statements, key=track.statements.index)


def _setters(track: Track, names: set[str] | frozenset[str], *, before: Statement) -> list[Statement]:
    earlier = track.statements[: track.statements.index(before)]
    statements: list[Statement] = []
    for name in names:
        statements += [
            statement for statement in earlier if name in statement.sets and statement.kind == "other"
        ][-1:]
    return statements


def _evaluate(track: Track, trial: Trial, statement: Statement) -> str:
    code = text_of(track.code(track.chunk_of(statement)), statement)
    error = trial.code(code).error
    return first_line(error.message) if error is not None else ""


def _call(track: Track, trial: Trial, users: Sequence[Statement]) -> dict[str, Array] | str:
    """Run the users and return the arrays that they set, or the text of an error."""
    track.seed(trial)
    for user in users:
        said = _evaluate(track, trial, user)
        if said:
            return said
    names = sorted({name for user in users for name in user.sets})
    arrays = trial.session.get(names) if names else []
    return {name: value for name, value in zip(names, arrays, strict=True) if not isinstance(value, str)}


def _effect(right: dict[str, Array], other: dict[str, Array]) -> str:
    for name in right.keys() & other.keys():
        how = difference(right[name], other[name])
        if how:
            return f"{name} {how}"
    return ""


def _last_values(steps: Sequence[Step], user: Statement) -> dict[str, Array]:
    values: dict[str, Array] = {}
    for step in steps:
        if step.chunk.index <= user.chunk:
            values |= step.values
    return values


def _assign(trial: Trial, name: str, value: Array) -> None:
    if value.size == 1:
        trial.code(f"{name} = {value.item()!r}")


def _line_of_name(track: Track, definition: Statement, names: Sequence[str]) -> int:
    lines = text_of(track.runs.code(track.chunk_of(definition)), definition).split("\n")
    first = track.line_of(definition)
    used = [place for place, line in enumerate(lines) if names[0] in line.partition("#")[0]]
    return first + (used[-1] if used else 0)
