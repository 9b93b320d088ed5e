"""A case from two programs: align them, cut both, try it, and put the files in place."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from harness.adoption.candidates import Left, candidates
from harness.adoption.cuts import Cut, cuts_of, reference_of, runtime_of, wanted_of
from harness.adoption.facts import facts_of
from harness.adoption.pieces import Pieces, pieces_of
from harness.adoption.trial import Trial, Tried
from harness.authoring.files import put_case, put_fixture
from harness.authoring.helpers import find_helpers
from harness.authoring.shapes import Runner
from harness.authoring.sources import Source
from harness.errors import UsageError
from harness.model import Frozen
from harness.model.outcome import Outcome
from harness.programs.alignment import Aligned, aligned
from harness.programs.program import Program
from harness.programs.said import Alignment
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import Limits, Sandbox
from harness.store.cases import load_case
from harness.store.fixtures import load_fixture


class AdoptedStage(Frozen, frozen=True, kw_only=True):
    """A stage: what it is in either program, and what it takes."""

    name: str
    a: str
    b: str
    inputs: tuple[str, ...]
    layout: str


class Adopted(Frozen, frozen=True, kw_only=True):
    """A case that was written, and what it was made of."""

    name: str
    said: Alignment
    paths: tuple[Path, ...]
    inputs: tuple[AdoptedStage, ...]
    stages: tuple[AdoptedStage, ...]
    left: tuple[Left, ...]
    missing: str


def adopt(
    a: Program,
    b: Program,
    name: str,
    suite: Path,
    fixture: Path,
    sandbox: Sandbox,
    *,
    limits: Limits,
    given: Mapping[str, str] | None = None,
    ignored: Iterable[str] = (),
) -> Adopted:
    """Align two programs and make a case of what both compute.

    Parameters
    ----------
    a, b : Program
        From `as_program`.
    name : str
        The case's.
    suite, fixture : Path
        The suite, and the folder of the fixture that is made. Neither the case nor the fixture may be there.
    sandbox, limits, given, ignored
        As of `aligned`.

    Raises
    ------
    UsageError
        A program does not run, or nothing can be adopted; nothing is written then.
    ProvisionError
        A language is not here.
    """
    for there in (suite / name, fixture):
        if there.exists():
            raise UsageError("is there already", path=there, advice="choose another name with --name")
    found = aligned(a, b, sandbox, limits=limits, given=given, ignored=ignored)
    if found.said.outcome is Outcome.FAULT:
        raise UsageError(f"nothing can be adopted: {found.said.sentence}")
    programs = [pieces_of(program) for program in (a, b)]
    picked, left = candidates(found, *programs)
    facts = [facts_of(program, wanted_of(picked, at), sandbox, limits) for at, program in enumerate(programs)]
    cuts, more = cuts_of(picked, facts, programs, found.said.outcome)
    if not cuts:
        why = next((each.text for each in (*more, *left)), "no variable of their top levels is matched")
        raise UsageError(
            f"no case can be made of {a.path.name} and {b.path.name}: {why}",
            advice="harness align --matches lists what was matched",
        )
    files = _files(name, suite, programs)
    trial = Trial(name, programs, facts, files)
    is_new = not suite.exists()
    suite.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix=".new-", dir=suite) as kept:
            draft = Path(kept, name)
            draft.mkdir()
            sources = [
                Source(path=each.program.path, runtime=runtime_of(each), text=_text(each))
                for each in programs
            ]
            find_helpers(
                draft, [(source, file) for source, (_, file) in zip(sources, files, strict=True)]
            ).put()
            with Runner(suite) as runner:
                tried = trial.tried(cuts, draft, runner)
            _put(draft, Path(kept, "fixtures", name), fixture, name, tried, programs, files)
            draft.rename(suite / name)
    except BaseException:
        if is_new and not any(suite.iterdir()):
            suite.rmdir()
        raise
    folder = suite / name
    paths = sorted(path for path in folder.rglob("*") if path.name != "case.toml" and path.is_file())
    return Adopted(
        name=name,
        said=found.said,
        paths=(folder / "case.toml", *paths, *sorted(fixture.iterdir())),
        inputs=tuple(_adopted(cut, ()) for cut in tried.plan.inputs),
        stages=tuple(_adopted(stage.cut, stage.inputs) for stage in tried.plan.stages),
        left=_left([*left, *more, *tried.left], tried),
        missing=_missing(found, tried),
    )


def _text(program: Pieces) -> str:
    return "\n".join(each.text for each in program.pieces)


def _put(
    draft: Path,
    made: Path,
    fixture: Path,
    name: str,
    tried: Tried,
    programs: Sequence[Pieces],
    files: Sequence[tuple[str, str]],
) -> None:
    """Write the case.toml and the fixture, and see that they can be loaded."""
    at = reference_of(programs)
    reference = Source(path=programs[at].program.path, runtime=runtime_of(programs[at]), text="")
    put_case(draft, name, tried.graph, tried.inputs, tried.outputs, reference, files[at][0])
    put_fixture(made, name, tried.inputs, None)
    load_fixture(load_case(draft), made.parent)
    fixture.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(made, fixture)


def _files(name: str, suite: Path, programs: Sequence[Pieces]) -> list[tuple[str, str]]:
    """The implementation and the file that either program becomes."""
    specs = Registry.load(suite).specs
    runtimes = [runtime_of(each) for each in programs]
    reference = reference_of(programs)
    files = []
    for at, (program, runtime) in enumerate(zip(programs, runtimes, strict=True)):
        label = ""
        if at != reference and runtimes[0] == runtimes[1]:
            stems = [each.program.path.stem for each in programs]
            own = re.sub(r"[^A-Za-z0-9_-]", "_", program.program.path.stem).strip("_-")
            label = "." + (own if own and stems[0] != stems[1] else "other")
        files.append((runtime + label, f"{name}{label}{specs[runtime].suffix}"))
    return files


def _adopted(cut: Cut, inputs: Sequence[Cut]) -> AdoptedStage:
    first, second = (f"{side.wanted.written} ({side.place.at})" for side in cut.sides)
    return AdoptedStage(
        name=cut.name,
        a=first,
        b=second,
        inputs=tuple(each.name for each in inputs),
        layout=cut.relation.words,
    )


def _left(left: Sequence[Left], tried: Tried) -> tuple[Left, ...]:
    kept: dict[tuple[str, str, int], Left] = {}
    used = {
        side.wanted.written
        for cut in (*tried.plan.inputs, *(stage.cut for stage in tried.plan.stages))
        for side in cut.sides
    }
    for each in left:
        if each.what not in used:
            kept.setdefault((each.what, each.file, each.line), each)
    return tuple(kept.values())


def _missing(found: Aligned, tried: Tried) -> str:
    """A sentence where the programs part and no stage does."""
    if not found.said.divergences or not all(stage.cut.agrees for stage in tried.plan.stages):
        return ""
    first = found.said.divergences[0]
    return (
        f"the programs part at {first.a.at} and {first.b.at}, and no stage has that: "
        "that the case agrees says nothing of it"
    )
