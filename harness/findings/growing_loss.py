"""Training whose loss grows: its values are kept, round by round, where the document sets or prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec
import numpy as np

from harness.documents.model import Chunk
from harness.findings.around import blanked, cone, statement_at, words_near
from harness.findings.runs import DocumentRuns
from harness.findings.track import Step, Track, baseline, tracks
from harness.model.article import Finding, Kind, Severity
from harness.sessions.statements import Statement, call, probed, quoted, rows, text_of

_ENOUGH = 5
_MOST_STEPS = 0.8
_LOSS = frozenset(
    {"loss", "losses", "cost", "costs", "nll", "mse", "rmse", "sse", "error", "errors", "err", "errs"}
)
_ERRORS = frozenset({"error", "errors", "err", "errs"})
_ANOTHER = frozenset(
    re.findall(
        r"\w+",
        "val valid validation test dev eval holdout oob cv rate total cum sum running std standard n num"
        " count function fn func reg regularization regularisation regularizer penalty kl kld aux",
    )
)
"""Losses that may grow although training goes well, and what is none."""
_LOOP = re.compile(r"(?<![\w.])(?:for|while|repeat)\b")
_NAME = r"[^\W\d][\w.!]*(?:\[[^\]\n]*\]|\$\w+)*"
_CHANGE = re.compile(
    rf"(?<![\w.])(?P<name>{_NAME})\s*(?:\.?[-+]=|\.?(?:=|<-)\s*(?P=name)\s*\.?[-+])\s*(?P<by>[^\n;]+)"
)
_RATE = re.compile(r"(?i)(?:^|[\W_])(?:lr|learning_?\.?rate|rate|eta|alpha|step_?size|η|α|γ|gamma)(?![a-z])")
_FRACTION = re.compile(r"(?<![\w.])0?\.\d+\s*\.?\*")
"""A learning rate that is written as a number."""
_GRADIENT = re.compile(
    r"(?i)grad|∇|∂|(?:^|\W)d_?[A-Zwbθ]\w{0,3}\b|(?:^|\W)d(?:theta|beta|loss|cost)\w*|(?:^|\W)g\b"
)
_STEPS = re.compile(r"(?<!scheduler)\.step\(\)|\b(?:Flux\.)?(?:update|train)!\(|\$step\(\)|apply_gradients\(")
_MEANT = re.compile(
    r"(?i)diverg|too (?:large|big|high|great)|overshoot|explod|blow|unstable|instab|ascent|maximi[sz]"
    r"|wrong sign|increas|grows|discriminator|adversar|\bGANs?\b|policy|reward|actor|critic|penalty|barrier"
    r"|anneal|regret|catastroph|forget"
)
"""Where a loss grows on purpose, or is none that is made small."""
_ASSIGNED = re.compile(
    rf"^(?P<indent>\s*)(?:(?P<name>{_NAME})\s*(?:=|<-)(?!=)(?P<value>[^\n]+)"
    r"|(?P<list>[^\W\d]\w*)\.append\((?P<item>.+)\)\s*|push!\(\s*(?P<vector>[^\W\d]\w*)\s*,(?P<last>.+)\)\s*)$"
)
_GROWN = {"r": "tail({}, 1L)", "julia": "{}[end]", "python": "{}[-1]"}
_PRINTED = re.compile(
    r"(?i)(?P<before>[a-z]*)[ _]?\b(?P<label>(?:[a-z]+_)?(?:loss|cost|nll|mse|rmse|error))\b"
    r"[^\d\n+-]{0,12}(?P<value>[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)"
)


class Series(msgspec.Struct, frozen=True):
    """The values of one loss, in the order of a run; ``row`` is the line of its chunk's code."""

    chunk: Chunk
    row: int
    name: str
    values: tuple[float, ...]


def growing_loss(runs: DocumentRuns) -> Iterator[Finding]:
    """Find losses of an optimisation that grow instead of falling."""
    for track in tracks(runs):
        told: set[tuple[int, int]] = set()
        for series in (*_printed(track), *_assigned(track), *_collected(track)):
            if not grows(series.values):
                continue
            statement = statement_at(track, series.chunk, series.row)
            if statement is None or (statement.chunk, statement.line) in told:
                continue
            if is_term(_everything(track), series.name):
                continue
            if _trains(track, statement, series) and not _MEANT.search(words_near(track, series.chunk)):
                told.add((statement.chunk, statement.line))
                yield _finding(track, series)


def is_loss(name: str) -> bool:
    """Whether a name is that of a loss which training makes small."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", re.split(r"[\[$]", name)[0])
    words = {word.rstrip("!") for word in re.split(r"[_.]", spaced.lower())}
    return bool(words & _LOSS) and not words & _ANOTHER


def is_term(code: str, name: str) -> bool:
    """Whether a loss is added to others, whose sum is what training makes small: one term may grow.

    Parameters
    ----------
    code : str
        All of a document's, without texts and comments.
    name : str
        The loss.
    """
    base = re.escape(re.split(r"[\[$]", name)[0])
    word = rf"(?<![\w.]){base}(?![\w.])"
    for line in code.split("\n"):
        whole = re.match(rf"\s*({_NAME})\s*(?:=|<-)(?!=)(?P<sum>.*)", line)
        if whole is None or "+" not in whole["sum"] or not re.search(word, whole["sum"]):
            continue
        own = rf"(?<![\w.]){re.escape(whole[1])}(?![\w.])"
        # What is added to itself is a running total.
        if is_loss(whole[1]) and not re.search(own, whole["sum"]):
            return True
    return False


def _everything(track: Track) -> str:
    return "\n".join(blanked(track.code(each), track.language) for each in track.chunks)


def grows(values: Sequence[float]) -> bool:
    """Whether values end higher than they begin, and rise in four of five steps or more."""
    if len(values) < _ENOUGH or not np.isfinite(values).all():
        return False
    rises = sum(later > earlier for earlier, later in pairwise(values))
    return values[-1] - values[0] > 1e-6 * abs(values[0]) and rises >= _MOST_STEPS * (len(values) - 1)


def updates(text: str, *, by_gradient: bool = False) -> bool:
    """Whether code changes something by a gradient, or by a learning rate times something.

    Parameters
    ----------
    text : str
        Code without texts and comments.
    by_gradient : bool
        Whether a word for the gradient, or an optimiser's step, must stand there.
    """
    if _STEPS.search(text):
        return True
    for match in _CHANGE.finditer(text):
        by = match["by"]
        if is_loss(match["name"]) or re.fullmatch(r"[\s\d.L]+", by):
            continue
        if _GRADIENT.search(by) or (
            "*" in by
            and (_RATE.search(by) or _FRACTION.search(by))
            and (not by_gradient or _GRADIENT.search(text))
        ):
            return True
    return False


def _trains(track: Track, statement: Statement, series: Series) -> bool:
    """Whether a statement is, or calls, a loop that updates parameters, and its loss is no running total."""
    own = blanked(text_of(track.code(track.chunk_of(statement)), statement), track.language)
    text = cone(track, statement, definitions=True)
    errors = not _ERRORS.isdisjoint(re.split(r"[_.\W]", series.name.lower()))
    return (
        _LOOP.search(own) is not None
        and updates(text, by_gradient=errors)
        and not any(
            is_total(text, match[0])
            for match in re.finditer(r"[^\W\d][\w.]*", text)
            if is_loss(match[0]) or "loss" in match[0].lower()
        )
        and not _MEANT.search(text)
    )


def is_total(text: str, name: str) -> bool:
    """Whether a name is added to round by round, and never set to zero inside of the loop."""
    escaped = re.escape(name)
    added = re.search(rf"(?<![\w.]){escaped}\s*(?:\.?\+=|(?:=|<-)\s*{escaped}\s*\+)", text)
    return added is not None and re.search(rf"(?m)^[ \t]+{escaped}\s*(?:=|<-)\s*[0.]+\s*$", text) is None


def _printed(track: Track) -> Iterator[Series]:
    for run in track.runs.patched.chunks:
        chunk = track.runs.document.chunks[run.index]
        if run.left is None or chunk not in track.chunks:
            continue
        found: dict[str, list[float]] = {}
        for line in run.left.text.split("\n"):
            for match in _PRINTED.finditer(line):
                if is_loss(match["label"]) and match["before"].lower() not in _ANOTHER:
                    found.setdefault(match["label"].lower(), []).append(float(match["value"]))
        loops = [each for each in track.of(chunk) if _LOOP.search(text_of(track.code(chunk), each))]
        # What prints may be a function; of several loops it is the one whose text has the word.
        for label, values in found.items():
            named = [each for each in loops if label in text_of(track.code(chunk), each).lower()]
            if named:
                yield Series(chunk, named[0].line, label, tuple(values))


def _assigned(track: Track) -> Iterator[Series]:
    sites = [site for chunk in track.chunks for site in assignments(chunk, track.code(chunk), track.language)]
    # Where nothing is updated anywhere, no run is made.
    if not sites or not any(updates(blanked(track.code(each), track.language)) for each in track.chunks):
        return
    look = probed(track.language, "latest")

    def changed(chunk: Chunk) -> str | None:
        lines = track.code(chunk).split("\n")
        mine = [(place, site) for place, site in enumerate(sites) if site[0].index == chunk.index]
        for place, (_, row, _, value) in mine:
            bare = blanked(track.code(chunk), track.language).split("\n")[row - 1].rstrip()
            shown = quoted(str(place), track.language)
            # On the line itself, so that every other line keeps its number.
            lines[row - 1] = f"{lines[row - 1][: len(bare)]}; {look}({shown}, {value})"
        return "\n".join(lines) if mine else None

    with track.runs.session(track.language) as trial:
        track.prepared(trial)
        track.replay(trial, changed)
        said = trial.code(call(track.language, "keepsakes")).text
    values: dict[int, list[float]] = {}
    for key, number in rows(said, "latest", 2):
        values.setdefault(int(key), []).append(float(number))
    for place, series in values.items():
        chunk, row, name, _ = sites[place]
        yield Series(chunk, row, name, tuple(series))


def assignments(chunk: Chunk, code: str, language: str) -> Iterator[tuple[Chunk, int, str, str]]:
    """Yield the rows of code that set or append a loss, with its name and the expression of its last value.

    Parameters
    ----------
    chunk : Chunk
        The chunk.
    code, language : str
        Its code.
    """
    for row, text in enumerate(blanked(code, language).split("\n"), 1):
        match = _ASSIGNED.match(text.rstrip())
        if match is None or not match["indent"]:
            continue
        name = match["name"] or match["list"] or match["vector"]
        given = match["value"] or match["item"] or match["last"]
        whole = all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}"))
        if (
            not is_loss(name)
            or not whole
            or re.search(r"[-+*/%,|&\\=~]$|\b(?:do|begin|if|for|function)\b", given.rstrip())
        ):
            continue
        grown = match["name"] is None or re.match(
            rf"\s*(?:c\(|vcat\(|\[)?\s*{re.escape(name)}\s*[,;+]", given
        )
        yield chunk, row, name, _GROWN[language].format(name) if grown else name


def _collected(track: Track) -> Iterator[Series]:
    """The vectors of losses that a chunk leaves."""
    if not any(is_loss(name) for name in track.data):
        return
    steps: Sequence[Step] = baseline(track)
    for step in steps:
        for name, value in step.values.items():
            if is_loss(name) and value.ndim == 1 and value.dtype.kind == "f":
                setting = [each for each in track.of(step.chunk) if name in each.sets]
                if setting:
                    yield Series(step.chunk, setting[-1].line, name, tuple(map(float, value)))


def _finding(track: Track, series: Series) -> Finding:
    first, last = series.values[0], series.values[-1]
    rises = sum(later > earlier for earlier, later in pairwise(series.values))
    chunk = series.chunk
    return track.runs.finding(
        chunk,
        Kind.DIVERGES,
        Severity.FRAGILE,
        f"{series.name} grows from {first:.6g} to {last:.6g} in {len(series.values)} rounds"
        f"{track.shortened}, in {rises} of {len(series.values) - 1} steps",
        "its updates lead away from what they are to make small: their sign, length or gradient is not right",
        line=chunk.code_line + series.row - 1 if chunk.code_line else chunk.line,
        row=series.row,
        smallest=f"{_ENOUGH} rounds",
    )
