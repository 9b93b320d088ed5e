"""Which printed numbers change with a line, held against those that differ."""

from __future__ import annotations

from harness.programs.effects import Effects
from harness.programs.places import in_place
from harness.programs.tokens import tokens_of
from harness.programs.weights import EFFECT

OWN = "mean 2.5 spread 1.25 widest 7.125\n"
OTHER = "mean 2.5 spread 1.75 widest 7.125\n"


def effects(own: str = OWN, other: str = OTHER) -> Effects:
    tokens = tokens_of(own), tokens_of(other)
    return Effects(tokens, in_place(*tokens), ([], []))


def test_a_line_on_which_what_differs_alone_depends_is_likelier() -> None:
    made = effects()
    for line, texts in {
        3: ["mean 2.5 spread 1.5 widest 7.125", OWN],
        4: ["mean 9.5 spread 1.5 widest 7.125", "mean 9.5 spread 1.5 widest 8.125"],
        5: ["mean 2.5 spread 1.25 widest 8.125", "mean 2.5 spread 1.25 widest 9.125"],
    }.items():
        for text in texts:
            made.note(0, line, tokens_of(text))
    said = made.of(0)
    assert said[3] == dict(EFFECT)[1.0] > 0 > said[4] > said[5]


def test_one_change_without_the_effect_and_another_layout_say_nothing() -> None:
    made = effects()
    made.note(0, 5, tokens_of("mean 2.5 spread 1.25 widest 8.125"))
    made.note(0, 6, tokens_of(OWN))
    made.note(0, 7, tokens_of("spread 1.5"))
    assert not made.of(0)


def test_what_has_no_place_in_the_other_printout_says_nothing() -> None:
    # The second prints no total: that a change moves it is neither for its line nor against it.
    made = effects(OWN + "total 91.5\n")
    made.note(0, 3, tokens_of("mean 2.5 spread 1.5 widest 7.125\ntotal 92.5\n"))
    made.note(0, 4, tokens_of("mean 2.75 spread 1.5 widest 7.125\ntotal 92.5\n"))
    assert made.of(0)[3] == dict(EFFECT)[1.0]
    assert made.of(0).get(4, 0.0) <= 0
