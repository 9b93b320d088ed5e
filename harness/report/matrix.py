"""The matrix of cases and implementations as a piece of HTML: what a notebook shows of a run."""

from __future__ import annotations

from collections.abc import Sequence

from harness.model import Outcome, Record
from harness.report import published, sentence, text, view
from harness.report.page import environment

COLOURS = {Outcome.AGREEMENT: "#1a7f37", Outcome.DIVERGENCE: "#cf222e"}
OTHER = "#8250df"


def fragment(record: Record, notes: Sequence[str] = ()) -> str:
    """The outcome in a sentence, and the matrix, with no style sheet and no script.

    Parameters
    ----------
    record : Record
        A run, whole or not.
    notes : sequence of str
        Further sentences.
    """
    said = sentence.verdict(record)
    html: str = (
        environment()
        .get_template("fragment.html")
        .render(
            sentence=said,
            notes=[*said.notes, *notes],
            colour=COLOURS.get(said.outcome, OTHER),
            columns=published.columns(record),
            matrix=view.matrix(record),
            signs=text.SIGNS,
            case_label=text.case_label,
        )
    )
    return html
