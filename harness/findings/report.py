"""A document's findings for its author: plain text, HTML, and one JSON object for programs."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from harness.errors import ExitCode
from harness.model.article import Examined, Finding, Kind, Severity
from harness.report import page
from harness.report.article_sections import (
    MOST_FOLLOWING,
    WORTH_A_LOOK,
    confirmed,
    outputs,
    parted,
    reproduced,
    unread,
)
from harness.report.text import visible
from harness.store.atomic import write_whole

SCHEMA = "harness.documents/1"
_WIDTH = 110


def exit_code(documents: Iterable[Examined], require: Iterable[str] = ()) -> ExitCode:
    """Return the exit code: of an unreadable document, a failure of the harness, or findings.

    Parameters
    ----------
    documents : iterable of Examined
    require : iterable of str
        Languages that must have been there.

    Returns
    -------
    ExitCode
        USAGE, RUNTIME_MISSING, WORKER_FAILED, DIVERGENCE if a finding is ``wrong``, INCOMPLETE if a document
        shows outputs of which none is reproduced or wrong, else OK.
    """
    given = list(documents)
    if any(examined.problem for examined in given):
        return ExitCode.USAGE
    if lacking(given, require):
        return ExitCode.RUNTIME_MISSING
    if any(examined.failure for examined in given):
        return ExitCode.WORKER_FAILED
    if any(finding.severity is Severity.WRONG for examined in given for finding in examined.findings):
        return ExitCode.DIVERGENCE
    nothing = any(examined.shown and not confirmed(examined) for examined in given)
    return ExitCode.INCOMPLETE if nothing else ExitCode.OK


def lacking(documents: Iterable[Examined], languages: Iterable[str]) -> dict[str, str]:
    """Return the languages that no document has, or that could not be run in one that has them, and why.

    Parameters
    ----------
    documents : iterable of Examined
    languages : iterable of str
        ``python``, ``r`` or ``julia``.
    """
    given = list(documents)
    reasons_by_language: dict[str, str] = {}
    for language in languages:
        if not any(count.language == language for examined in given for count in examined.counts):
            reasons_by_language[language] = "no document has code in it"
        for examined in given:
            reasons = [why for name, why in examined.missing.items() if name.split(" ")[0] == language]
            reasons += [
                finding.evidence
                for finding in examined.findings
                if finding.kind is Kind.NEEDS_PACKAGE and finding.language == language
            ]
            if reasons:
                reasons_by_language.setdefault(language, f"{examined.document}: {reasons[0]}")
    return reasons_by_language


def as_object(documents: Sequence[Examined], require: Iterable[str] = ()) -> dict[str, Any]:
    """Return everything on the documents as one JSON object.

    Parameters
    ----------
    documents : sequence of Examined
    require : iterable of str
        Languages that must have been there.

    Returns
    -------
    dict
        ``schema``, ``summary`` (chunks, blocks, findings by severity and kind), ``documents``, ``exit_code``.
    """
    findings = [finding for document in documents for finding in document.findings]
    blocks = [block for document in documents for block in document.blocks]
    return {
        "schema": SCHEMA,
        "summary": {
            "documents": len(documents),
            "unreadable": sum(bool(document.problem) for document in documents),
            "chunks": sum(count.total for document in documents for count in document.counts),
            "chunks_run": sum(count.run for document in documents for count in document.counts),
            "chunks_sound": sum(count.sound for document in documents for count in document.counts),
            "blocks": len(blocks),
            "blocks_reproduced": reproduced(blocks),
            "outputs": sum(document.shown for document in documents),
            "outputs_checked": sum(document.checked for document in documents),
            "answers": dict(Counter(str(block.answer) for block in blocks)),
            "by_hand": sum(bool(finding.source) for finding in findings),
            "findings": dict(Counter(str(finding.severity) for finding in findings)),
            "kinds": dict(Counter(str(finding.kind) for finding in findings)),
        },
        "documents": [msgspec.to_builtins(document) for document in documents],
        "exit_code": int(exit_code(documents, require)),
    }


def text_page(examined: Examined) -> str:
    """One document's findings as plain text."""
    return visible("\n".join(_page(examined))) + "\n"


def html_page(examined: Examined) -> str:
    """One document's findings as one HTML file that needs no other."""
    return page.document(examined)


def write_pages(documents: Iterable[Examined], out: Path) -> tuple[Path, ...]:
    """Write a page of each kind for each document; documents of one name do not overwrite each other."""
    written: list[Path] = []
    for document in documents:
        stem, count = document.document, 1
        while out / f"{stem}.findings.html" in written:
            count += 1
            stem = f"{document.document}-{count}"
        for suffix, text in (("html", html_page(document)), ("txt", text_page(document))):
            path = out / f"{stem}.findings.{suffix}"
            # Another run may write here: each page is one of them, whole.
            write_whole({path: text.encode()})
            written.append(path)
    return tuple(written)


def summary(documents: Sequence[Examined]) -> str:
    """One line for each document, and their sum."""
    rows: list[tuple[str, ...]] = [
        ("document", "chunks run", "sound", "outputs reproduced", "wrong", "fragile", "note", "seconds")
    ]
    for document in documents:
        if document.problem or document.failure:
            rows.append(
                (
                    visible(document.document),
                    "-",
                    "-",
                    "-",
                    "-",
                    "-",
                    "-",
                    "cannot be read" if document.problem else "failed",
                )
            )
            continue
        counted = Counter(finding.severity for finding in document.findings)
        for place, count in enumerate(document.counts):
            blocks = [block for block in document.blocks if block.language == count.language]
            rows.append(
                (
                    visible(f"{document.document} ({count.language})"),
                    f"{count.run}/{count.total}",
                    str(count.sound),
                    f"{reproduced(blocks)}/{len(blocks)}",
                    *(str(counted[severity]) if place == 0 else "" for severity in Severity),
                    f"{document.seconds:.1f}" if place == 0 else "",
                )
            )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    table = "\n".join(
        "  ".join(
            text.ljust(width) if place == 0 else text.rjust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
    said = [f"{visible(d.document)}: {outputs(d)}" for d in documents if d.shown and d.checked < d.shown]
    return "\n".join([table, *said])


def _page(examined: Examined) -> Iterator[str]:
    title = f" — {examined.title}" if examined.title else ""
    yield f"{examined.document}{title}"
    yield "=" * min(_WIDTH, len(examined.document + title))
    if examined.problem or examined.failure:
        yield from _wrapped(examined.problem or examined.failure)
        if examined.problem:
            return
    # How much was checked stands at the top: without it, what follows reads as the whole of the document.
    said = outputs(examined) if examined.shown else "the document shows none"
    yield from _wrapped(f"Printed output: {said}")
    yield from _what_was_run(examined)
    yield ""
    for text in unread(examined):
        yield from _wrapped(f"not read: {text}", "  ")
    given = [finding for finding in examined.findings if not finding.source]
    if not given and (confirmed(examined) or not examined.shown):
        yield "Findings: none"
    accusing, others = parted(given)
    for title, some in accusing:
        yield from _group(examined, title, some)
    yield from _suspects(examined)
    for title, some in others:
        yield from _group(examined, title, some)
    by_hand = [finding for finding in examined.findings if finding.source]
    if by_hand:
        yield from _group(examined, "Checked because a file of this suite says so", by_hand)
    if examined.unchecked:
        yield "Not looked into:"
        for text in examined.unchecked:
            yield from _wrapped(text, "  ")


def _group(examined: Examined, title: str, some: Sequence[Finding]) -> Iterator[str]:
    yield f"{title} ({len(some)})"
    for finding in some:
        yield from _finding(examined, finding)


def _suspects(examined: Examined) -> Iterator[str]:
    if examined.suspects:
        yield f"{WORTH_A_LOOK} ({len(examined.suspects)})"
    for suspect in examined.suspects:
        where = f", {suspect.where}" if suspect.where else f":{suspect.line}"
        yield from _wrapped(f"{examined.document}{where}: {suspect.shows}", "  ")
        yield from _wrapped(f"not accused: {suspect.held_back}", "      ")


def _finding(examined: Examined, finding: Finding) -> Iterator[str]:
    where = (
        f"{examined.document}, {finding.where}" if finding.where else f"{examined.document}:{finding.line}"
    )
    yield from _wrapped(f"{where}: {finding.kind}", "  ")
    if finding.smallest:
        yield from _wrapped(f"> {finding.smallest}", "      ")
    yield from _wrapped(finding.evidence, "      ")
    yield from _wrapped(finding.consequence, "      ")
    if finding.source:
        yield from _wrapped(f"given by {finding.source}", "      ")
    for text in finding.follows[:MOST_FOLLOWING]:
        yield from _wrapped(f"- {text}", "        ")
    if len(finding.follows) > MOST_FOLLOWING:
        yield f"        - and {len(finding.follows) - MOST_FOLLOWING} more"


def _what_was_run(examined: Examined) -> Iterator[str]:
    for count in examined.counts:
        runtime = next(
            (text for name, text in examined.runtimes.items() if name.split(" ")[0] == count.language), ""
        )
        yield f"{count.language}: {count.run} of {count.total} chunks run, {count.sound} without an error" + (
            f", in {runtime}" if runtime else ""
        )
    if not examined.counts:
        yield "no code"
    for name, why in examined.missing.items():
        yield from _wrapped(f"not there: {name}: {why}")
    for name, what in examined.stand_ins.items():
        yield from _wrapped(f"stood in for: {name}: {what}")
    for name, why in examined.patches.items():
        yield from _wrapped(f"known patch, tried beside the original: {name}: {why}")
    for note in examined.notes:
        yield from _wrapped(f"note: {note}")
    if examined.sandbox:
        yield f"The code ran {examined.sandbox}."
    if examined.run_seconds:
        yield (
            f"{examined.run_seconds:.1f} s for one run, "
            f"{examined.code_seconds:.1f} s of it in the code itself"
        )


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()),
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
