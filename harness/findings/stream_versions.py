"""Whether the numbers that a seed gives depend on the version of a language or of a package."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.findings import slips
from harness.findings.generator_streams import are_of_all_versions
from harness.findings.judging_context import Context
from harness.findings.r_versions import draws_otherwise
from harness.findings.random_numbers import draws_pythons_own, without_comments
from harness.findings.sizes_shown import shows_sizes_alone

OF_SAMPLES = "what sample() gives after a seed is another since R 3.6"
_SAMPLE = 6
"""Numbers of a sample of which chance leaves not all but one alike."""
_ARRANGED = re.compile(r"\b(?:sort|order|arrange|unique|table|range|summary|quantile|rev)\(")


def stream_of_another(
    pairs: Sequence[tuple[str, str]] | None,
    shown: str,
    behind: str,
    code: str,
    language: str,
    context: Context,
) -> str:
    """Say why drawn numbers may be others with another version; nothing where what differs is no other draw.

    Parameters
    ----------
    pairs : sequence of (str, str) or None
        Numbers as published and as printed, where the texts are otherwise the same.
    shown, behind, code : str
        The statement that shows them, what it is computed by, and all code of its chunks.
    language : str
        The language.
    context : Context
        The document.
    """
    # Of a sample of other elements, of which R gave others once, more than one number is another.
    alone = language != "r" or _is_one_of_a_sample(pairs or (), f"{behind}\n{shown}")
    if pairs is not None and ((slips.few(pairs) and alone) or slips.of_one_draw(pairs)):
        return ""
    if language in context.same_streams or shows_sizes_alone(without_comments(shown), behind):
        return ""
    if language == "julia":
        return "" if context.same_version(language) else "what a seed gives depends on Julia's version"
    if language == "r":
        if draws_otherwise(code, context.stated.get(language, "")):
            return OF_SAMPLES
        return ""
    if draws_pythons_own(code) is not None and not context.stated.get("python", "").startswith("3"):
        return "what a seed gives Python's own generator is another in Python 2"
    if re.search(r"\bdefault_rng\(|\bGenerator\(", code) and "numpy" not in context.same_versions:
        document = "\n".join(part.code for part in context.chunks if part.language == language)
        if not are_of_all_versions(without_comments(code), without_comments(document)):
            return "what a seed gives NumPy's generators depends on its version"
    if re.search(r"\btorch\b|\bnn\.|\binit\.\w+_\(|\.(?:normal|uniform|bernoulli|random)_\(", code):
        return "what a seed gives depends on PyTorch's version and on the processor"
    if re.search(r"\b(?:multivariate_normal|hypergeometric|vonmises|wald|zipf|logseries)\(", code):
        return "what a seed gives of this distribution depends on NumPy's version and libraries"
    if re.search(r"\b(?:sklearn|tensorflow|tf|keras|jax|pymc\d?|pm)\b", code):
        return "what a seed gives depends on the version of the package"
    return ""


def _is_one_of_a_sample(pairs: Sequence[tuple[str, str]], code: str) -> bool:
    """Whether one number alone is another, of so many in the order of the draws that it is no chance."""
    apart = sum(left != right for left, right in pairs)
    return apart == 1 and len(pairs) >= _SAMPLE and not _ARRANGED.search(code)
