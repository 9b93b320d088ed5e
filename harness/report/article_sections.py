"""The documents of a record: what was run, what they print, what is wrong. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from harness.model.article import Answer, Block, Count, Examined, Finding, Severity
from harness.report.text import counted, listed, short

HEAD = ("chunks run", "sound", "outputs reproduced", *map(str, Severity))
"""The headings of the figures of `Article.row`."""

State = Literal[
    "prints what its code gives", "prints something else", "little", "nothing to check", "not run"
]

_ORDER = {severity: place for place, severity in enumerate(Severity)}
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

# What is said of one document, and of several.
_SAID: dict[State, tuple[str, str]] = {
    "prints what its code gives": ("prints what its code gives", "print what their code gives"),
    "prints something else": (
        "prints something else than its code gives",
        "print something else than their code gives",
    ),
    "little": (
        "prints what its code gives where that could be checked, in less than half of its outputs",
        "print what their code gives where that could be checked, in less than half of their outputs",
    ),
    "nothing to check": ("prints nothing that could be checked", "print nothing that could be checked"),
    "not run": ("could not be run", "could not be run"),
}


class Article(msgspec.Struct, frozen=True, kw_only=True):
    """A document with its figures; ``groups`` are its findings by severity, the worst first."""

    examined: Examined
    state: State
    reproduced: int
    groups: tuple[tuple[Severity, tuple[Finding, ...]], ...]

    @property
    def unread(self) -> list[str]:
        """What cannot be read as an output of any code."""
        return unread(self.examined)

    @property
    def chunks(self) -> Count:
        """The chunks of all languages."""
        counts = self.examined.counts
        return Count(
            language=listed(count.language for count in counts),
            total=sum(count.total for count in counts),
            run=sum(count.run for count in counts),
            sound=sum(count.sound for count in counts),
        )

    @property
    def row(self) -> tuple[str, ...]:
        """Chunks run and sound, outputs reproduced, and findings by severity; why not, if it was not run."""
        if self.state == "not run":
            return ("cannot be read" if self.examined.problem else "failed", *("",) * (len(HEAD) - 1))
        return (
            f"{self.chunks.run}/{self.chunks.total}",
            str(self.chunks.sound),
            f"{self.reproduced}/{len(self.examined.blocks)}",
            *map(str, self.findings.values()),
        )

    @property
    def outputs(self) -> str:
        """How many outputs it shows, and what is said of them."""
        return outputs(self.examined)

    @property
    def findings(self) -> dict[Severity, int]:
        """How many findings of each severity there are."""
        counts = Counter(finding.severity for finding in self.examined.findings)
        return {severity: counts[severity] for severity in Severity}


def article(examined: Examined) -> Article:
    """The figures of one document."""
    ranked = by_severity(examined.findings)
    groups = (
        (severity, tuple(finding for finding in ranked if finding.severity is severity))
        for severity in Severity
    )
    return Article(
        examined=examined,
        state=_state(examined),
        reproduced=reproduced(examined.blocks),
        groups=tuple((severity, some) for severity, some in groups if some),
    )


def reproduced(blocks: Iterable[Block]) -> int:
    """How many output blocks the code as published gives, formatting aside."""
    return sum(block.answer is Answer.REPRODUCED for block in blocks)


def groups(findings: Iterable[Finding]) -> list[tuple[str, list[Finding]]]:
    """Group findings under the headings of a page: the answers on what is printed, then all others."""
    given = list(findings)
    titled = [
        (_TITLES[answer], [finding for finding in given if finding.answer is answer])
        for answer in (Answer.WRONG, Answer.NOBODY)
    ]
    others = [finding for finding in by_severity(given) if finding.answer is None]
    titled[0][1].extend(finding for finding in others if finding.severity is Severity.WRONG)
    titled += [
        (title, [finding for finding in others if finding.severity is severity])
        for title, severity in (("Fragile", Severity.FRAGILE), ("Notes", Severity.NOTE))
    ]
    titled += [
        (_TITLES[answer], [finding for finding in given if finding.answer is answer])
        for answer in (Answer.HERE, Answer.UNCHECKED)
    ]
    return [(title, some) for title, some in titled if some]


def parted(findings: Iterable[Finding]) -> tuple[list[tuple[str, list[Finding]]], ...]:
    """Return the groups that accuse, and all others: what is worth a look stands between them.

    Parameters
    ----------
    findings : iterable of Finding
        Those of a page.
    """
    titled = groups(findings)
    accusing = sum(some[0].severity is Severity.WRONG for _, some in titled)
    return titled[:accusing], titled[accusing:]


WORTH_A_LOOK = "Worth a look, and no accusation"
"""The heading of places at which an author should look first."""
MOST_FOLLOWING = 12
"""Places that a page lists under one cause."""
_TITLES = {
    Answer.WRONG: "Wrong",
    Answer.NOBODY: "Nobody can reproduce it",
    Answer.HERE: "Differs here",
    Answer.UNCHECKED: "Could not be checked",
}


def outputs(examined: Examined) -> str:
    """Say how many outputs a document shows, and what is said of them."""
    counts = Counter(block.answer for block in examined.blocks)
    unchecked = counts[Answer.UNCHECKED] + len(examined.unread)
    parts = [
        f"{counts[answer]} {answer}" for answer in Answer if answer is not Answer.UNCHECKED and counts[answer]
    ]
    parts += [f"{unchecked} {Answer.UNCHECKED}"] if unchecked else []
    checked = f"{examined.checked} of {counted(examined.shown, 'output')} could be checked"
    if examined.checked and not confirmed(examined):
        checked += ", and none is reproduced"
    return f"{checked}: {', '.join(parts)}" if examined.checked else checked


def unread(examined: Examined) -> list[str]:
    """What cannot be read as an output of any code, the lines of one reason together."""
    lines: dict[str, list[str]] = {}
    for text in examined.unread:
        line, _, why = text.partition(": ")
        lines.setdefault(why, []).append(line.removeprefix("line "))
    return [f"line{'s' * (len(some) > 1)} {', '.join(some)}: {why}" for why, some in lines.items()]


def confirmed(examined: Examined) -> bool:
    """Whether a comparison proved anything of what a document prints: that it is right, or wrong."""
    return any(block.answer in (Answer.REPRODUCED, Answer.WRONG) for block in examined.blocks)


def by_severity(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings: the worst first, then by line."""
    return sorted(findings, key=lambda finding: (_ORDER[finding.severity], finding.line))


def sentence(documents: Sequence[Examined]) -> str:
    """Say what the documents print and how much is wrong in them, for a reader who knows none of them.

    Parameters
    ----------
    documents : sequence of Examined
        Those of one record.

    Returns
    -------
    str
        Nothing if there are none.
    """
    if not documents:
        return ""
    states = Counter(_state(document) for document in documents)
    if len(documents) == 1:
        (state,) = states
        text = f"The article {short(documents[0].document)} {_SAID[state][0]}"
    else:
        parts = [
            f"{_word(states[state])} {singular if states[state] == 1 else several}"
            for state, (singular, several) in _SAID.items()
            if states[state]
        ]
        text = f"Of {_word(len(documents))} articles, {listed(parts)}"
    findings = wrong(documents)
    if not findings:
        return f"{text}; nothing in what was run is wrong."
    whole = counted(len(findings), "thing is wrong", "things are wrong")
    several = len({finding.document for finding in findings})
    where = "" if len(documents) == 1 else f" in {_word(several)} of them"
    return f"{text}; {whole}{where}."


def wrong(documents: Iterable[Examined]) -> tuple[Finding, ...]:
    """What the documents show or state that their code does not do, document by document."""
    findings = (finding for document in documents for finding in by_severity(document.findings))
    return tuple(finding for finding in findings if finding.severity is Severity.WRONG)


def _state(examined: Examined) -> State:
    if examined.problem or examined.failure:
        return "not run"
    answers = {block.answer for block in examined.blocks}
    if Answer.WRONG in answers:
        return "prints something else"
    if Answer.REPRODUCED not in answers:
        return "nothing to check"
    return "prints what its code gives" if 2 * reproduced(examined.blocks) >= examined.shown else "little"


def _word(n: int) -> str:
    return _WORDS[n] if n < len(_WORDS) else f"{n:,}"
