"""Findings for other programs: a Markdown comment, SARIF for code scanning, GitHub's annotations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import harness
from harness.model.article import Answer, Examined, Finding, Severity, Suspect
from harness.report.article_sections import WORTH_A_LOOK, confirmed, outputs, parted
from harness.report.text import visible

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.WRONG: "error", Severity.FRAGILE: "warning", Severity.NOTE: "note"}
_COMMANDS = {Severity.WRONG: "error", Severity.FRAGILE: "warning", Severity.NOTE: "notice"}
_MOST = 30


def markdown_comment(documents: Sequence[Examined]) -> str:
    """Return the findings as Markdown, short enough for a comment on a pull request.

    Parameters
    ----------
    documents : sequence of Examined
        The documents.
    """
    return "\n".join(_markdown(documents)) + "\n"


def sarif(documents: Sequence[Examined], paths: Mapping[str, Path]) -> dict[str, Any]:
    """Return the findings as SARIF 2.1.0.

    Parameters
    ----------
    documents : sequence of Examined
        The documents.
    paths : mapping of str to Path
        Where each document is, by its name.

    Returns
    -------
    dict
        What is missing on this machine is no result: it is nothing that an author can mend.
    """
    found = [finding for document in documents for finding in document.findings if _is_result(finding)]
    looks = [_look(document, suspect, paths) for document in documents for suspect in document.suspects]
    kinds = list(dict.fromkeys(str(finding.kind) for finding in found))
    if looks:
        kinds.append(WORTH_A_LOOK)
    return {
        "$schema": SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "harness documents",
                        "version": harness.__version__,
                        "rules": [{"id": _rule(kind), "shortDescription": {"text": kind}} for kind in kinds],
                    }
                },
                "results": [*(_result(finding, paths) for finding in found), *looks],
            }
        ],
    }


def github_annotations(documents: Iterable[Examined], paths: Mapping[str, Path]) -> Iterator[str]:
    """Yield the workflow commands that make GitHub show findings beside the lines.

    Parameters
    ----------
    documents : iterable of Examined
        The documents.
    paths : mapping of str to Path
        Where each document is, by its name.
    """
    for document in documents:
        for finding in document.findings:
            if _is_result(finding):
                file = _escaped(str(paths.get(finding.document, finding.document)), more=":,")
                title = _escaped(str(finding.kind), more=":,")
                yield (
                    f"::{_COMMANDS[finding.severity]} file={file},line={finding.line},title={title}"
                    f"::{_escaped(_message(finding))}"
                )
        for suspect in document.suspects:
            file = _escaped(str(paths.get(document.document, document.document)), more=":,")
            title = _escaped(WORTH_A_LOOK, more=":,")
            yield f"::notice file={file},line={suspect.line},title={title}::{_escaped(_of_suspect(suspect))}"


def only_new(documents: Sequence[Examined], base: Iterable[Examined]) -> list[Examined]:
    """Return the documents with those findings alone that an earlier run of them did not have.

    Parameters
    ----------
    documents : sequence of Examined
        Of this run.
    base : iterable of Examined
        Of the earlier one. Findings are the same if their kind, the text of their line and what they say
        are; the line's number does not matter.
    """
    import msgspec

    earlier = list(base)
    known = {_key(finding) for document in earlier for finding in document.findings}
    looked_at = {(document.document, s.shows) for document in earlier for s in document.suspects}
    return [
        msgspec.structs.replace(
            document,
            findings=tuple(f for f in document.findings if _key(f) not in known),
            suspects=tuple(s for s in document.suspects if (document.document, s.shows) not in looked_at),
        )
        for document in documents
    ]


def _key(finding: Finding) -> tuple[str, str, str, str]:
    return finding.document, str(finding.kind), finding.smallest, finding.evidence


def _is_result(finding: Finding) -> bool:
    return finding.answer not in (Answer.UNCHECKED, Answer.HERE)


def _message(finding: Finding) -> str:
    where = f"{finding.where}: " if finding.where else ""
    follows = f" Follows from it: {'; '.join(finding.follows[:_MOST])}." if finding.follows else ""
    given = f" Given by {finding.source}." if finding.source else ""
    return f"{where}{finding.evidence}: {finding.consequence}.{follows}{given}"


def _rule(kind: str) -> str:
    return str(kind).replace(",", "").replace(" ", "-")


def _result(finding: Finding, paths: Mapping[str, Path]) -> dict[str, Any]:
    path = paths.get(finding.document, Path(finding.document))
    return {
        "ruleId": _rule(finding.kind),
        "level": _LEVELS[finding.severity],
        "message": {"text": _message(finding)},
        "locations": [_location(path, finding.line)],
    }


def _look(document: Examined, suspect: Suspect, paths: Mapping[str, Path]) -> dict[str, Any]:
    path = paths.get(document.document, Path(document.document))
    return {
        "ruleId": _rule(WORTH_A_LOOK),
        "level": _LEVELS[Severity.NOTE],
        "message": {"text": _of_suspect(suspect)},
        "locations": [_location(path, suspect.line)],
    }


def _location(path: Path, line: int) -> dict[str, Any]:
    region = {"startLine": max(1, line)}
    return {"physicalLocation": {"artifactLocation": {"uri": path.as_posix()}, "region": region}}


def _of_suspect(suspect: Suspect) -> str:
    where = f"{suspect.where}: " if suspect.where else ""
    return f"{where}{suspect.shows}. Not accused: {suspect.held_back}."


def _escaped(text: str, more: str = "") -> str:
    for char in ("%", "\r", "\n", *more):
        text = text.replace(char, f"%{ord(char):02X}")
    return text


def _markdown(documents: Sequence[Examined]) -> Iterator[str]:
    wrong = sum(f.severity is Severity.WRONG for document in documents for f in document.findings)
    unsaid = sum(document.shown > 0 and not confirmed(document) for document in documents)
    if wrong:
        yield f"### Documents: {wrong} wrong"
    elif unsaid:
        yield f"### Documents: of {unsaid} of {len(documents)}, no output is reproduced"
    else:
        yield "### Documents: nothing wrong was found"
    for document in documents:
        yield ""
        said = (
            document.problem or document.failure or outputs(document)
            if document.shown
            else "no printed output"
        )
        if document.problem or document.failure:
            said = document.problem or document.failure
        yield f"**{_plain(document.document)}**: {_plain(said)}"
        accusing, others = parted(document.findings)
        yield from _markdown_groups(accusing, 0)
        yield from _markdown_suspects(document)
        yield from _markdown_groups(others, sum(len(some) for _, some in accusing))


def _markdown_groups(titled: Iterable[tuple[str, Sequence[Finding]]], listed: int) -> Iterator[str]:
    for title, some in titled:
        shown = some if listed < _MOST else []
        listed += len(shown)
        yield ""
        yield f"{title}:"
        yield ""
        for finding in shown[:_MOST]:
            given = f" (given by {_plain(finding.source)})" if finding.source else ""
            quoted = f" {_code(finding.smallest)}" if finding.smallest else ""
            yield f"- {_plain(finding.place)}{quoted}: {_plain(finding.evidence)}{given}"
        if len(some) > len(shown):
            yield f"- and {len(some) - len(shown)} more"


def _markdown_suspects(document: Examined) -> Iterator[str]:
    if document.suspects:
        yield ""
        yield f"{WORTH_A_LOOK}:"
        yield ""
    for suspect in document.suspects:
        yield f"- {_plain(suspect.place)}: {_plain(suspect.shows)} ({_plain(suspect.held_back)})"


def _plain(text: str) -> str:
    """Text that Markdown does not read as markup."""
    plain = " ".join(visible(text).split())[:600]
    for char in "\\`*_[]<>#|":
        plain = plain.replace(char, f"\\{char}")
    return plain


def _code(text: str) -> str:
    line = " ".join(visible(text).split())[:160].replace("`", "'")
    return f"`{line}`" if line else ""
