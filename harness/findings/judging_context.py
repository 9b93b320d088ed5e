"""What the outputs of a document say together, when one of them is judged."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from harness.documents.model import Chunk
from harness.findings.julia_versions import OF_THE_MACHINE
from harness.findings.pins import Pin
from harness.findings.versions import generation, older


class Context(msgspec.Struct, frozen=True):
    """What is known of a document when one of its outputs is judged.

    Attributes
    ----------
    chunks : tuple of Chunk
        Those of the document.
    here, stated : mapping of str to str
        Versions of the languages: of this machine, and those that the document states.
    reproduced, different : mapping of str to int
        For each package, how many outputs that depend on it are reproduced, and how many are not.
    same_streams : frozenset of str
        Languages of which most outputs of drawn numbers are reproduced: their generators are the author's.
    alike, unlike : mapping of str to int
        For each language, how many outputs are reproduced, and how many differ.
    same_versions : frozenset of str
        Packages of which the document prints the version that is here, or a file beside it pins it.
    pins : mapping of str to Pin
        Python's packages of which a file beside the document pins the version.
    as_wide : frozenset of str
        Languages of which reproduced outputs show that the author's whole numbers have 64 bits as well.
    quotes_kept : bool
        Whether the document shows the quotation marks of R's vectors as they are printed.
    same_elsewhere : bool
        Whether the document's other outputs leave no version as the reason of the one that is judged.
    same_uniform : bool
        Whether reproduced outputs show that the author's PyTorch draws the same uniform numbers.
    same_in_all_draws : bool
        Whether the one that is judged is the same whatever is drawn, which many draws have to show.
    """

    chunks: tuple[Chunk, ...]
    here: Mapping[str, str]
    stated: Mapping[str, str]
    reproduced: Mapping[str, int]
    different: Mapping[str, int]
    same_streams: frozenset[str] = frozenset()
    alike: Mapping[str, int] = {}
    unlike: Mapping[str, int] = {}
    same_versions: frozenset[str] = frozenset()
    pins: Mapping[str, Pin] = {}
    as_wide: frozenset[str] = frozenset()
    quotes_kept: bool = False
    same_elsewhere: bool = False
    same_uniform: bool = False
    same_in_all_draws: bool = False

    def other_generation(self, language: str) -> bool:
        """Whether the document names another generation of a language, such as Python 2."""
        here = self.here.get(language, "")
        return bool(here) and generation(self.stated.get(language, here)) != generation(here)

    def same_version(self, language: str) -> bool:
        """Whether the document names the version of a language that is here, but for its last part."""
        stated = self.stated.get(language, "")
        return bool(stated) and not older(stated, self.here.get(language, ""))

    def other_sizes(self, language: str) -> frozenset[str]:
        """Types of Julia that the author's machine may have in place of each other."""
        return frozenset() if language in self.as_wide else OF_THE_MACHINE

    def stands_alone(self, language: str, least: int = 0) -> bool:
        """Whether a difference is one of few in a document of which the rest is reproduced."""
        alike, unlike = self.alike.get(language, 0), self.unlike.get(language, 0)
        return alike >= least and unlike <= max(1, alike // 4)
