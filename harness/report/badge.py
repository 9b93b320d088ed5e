"""A record as a badge: what shields.io reads, and a picture."""

from __future__ import annotations

import json

from harness.errors import ExitCode
from harness.model import Outcome, Record, Verdict, outcome_of
from harness.model.once import once
from harness.model.outcome import JUDGED, MISSING, is_published
from harness.report import agreement, article_sections, reasons, sentence, totals, view
from harness.report.svg import tag
from harness.report.text import counted

LABEL = "conformance"

_COLOURS = {
    Outcome.AGREEMENT: ("brightgreen", "#1b7a35"),
    Outcome.DIVERGENCE: ("red", "#b3261e"),
    Outcome.FAULT: ("orange", "#8a4b00"),
    Outcome.INCOMPLETE: ("lightgrey", "#555555"),
}


def endpoint(record: Record) -> str:
    """The JSON that a shields.io endpoint badge is made from, schema version 1."""
    colour, _ = _COLOURS[outcome_of(record).outcome]
    badge = {"schemaVersion": 1, "label": LABEL, "message": message(record), "color": colour}
    return json.dumps(badge, ensure_ascii=True) + "\n"


def picture(record: Record) -> str:
    """The badge as an SVG image."""
    _, colour = _COLOURS[outcome_of(record).outcome]
    text = message(record)
    left, right = 12 + 7 * len(LABEL), 12 + 7 * len(text)
    parts = [
        tag("title", f"{LABEL}: {text}"),
        tag("rect", width=left, height=20, fill="#444"),
        tag("rect", x=left, width=right, height=20, fill=colour),
    ]
    for words, at, width in ((LABEL, 0, left), (text, left, right)):
        parts.append(
            tag(
                "text",
                words,
                x=at + width / 2,
                y=14,
                fill="#fff",
                text_anchor="middle",
                font_family="Verdana,DejaVu Sans,sans-serif",
                font_size=11,
                textLength=width - 12,
            )
        )
    whole = tag(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        width=left + right,
        height=20,
        role="img",
        aria_label=f"{LABEL}: {text}",
    )
    return f"{whole}\n"


@once
def message(record: Record) -> str:
    """A few words: who agrees in how much, how much fails, or that nothing follows; how much is replayed."""
    replayed = len(sentence.replayed(record))
    return f"{_message(record)}, {replayed} replayed" if replayed else _message(record)


def _message(record: Record) -> str:
    run_outcome = outcome_of(record)
    counts = totals.verdicts(record)
    failing = sum(counts[verdict] for verdict in view.FAILING)
    if sentence.articles_alone(record):
        wrong = len(article_sections.wrong(record.documents))
        return f"{counted(len(record.documents), 'article')}, {wrong} wrong"
    if run_outcome.outcome is Outcome.INCOMPLETE:
        return _incomplete(record, run_outcome.exit_code)
    if failing:
        return f"{failing} of {sum(counts.values())} failing"
    if run_outcome.outcome is not Outcome.AGREEMENT:
        return "fault" if run_outcome.outcome is Outcome.FAULT else "divergence"
    agreeing = agreement.agreeing(record)
    if all(is_published(cell.implementation) for cell in record.cells):
        agreeing = {cell.implementation for cell in record.cells if cell.verdict in JUDGED}
    known = len({cell.divergence for cell in record.cells if cell.verdict is Verdict.XFAIL})
    coarse = sum(len(group.places) for group in reasons.coarse(record))
    in_part = sum(len(group.places) for group in reasons.coarse_in_part(record))
    undecided = reasons.undecided_elements(record)
    cases = totals.cases(record)
    parts = [
        f"{len(agreeing)} implementations, {cases} cases",
        f"{known} known" if known else "",
        f"{coarse} coarse" if coarse else "",
        f"{in_part} coarse in part" if in_part else "",
        f"{undecided} undecided" if undecided else "",
        *(words for words in sentence.left_out(record) if not words.endswith("implementations")),
    ]
    return ", ".join(filter(None, parts))


def _incomplete(record: Record, exit_code: int) -> str:
    if exit_code == ExitCode.INTERRUPTED:
        return "partial run"
    if exit_code == ExitCode.RUNTIME_MISSING:
        missing = any(reason.startswith(MISSING) for reason in outcome_of(record).reasons)
        return f"a required runtime {'is missing' if missing else 'was not compared'}"
    return "incomplete" if any(cell.verdict in JUDGED for cell in record.cells) else "nothing compared"
