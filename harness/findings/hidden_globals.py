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
    for one in tracks(runs):
        latest = {name: each for each in one.statements if each.kind == "definition" for name in each.sets}
        for name, definition in latest.items():
            taken = sorted(definition.inner & one.data)
            users = _users(one, name, definition)
            if taken and users:
                with runs.session(one.language) as trial:
                    yield from _tried(one, trial, name, definition, taken, users)


def _tried(
    one: Track,
    trial: Trial,
    name: str,
    definition: Statement,
    taken: Sequence[str],
    users: Sequence[Statement],
) -> Iterator[Finding]:
    one.prepared(trial)
    needed = [each for each in _needed(one, users) if not each.sets & set(taken) or each.kind != "other"]
    read = {each for statement in (*needed, *users) for each in statement.reads} & set(taken)
    # What the call itself reads at top level is an argument, not a hidden global.
    needed = [*needed, *(each for each in _setters(one, read, before=users[0]))]
    needed.sort(key=one.statements.index)
    for statement in needed:
        one.seed(trial)
        _evaluate(one, trial, statement)
    clean = _call(one, trial, users)
    hidden = [each for each in taken if each not in read]
    values = _last_values(baseline(one), users[0])
    for statement in _needed(one, users, hidden):
        if statement not in needed:
            one.seed(trial)
            _evaluate(one, trial, statement)
    for each in hidden:
        if each in values:
            _assign(trial, each, values[each])
    right = _call(one, trial, users)
    if isinstance(right, str):
        return
    how = clean if isinstance(clean, str) else _effect(right, clean)
    if not how:
        return
    evidence = f"in a clean namespace, with its arguments alone{one.shortened}: {how}"
    smallest = text_of(one.runs.code(one.chunk_of(users[0])), users[0]).strip()
    for each in hidden:
        value = values.get(each)
        if value is None or value.size != 1 or value.dtype.kind not in "iuf":
            continue
        _assign(trial, each, value * 2)
        other = _call(one, trial, users)
        effect = other if isinstance(other, str) else _effect(right, other)
        _assign(trial, each, value)
        if effect:
            evidence += (
                f"; with {each} = {value.item():g} it runs, with {each} = {value.item() * 2:g}: {effect}"
            )
            smallest = f"{each} = {value.item() * 2:g}; {smallest}"
    names = ", ".join(hidden)
    yield one.runs.finding(
        one.chunk_of(definition),
        Kind.HIDDEN_GLOBAL,
        Severity.FRAGILE,
        f"{name} takes {names} from outside; {evidence}",
        f"it does what another chunk's {names} says, whatever arguments it is given",
        line=_line_of_name(one, definition, hidden),
        smallest=smallest,
    )


def _users(one: Track, name: str, definition: Statement) -> list[Statement]:
    """The statements of the first chunk after it that use it, and what they set."""
    start = one.statements.index(definition)
    names = {name}
    for each in one.statements:
        if each.kind == "definition" and each.inner & names:
            names |= each.sets
    found: list[Statement] = []
    for each in one.statements[start + 1 :]:
        if found and each.chunk != found[0].chunk:
            break
        if each.kind == "other" and each.reads & names:
            found.append(each)
            names |= each.sets
    return found


def _needed(one: Track, users: Sequence[Statement], also: Sequence[str] = ()) -> list[Statement]:
    """Imports, and what the users read at top level, or ``also`` names, with what that reads in turn."""
    before = one.statements[: one.statements.index(users[0])]
    wanted = set(also)
    made: set[str] = set()
    for each in users:
        wanted |= each.reads - made
        made |= each.sets
    found = {each for each in before if each.kind in ("import", "constant")}
    for each in reversed(before):
        if each.sets & wanted:
            found.add(each)
            # A definition's own globals are what is looked for.
            wanted = (wanted - each.sets) | each.reads | (each.inner - one.data)
    return sorted(found, key=one.statements.index)


def _setters(one: Track, names: set[str] | frozenset[str], *, before: Statement) -> list[Statement]:
    earlier = one.statements[: one.statements.index(before)]
    found: list[Statement] = []
    for name in names:
        found += [each for each in earlier if name in each.sets and each.kind == "other"][-1:]
    return found


def _evaluate(one: Track, trial: Trial, statement: Statement) -> str:
    code = text_of(one.code(one.chunk_of(statement)), statement)
    error = trial.code(code).error
    return first_line(error.message) if error is not None else ""


def _call(one: Track, trial: Trial, users: Sequence[Statement]) -> dict[str, Array] | str:
    """What the users set; a text is the error."""
    one.seed(trial)
    for each in users:
        said = _evaluate(one, trial, each)
        if said:
            return said
    names = sorted({name for each in users for name in each.sets})
    found = trial.session.get(names) if names else []
    return {name: value for name, value in zip(names, found, strict=True) if not isinstance(value, str)}


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


def _line_of_name(one: Track, definition: Statement, names: Sequence[str]) -> int:
    lines = text_of(one.runs.code(one.chunk_of(definition)), definition).split("\n")
    first = one.line_of(definition)
    used = [place for place, line in enumerate(lines) if names[0] in line.partition("#")[0]]
    return first + (used[-1] if used else 0)
