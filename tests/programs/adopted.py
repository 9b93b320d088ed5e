"""Measure ``harness adopt`` on a folder of pairs: ``python tests/programs/adopted.py FOLDER [PAIR ...]``.

Each pair is aligned, adopted and run; then with each of its faults. A fault counts as found at its stage
if, of the stages that fail on the reference's own inputs, the first has the planted line in its function, or
calls the one that has.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import harness
from harness.adoption.adopt import Adopted, adopt
from harness.errors import HarnessError
from harness.model import Cell, Mode, Verdict
from harness.programs.alignment import LIMITS
from harness.programs.program import as_program
from harness.sessions.sandbox import find_sandbox
from tests.programs.measure import copied, share

_PLACE = re.compile(r"# \S+?:(\d+)(?:-(\d+))?$")


class Round(NamedTuple):
    """One pair, aligned, adopted and run; ``why`` says why it could not be adopted."""

    adopted: Adopted | None
    outcome: str
    cells: tuple[Cell, ...]
    texts: dict[str, str]
    why: str
    seconds: float


def round_trip(folder: Path, pair: dict[str, Any], fault: dict[str, Any] | None) -> Round:
    """Align, adopt and run a pair, with one of its faults put in or none."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as made:
        copy = copied(folder, pair, fault, Path(made))
        programs = [as_program(copy / pair[side]) for side in ("a", "b")]
        suite = Path(made) / "suite"
        try:
            adopted = adopt(
                programs[0], programs[1], "pair", suite, suite / "fixtures" / "pair",
                find_sandbox(unsandboxed=True), limits=LIMITS,
            )  # fmt: skip
            results = harness.run(suite, cases="pair", values=False)
        except HarnessError as error:
            return Round(None, "", (), {}, str(error), time.monotonic() - begun)
        texts = {path.name: path.read_text(encoding="utf-8") for path in (suite / "pair").iterdir()}
        return Round(adopted, str(results.outcome), results.cells, texts, "", time.monotonic() - begun)


def first_failing(done: Round, side: int) -> str:
    """Of the stages that fail on the reference's inputs, the first in a program; else of those that fail."""
    assert done.adopted is not None
    order = [stage.name for stage in done.adopted.stages]
    for mode in (Mode.ISOLATED, Mode.CHAINED):
        failed = {cell.stage for cell in done.cells if cell.verdict is Verdict.FAIL and cell.mode is mode}
        lines = {
            stage.name: int(re.findall(r":(\d+)\)$", (stage.a, stage.b)[side])[0])
            for stage in done.adopted.stages
        }
        if failed:
            return min(failed, key=lambda name: (lines[name], order.index(name)))
    return ""


def has_line(done: Round, file: str, stage: str, line: int) -> bool:
    """Whether a stage's function has a line of the program, or calls what has, in the file of one program."""
    text = next(
        text for text in done.texts.values() if text.startswith(f"# Made by `harness adopt` of {file}:")
    )
    found, current, owners = {}, "", []
    for row in text.split("\n"):
        if head := re.match(r"(?:def |function )(\w+)\(|([\w.]+) <- function\(", row):
            current = head[1] or head[2]
        found.setdefault(current, []).append(row)
    top = found.get("", [])
    for name, rows in [*found.items(), ("", top)]:
        for row in rows:
            place = _PLACE.match(row.strip())
            if place and int(place[1]) <= line <= int(place[2] or place[1]):
                # At the left margin it is of the definition that follows.
                below = "\n".join(text.split("\n")[text.split("\n").index(row) + 1 :][:2])
                inner = re.match(r"(?:def |function |class )?([\w.]+)", below)
                owners.append(inner[1] if not row.startswith(" ") and inner else name)
    if stage in owners:
        return True
    body = "\n".join(found.get(stage, []))
    near = {owner for owner in owners if re.search(rf"\b{re.escape(owner)}\b", body)}
    for name, rows in found.items():
        # Through one more function.
        if re.search(rf"\b{re.escape(name or '-')}\b", body) and name != stage:
            near |= {owner for owner in owners if re.search(rf"\b{re.escape(owner)}\b", "\n".join(rows))}
    return bool(near)


def tell(name: str, done: Round) -> None:
    """Print what became of a pair without a fault, and what is wrong with it."""
    if done.adopted is None:
        print(f"{name:14} not adopted: {done.why} ({done.seconds:.0f} s)")
        return
    counts = f"{len(done.adopted.stages)} stages of {len(done.adopted.inputs)} inputs"
    print(f"{name:14} {done.outcome:11} {counts}, {len(done.adopted.left)} left out ({done.seconds:.0f} s)")
    for each in done.adopted.left:
        if "inside of" not in each.why:
            print(f"        left: {each.text[:200]}")
    passing = (Verdict.PASS, Verdict.NOT_RUN)
    for cell in [cell for cell in done.cells if cell.verdict not in passing][:6]:
        print(f"    {cell.verdict} {cell.implementation} {cell.stage} {cell.mode} {cell.reason[:200]}")
    sys.stdout.flush()


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("pairs", nargs="*")
    parser.add_argument("--most", type=int, default=100, help="faults of each pair")
    parser.add_argument("--faults", action="store_true", help="the faults alone")
    chosen = parser.parse_args()
    pairs = adopted = stages = green = faults = made = failing = right = 0
    for folder in sorted(path.parent for path in chosen.folder.glob("*/pair.toml")):
        if chosen.pairs and folder.name not in chosen.pairs:
            continue
        pair = tomllib.loads((folder / "pair.toml").read_text(encoding="utf-8"))
        if not chosen.faults:
            done = round_trip(folder, pair, None)
            pairs, adopted = pairs + 1, adopted + (done.adopted is not None)
            stages += len(done.adopted.stages) if done.adopted is not None else 0
            green += done.outcome == "AGREEMENT"
            tell(folder.name, done)
        for fault in pair["fault"][: chosen.most]:
            done = round_trip(folder, pair, fault)
            faults += 1
            where = f"    {fault['side']}:{fault['line']:<4}"
            if done.adopted is None:
                print(f"{where} not adopted: {done.why} ({done.seconds:.0f} s)")
                continue
            made += 1
            side = "ab".index(fault["side"])
            stage = first_failing(done, side)
            is_right = bool(stage) and has_line(done, pair[fault["side"]], stage, fault["line"])
            failing += done.outcome == "DIVERGENCE"
            right += is_right
            said = done.adopted.said.outcome
            print(
                f"{where} {done.outcome:11} (align: {said}) at {stage or 'no stage'}:"
                f" {'right' if is_right else 'elsewhere'}; {len(done.adopted.stages)} stages"
                f" ({done.seconds:.0f} s)"
            )
            if not is_right:
                print(f"        planted: {fault['text'].strip()}")
            sys.stdout.flush()
    print(f"pairs: adopted {share(adopted, pairs)}, {stages} stages, of them agree {share(green, adopted)}")
    print(f"faults: adopted {share(made, faults)}, DIVERGENCE {share(failing, made)},", end=" ")
    print(f"at its stage {share(right, made)}")


if __name__ == "__main__":
    main()
