"""An alignment as JSON, as text for a terminal, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.programs.said import Alignment, Divergence, Match, Place

_SHOWN = 40
KINDS = {
    "local": "made here: with the other's value all results agree",
    "unproved": "a candidate, not proved",
    "inherited": "follows from the above",
}


def as_object(alignment: Alignment) -> dict[str, Any]:
    """The JSON object that ``harness align --json`` prints."""
    return {
        "outcome": str(alignment.outcome),
        "sentence": alignment.sentence,
        "matches": [
            {
                "a": _place(match.a), "b": _place(match.b), "layout": match.layout,
                "confidence": match.confidence, "agrees": match.agrees, "evidence": match.evidence,
            }
            for match in alignment.matches
        ],
        "divergences": [
            {
                "rank": one.rank, "a": _place(one.a), "b": _place(one.b), "kind": one.kind,
                "occurrence": one.occurrence, "relation": one.relation, "why": one.why,
                "values": {"a": one.values[0], "b": one.values[1]},
            }
            for one in alignment.divergences
        ],
        "unmatched": {
            side: [_place(place) for place in places] for side, places in alignment.unmatched.items()
        },
        "notes": list(alignment.notes),
        "seconds": alignment.seconds,
    }  # fmt: skip


def as_text(alignment: Alignment, *, all_matches: bool = False) -> str:
    """Lines for a terminal: the outcome first, then where it starts, then what was matched."""
    return "\n".join(_text(alignment, all_matches))


def as_markdown(alignment: Alignment) -> str:
    """The same as Markdown, for a comment."""
    return "\n".join(_markdown(alignment))


def _besides(alignment: Alignment) -> list[str]:
    """Notes that the sentence does not have."""
    return [note for note in alignment.notes if note not in alignment.sentence]


def _place(place: Place) -> dict[str, Any]:
    cell = {"cell": place.cell} if place.cell else {}
    return {"name": place.name, "file": place.file, "line": place.line} | cell


def _text(alignment: Alignment, all_matches: bool) -> Iterator[str]:
    yield f"{alignment.outcome}: {alignment.sentence}"
    yield from (f"  {note}" for note in _besides(alignment))
    own = [one for one in alignment.divergences if one.kind != "inherited"]
    rest = [one for one in alignment.divergences if one.kind == "inherited"]
    for one in own:
        yield ""
        yield f"{one.rank}. {one.a.name} and {one.b.name} ({KINDS[one.kind]}{_nth(one)})"
        yield f"     {one.a.at}: {one.a.text}"
        yield f"     {one.b.at}: {one.b.text}"
        yield f"     values: {one.values[0]} and {one.values[1]}"
        if one.relation:
            yield f"     relation: {one.relation}"
        if one.why:
            yield f"     why: {one.why}"
    if rest:
        names = ", ".join(
            f"{one.a.name} ({one.a.short}) and {one.b.name} ({one.b.short})" for one in rest[:6]
        )
        yield ""
        yield f"what follows from it: {names}{' and more' if len(rest) > 6 else ''}"
    agreeing = sum(match.agrees for match in alignment.matches)
    yield ""
    yield f"{len(alignment.matches)} variables matched, {agreeing} of them agree"
    matches = alignment.matches if all_matches else [match for match in alignment.matches if not match.agrees]
    for match in matches[:_SHOWN]:
        names = f"{match.a.name} ({match.a.short}) = {match.b.name} ({match.b.short})"
        yield f"  {'agree ' if match.agrees else 'differ'} {names}, {_how(match)}"
    for side, places in alignment.unmatched.items():
        if places:
            names = ", ".join(f"{place.name} ({place.short})" for place in places[:_SHOWN])
            yield f"  only in {'the first' if side == 'a' else 'the second'}: {names}"


def _markdown(alignment: Alignment) -> Iterator[str]:
    yield f"**{alignment.outcome}**: {alignment.sentence}"
    yield ""
    if notes := _besides(alignment):
        yield from (f"- {note}" for note in notes)
        yield ""
    for one in alignment.divergences:
        if one.kind == "inherited":
            continue
        yield f"{one.rank}. `{one.a.name}` and `{one.b.name}`: {KINDS[one.kind]}{_nth(one)}"
        yield f"   - `{one.a.at}`: `{one.a.text}`, value {one.values[0]}"
        yield f"   - `{one.b.at}`: `{one.b.text}`, value {one.values[1]}"
        if one.relation:
            yield f"   - {one.relation}"
    yield ""
    yield "| first | line | second | line | layout | confidence | agrees |"
    yield "|---|---|---|---|---|---|---|"
    for match in alignment.matches:
        yield (
            f"| `{match.a.name}` | {match.a.short} | `{match.b.name}` | {match.b.short} | {match.layout}"
            f" | {match.confidence:.2f} | {'yes' if match.agrees else 'no'} |"
        )


def _nth(one: Divergence) -> str:
    return f", the {one.occurrence}. time" if one.occurrence > 1 else ""


def _how(match: Match) -> str:
    evidence = ", ".join(f"{name} {value:.1f}" for name, value in match.evidence.items() if value >= 0.3)
    return f"{match.layout}, confidence {match.confidence:.2f} ({evidence})"
