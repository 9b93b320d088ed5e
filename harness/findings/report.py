"""A document's findings for its author: plain text, HTML, and one JSON object for programs."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from harness.errors import ExitCode
from harness.model.article import Block, Examined, Kind, Severity
from harness.report import page
from harness.report.article_sections import by_severity, reproduced
from harness.report.text import visible

SCHEMA = "harness.documents/1"
_WIDTH = 110


def exit_code(documents: Iterable[Examined], require: Iterable[str] = ()) -> ExitCode:
    """What the process ends with: an unreadable document, a failure of the harness, findings.

    Parameters
    ----------
    documents : iterable of Examined
    require : iterable of str
        Languages that must have been there.

    Returns
    -------
    ExitCode
        USAGE, RUNTIME_MISSING, WORKER_FAILED, DIVERGENCE if a finding is ``wrong``, else OK.
    """
    given = list(documents)
    if any(each.problem for each in given):
        return ExitCode.USAGE
    if lacking(given, require):
        return ExitCode.RUNTIME_MISSING
    if any(each.failure for each in given):
        return ExitCode.WORKER_FAILED
    wrong = any(finding.severity is Severity.WRONG for each in given for finding in each.findings)
    return ExitCode.DIVERGENCE if wrong else ExitCode.OK


def lacking(documents: Iterable[Examined], languages: Iterable[str]) -> dict[str, str]:
    """Languages of these that no document has, or that could not be run in one that has them, and why.

    Parameters
    ----------
    documents : iterable of Examined
    languages : iterable of str
        ``python``, ``r`` or ``julia``.
    """
    given = list(documents)
    found: dict[str, str] = {}
    for language in languages:
        if not any(count.language == language for each in given for count in each.counts):
            found[language] = "no document has code in it"
        for each in given:
            reasons = [why for name, why in each.missing.items() if name.split(" ")[0] == language]
            reasons += [
                finding.evidence
                for finding in each.findings
                if finding.kind is Kind.NEEDS_PACKAGE and finding.language == language
            ]
            if reasons:
                found.setdefault(language, f"{each.document}: {reasons[0]}")
    return found


def as_object(documents: Sequence[Examined], require: Iterable[str] = ()) -> dict[str, Any]:
    """Everything, for a program.

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
    findings = [finding for each in documents for finding in each.findings]
    blocks = [block for each in documents for block in each.blocks]
    return {
        "schema": SCHEMA,
        "summary": {
            "documents": len(documents),
            "unreadable": sum(bool(each.problem) for each in documents),
            "chunks": sum(count.total for each in documents for count in each.counts),
            "chunks_run": sum(count.run for each in documents for count in each.counts),
            "chunks_sound": sum(count.sound for each in documents for count in each.counts),
            "blocks": len(blocks),
            "blocks_reproduced": reproduced(blocks),
            "findings": dict(Counter(str(finding.severity) for finding in findings)),
            "kinds": dict(Counter(str(finding.kind) for finding in findings)),
        },
        "documents": [msgspec.to_builtins(each) for each in documents],
        "exit_code": int(exit_code(documents, require)),
    }


def text_page(found: Examined) -> str:
    """One document's findings as plain text."""
    return visible("\n".join(_page(found))) + "\n"


def html_page(found: Examined) -> str:
    """One document's findings as one HTML file that needs no other."""
    return page.document(found)


def write_pages(documents: Iterable[Examined], out: Path) -> tuple[Path, ...]:
    """Write a page of each kind for each document; documents of one name do not overwrite each other."""
    written: list[Path] = []
    for found in documents:
        stem, count = found.document, 1
        while out / f"{stem}.findings.html" in written:
            count += 1
            stem = f"{found.document}-{count}"
        for suffix, text in (("html", html_page(found)), ("txt", text_page(found))):
            path = out / f"{stem}.findings.{suffix}"
            path.write_text(text, encoding="utf-8")
            written.append(path)
    return tuple(written)


def summary(documents: Sequence[Examined]) -> str:
    """One line for each document, and their sum."""
    rows: list[tuple[str, ...]] = [
        ("document", "chunks run", "sound", "output", "wrong", "fragile", "note", "seconds")
    ]
    for each in documents:
        if each.problem or each.failure:
            rows.append(
                (
                    visible(each.document),
                    "-",
                    "-",
                    "-",
                    "-",
                    "-",
                    "-",
                    "cannot be read" if each.problem else "failed",
                )
            )
            continue
        counted = Counter(finding.severity for finding in each.findings)
        for place, count in enumerate(each.counts):
            blocks = [block for block in each.blocks if block.language == count.language]
            rows.append(
                (
                    visible(f"{each.document} ({count.language})"),
                    f"{count.run}/{count.total}",
                    str(count.sound),
                    f"{reproduced(blocks)}/{len(blocks)}",
                    *(str(counted[severity]) if place == 0 else "" for severity in Severity),
                    f"{each.seconds:.1f}" if place == 0 else "",
                )
            )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            text.ljust(width) if place == 0 else text.rjust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _page(found: Examined) -> Iterator[str]:
    title = f" — {found.title}" if found.title else ""
    yield f"{found.document}{title}"
    yield "=" * min(_WIDTH, len(found.document + title))
    if found.problem or found.failure:
        yield from _wrapped(found.problem or found.failure)
        if found.problem:
            return
    yield from _what_was_run(found)
    if found.blocks:
        yield ""
        yield f"Printed output: {reproduced(found.blocks)} of {len(found.blocks)} blocks reproduced"
        for block in found.blocks:
            yield from _wrapped(f"line {block.line}: {_verdict(block)}", "  ")
    yield ""
    if not found.findings:
        yield "Findings: none"
    for severity in Severity:
        some = [each for each in by_severity(found.findings) if each.severity is severity]
        if some:
            yield f"Findings: {severity} ({len(some)})"
            for finding in some:
                yield from _wrapped(
                    f"{found.document}:{finding.line}: [{finding.language}] {finding.kind}", "  "
                )
                yield from _wrapped(finding.evidence, "      ")
                yield from _wrapped(f"so: {finding.consequence}", "      ")
                if finding.smallest:
                    yield from _wrapped(f"smallest: {finding.smallest}", "      ")
    if found.unchecked:
        yield "Could not be checked:"
        for each in found.unchecked:
            yield from _wrapped(each, "  ")


def _what_was_run(found: Examined) -> Iterator[str]:
    for count in found.counts:
        runtime = next(
            (text for name, text in found.runtimes.items() if name.split(" ")[0] == count.language), ""
        )
        yield f"{count.language}: {count.run} of {count.total} chunks run, {count.sound} without an error" + (
            f", in {runtime}" if runtime else ""
        )
    if not found.counts:
        yield "no code"
    for name, why in found.missing.items():
        yield from _wrapped(f"not there: {name}: {why}")
    for name, what in found.stand_ins.items():
        yield from _wrapped(f"stood in for: {name}: {what}")
    for name, why in found.patches.items():
        yield from _wrapped(f"known patch, tried beside the original: {name}: {why}")
    for note in found.notes:
        yield from _wrapped(f"note: {note}")
    if found.sandbox:
        yield f"The code ran {found.sandbox}."
    if found.run_seconds:
        yield f"{found.run_seconds:.1f} s for one run, {found.code_seconds:.1f} s of it in the code itself"


def _verdict(block: Block) -> str:
    verdict = block.verdict
    said = str(verdict.kind)
    if verdict.reason:
        said += f": {verdict.reason}"
    elif verdict.first is not None:
        said += f": {verdict.first}"
    if block.patched is not None:
        said += f" (patched: {block.patched.kind})"
    return said


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()),
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
