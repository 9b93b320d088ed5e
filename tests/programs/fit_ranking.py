"""Fit what clues are worth: ``python -m tests.programs.fit_ranking FOLDER ... --examples DIR [--most N]``.

Each planted line is a choice: which of all pairs of lines of two programs has it. The weights maximize the
likelihood of these choices, with a ridge; first without trials, then what trials come to beside that. How
well lines are ordered is told of each pair by what was fitted on others: no pair is in both. Examples are
kept in DIR, and used again; ``--kept`` takes those alone.
"""

from __future__ import annotations

import argparse
import pickle
import tempfile
import tomllib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from harness.programs.alignment import LIMITS
from harness.programs.budget import Budget
from harness.programs.launch import as_program, record
from harness.programs.likelihood import covering
from harness.programs.locate import due_of, first_into_b, search_of
from harness.programs.match import match
from harness.programs.printed import with_printed
from harness.programs.replace import Side
from harness.programs.units import units_of
from harness.programs.weights import OF_LINE, OF_PAIR, OF_TRIAL
from harness.sessions.sandbox import find_sandbox
from tests.programs.measure import copied, share

Numbers = npt.NDArray[Any]
CLUES = (*OF_LINE, *OF_PAIR)
TRIALS = (*(name for name in OF_TRIAL if name != "none"), "outside")
_RIDGE, _RIDGE_OF_TRIALS = 0.02, 0.003
_SECONDS = 60.0
_PARTS = 10
"""In how many parts the pairs are taken, of which each is ordered by what was fitted on the others."""


class Example(NamedTuple):
    """One planted line: the clues of all pairs of lines, what trials came to, and in which pairs it is."""

    pair: str
    name: str
    clues: Numbers
    trials: Numbers
    planted: npt.NDArray[np.bool_]


def example(folder: Path, pair: dict[str, Any], number: int) -> Example | None:
    """The clues of a fault; None where nothing is found to differ."""
    fault = pair["fault"][number]
    sandbox = find_sandbox(unsandboxed=True)
    with tempfile.TemporaryDirectory() as made:
        copy = copied(folder, pair, fault, Path(made))
        recorded = [record(as_program(copy / pair[side]), sandbox, limits=LIMITS) for side in ("a", "b")]
        if any(one.trouble for one in recorded):
            return None
        sides = [Side(one, units_of(one.trace)) for one in recorded]
        printed = with_printed(sides[0], sides[1], match(sides[0].units, sides[1].units))
        due = due_of(printed.a, printed.b, printed.matching, printed.pairs)
        if not due.off and not due.weak:
            return None
        search = search_of(printed.a, printed.b, printed.matching, due, sandbox, LIMITS, Budget(_SECONDS))
        telling = search(first_into_b(printed.a, printed.b))
        tried, cones = telling.try_likely()
    likelihood = telling.likelihood
    shape = likelihood.shape
    trials = np.zeros((*shape, len(TRIALS)))
    for x, y in np.ndindex(shape):
        if (came := tried.get(likelihood.lines(x, y))) is not None:
            trials[x, y, TRIALS.index(came)] = 1
    trials[:, :, -1] = sum((likelihood.outside(cone) for cone in cones), np.zeros(shape))
    clues = np.zeros((*shape, len(CLUES)))
    planted = np.zeros(shape, dtype=bool)
    side = "ab".index(fault["side"])
    for x, y in np.ndindex(shape):
        clues[x, y] = [likelihood.clues(x, y)[name] for name in CLUES]
        planted[x, y] = likelihood.lines(x, y)[side][1] == fault["line"]
    pair_name = f"{folder.parent.name}.{folder.name}"
    return Example(pair_name, f"{pair_name}.{number}", clues, trials, planted)


def fitted(examples: Sequence[tuple[Numbers, Numbers, Numbers]], ridge: float) -> Numbers:
    """Weights that maximize the likelihood: of what is known of pairs, their clues, and which are right."""
    scale = np.concatenate([clues for _, clues, _ in examples]).std(0) + 1e-6

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        total, slope = 0.0, np.zeros_like(weights)
        for known, clues, planted in examples:
            worth = known + (clues / scale) @ weights
            odds = np.exp(worth - worth.max())
            right = max(float(odds[planted].sum()), 1e-300)
            total -= float(np.log(right / odds.sum()))
            slope += ((odds @ clues) / odds.sum() - (odds[planted] @ clues[planted]) / right) / scale
        count = len(examples)
        return total / count + ridge * float(weights @ weights), slope / count + 2 * ridge * weights

    return np.asarray(minimize(loss, np.zeros(scale.size), jac=True, method="L-BFGS-B").x) / scale


def weights_of(examples: Sequence[Example]) -> tuple[Numbers, Numbers]:
    """The weights of clues, and of trials beside them."""
    rows = [
        (one.clues.reshape(-1, len(CLUES)), one.trials.reshape(-1, len(TRIALS)), one.planted.ravel())
        for one in examples if one.planted.any()
    ]  # fmt: skip
    clues = fitted([(np.zeros(len(planted)), row, planted) for row, _, planted in rows], _RIDGE)
    tried = [(row @ clues, trials, planted) for row, trials, planted in rows if trials.any()]
    return clues, fitted(tried, _RIDGE_OF_TRIALS) if tried else np.zeros(len(TRIALS))


def rank_of(one: Example, clues: Numbers, trials: Numbers) -> int:
    """At which rank the planted line stands; 0 where it does not."""
    if not one.planted.size:
        return 0
    worth = one.clues @ clues + one.trials @ trials
    odds = np.exp(worth - worth.max())
    ordered = covering(odds / odds.sum())
    return next((rank for rank, place in enumerate(ordered[:8], 1) if one.planted[place]), 0)


def said(ranks: Collection[int]) -> str:
    """How many stand first, among three, and in the list."""
    first, three = (sum(1 <= rank <= most for rank in ranks) for most in (1, 3))
    among = f"first {share(first, len(ranks))}, among three {share(three, len(ranks))}"
    return f"{among}, listed {sum(map(bool, ranks))}"


def _examples(chosen: argparse.Namespace) -> Iterator[Example | None]:
    chosen.examples.mkdir(exist_ok=True)
    for folder in chosen.folders:
        for path in sorted(folder.glob("*/pair.toml")):
            pair = tomllib.loads(path.read_text(encoding="utf-8"))
            for number in range(min(chosen.most, len(pair["fault"]))):
                kept = chosen.examples / f"{folder.name}.{path.parent.name}.{number}.pkl"
                if not kept.exists():
                    if chosen.kept:
                        continue
                    kept.write_bytes(pickle.dumps(example(path.parent, pair, number)))
                yield pickle.loads(kept.read_bytes())


def main() -> None:
    """Fit, and print the weights and how well each pair is ordered by what was fitted on others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--most", type=int, default=100, help="faults of each pair")
    parser.add_argument("--kept", action="store_true", help="take the examples that are there")
    chosen = parser.parse_args()
    found = list(_examples(chosen))
    known = [one for one in found if one is not None]
    pairs = sorted({one.pair for one in known})
    without: list[int] = []
    ranks: list[int] = []
    for part in range(_PARTS):
        kept_aside = pairs[part::_PARTS]
        clues, trials = weights_of([one for one in known if one.pair not in kept_aside])
        own = [one for one in known if one.pair in kept_aside]
        without += [rank_of(one, clues, np.zeros_like(trials)) for one in own]
        ranks += [rank_of(one, clues, trials) for one in own]
    nothing = [0] * (len(found) - len(known))
    print(f"without trials: {said([*without, *nothing])}")
    print(f"with trials:    {said([*ranks, *nothing])}")
    for names, weights in zip((CLUES, TRIALS), weights_of(known), strict=True):
        print(", ".join(f'"{name}": {weight:.1f}' for name, weight in zip(names, weights, strict=True)))


if __name__ == "__main__":
    main()
