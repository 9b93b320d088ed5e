"""A record on a terminal. Every verdict is a word; colour only repeats it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from harness.model import Cell, Consensus, ErrorStats, Mode, Precision, Record, Verdict
from harness.report import view

_STYLES: Mapping[Verdict, str] = {
    Verdict.PASS: "green",
    Verdict.FAIL: "bold red",
    Verdict.XFAIL: "yellow",
    Verdict.XPASS: "bold red",
    Verdict.ERROR: "bold magenta",
    Verdict.TIMEOUT: "bold magenta",
    Verdict.UNSUPPORTED: "dim",
    Verdict.NOT_RUN: "dim",
}
_SHOWN_FAILING = 20
_SHOWN_LIMITS = 6


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
    if record.pairs:
        yield pair_matrix(record)
    if record.header.runtimes or record.header.absent:
        yield runtimes(record)
    if known := view.known_divergences(record):
        yield known_divergences(known)
    if record.consensus:
        yield consensus(record.consensus)
    if (text := limits(record)).plain:
        yield text
    if cells := view.failing(record):
        yield failing(cells)
    if (first := view.first_divergence(record)) is not None:
        yield first_divergence(first)
    yield closing(record)


def case_matrix(record: Record) -> Table:
    """Cases against implementations: the worst verdict, how many cells have it, the largest difference."""
    table = Table(
        title="Cases x implementations",
        caption="the worst verdict, how many cells have it, the largest error as a share of its limit",
    )
    table.add_column("case", overflow="fold")
    names = view.implementations(record)
    for name in names:
        table.add_column(name, overflow="fold")
    for row in view.matrix(record):
        label = row.case if row.precision is Precision.FLOAT64 else f"{row.case} {row.precision}"
        entries = (row.entries.get(name) for name in names)
        table.add_row(label, *(Text("-") if entry is None else _entry(entry) for entry in entries))
    return table


def pair_matrix(record: Record) -> Table:
    """Every implementation against every other: how many outputs agree, the largest difference."""
    found = view.pair_matrix(record.pairs)
    paired = {name for pair in found for name in pair}
    names = [name for name in view.implementations(record) if name in paired]
    table = Table(
        title="Implementations x implementations",
        caption="stages on which two agree, each fed by its own upstream; largest |difference|",
    )
    table.add_column("")
    for name in names:
        table.add_column(name, overflow="fold")
    for left in names:
        row = [Text(left)]
        for right in names:
            pair = found.get((left, right))
            if pair is None:
                row.append(Text("-"))
                continue
            style = "green" if pair.agree == pair.total else "bold red"
            word = "agree" if pair.agree == pair.total else "DIFFER"
            row.append(Text.assemble((f"{word} {pair.agree}/{pair.total}", style), _error(pair.max_abs)))
        table.add_row(*row)
    return table


def runtimes(record: Record) -> Group:
    """What ran: versions, hosting, BLAS, time; and what did not run, and why."""
    table = Table(title="Runtimes")
    for column in ("runtime", "version", "BLAS"):
        table.add_column(column, overflow="fold")
    for column in ("start s", "work s", "live", "replayed", "not run", "ULP of stage"):
        table.add_column(column, justify="right", overflow="fold")
    footer = record.footer
    start_up, busy = (footer.start_up, footer.busy) if footer else ({}, {})
    summaries = view.summaries_by_runtime(record)
    for name, info in record.header.runtimes.items():
        parts = (f"{library} {version}" for library, version in info.libraries.items())
        libraries = " ".join(part for part in parts if part not in info.hosting)
        version = "\n".join(filter(None, [f"{info.language} {info.version}", info.hosting, libraries]))
        blas = "\n".join([info.blas or "unknown", f"{info.threads} thread{'s' if info.threads != 1 else ''}"])
        table.add_row(
            name,
            version,
            blas,
            _seconds(start_up.get(name)),
            _seconds(busy.get(name)),
            *_sources(summaries.get(name)),
        )
    missing = []
    for absent in record.header.absent:
        table.add_row(absent.runtime, "missing", "", "", "", *_sources(summaries.get(absent.runtime)))
        missing.append(Text(f"{absent.runtime} is missing: {absent.reason}"))
        missing += [Text(f"  -> {line}") for line in absent.advice]
    return Group(table, *missing)


def known_divergences(known: tuple[view.Known, ...]) -> Table:
    """Differences that are understood, with the size that this run measured."""
    table = Table(title="Known divergences")
    for column in ("id", "verdict", "where", "largest |difference|", "relative"):
        table.add_column(column, overflow="fold")
    for one in known:
        cells = one.gone or one.shown or one.follow
        stats = [cell.stats for cell in cells if cell.stats is not None]
        verdict = cells[0].verdict
        places = ", ".join(dict.fromkeys(f"{cell.case} {cell.stage}" for cell in cells))
        names = ", ".join(dict.fromkeys(cell.implementation for cell in cells))
        follow = f"\nand {len(one.follow)} cells after it" if one.follow and one.shown else ""
        table.add_row(
            one.id,
            Text(f"{verdict} {len(cells)}", _STYLES[verdict]),
            f"{places} ({names}){follow}",
            _number(max((found.max_abs for found in stats), default=None)),
            _number(max((found.max_rel for found in stats), default=None)),
        )
    return table


def consensus(found: tuple[Consensus, ...]) -> Table:
    """Stages on which not all agree: who does, and who is off."""
    table = Table(title="Consensus", caption="groups in which every two agree, each fed by its own upstream")
    for column in ("case", "stage", "groups", "off, by majority", "off, by the oracle"):
        table.add_column(column, overflow="fold")
    for one in found[:_SHOWN_FAILING]:
        reference = "\nthe reference is off" if one.reference_is_outlier else ""
        table.add_row(
            one.case if one.precision is Precision.FLOAT64 else f"{one.case} {one.precision}",
            one.stage,
            " | ".join(", ".join(cluster) for cluster in one.clusters),
            ", ".join(one.by_majority) or "no majority",
            f"{', '.join(one.by_oracle) or 'nobody'}{reference}",
        )
    if len(found) > _SHOWN_FAILING:
        table.add_row("...", f"{len(found) - _SHOWN_FAILING} more", "", "", "")
    return table


def limits(record: Record) -> Text:
    """Limits that are loose, and limits that are tight."""
    text = Text()
    told = (
        ("tight limits", view.tight(record), "more than 9/10 used"),
        ("loose limits", view.loose(record), "at most 1/20 used by anybody"),
    )
    for name, found, meaning in told:
        if found:
            places = [f"{one.case} {one.stage} {one.precision} {one.used:.2g}" for one in found]
            more = f" and {len(places) - _SHOWN_LIMITS} more" if len(places) > _SHOWN_LIMITS else ""
            text.append(f"{name} ({meaning}): {', '.join(places[:_SHOWN_LIMITS])}{more}\n")
    text.rstrip()
    return text


def accuracy(record: Record) -> Table:
    """Who is most accurate on each stage."""
    names = view.implementations(record)
    table = Table(
        title="Accuracy",
        caption="error in ULP of the stage's largest value: its own / with what came before; * least",
    )
    for column in ("case", "stage", *names):
        table.add_column(column, overflow="fold")
    for row in view.accuracy(record):
        label = row.case if row.precision is Precision.FLOAT64 else f"{row.case} {row.precision}"
        table.add_row(label, row.stage, *(_errors(row, name) for name in names))
    return table


def _errors(row: view.Accuracy, name: str) -> str:
    if name not in row.chained and name not in row.isolated:
        return "-"
    least = "*" if name in row.best else ""
    return f"{_number(row.isolated.get(name))}{least} / {_number(row.chained.get(name))}"


def failing(cells: tuple[Cell, ...]) -> Group:
    """The cells that make the run fail, both modes in one row; what only inherited its error is counted."""
    own: dict[tuple[str, ...], list[Cell]] = {}
    for cell in cells:
        if not cell.inherited:
            key = (cell.case, cell.stage, cell.implementation, cell.precision, cell.check, cell.verdict)
            own.setdefault(key, []).append(cell)
    table = Table(title="Failing cells")
    for column in ("case", "stage", "implementation", "how", "verdict", "reason"):
        table.add_column(column, overflow="fold")
    for cell, *others in list(own.values())[:_SHOWN_FAILING]:
        modes = " + ".join(dict.fromkeys(one.mode for one in (cell, *others)))
        reason = [cell.reason, _figures(cell.stats, cell.worst_sample, cell.limit)]
        table.add_row(
            cell.case,
            cell.stage,
            cell.implementation,
            _how(cell, modes),
            Text(cell.verdict, _STYLES[cell.verdict]),
            Text("\n".join(filter(None, reason))),
        )
    notes = []
    if len(own) > _SHOWN_FAILING:
        notes.append(f"... and {len(own) - _SHOWN_FAILING} more: see the record")
    if inherited := sum(cell.inherited for cell in cells):
        notes.append(f"{inherited} more only inherited their error from a stage before them")
    return Group(table, *map(Text, notes))


def first_divergence(first: view.Divergence) -> Panel:
    """Where to look first."""
    cell = first.cell
    lines = [
        f"case {cell.case}, stage {cell.stage}, implementation {cell.implementation}"
        f" ({_how(cell, cell.mode)})",
        cell.reason,
        _figures(cell.stats, cell.worst_sample, cell.limit),
    ]
    if cell.mode is Mode.CHAINED and first.isolated is not None:
        own = first.isolated in {Verdict.FAIL, Verdict.XFAIL}
        lines.append(
            "on the reference's inputs it is off too: the error is made in this stage"
            if own
            else f"on the reference's inputs it is {first.isolated}: the error grows out of what comes before"
        )
    lines.append(f"next: harness show {cell.case} {cell.stage}")
    return Panel(Text("\n".join(filter(None, lines))), title="First divergence", title_align="left")


def closing(record: Record) -> Text:
    """Complaints, and one line with everything counted."""
    counted = view.counts(record.cells)
    text = Text()
    footer = record.footer
    for complaint in footer.complaints if footer else ():
        text.append(f"complaint: {complaint}\n", "bold red")
    if footer is None or footer.partial:
        reason = footer.reason if footer else "it has no last line"
        text.append(f"PARTIAL: this run did not end{f': {reason}' if reason else ''}\n", "bold red")
    if record.cells and not any(counted[verdict] for verdict in view.JUDGED):
        text.append("nothing was compared\n", "bold red")
    verdicts = [Text(f"{n} {verdict}", _STYLES[verdict]) for verdict, n in counted.items() if n]
    text.append_text(Text(", ").join(verdicts or [Text("no cells")]))
    if record.cells:
        whole = view.summary(record.cells)
        text.append(f"  (live {whole.live}, replayed {whole.replayed}, not run {whole.not_run})")
    if footer is not None and footer.seconds:
        text.append(f"  in {footer.seconds:.1f} s")
    return text


def stats_table(stats: ErrorStats, title: str) -> Table:
    """All of ErrorStats, one figure a line."""
    table = Table(title=title, show_header=False)
    table.add_column("figure")
    table.add_column("value", justify="right")
    table.add_column("at")
    at = {"max_abs": stats.max_abs_index, "max_rel": stats.max_rel_index, "max_ulp": stats.max_ulp_index}
    for name in ("count", "max_abs", "max_rel", "max_ulp", "mean_abs", "rms"):
        table.add_row(name.replace("_", " "), _number(getattr(stats, name)), _index(at.get(name)))
    for name in ("nan_both", "nan_mismatch", "inf_mismatch", "zero_sign_mismatch"):
        table.add_row(name.replace("_", " "), str(getattr(stats, name)), "")
    table.add_row("beyond the limit", str(stats.beyond), _index(stats.first_beyond))
    for label, n in zip(_bins(len(stats.ulp_histogram)), stats.ulp_histogram, strict=True):
        if n:
            table.add_row(f"{label} ULP", str(n), "")
    return table


def _entry(entry: view.Summary) -> Text:
    style = _STYLES[entry.verdict]
    if entry.verdict in {Verdict.NOT_RUN, Verdict.UNSUPPORTED}:
        return Text(entry.verdict, style)
    text = Text.assemble((f"{entry.verdict} {entry.counts[entry.verdict]}/{entry.total}", style))
    if entry.replayed:
        text.append(" replayed" if not entry.live else f" {entry.replayed} replayed")
    if entry.not_run:
        text.append(f" NOT_RUN {entry.not_run}", _STYLES[Verdict.NOT_RUN])
    used = "" if entry.used is None else f"\n{_number(entry.used)} of limit"
    return text.append(used, "dim")


def _error(value: float | None) -> Text:
    return Text("" if value is None else f"\n{_number(value)}", "dim")


def _sources(summary: view.Summary | None) -> tuple[str, ...]:
    if summary is None:
        return ("0", "0", "0", "")
    return (str(summary.live), str(summary.replayed), str(summary.not_run), _number(summary.ulp_of_stage))


def _how(cell: Cell, modes: str) -> str:
    check = "" if cell.check == "reference" else f", {cell.check}"
    return f"{modes}, {cell.precision}{check}"


def _figures(stats: ErrorStats | None, sample: str, limit: float | None) -> str:
    if stats is None:
        return ""
    at = f" at {_index(stats.max_abs_index)}" if stats.max_abs_index else ""
    ulp = _number(stats.max_ulp)
    parts = [
        f"max abs {_number(stats.max_abs)}{at}, max rel {_number(stats.max_rel)}, {ulp} ULP",
        "" if limit is None else f"limit {_number(limit)}",
        f"sample {sample}" if sample else "",
    ]
    return "; ".join(filter(None, parts))


def _index(index: tuple[int, ...] | None) -> str:
    return "" if index is None else f"[{', '.join(map(str, index))}]"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.3g}"


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _bins(n: int) -> list[str]:
    """Names of ``n`` histogram bins: 0, 1, 2, 3-4, 5-8, ... doubling, the last one open."""
    labels = ["0", "1", "2"][:n]
    low, high = 3, 4
    while len(labels) < n:
        labels.append(f"{low}-{high}")
        low, high = high + 1, high * 2
    if n > 3:
        labels[-1] = f"{labels[-1].partition('-')[0]} or more"
    return labels
