"""Uniform numbers of PyTorch that stand first after a seed, and whether the author drew the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.documents.model import Chunk
from harness.findings.random_numbers import draw_in, seeds, without_comments

_SEED = re.compile(r"\s*torch\.manual_seed\(\s*\d+\s*\);?\s*")
_CALLED = re.compile(r"(?<![\w.])([\w.]+)\(")
_DRAWN = "torch.rand"
_PLAIN = frozenset({"print", "len", "torch.arange", "torch.ones", "torch.tensor", "torch.zeros"})
"""What draws nothing."""
_OTHERWISE = re.compile(
    r"\b(?:device|cuda|mps|xpu|to|generator|out|dtype|default\w*|set_default\w*|double|half)\b"
)
"""What draws on another device, by another generator, or numbers of another size."""


def since_the_seed(chunks: Sequence[Chunk], chunk: Chunk, shown: str) -> str:
    """Return all code of a document that is run between the last seed and an output.

    Parameters
    ----------
    chunks : sequence of Chunk
        Those of the document.
    chunk, shown : Chunk, str
        The one that the output is of, and the part of its code that shows it.
    """
    before = (part for part in chunks if part.index < chunk.index)
    mine = chunk.code[: chunk.code.find(shown) + len(shown)]
    code = [*(part.code for part in before if part.language == chunk.language), mine]
    lines = without_comments("\n".join(code)).split("\n")
    last = max((at for at, line in enumerate(lines) if seeds(line, chunk.language)), default=0)
    return "\n".join(lines[last:])


def is_uniform(since: str, behind: str) -> bool:
    """Whether all that an output shows of PyTorch's draws is of ``torch.rand``, the first after a seed.

    Parameters
    ----------
    since : str
        All code between the last seed and the output.
    behind : str
        The statements that the output is computed by.
    """
    lines = [line.strip() for line in since.split("\n")]
    wanted = {line.strip() for line in behind.split("\n") if draw_in(line, "python") is not None}
    if not wanted or not wanted <= set(lines) or not _SEED.fullmatch(lines[0]):
        return False
    part = "\n".join(lines[1 : max(at for at, line in enumerate(lines) if line in wanted) + 1])
    called = set(_CALLED.findall(part))
    return _DRAWN in called and called <= _PLAIN | {_DRAWN} and not _OTHERWISE.search(f"{part}\n{behind}")
