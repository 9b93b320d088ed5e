"""A line that is missing: a slip where the whole of an output is kept, a part elsewhere."""

from __future__ import annotations

import msgspec
import pytest

from harness.documents.model import OutputBlock
from harness.findings.answers import judged
from harness.findings.left_out import is_kept_whole, is_printed_whole
from harness.findings.one_place import lacks_an_end, lacks_one_of_its_kind
from harness.findings.outputs import produced, verdicts
from harness.model.article import Answer, BlockKind
from tests.unit.findings.made_runs import Ran, chunk, left

SPEAKS = 'speak(x) = println(x)\nspeak("Wuff")\nspeak("Miau")'


@pytest.mark.parametrize(
    ("cell", "published", "answer"),
    [
        (1, "Miau\n", Answer.WRONG),
        (1, "Wuff\n", Answer.WRONG),
        (0, "Miau\n", Answer.HERE),
        (1, "...\nMiau\n", Answer.REPRODUCED),
    ],
)
def test_a_notebook_keeps_all_lines_that_a_cell_prints(cell: int, published: str, answer: Answer) -> None:
    first = chunk(0, SPEAKS, "julia", output=published, cell=cell, executable=cell > 0)
    block = msgspec.structs.replace(first.output[0], info="stdout" if cell else "")
    chunks = [msgspec.structs.replace(first, output=(block,))]
    results = [left("Wuff\nMiau\n")]
    for n in range(2, 30):
        chunks.append(chunk(n - 1, f"{n} + 1", "julia", output=f"{n + 1}\n", cell=n, executable=True))
        results.append(left(f"{n + 1}\n"))
    alone = [results[0], *[left()] * (len(results) - 1)]
    runs = Ran(chunks, results, alone=lambda document: Ran(list(document.chunks), alone))
    assert judged(runs).blocks[0].answer is answer


@pytest.mark.parametrize(
    ("code", "published", "info", "language", "whole"),
    [
        ("f()", "1\n2\n", "stdout", "python", True),
        ("f()", "1\n...\n", "stdout", "python", False),
        ("f()", "1\n⋮\n", "result", "julia", False),
        ("f()", "1\n", "display", "python", False),
        ("f()\nclear_output()", "1\n", "stdout", "python", False),
        ("%%capture\nf()", "1\n", "stdout", "python", False),
        ("f()", "1\n", "stdout", "r", False),
    ],
)
def test_what_an_author_shortens_or_a_cell_takes_away_is_not_kept_whole(
    code: str, published: str, info: str, language: str, whole: bool
) -> None:
    shown = chunk(0, code, language, output=published, cell=1)
    block = msgspec.structs.replace(shown.output[0], info=info)
    assert is_kept_whole(msgspec.structs.replace(shown, output=(block,)), block.text) is whole


@pytest.mark.parametrize(
    ("after", "code", "whole"),
    [
        ((1, 2), "1:2\nunclass(x)", True),
        ((1, 2), "1:2\nx[2:1] <- f(2)\nunclass(x)", False),
        ((1, 3), "1:2\nx[2:1] <- f(2)\nunclass(x)", True),
        ((1, 3), "1:2\nlevels(x) <- f(2)\nunclass(x)", True),
        ((1, 3), "1:2\nx = 4\nx[1, drop=FALSE]", True),
        ((1, 3), "1:2\nf(x <- 2)\nunclass(x)", False),
        ((0, 0), "1:2\nunclass(x)", False),
        ((1, 3), "1:2\nunclass(x)\nx", False),
    ],
)
def test_of_several_outputs_of_r_each_is_whole_below_the_one_statement_that_it_is_of(
    after: tuple[int, int], code: str, whole: bool
) -> None:
    texts = ("## [1] 1 2\n", '## [1] 2 1\n## attr(,"levels")\n')
    output = tuple(OutputBlock(line=1, text=text, after=at) for text, at in zip(texts, after, strict=True))
    one = msgspec.structs.replace(chunk(0, code, "r"), output=output)
    assert is_printed_whole(one, texts[1], '[1] 2 1\nattr(,"levels")\n[1] "a" "b"\n') is whole


@pytest.mark.parametrize(("printed", "whole"), [("[1] 1\n[1] 2\n", True), ("[1] 1\n[1] 2\n[1] 3\n", False)])
def test_of_one_output_of_r_in_several_blocks_one_line_alone_is_missing(printed: str, whole: bool) -> None:
    output = tuple(OutputBlock(line=1, text=text) for text in ("## [1] 1\n", "## [1] 9\n"))
    one = msgspec.structs.replace(chunk(0, "f()", "r"), output=output)
    assert is_printed_whole(one, "## [1] 1\n", printed) is whole


@pytest.mark.parametrize(
    ("published", "printed", "end", "alike"),
    [
        ("b 2", "a 1\nb 2", True, True),
        ("a 1", "a 1\nb 2", True, True),
        ("a 1", "a 1\n<Axes>", True, False),
        ("a 1\nc 3", "a 1\nb 2\nc 3", False, False),
        ("a 1", "a 1\nb 2\nc 3", False, False),
        ("", "a 1", False, False),
    ],
)
def test_an_end_is_missing_that_may_be_of_the_kind_of_its_neighbour(
    published: str, printed: str, end: bool, alike: bool
) -> None:
    assert (lacks_an_end(published, printed), lacks_one_of_its_kind(published, printed)) == (end, alike)


@pytest.mark.parametrize(
    ("texts", "printed", "kinds", "second"),
    [
        (("1\n3\n", "9\n"), "1\n2\n3\n9\n", [BlockKind.DIFFERS, BlockKind.REPRODUCED], "9"),
        (("1\n", "2\n4\n", "9\n"), "1\n2\n3\n4\n9\n", ["reproduced", "differs", "reproduced"], "2\n3\n4"),
        (("## 1\n", "## 8\n## 9\n"), "1\n8\n", ["reproduced up to formatting", "differs"], "8"),
        (("1\n", "3\n", "9\n"), "1\n2\n3\n9\n", ["differs", "differs", "reproduced"], "2\n3"),
        (("1\n3\n", "8\n"), "1\n2\n3\n9\n", [BlockKind.DIFFERS, BlockKind.DIFFERS], "1\n2\n3\n9\n"),
    ],
)
def test_lines_of_an_output_are_those_that_are_left_where_all_others_are_as_printed(
    texts: tuple[str, ...], printed: str, kinds: list[BlockKind], second: str
) -> None:
    output = tuple(OutputBlock(line=1, text=text) for text in texts)
    one = msgspec.structs.replace(chunk(0, "f()", "python", cell=1), output=output)
    run = Ran([one], [left(printed)]).published.of(one)
    assert [verdict.kind for verdict in verdicts(one, run)] == kinds
    assert produced(one, run, 1) == second
