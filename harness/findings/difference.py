"""An output that is printed otherwise than it is published, and what is known of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

import msgspec

from harness.documents.model import Chunk
from harness.documents.padded import decimals_filled
from harness.findings.apart import Apart, in_order_of, values_apart
from harness.findings.array_kinds import has_another_shape, has_other_points, is_of_one_kind, shows_points
from harness.findings.judging_context import Context
from harness.findings.julia_kinds import are_other_elements
from harness.findings.kinds_of_values import are_plain_kinds, is_asked_for
from harness.findings.names import upstream
from harness.findings.number_pairs import is_whole_for_fraction, number_pairs
from harness.findings.older_pythons import is_of_python_3
from harness.findings.plain_slips import no_version_explains
from harness.findings.random_numbers import says, without_comments
from harness.findings.slices import statements_behind
from harness.findings.slips import few
from harness.findings.sources import calls_the_language_alone
from harness.findings.stands_for import are_of_other_sizes, may_stand_for
from harness.findings.steady import LANGUAGE
from harness.findings.telling import is_of_mixed_kinds
from harness.findings.torch_streams import since_the_seed
from harness.findings.used_packages import used_packages
from harness.findings.versions import generation, older, printing
from harness.model.article import BlockVerdict

_TEXT = re.compile(r"([\"'])((?:(?!\1)[^\n])*)\1")
_FILLED = re.compile(r"\{[^{}]*\}|%[-+ .\d]*\w|\$\(?[\w.]+\)?|\\.")
"""What a text has filled in."""
_SENTENCE = 2
"""Words that a statement gives in a row."""
_EXACT = re.compile(r"Decimal\('([^'\n]*)'\)")
"""How Python shows a decimal number, in all versions since 2.6."""
_WHOLE_BY_VERSION = re.compile(r"(?<!/)/(?!/)")
"""What gives a fraction in Python 3, and a whole number in Python 2."""
_OTHERWISE_BY_VERSION = re.compile(r"\b(?:round|floor|ceil|trunc|median_grouped|harmonic_mean)\(|\beval\(")
"""What gives a fraction in one Python, and a whole number in another."""
_QUOTES = re.compile(r"['\"]")
_SHOWS = re.compile(r"\b(?:print\w*|show|display|write|dump)\(|@")
"""What of Julia shows a text as it chooses: what a cell comes to is shown in quotation marks."""
_BORNE_OUT = 3
"""Reproduced outputs without which a document does not show that it was read rightly."""


class Difference(msgspec.Struct, frozen=True, dict=True):
    """An output that is printed otherwise than it is published.

    Attributes
    ----------
    context : Context
        The document.
    chunk : Chunk
        The chunk whose output it is.
    published, printed : str
        The two texts.
    verdict : BlockVerdict
        How they differ.
    shown : str
        The part of the chunk's code that the output is of.
    misprinted : bool
        Whether a run that printed all digits shows that no machine rounds to what is published.
    """

    context: Context
    chunk: Chunk
    published: str
    printed: str
    verdict: BlockVerdict
    shown: str
    misprinted: bool = False

    @property
    def language(self) -> str:
        """What the code is written in."""
        return self.chunk.language

    @property
    def stated(self) -> str:
        """The version of the language that the document names, if any."""
        return self.context.stated.get(self.language, "")

    @property
    def here(self) -> str:
        """The version that is here."""
        return self.context.here.get(self.language, "")

    @property
    def same_version(self) -> bool:
        """Whether these are the same, but for their last parts."""
        return self.context.same_version(self.language)

    @cached_property
    def version(self) -> str:
        """The versions, in words, and those of packages that a file beside the document pins otherwise."""
        named = self.language.upper() if self.language == "r" else self.language.title()
        said = f"{named} {self.here}".strip() + " here"
        if self.stated and older(self.stated, self.context.here.get(self.language, self.stated)):
            said += f", and {named} {self.stated} in the document"
        others = [
            f"; {pin.file} pins {name} {pin.version}, and {pin.here} is here"
            for name, pin in sorted(self.context.pins.items())
            if self.language == "python" and name in self.used and pin.here and not pin.same
        ]
        return said + "".join(others[:3])

    @cached_property
    def cone(self) -> tuple[Chunk, ...]:
        """The chunk, after those that it depends on."""
        return upstream(self.context.chunks, self.chunk)

    @cached_property
    def used(self) -> frozenset[str]:
        """The packages that these use."""
        return used_packages(self.context.chunks, self.cone)

    @cached_property
    def code(self) -> str:
        """The code of these."""
        return without_comments("\n".join(part.code for part in self.cone))

    @cached_property
    def behind(self) -> str:
        """The statements that the output is computed by."""
        return without_comments(statements_behind(self.cone, self.shown))

    @cached_property
    def above(self) -> str:
        """All code of the document down to the chunk."""
        return "\n".join(
            part.code
            for part in self.context.chunks
            if part.language == self.language and part.index <= self.chunk.index
        )

    @cached_property
    def shown_above(self) -> str:
        """What is published of all outputs of the document down to the chunk's own."""
        return "\n".join(
            block.text
            for part in self.context.chunks
            if part.language == self.language and part.index <= self.chunk.index
            for block in part.output
        )

    @cached_property
    def since_the_seed(self) -> str:
        """All code of the document that is run between the last seed and the output."""
        return since_the_seed(self.context.chunks, self.chunk, self.shown)

    @cached_property
    def produced(self) -> str:
        """What is printed, with what has no order in that of the published text."""
        return in_order_of(self.published, self.printed) if self.language == "python" else self.printed

    @cached_property
    def pairs(self) -> Sequence[tuple[str, str]] | None:
        """Numbers as published and as printed, where the texts are otherwise the same."""
        return number_pairs(self.published, self.produced)

    @cached_property
    def apart(self) -> Sequence[Apart] | None:
        """The values that differ, where the texts have one form."""
        return values_apart(self.published, self.produced)

    @cached_property
    def is_of_few(self) -> bool:
        """Whether few numbers of many differ, and nothing else."""
        return self.pairs is not None and few(self.pairs)

    @cached_property
    def is_of_words(self) -> bool:
        """Whether not only numbers differ."""
        kinds = ("text", "structure", "missing", "extra")
        first = self.verdict.first
        return self.pairs is None or (first is not None and first.kind in kinds)

    @cached_property
    def is_of_own_texts(self) -> bool:
        """Whether nothing but sentences differ that the statement holds, and prints as they stand there."""
        # A word alone may name a type, or a column, that versions call otherwise.
        texts = (piece.split() for _, text in _TEXT.findall(self.shown) for piece in _FILLED.split(text))
        own = [words for words in texts if len(words) >= _SENTENCE]
        rows = [
            [row.split() for row in text.split("\n") if row.strip()]
            for text in (self.published, self.produced)
        ]
        apart = [(left, right) for left, right in zip(*rows, strict=False) if left != right]
        return (
            len(rows[0]) == len(rows[1])
            and bool(apart)
            and all(any(_begins_otherwise(left, right, words) for words in own) for left, right in apart)
        )

    @cached_property
    def _is_of_older_promotion(self) -> bool:
        """Whether of several kinds of numbers another may have been made before Julia 1.0."""
        later = self.language != "julia" or generation(self.stated) == "1"
        return not later and is_of_mixed_kinds(self.published, self.produced, self.behind)

    @cached_property
    def is_of_other_sizes(self) -> bool:
        """Whether nothing but how many bits integers have differs, and the author's machine had as many."""
        return not self.context.other_sizes(self.language) and are_of_other_sizes(
            self.published, self.produced
        )

    @property
    def _is_known_to_stand(self) -> bool:
        """Whether words that may stand for each other are weighed as what they are."""
        kinds = self.language == "r" and are_plain_kinds(self.apart or (), "r")
        of_1 = self.language == "julia" and generation(self.stated) == "1"
        elements = of_1 and are_other_elements(self.apart or ())
        return kinds or elements or self.is_of_other_sizes

    @cached_property
    def is_of_no_version(self) -> bool:
        """Whether what the language is in all its versions leaves none as the reason."""
        return (
            self.context.alike.get(self.language, 0) >= _BORNE_OUT
            and not (may_stand_for(self.published, self.produced) and not self._is_known_to_stand)
            and not self._is_of_older_promotion
            and no_version_explains(
                self.published,
                self.produced,
                self.behind,
                self.language,
                self.above,
                self.stated,
                self.here,
                self.context.other_sizes(self.language),
            )
        )

    @cached_property
    def is_quoted_otherwise(self) -> bool:
        """Whether a notebook of Python or Julia alone shows a text in place of a value that is none."""
        if self.language not in ("python", "julia") or not self.chunk.cell:
            return False
        bare = {" ".join(_QUOTES.sub("", text).split()) for text in (self.published, self.produced)}
        counts = {len(_QUOTES.findall(text)) for text in (self.published, self.produced)}
        sure = len(bare) == 1 < len(counts)
        if self.language == "julia":
            alone = calls_the_language_alone(self.behind, self.above, "julia")
            return sure and alone and not _SHOWS.search(self.shown)
        return sure and not (printing(self.used, "python") or says(self.behind))

    @cached_property
    def is_spelled_otherwise(self) -> bool:
        """Whether the same numbers are shown as Python 3 shows those of another kind, shape, or precision."""
        if self.language != "python" or self.used - LANGUAGE["python"]:
            return False
        if decimals_filled(self.published) and self.apart is not None and not self.apart:
            return True
        left, right = self.published.strip(), self.produced.strip()
        # Who writes an output by hand leaves the point, the zero and the name out, and adds none.
        printed = bool(self.chunk.cell) or len(left) > len(right)
        borne_out = bool(self.chunk.cell) and self.context.alike.get("python", 0) >= _BORNE_OUT
        if borne_out and has_another_shape(left, right, self.behind):
            return True
        found = _EXACT.fullmatch(right) or _EXACT.fullmatch(left)
        if printed and found is not None:
            return found[1] in (left, right)
        # The metadata of a notebook are of the session that saved it, which may have run nothing.
        of_3 = self.same_version or is_of_python_3(self.above, self.shown_above)
        # No division gives more of a fraction in Python 2.
        divides = len(left) < len(right) and _WHOLE_BY_VERSION.search(self.behind)
        of_3 = of_3 or not (divides or _OTHERWISE_BY_VERSION.search(self.behind))
        return printed and of_3 and not self.used and is_whole_for_fraction(left, right)

    @cached_property
    def is_of_another_array(self) -> bool:
        """Whether an array of whole numbers stands for one of fractions, or the other way round."""
        if self.language != "python" or not has_other_points(self.pairs or (), self.published, self.produced):
            return False
        if self.used - LANGUAGE["python"] or self.context.alike.get("python", 0) < _BORNE_OUT:
            return False
        others = (
            block.text
            for part in self.context.chunks
            for block in part.output
            if part.language == "python" and block.text != self.published
        )
        # Who writes an output by hand leaves the points out, and adds none.
        longer = len(self.published.strip()) > len(self.produced.strip())
        printed = longer or bool(self.chunk.cell) or any(map(shows_points, others))
        later = self.same_version or generation(self.stated) == "3"
        of_3 = later or is_of_python_3(self.above, self.shown_above)
        return printed and is_of_one_kind(self.behind, self.above, of_python_3=of_3)

    @cached_property
    def is_of_a_plain_kind(self) -> bool:
        """Whether a plain kind of value is named that the language's own functions give in no version."""
        if self.is_quoted_otherwise or self.is_of_another_array or self.is_spelled_otherwise:
            return True
        if self.language == "python" and is_asked_for(self.apart or (), self.behind):
            return not is_of_mixed_kinds(self.published, self.produced, self.behind)
        if not are_plain_kinds(self.apart or (), self.language):
            return False
        if self.language == "python":
            return not self.used and is_of_python_3(self.above, self.shown_above)
        return self.is_of_no_version


def _begins_otherwise(published: Sequence[str], printed: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a printed row begins with some words, and a published one with others, and both go on alike."""
    rest = printed[len(words) :]
    before = len(published) - len(rest)
    begins = list(printed[: len(words)]) == list(words) and 0 < before <= 2 * len(words)
    shared = {word.strip(":,.") for word in words} & {word.strip(":,.") for word in published[:before]}
    return begins and list(published[before:]) == list(rest) and bool(shared)
