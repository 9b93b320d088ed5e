"""Findings as Markdown, SARIF and GitHub's annotations; what is new since an earlier run."""

from __future__ import annotations

from pathlib import Path

import msgspec

from harness.findings.exchange import github_annotations, markdown_comment, only_new, sarif
from harness.findings.report import as_object, exit_code, html_page, text_page
from harness.model.article import (
    Answer,
    Block,
    BlockKind,
    BlockVerdict,
    Examined,
    Finding,
    Kind,
    Severity,
    Suspect,
)
from harness.report import article_sections


def finding(
    severity: Severity, answer: Answer | None = None, *, line: int = 5, text: str = "x = 1", **given: str
) -> Finding:
    return Finding(
        document="a.md", line=line, language="python", chunk=0, kind=Kind.OUTPUT_DIFFERS, severity=severity,
        evidence="3 is published, <b>and</b> the code prints 2", consequence="so it is", smallest=text,
        answer=answer, **given,
    )  # fmt: skip


def document(*findings: Finding, answers: tuple[Answer, ...] = ()) -> Examined:
    verdict = BlockVerdict(kind=BlockKind.DIFFERS)
    blocks = tuple(
        Block(line=9 + n, chunk=n, language="python", verdict=verdict, said=answer)
        for n, answer in enumerate(answers)
    )
    return Examined(document="a.md", findings=findings, blocks=blocks)


WRONG = finding(Severity.WRONG, Answer.WRONG)
LACKING = finding(Severity.NOTE, Answer.UNCHECKED, text="import q")
PATHS = {"a.md": Path("docs/a.md")}


def test_sarif_has_what_an_author_can_mend() -> None:
    given = sarif([document(WRONG, LACKING)], PATHS)
    (run,) = given["runs"]
    (result,) = run["results"]
    assert (given["version"], result["level"]) == ("2.1.0", "error")
    location = result["locations"][0]["physicalLocation"]
    assert location == {"artifactLocation": {"uri": "docs/a.md"}, "region": {"startLine": 5}}
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [result["ruleId"]]


def test_annotations_escape_what_ends_a_command() -> None:
    odd = msgspec.structs.replace(WRONG, evidence="50%\nmore", where="cell 3, line 1")
    (line,) = github_annotations([document(odd, LACKING)], {"a.md": Path("a:b.md")})
    assert line.startswith("::error file=a%3Ab.md,line=5,title=")
    assert line.endswith("::cell 3, line 1: 50%25%0Amore: so it is.")


def test_a_comment_is_markdown_without_markup_of_strangers() -> None:
    by_hand = finding(Severity.WRONG, source="four_word/probes.toml")
    text = markdown_comment([document(WRONG, by_hand, LACKING, answers=(Answer.WRONG, Answer.UNCHECKED))])
    assert text.startswith("### Documents: 2 wrong\n")
    assert "1 of 2 outputs could be checked: 1 wrong, 1 could not be checked" in text
    assert "\\<b\\>and\\</b\\>" in text
    assert "(given by four\\_word/probes.toml)" in text
    assert text.index("Wrong:") < text.index("Could not be checked:")


def test_only_what_an_earlier_run_did_not_have_is_new() -> None:
    moved = msgspec.structs.replace(WRONG, line=80)
    other = msgspec.structs.replace(WRONG, smallest="y = 2")
    (new,) = only_new([document(moved, other)], [document(WRONG)])
    assert new.findings == (other,)
    assert exit_code(only_new([document(moved)], [document(WRONG)])) == 0


def test_nothing_checked_is_incomplete_and_says_so() -> None:
    nothing = document(LACKING, answers=(Answer.UNCHECKED, Answer.HERE, Answer.UNCHECKED))
    assert exit_code([nothing]) == 5
    page = text_page(nothing)
    assert "0 of 3 outputs could be checked" in page
    assert "Findings: none" not in page
    unread = msgspec.structs.replace(
        nothing, blocks=(), unread=("line 3: a picture of a table",), findings=()
    )
    assert exit_code([unread]) == 5
    assert "0 of 1 output could be checked" in text_page(unread)
    assert exit_code([document(LACKING, answers=(Answer.REPRODUCED, Answer.UNCHECKED))]) == 0


def test_a_page_on_which_nothing_is_reproduced_says_so_at_its_top() -> None:
    drawn = document(LACKING, answers=(Answer.NOBODY, Answer.UNCHECKED, Answer.HERE))
    assert exit_code([drawn]) == 5
    title, _, said = text_page(drawn).split("\n")[:3]
    assert title.startswith(drawn.document)
    assert said.startswith(
        "Printed output: 1 of 3 outputs could be checked, and none is reproduced: 1 nobody"
    )
    assert markdown_comment([drawn]).startswith("### Documents: of 1 of 1, no output is reproduced\n")
    some = document(answers=(Answer.REPRODUCED, Answer.UNCHECKED, Answer.HERE))
    assert article_sections.sentence([some]).startswith(
        "The article a.md prints what its code gives where that could be checked, in less than half"
    )


def test_what_was_written_by_hand_is_counted_apart() -> None:
    by_hand = finding(Severity.WRONG, source="four_word/probes.toml")
    page = text_page(document(WRONG, by_hand, answers=(Answer.WRONG,)))
    assert page.index("Wrong (1)") < page.index("Checked because a file of this suite says so (1)")
    assert "given by four_word/probes.toml" in page
    assert as_object([document(WRONG, by_hand)])["summary"]["by_hand"] == 1


SUSPECT = Suspect(line=7, language="python", shows="3 is published", held_back="another version may print it")


def test_what_is_worth_a_look_stands_behind_what_is_wrong_and_is_no_error() -> None:
    given = msgspec.structs.replace(document(WRONG, LACKING, answers=(Answer.WRONG,)), suspects=(SUSPECT,))
    for page in (text_page(given), markdown_comment([given])):
        assert page.index("Wrong") < page.index("Worth a look") < page.index("Could not be checked")
    assert "a.md:7: 3 is published\n      not accused: another version may print it" in text_page(given)
    (_, result) = sarif([given], PATHS)["runs"][0]["results"]
    assert (result["level"], result["ruleId"]) == ("note", "Worth-a-look-and-no-accusation")
    (_, line) = github_annotations([given], PATHS)
    assert line.startswith("::notice file=docs/a.md,line=7,title=Worth a look%2C and no accusation::3 is")
    assert "worth a look, and no accusation" in html_page(given)
    alone = msgspec.structs.replace(document(answers=(Answer.REPRODUCED,)), suspects=(SUSPECT,))
    assert exit_code([alone]) == 0
    assert "Worth a look" in markdown_comment([alone])


def test_what_an_earlier_run_found_worth_a_look_is_not_new() -> None:
    given = msgspec.structs.replace(document(), suspects=(SUSPECT,))
    (new,) = only_new([given], [msgspec.structs.replace(document(), suspects=())])
    assert new.suspects == (SUSPECT,)
    (new,) = only_new([given], [given])
    assert not new.suspects
