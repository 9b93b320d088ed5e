"""What ``harness fuzz`` shows of a search, here or on a cluster, and what it keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

if TYPE_CHECKING:
    from harness.conformance.plan import Plan
    from harness.errors import ExitCode
    from harness.fuzz.domain import Domain
    from harness.fuzz.hunt import Tally
    from harness.fuzz.told import Told
    from harness.fuzz.zeros import Sign
    from harness.model import Array

DATABASE = "examples"
"""The folder of inputs that are kept, in that of the results."""

Known = list[tuple[str, "dict[str, Array]"]]
"""Inputs that were kept, and the implementation that was off on each."""


class Begun(Protocol):
    """What is known where a search begins: what is drawn, and why implementations are left out."""

    @property
    def drawn(self) -> Sequence[str]:
        """In words."""

    @property
    def missing(self) -> Mapping[str, str]:
        """By their ids."""


class Shown:
    """Prints what is found, once however often, and keeps it."""

    def __init__(self, plan: Plan, out: Path, seed: int, *, keep: bool) -> None:
        from harness.fuzz.hunt import Tally
        from harness.fuzz.kept import Kept

        (planned,) = plan.cases
        self.plan = plan
        self.planned = planned
        self.out = out
        self.seed = seed
        self.keep = keep
        self.kept = Kept(out / DATABASE, planned.case.name, planned.precisions[0])
        self.found: list[Told] = []
        self.signs: list[Sign] = []
        self.again = 0
        self.tally = Tally()
        self.seconds: float | None = None
        self.left_out: dict[str, str] = {}
        self.complaints: list[str] = []
        self._names: Sequence[str] = ()
        self._missing: dict[str, str] = {}

    def begin(self, names: Sequence[str], begun: Begun) -> None:
        """Say what is compared, and what is drawn; once, or again where somebody else compares others."""
        self._missing |= begun.missing
        if tuple(names) == self._names:
            return
        self._names = tuple(names)
        click.echo(f"{self.planned.case.name} in {', '.join(names)}, {self.planned.precisions[0]}", err=True)
        for line in begun.drawn:
            click.echo(line, err=True)
        for name, why in begun.missing.items():
            click.echo(f"{name} is left out: {why}", err=True)

    def known(self, domain: Domain) -> Known:
        """What was found before."""
        return [
            (implementation.id, inputs)
            for implementation in self.planned.hosted
            for inputs in self.kept.load(domain, implementation.id)
        ]

    def tried(self, known: Known, shown: Sequence[bool]) -> None:
        """Forget what is mended."""
        # Who is not asked cannot be shown to be mended.
        if self.plan.left_out.get("implementations") or self._missing:
            return
        for (implementation, inputs), shows in zip(known, shown, strict=True):
            if not shows:
                self.kept.forget(inputs, implementation)

    def finding(self, found: Told) -> None:
        """Print a finding, write its scripts, keep its input."""
        from harness.fuzz.keep import keep

        # Of one seed each is another one; other seeds may find it again.
        same = [known for known in self.found if known.key == found.key]
        if any(known.traits <= found.traits for known in same):
            self.again += 1
            return
        self.found.append(found)
        first, *rest = found.lines
        click.echo(f"{len(self.found)}. {first}")
        for line in rest:
            click.echo(line)
        self.kept.save(found.inputs, found.implementation)
        case = self.planned.case.name
        there = sum(known.place == found.place for known in self.found)
        number = f".{there}" if there > 1 else ""
        folder = self.out / case / f"{found.stage}.{found.implementation}{number}"
        if names := found.write(folder):
            click.echo(f"   scripts that show it, of {', '.join(names)}: {folder}")
        for why in found.missing:
            click.echo(f"   no script for {why}")
        if self.keep:
            who = f"{found.implementation} was off in {found.stage}"
            origin = f"harness fuzz {case} --seed {self.seed}: {who}"
            sample = keep(self.planned.case, self.plan.suite, found.inputs, origin)
            click.echo(f"   kept as the sample {sample} of the fixture {self.planned.fixture.name}")

    def add(self, tally: Tally, left_out: Mapping[str, str], signs: Sequence[Sign]) -> None:
        """Count what was done, and take what was told of the signs of zeros, once for each place."""
        self.tally.add(tally)
        known = {(sign.implementation, sign.stage) for sign in self.signs}
        self.signs += [sign for sign in signs if (sign.implementation, sign.stage) not in known]
        self.left_out |= left_out

    def end(self) -> ExitCode:
        """Say what was done; the exit code."""
        from harness.errors import ExitCode
        from harness.fuzz.say import ended, sign_lines
        from harness.model.outcome import WORKER_FAULT

        tally = self.tally
        if self.seconds is not None:
            tally.seconds = self.seconds
        for line in (*sign_lines(self.signs), *ended(tally, len(self.found), self.seed)):
            click.echo(line)
        if self.again:
            times = "once" if self.again == 1 else f"{self.again} times"
            click.echo(f"found {times} more, with other seeds: what stands above")
        self.complaints = list(dict.fromkeys([*self.complaints, *tally.faults]))
        for name, why in self.left_out.items():
            click.echo(f"{name} was left out on the way: {why}")
        lost = any(found.fault for found in self.found) or bool(tally.faults)
        if lost or any(text.startswith(WORKER_FAULT) for text in self.complaints):
            return ExitCode.WORKER_FAILED
        if self.found:
            return ExitCode.DIVERGENCE
        if not tally.inputs or (tally.parted and not tally.decided):
            return ExitCode.INCOMPLETE
        return ExitCode.OK if len(self._names) > 1 else ExitCode.INCOMPLETE
