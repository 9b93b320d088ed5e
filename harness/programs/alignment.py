"""Two programs from their files to what is said of them."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import msgspec

from harness.model.outcome import Outcome
from harness.numerics.relations import relation_of
from harness.programs.budget import Budget
from harness.programs.changed import relation_of_change
from harness.programs.further import further, is_doubtful
from harness.programs.launch import Program, Recorded, record
from harness.programs.locate import Located, locate
from harness.programs.match import Matching, Pair, match
from harness.programs.printed import with_printed
from harness.programs.printouts import apart, reordered, unshared
from harness.programs.relation import pair_of_values, relation_of_units
from harness.programs.replace import Side
from harness.programs.results import results_of
from harness.programs.said import Alignment, Divergence, Match, Place
from harness.programs.trace import Value
from harness.programs.units import Unit, units_of
from harness.sessions.sandbox import Limits, Sandbox

LIMITS = Limits(chunk_seconds=120.0)
SECONDS = 300.0
"""Of processor time, after which nothing more is tried, from when the programs are run first."""


class Aligned(NamedTuple):
    """What is said of two programs, and what it was said from."""

    said: Alignment
    a: Side
    b: Side
    matching: Matching


def aligned(
    a: Program,
    b: Program,
    sandbox: Sandbox,
    *,
    limits: Limits = LIMITS,
    seconds: float = SECONDS,
    given: Mapping[str, str] | None = None,
    ignored: Iterable[str] = (),
) -> Aligned:
    """Run two programs, match what they compute, and find where they part.

    Parameters
    ----------
    a, b : Program
        From `as_program`.
    sandbox : Sandbox
        From `find_sandbox`.
    limits : Limits
        What each run may use.
    seconds : float
        Of processor time, after which nothing more is tried, and what is known by then is said.
    given, ignored
        As in `match`.

    Raises
    ------
    UsageError
        A name of ``given`` or ``ignored`` is not there.
    ProvisionError
        A language is not here.
    """
    begun, ignored, budget = time.monotonic(), frozenset(ignored), Budget(seconds)
    sides = [_side(program, sandbox, limits, budget) for program in (a, b)]
    first, second = sides
    recorded = time.monotonic()
    matching = match(first.units, second.units, given=given, ignored=ignored)
    printed = with_printed(first, second, matching)
    first, second, matching = printed.a, printed.b, printed.matching
    matched = time.monotonic()
    troubles = [
        f"{side.recorded.program.path.name}: {side.recorded.trouble}"
        for side in sides
        if side.recorded.trouble
    ]
    located = Located([], [], 0)
    if not troubles:
        located = locate(first, second, matching, sandbox, limits, printed.pairs, budget, given)
    divergences = _divergences(first, second, located)
    matches = _with_parts(first, second, matching, {*ignored, *(given or {}), *(given or {}).values()})
    compared = printed.agreeing or _compared_results(first, second, matching)
    alone = apart(first.recorded.printed, second.recorded.printed)
    if (printed.pairs and not printed.apart) or not all(alone):
        # Each number has its place: what is left are those that have none.
        alone = printed.alone
    units = first.units, second.units
    texts = first.recorded.printed, second.recorded.printed
    unclear = unshared(units, alone) if all(alone) else reordered(units, matching.variables, texts)
    outcome, sentence = _outcome(troubles, divergences, compared, located.unpaired, unclear)
    if located.rounding is not None and not troubles:
        outcome, sentence = Outcome.INCOMPLETE, _rounded(first, second, located)
    said = Alignment(
        outcome=outcome,
        sentence=sentence,
        matches=matches,
        divergences=divergences,
        unmatched={
            "a": unmatched_of(first, {m.a.name for m in matches}),
            "b": unmatched_of(second, {m.b.name for m in matches}),
        },
        notes=(*(tuple(troubles) or _horizons(first, second, located)), *_untried(located, seconds)),
        seconds={
            "record": round(recorded - begun, 3), "match": round(matched - recorded, 3),
            "prove": round(time.monotonic() - matched, 3), "runs": float(located.runs),
        },
    )  # fmt: skip
    return Aligned(said, first, second, matching)


def align(
    a: Program,
    b: Program,
    sandbox: Sandbox,
    *,
    limits: Limits = LIMITS,
    seconds: float = SECONDS,
    given: Mapping[str, str] | None = None,
    ignored: Iterable[str] = (),
) -> Alignment:
    """What `aligned` says of two programs, without what it was said from."""
    return aligned(a, b, sandbox, limits=limits, seconds=seconds, given=given, ignored=ignored).said


def _untried(located: Located, seconds: float) -> list[str]:
    said = [f"no small change of {name} was tried: as it is, it prints something else when run again"
            for name in sorted(located.repairs.unjudged if located.repairs is not None else ())]  # fmt: skip
    if located.stopped:
        said.append(f"not all was tried: the search ended after {seconds:g} s of processor time (--seconds)")
    return said


def _side(program: Program, sandbox: Sandbox, limits: Limits, budget: Budget) -> Side:
    recorded: Recorded = record(program, sandbox, limits=limits)
    budget.take(recorded.processor_seconds)
    return Side(recorded, units_of(recorded.trace))


def place_of(side: Side, unit: Unit) -> Place:
    """Where a unit is set, with the line itself."""
    program = side.recorded.program
    if unit.site.file != program.path.name:
        return Place(name=unit.name, file=unit.site.file, line=unit.site.line)
    lines, where = program.lines, program.where(unit.site.line)
    text = lines[unit.site.line - 1].strip() if unit.site.line <= len(lines) else ""
    return Place(name=unit.name, file=where.file, line=where.line, text=text, cell=where.cell)


def _divergences(a: Side, b: Side, located: Located) -> tuple[Divergence, ...]:
    made: list[Divergence] = []
    seen: set[tuple[int, int]] = set()
    sizes = {
        size for side in (a, b) for unit in side.units for value in unit.values[:1] for size in value.shape
    }
    for suspect in located.suspects:
        one, other = a.units[suspect.a], b.units[suspect.b]
        lines = (one.site.line, other.site.line)
        if lines in seen:
            continue
        seen.add(lines)
        values = pair_of_values(one, other, suspect.occurrence)
        relation = ""
        if suspect.kind != "inherited":
            relation = (
                relation_of(*values, sizes)
                or relation_of_units(a.units, b.units, one, other, sizes, suspect.occurrence)
                or relation_of_change((a, b), (one, other), located.repairs, look=not made)
            )
        made.append(
            Divergence(
                rank=len(made) + 1, a=place_of(a, one), b=place_of(b, other), kind=suspect.kind,
                occurrence=suspect.occurrence + 1, relation=relation, why=suspect.why,
                values=(shown(values[0]), shown(values[1])),
            )
        )  # fmt: skip
    return tuple(made)


def shown(value: Value) -> str:
    """A few elements of a value, as text."""
    flat = value.ravel()
    items = [f"{item:.10g}" if isinstance(item, float) else str(item) for item in flat[:4].tolist()]
    if value.size == 1:
        return items[0]
    size = "x".join(map(str, value.shape))
    return f"[{', '.join(items)}{', ...' if flat.size > 4 else ''}] ({size})"


def matches_of(a: Side, b: Side, matching: Matching) -> tuple[Match, ...]:
    """One match for each variable."""
    return tuple(_match(a, b, pair) for pair in _kept(a, b, matching))


def _match(a: Side, b: Side, pair: Pair) -> Match:
    return Match(
        a=_named(place_of(a, a.units[pair.a])), b=_named(place_of(b, b.units[pair.b])),
        layout="stacked" if pair.compared.form == "stacked" else pair.compared.layout or "same",
        confidence=round(pair.score, 2), agrees=pair.agrees, evidence=pair.evidence,
    )  # fmt: skip


def _with_parts(a: Side, b: Side, matching: Matching, left_out: Collection[str]) -> tuple[Match, ...]:
    """The matches, and those of what has none, but for some names, which overrule what is doubtful."""
    kept = _kept(a, b, matching)
    more = [
        Match(
            a=msgspec.structs.replace(place_of(a, a.units[one.a.unit]), name=one.a.name),
            b=msgspec.structs.replace(place_of(b, b.units[one.b.unit]), name=one.b.name),
            layout=one.layout, confidence=round(one.score, 2), agrees=True, evidence=one.evidence,
        )
        for one in further(a, b, kept, left_out)
    ]  # fmt: skip
    known = {one.a.name for one in more}, {one.b.name for one in more}
    own = [(pair, _match(a, b, pair)) for pair in kept]
    return (
        *(
            one for pair, one in own
            if not (is_doubtful(a, b, pair) and (one.a.name in known[0] or one.b.name in known[1]))
        ),
        *more,
    )  # fmt: skip


def _kept(a: Side, b: Side, matching: Matching) -> list[Pair]:
    """One pair for each variable: of its statements, the one that differs first, else the surest."""
    best: dict[tuple[_Variable, _Variable], Pair] = {}
    for pair in matching.variables:
        key = _variable(a.units[pair.a]), _variable(b.units[pair.b])
        known = best.get(key)
        if known is None or (known.agrees, -known.score) > (pair.agrees, -pair.score):
            best[key] = pair
    # A variable has one partner, and what another function has by its name is another variable. Equal values
    # speak more for it than what an empty array, filled later, has in common with another.
    weight = {key: pair.score + pair.evidence["values"] for key, pair in best.items()}
    partner_a, partner_b = _surest(weight, 0), _surest(weight, 1)
    kept = [
        pair for (one, other), pair in best.items()
        if partner_a[one] == other
        and (partner_b[other] == one or (pair.evidence["values"] > 0.6 and pair.compared.form != "last"))
    ]  # fmt: skip
    return sorted(kept, key=lambda pair: a.units[pair.a].first)


_Variable = tuple[str, str]
"""The function that has it, and its name."""


def _variable(unit: Unit) -> _Variable:
    return unit.site.function, unit.name.removesuffix("[]")


def _named(place: Place) -> Place:
    return msgspec.structs.replace(place, name=place.name.removesuffix("[]"))


def _surest(weight: Mapping[tuple[_Variable, _Variable], float], side: int) -> dict[_Variable, _Variable]:
    best: dict[_Variable, tuple[float, _Variable]] = {}
    for names, value in weight.items():
        own, other = names[side], names[1 - side]
        if own not in best or best[own][0] < value:
            best[own] = (value, other)
    return {name: other for name, (_, other) in best.items()}


def unmatched_of(side: Side, matched: set[str]) -> tuple[Place, ...]:
    """Variables of which no part has a partner."""
    bases = {_base(name) for name in matched}
    found: dict[str, Place] = {}
    for unit in side.units:
        base = unit.site.name.removesuffix("[]")
        if unit.kind in ("set", "container", "element") and base not in bases and base not in matched:
            place = place_of(side, unit)
            found.setdefault(base, msgspec.structs.replace(place, name=base))
    return tuple(found.values())


def _base(name: str) -> str:
    """The variable that a part is of: ``tab$t`` and ``tab['t']`` are of ``tab``."""
    return re.split(r"[\[$]", name, maxsplit=1)[0]


def _compared_results(a: Side, b: Side, matching: Matching) -> int:
    ends_a, ends_b = results_of(a.units), results_of(b.units)
    return sum(pair.agrees and pair.a in ends_a and pair.b in ends_b for pair in matching.pairs)


def _rounded(a: Side, b: Side, located: Located) -> str:
    """That results differ which rounding decides: right programs differ so, and wrong ones may."""
    names = [a.units[pair.a].name for pair in located.results]
    named = ", ".join(dict.fromkeys(names[:3])) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return (
        f"{named} differ, and rounding alone can be the reason: with its last digits changed, a program"
        " differs from itself as much; no line is off by more than that"
    )


def _horizons(a: Side, b: Side, located: Located) -> tuple[str, ...]:
    """Until when variables agree that rounding drives apart."""
    if located.rounding is None:
        return ()
    return tuple(
        f"{first.at}: {first.name} and {second.name} ({second.at}) agree in the first {one.agreeing} of"
        f" {one.total} values"
        for one in located.rounding.horizons[:3]
        for first in (_named(place_of(a, a.units[one.a])),)
        for second in (_named(place_of(b, b.units[one.b])),)
    )


def _outcome(
    troubles: list[str],
    divergences: tuple[Divergence, ...],
    compared: int,
    unpaired: int,
    unclear: str,
) -> tuple[Outcome, str]:
    if troubles:
        return Outcome.FAULT, f"not compared to the end: {'; '.join(troubles)}"
    if divergences:
        first = divergences[0]
        where = f"{first.a.at} and {first.b.at}"
        if first.kind == "local":
            return Outcome.DIVERGENCE, f"the programs part at {where}"
        return Outcome.DIVERGENCE, f"results differ; the likeliest place is {where}, and it is not proved"
    if not compared:
        return Outcome.INCOMPLETE, "no result of one program could be matched with a result of the other"
    if unpaired:
        return Outcome.INCOMPLETE, (
            f"{compared} results agree; {unpaired} of each program have no counterpart in the other:"
            " name them with --map"
        )
    if unclear:
        return Outcome.INCOMPLETE, f"{compared} results agree, and {unclear}"
    return Outcome.AGREEMENT, f"all {compared} results that could be matched agree"
