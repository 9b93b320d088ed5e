"""A record on a terminal. Every verdict is a word; colour only repeats it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.model import Consensus, Footer, Outcome, Precision, Record, Rest, outcome_of
from harness.model.outcome import NOT_STARTED
from harness.report import limits, published, reasons, sentence, totals, view
from harness.report.accuracy import cancelling, largest_by_runtime, why_no_ulp
from harness.report.known import Known
from harness.report.known import known_divergences as known_in
from harness.report.known import ranges as ranges_in
from harness.report.same_bits import same_bits
from harness.report.terminal_articles import documents, not_as_published
from harness.report.terminal_failing import failing, first_divergence
from harness.report.terminal_matrix import case_matrix, pair_matrix, same_bits_table
from harness.report.terminal_words import LONGEST, NAMED, SHOWN, STYLES, add_row, number, plain
from harness.report.text import short
from harness.report.times import times_of

_COMPILED = 0.1
"""Seconds of first calls that are worth a line: something was compiled, or loaded for long."""


def render(record: Record, console: Console) -> None:
    """Print a record: matrices first, then what to look at, then one closing line.

    Parameters
    ----------
    record : Record
        A run, whole or not.
    console : rich.console.Console
        Where to print.
    """
    for part in sections(record):
        console.print(part)


def sections(record: Record) -> Iterator[RenderableType]:
    """The parts of the report that have something to say, in their order."""
    if record.cells:
        yield case_matrix(record)
    if provisos := published.provisos(record):
        yield not_as_published(provisos)
    if record.pairs:
        yield pair_matrix(record)
    if groups := same_bits(record):
        yield same_bits_table(groups)
    if record.header.runtimes or record.header.absent:
        yield runtimes(record)
    if known := known_in(record):
        yield known_divergences(known, record)
    if record.consensus:
        yield consensus(record.consensus)
    if (text := tight_and_loose(record)).plain:
        yield text
    if (text := weaker(record)).plain:
        yield text
    if record.documents:
        yield documents(record)
    if cells := view.failing(record):
        yield failing(view.told_once(cells))
    if (first := view.first_divergence(record)) is not None:
        yield first_divergence(record, first)
    yield outcome(record)
    yield closing(record)


def runtimes(record: Record) -> Group:
    """What ran: versions, hosting, BLAS, time; and what did not run, and why."""
    table = Table(title="Runtimes")
    for column in ("runtime", "version", "BLAS"):
        table.add_column(column, overflow="fold")
    for column in ("start s", "work s", "live", "replayed", "not run", "ULP of stage"):
        table.add_column(column, justify="right", overflow="fold")
    footer = record.footer
    footer = footer or Footer(partial=True)
    summaries = totals.summaries_by_runtime(record)
    ulp = largest_by_runtime(record)
    for name, info in record.header.runtimes.items():
        parts = (f"{library} {version}" for library, version in info.libraries.items())
        libraries = " ".join(part for part in parts if part not in info.hosting)
        version = "\n".join(filter(None, [f"{info.language} {info.version}", info.hosting, libraries]))
        blas = "\n".join([info.blas or "unknown", f"{info.threads} thread{'s' if info.threads != 1 else ''}"])
        add_row(
            table,
            name,
            version,
            blas,
            _seconds(footer.start_up.get(name)),
            _work(footer, name),
            *_sources(summaries.get(name)),
            number(ulp.get(name)),
        )
    missing = []
    for absent in record.header.absent:
        replayed = absent.reason.startswith(NOT_STARTED)
        add_row(
            table,
            absent.runtime,
            "replayed" if replayed else "missing",
            "",
            "",
            "",
            *_sources(summaries.get(absent.runtime)),
            number(ulp.get(absent.runtime)),
        )
        missing.append(plain(f"{absent.runtime} {'was' if replayed else 'is missing:'} {absent.reason}"))
        missing += [plain(f"  -> {line}") for line in absent.advice]
    why = why_no_ulp(cancelling(record))
    packages = [
        plain(f"{case}: {name}: {used}")
        for case, files in record.header.environments.items()
        for name, used in files.items()
    ]
    return Group(table, *([plain(why)] if why else []), *missing, *packages)


def known_divergences(known: tuple[Known, ...], record: Record) -> Table:
    """Differences that are understood, with the size that this run measured, and the one that is known."""
    table = Table(title="Known divergences")
    ranges = ranges_in(record)
    for column in ("id", "verdict", "where", "largest |difference|", "relative", "known to be"):
        table.add_column(column, overflow="fold")
    for divergence in known:
        cells = divergence.gone or divergence.shown or divergence.follow
        stats = [cell.stats for cell in cells if cell.stats is not None]
        verdict = cells[0].verdict
        places = ", ".join(dict.fromkeys(f"{cell.case} {cell.stage}" for cell in cells))
        names = ", ".join(dict.fromkeys(cell.implementation for cell in cells))
        follow = (
            f"\nand {len(divergence.follow)} cells after it" if divergence.follow and divergence.shown else ""
        )
        add_row(
            table,
            divergence.id,
            Text(f"{verdict} {len(cells)}", STYLES[verdict]),
            f"{places} ({names}){follow}",
            number(max((error_stats.max_abs for error_stats in stats), default=None)),
            number(max((error_stats.max_rel for error_stats in stats), default=None)),
            ranges.get(divergence.id, ""),
        )
    return table


def consensus(stages: tuple[Consensus, ...]) -> Table:
    """Stages on which not all agree: who does, and who is off."""
    table = Table(title="Consensus", caption="groups in which every two agree, each fed by its own upstream")
    for column in ("case", "stage", "groups", "off, by majority", "off, by the oracle"):
        table.add_column(column, overflow="fold")
    for stage in stages[:SHOWN]:
        reference = "\nthe reference is off" if stage.reference_is_outlier else ""
        add_row(
            table,
            stage.case if stage.precision is Precision.FLOAT64 else f"{stage.case} {stage.precision}",
            stage.stage,
            " | ".join(", ".join(cluster) for cluster in stage.clusters)
            + (f"\nerror: {', '.join(stage.broken)}" if stage.broken else ""),
            ", ".join(stage.by_majority) or "no majority",
            f"{', '.join(stage.by_oracle) or 'nobody'}{reference}",
        )
    if len(stages) > SHOWN:
        add_row(table, "...", f"{len(stages) - SHOWN} more", "", "", "")
    return table


def tight_and_loose(record: Record) -> Text:
    """Limits that are loose, and limits that are tight."""
    text = Text()
    uses = limits.uses(record)
    tight = [(use, use.within) for use in limits.tight(uses)]
    loose = [(use, use.used) for use in limits.loose(uses)]
    rest = record.rest or Rest()
    groups = (
        ("tight limits", tight, rest.tight, "more than 9/10 used"),
        ("loose limits", loose, rest.loose, "at most 1/20 used by anybody"),
    )
    for name, used_limits, others, meaning in groups:
        if used_limits or others:
            places = [
                short(f"{use.case} {use.stage} {use.precision} {used:.2g}") for use, used in used_limits
            ]
            named = places[:NAMED]
            count = len(places) - len(named) + others
            more = [f"{', '.join(named)}"] if named else []
            more += [f"{count} more" if named else str(count)] if count else []
            text.append(f"{name} ({meaning}): {' and '.join(more)}\n")
    text.rstrip()
    return text


def weaker(record: Record) -> Text:
    """What was not judged, or only coarsely, or cannot be decided, each with its reason."""
    text = Text()
    for line, where in reasons.lines(record):
        text.append(f"{line}\n")
        text.append(f"  {where}\n" if where else "", "dim")
    text.rstrip()
    return text


def outcome(record: Record) -> Text:
    """The outcome of the run, in a sentence; and where it is no agreement, each reason."""
    result = sentence.verdict(record)
    style = {Outcome.AGREEMENT: "bold green", Outcome.DIVERGENCE: "bold red"}.get(
        result.outcome, "bold magenta"
    )
    text = Text.assemble((str(result.outcome), style), f": {result.text}")
    if result.outcome is not Outcome.AGREEMENT:
        why = outcome_of(record).reasons
        text.append("".join(f"\n  {short(reason, LONGEST)}" for reason in why[:SHOWN]))
        text.append(f"\n  and {len(why) - SHOWN} more" if len(why) > SHOWN else "")
    return text


def closing(record: Record) -> Text:
    """Whether the run ended, and one line with everything counted."""
    counted = totals.verdicts(record)
    text = Text()
    footer = record.footer
    if footer is None or footer.partial:
        reason = short(footer.reason, LONGEST) if footer else "it has no last line"
        text.append(f"PARTIAL: this run did not end{f': {reason}' if reason else ''}\n", "bold red")
    verdicts = [Text(f"{n} {verdict}", STYLES[verdict]) for verdict, n in counted.items() if n]
    text.append_text(Text(", ").join(verdicts or [Text("no cells")]))
    if (whole := totals.whole(record)) is not None:
        text.append(f"  (live {whole.live}, replayed {whole.replayed}, not run {whole.not_run})")
    if footer is not None and footer.seconds:
        text.append(f"  in {footer.seconds:.1f} s")
        if "judging" in footer.busy:
            text.append(f", {footer.busy['judging'] / footer.seconds:.1%} of it judging")
    return text


def _sources(summary: view.Summary | None) -> tuple[str, ...]:
    if summary is None:
        return ("0", "0", "0")
    return (str(summary.live), str(summary.replayed), str(summary.not_run))


def _work(footer: Footer, runtime: str) -> str:
    """The seconds of a runtime's work, and those of them in first calls, where that is most of it."""
    _, first, later = times_of(footer, runtime)
    total = _seconds(footer.busy.get(runtime))
    if first is None or later is None or first <= later or first < _COMPILED:
        return total
    return f"{total}\n{first:.2f} in\nfirst calls"


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
