"""What each clue is worth when lines are ordered by how likely one of them is wrong.

Logarithms of how much likelier a pair of lines is for one unit of a clue. They were fitted, not chosen:
`tests/programs/fit_ranking.py` maximizes the likelihood of planted lines, a choice among all pairs of lines
of two programs, with a ridge, and tells how well the order is on sets that it was not fitted on. These are of
143 faults of `first` to `eighth` in Python, R and torch, those of trials of 30, and "through" of 24 of
`sixth` to `ninth`: from 0.5 to 2.0 it orders these alike.
"""

OF_LINE = {
    "explained": 2.9, "against": -1.2, "own": -0.7, "covered": 2.1, "local": 1.1, "counter": -2.6,
    "worded": -4.4, "follows": -0.5, "data": -0.5,
}  # fmt: skip
"""Of one line: the share of wrong lines that it explains; right values that it would make wrong; its own
right values; the share of wrong results that it leads to; whether it makes a wrong value of right ones;
whether it only counts; whether the other program words it the same; whether what is wrong of it comes from a
line that makes it; whether it reads nothing."""

OF_PAIR = {"related": 1.4, "near": 0.3, "likeness": 0.4, "inputs": 1.8, "apart": -5.2}
"""Of two: whether their values are each other's, made wrong; whether they are worded the same but for one
thing; how alike operators and values are; the share of what they read that both read; how far apart they are
in their programs' order."""

OF_TRIAL = {"complete": 2.9, "through": 1.5, "partly": -0.2, "failed": -1.3, "broken": -0.1, "none": 0.0}
"""Of two lines of which one's values were put in for the other's: all results agree then, and nothing that
agreed differs, and all that they read agrees; the same, though what they read differs; some do; none does;
others differ then; there was no such trial."""

OUTSIDE = -1.5
"""Of each line that does not lead to what a trial has shown to make all results agree."""

REPAIRED = 4.5
"""Of a line of which a small change makes all that is printed agree."""

EFFECT = ((0.0, -1.5), (0.8, -1.0), (1.0, 2.2))
"""What the changes of a line say for it, by how much the printed numbers that the likest of them moves are
those that differ, from 0 to 1. Of 26 planted lines of `sixth` to `ninth`, 22 had a change that moves these
and no others, and none stayed below 0.7; of some 470 other lines about 40 had, and 340 stayed below 0.7."""
