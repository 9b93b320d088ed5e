"""The drafts of a case's sources, run until each function gives what its program was seen to compute."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from harness.adoption.candidates import Left
from harness.adoption.cuts import Cut, runtime_of
from harness.adoption.facts import Fact, Wanted
from harness.adoption.pieces import Pieces
from harness.adoption.plan import Plan, plan_of
from harness.adoption.relations import alike
from harness.adoption.source_text import SourceText, source_text
from harness.authoring.described import Described
from harness.authoring.files import Outputs
from harness.authoring.inputs import Input
from harness.authoring.shapes import Runner, case_of, fixture_of, outputs_in
from harness.authoring.steps import Graph, Step
from harness.errors import UsageError
from harness.model import Failure, Implementation

_MOST_TRIES = 12
_PLAIN = frozenset({"array", "scalar"})


class Tried(NamedTuple):
    """A plan whose functions give what the programs gave."""

    plan: Plan
    graph: Graph
    inputs: list[Input]
    outputs: list[Outputs]
    texts: tuple[SourceText, SourceText]
    left: list[Left]


class Trial:
    """Plans of one case, tried one after the other."""

    def __init__(
        self,
        name: str,
        programs: Sequence[Pieces],
        facts: Sequence[Mapping[Wanted, Fact]],
        files: Sequence[tuple[str, str]],
    ) -> None:
        self._name = name
        self._programs = programs
        self._facts = facts
        self._files = files
        self._left: list[Left] = []
        self._not_carried: set[tuple[int, str]] = set()

    def tried(self, cuts: Sequence[Cut], folder: Path, runner: Runner) -> Tried:
        """Plan, write and run until nothing is wrong; what cannot be told is left out, and said.

        Parameters
        ----------
        cuts : sequence of Cut
            All that are wanted.
        folder : Path
            Where the files are written.
        runner : Runner
            The workers.

        Raises
        ------
        UsageError
            Nothing is left, or a runtime is not here.
        """
        kept = list(cuts)
        for _ in range(_MOST_TRIES):
            plan = plan_of(kept, self._programs, self._facts, self._not_carried)
            if unseeded := self._unseeded(plan):
                kept = [cut for cut in kept if cut not in unseeded]
                continue
            if not plan.stages or not plan.inputs:
                break
            done = self._run(plan, folder, runner)
            if isinstance(done, Tried):
                return done
            kept = [cut for cut in kept if cut.name not in done]
        paths = " and ".join(each.program.path.name for each in self._programs)
        why = f": {self._left[0].text}" if self._left else ""
        raise UsageError(
            f"no case can be made of {paths}{why}",
            advice="harness align --matches lists what was matched; a case needs values that both set at the"
            " top level, and at least one that is computed from another",
        )

    def _unseeded(self, plan: Plan) -> list[Cut]:
        found: list[Cut] = []
        for stage in plan.stages:
            for at in (0, 1):
                piece = stage.slices[at].unseeded
                if piece is not None and stage.cut not in found:
                    found.append(stage.cut)
                    self._leave(
                        stage.cut,
                        at,
                        f"line {piece.line} draws random numbers, and no seed is set",
                        piece.line,
                    )
        return found

    def _leave(self, cut: Cut, side: int, why: str, line: int = 0) -> None:
        own = cut.sides[side]
        where = self._programs[side].program.where(line) if line else None
        self._left.append(
            Left(
                what=own.wanted.written, file=own.place.file,
                line=where.line if where is not None else own.place.line, why=why,
            )
        )  # fmt: skip

    def _run(self, plan: Plan, folder: Path, runner: Runner) -> Tried | set[str]:
        """Try a plan; the names of cuts that are to be left out, where there is something wrong."""
        graph, inputs = self._graph(plan), [self._input(cut) for cut in plan.inputs]
        texts = [source_text(program, plan, at) for at, program in enumerate(self._programs)]
        for (_, file), program, each in zip(self._files, self._programs, texts, strict=True):
            (folder / file).write_text(each.text, encoding="utf-8")
            for name in each.data:
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes((program.program.path.parent / name).read_bytes())
        fixture, case = fixture_of(self._name, inputs), case_of(self._name, graph, inputs)
        implementations = [
            Implementation(id=identity, runtime=runtime_of(program), language="", path=folder / file)
            for (identity, file), program in zip(self._files, self._programs, strict=True)
        ]
        observed, missing = runner.run(case, fixture, implementations)
        gone: set[str] = set()
        is_wrong = False
        outputs: list[Outputs] = []
        for at, (identity, _) in enumerate(self._files):
            if identity not in observed:
                runtime = runtime_of(self._programs[at])
                raise UsageError(f"{runtime} cannot be run: {missing.get(runtime, '')}")
            off: set[str] = set()
            for stage in plan.stages:
                found = outputs_in(observed[identity], fixture, stage.cut.name)
                if at == plan.stages[0].cut.reference and not isinstance(found, Failure):
                    outputs.append(found)
                why = _wrong(found, stage.cut, at)
                if not why:
                    continue
                is_wrong = True
                if not off & {each.name for each in stage.inputs}:
                    gone |= self._mend(plan, stage.cut, at, why, texts[at])
                off.add(stage.cut.name)
        if is_wrong:
            return gone
        return Tried(plan, graph, inputs, outputs, (texts[0], texts[1]), self._left)

    def _mend(self, plan: Plan, cut: Cut, side: int, why: str, text: SourceText) -> set[str]:
        """Compute inputs anew that may not be what they were; else leave the cut out."""
        line = re.search(rf"{re.escape(self._files[side][1])}:(\d+)", why)
        if line is not None:
            # A file that cannot be loaded fails in all its stages: the line says in which.
            holding = [name for name, (first, last) in text.lines.items() if first <= int(line[1]) <= last]
            if holding and cut.name not in holding:
                cut = next(stage.cut for stage in plan.stages if stage.cut.name == holding[0])
        stage = next(each for each in plan.stages if each.cut.name == cut.name)
        doubtful = {
            (side, each.name) for each in stage.inputs
            if each.sides[side].fact.kind not in _PLAIN
            or each.sides[side].fact.more not in ((), ("int",), ("float",))
            or each.relation_in(side).kind != "same"
        } - self._not_carried  # fmt: skip
        if doubtful:
            self._not_carried |= doubtful
            return set()
        if not any(each.what == cut.sides[side].wanted.written for each in self._left):
            self._leave(cut, side, why)
        return {cut.name}

    def _graph(self, plan: Plan) -> Graph:
        steps = tuple(
            Step(
                name=stage.cut.name,
                function=stage.cut.name,
                line=0,
                parameters=tuple(each.name for each in stage.inputs),
                inputs=tuple(each.name for each in stage.inputs),
                outputs=(stage.cut.name,),
                values=(_described(stage.cut),),
                meaning=_meaning(stage.cut),
                lenient=_is_lenient(stage.cut),
            )
            for stage in plan.stages
        )
        return Graph(steps=steps, inputs=tuple(cut.name for cut in plan.inputs), numbers={}, told=())

    @staticmethod
    def _input(cut: Cut) -> Input:
        place = cut.sides[cut.reference].place
        array = cut.array
        return Input(
            name=cut.name,
            arrays={"": array},
            origin=f"{cut.sides[cut.reference].wanted.written} of {place.at}",
            given=cut.given,
        )


def _described(cut: Cut) -> Described:
    kind = "text" if cut.array.dtype.kind == "U" else "array"
    return Described(kind=kind, given=cut.given)


def _meaning(cut: Cut) -> str:
    return ", ".join(f"{side.wanted.written} ({side.place.at})" for side in cut.sides)


def _is_lenient(cut: Cut) -> bool:
    """Whether one program has whole numbers where the other has floats."""
    kinds = {side.fact.array.dtype.kind for side in cut.sides if side.fact.array is not None}
    return kinds == {"i", "f"}


def _wrong(found: Outputs | Failure, cut: Cut, side: int) -> str:
    """Why a stage does not give what the program gave; empty where it does."""
    if isinstance(found, Failure):
        return f"its statements cannot be run alone: {found.reason}"
    value = next(iter(next(iter(found.values())).values()))
    due = cut.expected_in(side)
    if value.size == due.size == 1:
        value, due = value.reshape(()), due.reshape(())
    if value.dtype.kind == "b":
        value = value.astype(due.dtype)
    if not alike(value, due):
        return "its statements alone do not give what the program gives"
    return ""
