"""Steps that differ from what the document states, and wrong gradients, both evaluated in its session."""

from __future__ import annotations

from collections.abc import Iterator

from harness.documents.model import Chunk
from harness.errors import CaseError
from harness.findings.knowledge import Gradient, StatedStep
from harness.findings.runs import DocumentRuns, Trial, first_line
from harness.findings.track import track
from harness.model import Array
from harness.model.article import Finding, Kind, Severity
from harness.sessions.statements import probed

_SAME_DIRECTION = 1e-6
_SAME_LENGTH = 1e-3
_MUCH = 0.999


def departs_from_its_mathematics(runs: DocumentRuns) -> Iterator[Finding]:
    """Evaluate the published step and the stated one on the same values, from the smallest size on."""
    for probe in runs.knowledge.stated:
        if probe.language in runs.languages():
            with runs.session(probe.language) as trial:
                track(runs, probe.language).replay(trial)
                yield from _departs(runs, trial, probe)


def _departs(runs: DocumentRuns, trial: Trial, probe: StatedStep) -> Iterator[Finding]:
    said: list[str] = []
    smallest = 0
    sized = len(probe.sizes) > 1 or "{n}" in probe.setup
    for size in probe.sizes:
        _set_up(trial, probe.setup, size, probe.id)
        names = list(probe.values)
        expressions = [
            text for name in names for text in (probe.values[name].published, probe.values[name].stated)
        ]
        arrays = _arrays(trial, expressions, size, probe.id)
        apart = []
        for name, published, stated in zip(names, arrays[::2], arrays[1::2], strict=True):
            if published.shape != stated.shape:
                apart.append(f"{name} has shape {published.shape}, not {stated.shape}")
                continue
            import numpy as np

            with np.errstate(invalid="ignore"):
                away = np.abs(published.astype(np.float64) - stated.astype(np.float64))
            scale = float(np.abs(stated).max(initial=0.0))
            if not np.all(away <= probe.relative * scale):
                ratio = _ratio(published, stated)
                apart.append(f"{name} is up to {float(away.max()):.3g} off" + (f", {ratio}" if ratio else ""))
        if apart:
            smallest = smallest or size
        here = f"n = {size}: " if sized else ""
        said.append(f"{here}{'; '.join(apart) or 'the same'}")
    if smallest:
        chunk, line = _place(runs, probe.line, probe.language)
        yield runs.finding(
            chunk,
            Kind.DEPARTS,
            Severity.WRONG,
            f"stated: {probe.states}. {'. '.join(said)}" + (f". {probe.cause}" if probe.cause else ""),
            "who follows the text gets other numbers than who runs the code",
            line=line,
            smallest=f"n = {smallest}" if sized else "the document as it is",
            source=probe.source,
        )


def _ratio(published: Array, stated: Array) -> str:
    """Say by which factor the published values are the stated ones; empty if there is no such factor."""
    import numpy as np

    flat, exact = published.ravel().astype(np.float64), stated.ravel().astype(np.float64)
    if not (np.isfinite(flat).all() and np.isfinite(exact).all() and exact.any()):
        return ""
    factor = float(flat @ exact) / float(exact @ exact)
    rest = np.abs(flat - factor * exact).max(initial=0.0)
    return f"{factor:.6g} times the stated" if rest <= 1e-6 * np.abs(flat).max(initial=0.0) else ""


def wrong_gradients(runs: DocumentRuns) -> Iterator[Finding]:
    """Compare hand-written gradients with central differences of the document's own loss."""
    for probe in runs.knowledge.gradient:
        if probe.language in runs.languages():
            with runs.session(probe.language) as trial:
                language_track = track(runs, probe.language)
                language_track.replay(trial)
                language_track.prepared(trial)
                yield from _checked(runs, trial, probe)


def _checked(runs: DocumentRuns, trial: Trial, probe: Gradient) -> Iterator[Finding]:
    said: list[str] = []
    smallest, turned = 0, False
    for size in probe.sizes:
        _set_up(trial, probe.setup, size, probe.id)
        apart, same = [], []
        for name, parameter in probe.parameters.items():
            differs = probed(probe.language, "differences")
            numeric = f"{differs}({parameter.loss}, {parameter.at}, {probe.step:g})"
            gradient, differences = _arrays(trial, [parameter.gradient, numeric], size, probe.id)
            cosine, length = _compare(gradient, differences)
            if cosine < 1 - _SAME_DIRECTION or abs(length - 1) > _SAME_LENGTH:
                apart.append(f"{name} cosine {cosine:.6g}, length {length:.4g} times")
                turned = turned or cosine < _MUCH
            else:
                same.append(name)
        if apart:
            smallest = smallest or size
            right = f" ({', '.join(same)} right)" if same else ""
            said.append(f"n = {size}: {'; '.join(apart)}{right}")
        else:
            said.append(f"n = {size}: all right")
    if smallest:
        chunk, line = _place(runs, probe.line, probe.language)
        yield runs.finding(
            chunk,
            Kind.GRADIENT,
            Severity.WRONG,
            f"against central differences of its own loss: {'. '.join(said)}"
            + (f". {probe.cause}" if probe.cause else ""),
            "what is called gradient descent goes another way than down the loss"
            if turned
            else "steps of gradient descent have another length than the learning rate says",
            line=line,
            smallest=f"n = {smallest}",
            source=probe.source,
        )


def _compare(gradient: Array, differences: Array) -> tuple[float, float]:
    """Return the cosine of the angle between two gradients, and the ratio of their lengths."""
    import numpy as np

    left, right = gradient.ravel().astype(np.float64), differences.ravel().astype(np.float64)
    lengths = float(np.linalg.norm(left)), float(np.linalg.norm(right))
    # Both are rounding errors only: they agree.
    if max(lengths) < 1e-9:
        return 1.0, 1.0
    if not min(lengths):
        return 0.0, float("inf") if lengths[0] else 0.0
    return float(left @ right) / (lengths[0] * lengths[1]), lengths[0] / lengths[1]


def _set_up(trial: Trial, setup: str, size: int, name: str) -> None:
    error = trial.code(setup.replace("{n}", str(size))).error
    if error is not None:
        raise CaseError(f"the probe {name!r} with n = {size}: its setup fails: {first_line(error.message)}")


def _arrays(trial: Trial, expressions: list[str], size: int, name: str) -> list[Array]:
    arrays = trial.session.get([text.replace("{n}", str(size)) for text in expressions])
    why = next((array for array in arrays if isinstance(array, str)), None)
    if why is not None:
        raise CaseError(f"the probe {name!r} with n = {size}: {first_line(why)}")
    return [array for array in arrays if not isinstance(array, str)]


def _place(runs: DocumentRuns, text: str, language: str) -> tuple[Chunk, int]:
    """Return the last chunk that has the text, since a reader ends with that one, and the line."""
    for chunk in reversed(runs.document.chunks):
        if chunk.language == language and text in chunk.code:
            row = next(place for place, line in enumerate(chunk.code.split("\n")) if text in line)
            return chunk, chunk.code_line + row if chunk.code_line else chunk.line
    raise CaseError(f"no chunk has {text!r}", path=runs.document.path)
