"""R's warnings in one listing with values: told apart, and compared apart."""

from __future__ import annotations

import msgspec
import pytest

from harness.documents.model import OutputBlock
from harness.documents.warned import warnings_apart, warnings_in
from harness.findings.answers import judged
from harness.findings.outputs import verdicts
from harness.model.article import Answer, BlockKind
from harness.sessions.session import Evaluated
from tests.unit.findings.made_runs import Ran, chunk, executed, left

LONG = "longer object length is not a multiple of shorter object length"
WRAPPED = (
    "#> Warning in y + z: longer object length is not a multiple of shorter object\n#> length\n#> [1] 4 6 8"
)


def warned(text: str, *warnings: str) -> Evaluated:
    return msgspec.structs.replace(left(text), warnings=warnings)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (WRAPPED, [("message", 2), ("printed", 1)]),
        (f"Warning in y + z: {LONG}\n[1] 4 6 8", [("message", 1), ("printed", 1)]),
        ("[1] NA\nWarning message:\nNAs introduced by coercion", [("printed", 1), ("message", 2)]),
        (
            'Warning message:\nIn mean.default("a") : argument is not numeric\n[1] NA',
            [("message", 2), ("printed", 1)],
        ),
        ("Warning messages:\n1: In f() : a\n2: In g() : b\n  x y\n1 1 2", [("message", 3), ("printed", 2)]),
        (
            "Warning: There was one.\nℹ In argument: `x`.\nCaused by warning:\n! none\n# A tibble: 1 x 1",
            [("message", 4), ("printed", 1)],
        ),
        ("Warning: one.\nWarning: two.\n[1] 3", [("message", 2), ("printed", 1)]),
        ("Warning: one.\nsome words that are no value", [("printed", 2)]),
        ("[1] 1\n[1] 2", [("printed", 2)]),
    ],
)
def test_where_a_warning_ends(text: str, parts: list[tuple[str, int]]) -> None:
    found = warnings_apart(OutputBlock(line=7, text=text))
    assert [(part.kind, part.text.count("\n") + 1) for part in found] == parts
    assert [part.line for part in found] == [7 + sum(n for _, n in parts[:k]) for k in range(len(parts))]


def test_what_a_warning_says() -> None:
    assert warnings_in("Warning in f(x):\n  bad\nWarning: worse\n still") == (
        "Warning in f(x): bad",
        "Warning: worse still",
    )
    assert warnings_in("Warning messages:\n1: In f() : a\n2: In g() : b") == (
        "1: In f() : a",
        "2: In g() : b",
    )
    assert warnings_in("[1] 2") == ()


@pytest.mark.parametrize(
    ("produced", "said", "kinds"),
    [
        ("[1] 4 6 8\n", LONG, [BlockKind.FORMATTING, BlockKind.REPRODUCED]),
        ("[1] 4 6 9\n", LONG, [BlockKind.FORMATTING, BlockKind.DIFFERS]),
        ("[1] 4 6 8\n", "something else", [BlockKind.UNCHECKED, BlockKind.REPRODUCED]),
    ],
)
def test_a_warning_and_its_value_are_compared_apart(produced: str, said: str, kinds: list[BlockKind]) -> None:
    given = msgspec.structs.replace(
        chunk(0, "y + z", "r"), output=warnings_apart(OutputBlock(line=2, text=WRAPPED))
    )
    runs = Ran([given], [warned(produced, said)])
    found = verdicts(given, executed(runs.document, [warned(produced, said)]).of(given))
    # Marks before a value are formatting.
    same = {BlockKind.REPRODUCED: BlockKind.FORMATTING}
    assert [same.get(verdict.kind, verdict.kind) for verdict in found] == [same.get(k, k) for k in kinds]


def test_a_value_behind_a_warning_that_no_line_ends_is_no_accusation() -> None:
    given = chunk(0, "f()", "r", output="Warning: one.\nwords")
    assert [b.answer for b in judged(Ran([given], [warned("words\n", "one.")])).blocks] == [Answer.REPRODUCED]
    assert [b.answer for b in judged(Ran([given], [warned("words\n", "two")])).blocks] == [Answer.UNCHECKED]
    assert [b.answer for b in judged(Ran([given], [warned("else\n", "two")])).blocks] == [Answer.UNCHECKED]
