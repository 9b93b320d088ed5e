"""A run as a value: its outcome, cells and arrays, as text, as a table of pandas, and in a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from harness.api.disagreement import error_of
from harness.errors import UsageError
from harness.model import Array, Cell, Outcome, Record, outcome_of
from harness.report import sentence, table, view

if TYPE_CHECKING:
    import pandas as pd


class ValueKey(NamedTuple):
    """Which value: an output of a case, of which implementation, in which sample and precision."""

    case: str
    stage: str
    implementation: str
    sample: str
    precision: str


class Results:
    """What a run came to.

    Parameters
    ----------
    record : Record
        Every verdict.
    values : mapping of ValueKey to ndarray, optional
        What the implementations returned; a record that was read from a file has none.
    notes : tuple of str
        What a reader should know beside the verdicts.

    Attributes
    ----------
    record : Record
        As given.
    notes : tuple of str
        As given.
    """

    def __init__(
        self, record: Record, values: Mapping[ValueKey, Array] | None = None, notes: tuple[str, ...] = ()
    ) -> None:
        self.record = record
        self.notes = notes
        self._values = values

    @property
    def outcome(self) -> Outcome:
        """AGREEMENT, DIVERGENCE, INCOMPLETE or FAULT."""
        return outcome_of(self.record).outcome

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is no agreement, the weightiest first; then what was left out and may be."""
        return outcome_of(self.record).reasons

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All verdicts, by case, stage and implementation."""
        return view.ordered(self.record)

    @property
    def values(self) -> Mapping[ValueKey, Array]:
        """What each implementation returned, on its own upstream values.

        Raises
        ------
        UsageError
            They were not kept.
        """
        if self._values is None:
            raise UsageError(
                "these results hold no values",
                advice="a record has verdicts alone: harness.run(..., values=True) keeps what was returned",
            )
        return self._values

    def value(
        self,
        stage: str,
        implementation: str,
        *,
        case: str | None = None,
        sample: str | None = None,
        precision: str = "float64",
    ) -> Array:
        """What one implementation returned for one output.

        Parameters
        ----------
        stage, implementation : str
            The output's name, and the implementation's.
        case, sample : str, optional
            Needed where there are several.
        precision : str
            The format of the run.

        Raises
        ------
        UsageError
            There is no such value, or there are several.
        """
        found = [
            key
            for key in self.values
            if (key.stage, key.implementation, key.precision) == (stage, implementation, precision)
            and case in (None, key.case)
            and sample in (None, key.sample)
        ]
        if len(found) == 1:
            return self.values[found[0]]
        if found:
            several = ", ".join(f"{key.case}/{key.sample}" for key in found[:8])
            raise UsageError(f"{stage!r} of {implementation} is there {len(found)} times: {several}")
        there = dict.fromkeys(f"{key.stage} of {key.implementation}" for key in self.values)
        raise UsageError(
            f"there is no {stage!r} of {implementation}",
            advice=f"there are: {', '.join(list(there)[:20]) or 'none'}",
        )

    def to_pandas(self) -> pd.DataFrame:
        """All cells as a data frame, with the columns of ``cells.csv``.

        Raises
        ------
        UsageError
            pandas is not installed.
        """
        try:
            import pandas as pd
        except ModuleNotFoundError as error:
            raise UsageError("pandas is not installed", advice="pip install pandas") from error
        return pd.DataFrame.from_records(table.rows(self.record), columns=list(table.COLUMNS))

    def raise_for_divergence(self) -> None:
        """Raise unless the outcome is AGREEMENT.

        Raises
        ------
        DivergenceError
            Something differs: the text has implementation, stage, element and sizes.
        ConformanceError
            A fault, or something was not compared: no agreement follows, and no difference either.
        """
        __tracebackhide__ = True
        error = error_of(self.record)
        if error is not None:
            raise error

    def __bool__(self) -> NoReturn:
        """Refuse: a run has four outcomes."""
        raise TypeError(
            "results are neither true nor false: ask for results.outcome,"
            " or let results.raise_for_divergence() raise"
        )

    def __repr__(self) -> str:
        counted = ", ".join(f"{n} {verdict}" for verdict, n in view.counts(self.record.cells).items() if n)
        return f"<Results {self.outcome}: {counted or 'no cells'}>"

    def __str__(self) -> str:
        said = sentence.verdict(self.record)
        return "\n".join((f"{said.outcome}: {said.text}", *said.notes, *self.notes))

    def _repr_html_(self) -> str:
        from harness.report.matrix import fragment

        return fragment(self.record, self.notes)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": str(self)}
