"""Measure ``harness align`` on a folder of pairs: ``python tests/programs/measure.py FOLDER [PAIR ...]``."""

from __future__ import annotations

import argparse
import itertools
import shutil
import statistics
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from harness.programs import alignment
from harness.programs.alignment import LIMITS, Aligned
from harness.programs.launch import as_program, record
from harness.programs.said import Alignment
from harness.sessions.sandbox import Sandbox, find_sandbox
from tests.programs.same_quantity import is_true, names_of

_REPEATS = 3


def copied(folder: Path, pair: dict[str, Any], fault: dict[str, Any] | None, made: Path) -> Path:
    """A copy of a pair's folder, with one of its faults put in or none."""
    copy = made / "pair"
    shutil.copytree(folder, copy)
    if fault is not None:
        path = copy / pair[fault["side"]]
        lines = path.read_text(encoding="utf-8").split("\n")
        assert lines[fault["line"] - 1].strip() != fault["text"].strip()
        lines[fault["line"] - 1] = fault["text"]
        path.write_text("\n".join(lines), encoding="utf-8")
    return copy


def aligned(folder: Path, pair: dict[str, Any], fault: dict[str, Any] | None) -> Aligned:
    """Align a pair, with one of its faults put in or none."""
    with tempfile.TemporaryDirectory() as made:
        copy = copied(folder, pair, fault, Path(made))
        programs = [as_program(copy / pair[side]) for side in ("a", "b")]
        return alignment.aligned(*programs, find_sandbox(unsandboxed=True))


def matched(pair: dict[str, Any], result: Aligned) -> tuple[int, int, int, list[Any]]:
    """True matches found, true matches in all, false matches, and which are false or missing.

    Found is what has the listed names, with or without its function; false is what has one of them, and is no
    other name of a listed one.
    """
    truth = {tuple(name.replace('"', "'") for name in names) for names in pair["matches"]}
    made = [
        tuple(
            names_of(side.units, one.name, one.line)
            for side, one in ((result.a, match.a), (result.b, match.b))
        )
        for match in result.said.matches
    ]
    found = {names for own in made for names in itertools.product(*own)}
    left, right = {a for a, _ in truth}, {b for _, b in truth}
    false = [
        (match.a.name, match.b.name)
        for match, own in zip(result.said.matches, made, strict=True)
        if (own[0] & left or own[1] & right) and not is_true(match, truth, (result.a, result.b))
    ]
    return len(truth & found), len(truth), len(false), [sorted(truth - found), false]


def rank_of(fault: dict[str, Any], result: Alignment) -> int:
    """At which rank the planted line stands; 0 where it does not."""
    for divergence in result.divergences:
        if getattr(divergence, fault["side"]).line == fault["line"]:
            return divergence.rank
    return 0


def cost(folder: Path, pair: dict[str, Any]) -> dict[str, float]:
    """Processor time of recording over that of the bare run, for each program; both print the same.

    Without a sandbox: bubblewrap does not hand on what its processes used. Each is run
    once before, which compiles and fills caches, and then three times in turn.
    """
    sandbox = Sandbox(kind="none", unsandboxed=True)
    ratios = {}
    for side in ("a", "b"):
        program = as_program(folder / pair[side])
        seconds: dict[bool, list[float]] = {True: [], False: []}
        for _ in range(1 + _REPEATS):
            printed = []
            for bare in (True, False):
                done = record(program, sandbox, limits=LIMITS, bare=bare)
                assert not done.trouble, f"{program.path}: {done.trouble}"
                seconds[bare].append(done.processor_seconds)
                printed.append(done.printed)
            assert printed[0] == printed[1], f"{program.path}: recording changed what it prints"
        bare_run, recorded = (statistics.median(seconds[bare][1:]) for bare in (True, False))
        print(f"    {program.path.name}: {bare_run:.2f} s, recorded {recorded:.2f} s")
        ratios[f"{program.language} {program.path.name}"] = recorded / bare_run
    return ratios


class Tally:
    """What all pairs come to."""

    def __init__(self) -> None:
        self.alarms = self.found = self.due = self.false = 0
        self.ranks: list[int] = []
        self.named: list[bool] = []
        self.ratios: dict[str, list[float]] = {}

    def correct(self, name: str, pair: dict[str, Any], made: Aligned) -> None:
        """Count a pair without a fault, and print what is wrong with it."""
        found, due, false, which = matched(pair, made)
        result = made.said
        self.found, self.due, self.false = self.found + found, self.due + due, self.false + false
        self.alarms += bool(result.divergences)
        counts = f"{found}/{due} matches, {false} false"
        print(f"{name:14} {result.outcome:11} {counts}  {dict(result.seconds)}")
        for what in (*filter(None, which), *result.notes):
            print(f"    {what}")
        for one in result.divergences[:3]:
            print(f"    {one.a.line}:{one.a.name} {one.b.line}:{one.b.name} {one.kind}")

    def faulty(self, fault: dict[str, Any], result: Alignment) -> None:
        """Count a planted fault, and print what was said in its place."""
        rank = rank_of(fault, result)
        self.ranks.append(rank)
        said = result.divergences[0].relation if result.divergences else ""
        if "relation" in fault:
            self.named.append(fault["relation"] in said)
        where = f"{fault['side']}:{fault['line']:<4}"
        print(f"    {where} rank {rank} {result.outcome} {said!r} {dict(result.seconds)}")
        for note in result.notes:
            print(f"        {note}")
        if rank != 1:
            print(f"        planted: {fault['text'].strip()}")
            for one in result.divergences[:4]:
                places = f"{one.a.line} {one.a.name} | {one.b.line} {one.b.name}"
                print(f"        {one.rank} {one.kind}: {places} | {one.values}")

    def say(self) -> None:
        """Print the table."""
        print(f"correct pairs with divergences: {self.alarms}")
        print(f"matches: {share(self.found, self.due)}, false {share(self.false, self.found + self.false)}")
        first, three = self.ranks.count(1), sum(1 <= rank <= 3 for rank in self.ranks)
        print(f"faults: first {share(first, len(self.ranks))}, among three {share(three, len(self.ranks))}")
        print(f"relations named: {share(sum(self.named), len(self.named))}")
        for language, ratios in self.ratios.items():
            middle = statistics.median(ratios)
            spread = f"{min(ratios):.2f} to {max(ratios):.2f}, {len(ratios)} programs"
            print(f"recording over bare run, {language}: median {middle:.2f}, {spread}")


def share(part: int, whole: int) -> str:
    """A share, as counts and per cent."""
    return f"{part}/{whole} ({100 * part / max(1, whole):.0f} %)"


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("pairs", nargs="*")
    parser.add_argument("--most", type=int, default=100, help="faults of each pair")
    parser.add_argument("--cost", action="store_true", help="measure the cost of recording too")
    chosen = parser.parse_args()
    tally = Tally()
    for folder in sorted(path.parent for path in chosen.folder.glob("*/pair.toml")):
        if chosen.pairs and folder.name not in chosen.pairs:
            continue
        pair = tomllib.loads((folder / "pair.toml").read_text(encoding="utf-8"))
        tally.correct(folder.name, pair, aligned(folder, pair, None))
        if chosen.cost:
            for program, ratio in cost(folder, pair).items():
                tally.ratios.setdefault(program.partition(" ")[0], []).append(ratio)
        for fault in pair["fault"][: chosen.most]:
            tally.faulty(fault, aligned(folder, pair, fault).said)
            sys.stdout.flush()
    tally.say()


if __name__ == "__main__":
    main()
