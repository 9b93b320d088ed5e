"""Calls of Python that leave what they are called on, and what they are given, as it was."""

from __future__ import annotations

import pytest

from harness.findings.carried import changes_what_it_reads
from harness.findings.gives_new import changes_nothing, only_read
from harness.findings.names import names_in
from harness.findings.reached import handed_to
from tests.unit.findings.made_runs import chunk


@pytest.mark.parametrize(
    ("code", "new"),
    [
        ("d.plot.bar()", True),
        ("d.sample(12, replace=True).Face.value_counts().plot.bar();", True),
        ("d.groupby('a').sum()", True),
        ("d.sort_values('a', inplace=True)", False),
        ("d.sort_values('a', inplace=False)", True),
        ("d.round(2, out=d)", False),
        ("d.sample(2)", False),
        ("d.append(2)", False),
        ("d.head()\nd.pop('a')", False),
    ],
)
def test_which_methods_give_something_new(code: str, new: bool) -> None:
    assert ("d" in only_read(code)) is new
    assert ("d" not in names_in(code, "python").sets) is new


@pytest.mark.parametrize(
    ("code", "nothing"),
    [
        ("ax.plot(x, y)", True),
        ("plt.gca().set_title(x)", True),
        ("sns.heatmap(d.corr())", True),
        ("fit(x)", False),
        ("d.pop('a').plot()", False),
        ("x = 3", False),
    ],
)
def test_which_code_changes_nothing(code: str, nothing: bool) -> None:
    assert changes_nothing(code) is nothing


def test_a_plot_leaves_what_it_is_given() -> None:
    assert handed_to("sns.kdeplot(x)\nplt.plot(y)\nm.train(z)", {"sns", "plt", "m"}) == {"z"}


def test_a_function_of_numpys_takes_nothing_out() -> None:
    assert not changes_what_it_reads(chunk(0, "np.append(x, [1]).mean()"))
    assert changes_what_it_reads(chunk(0, "x.append(1)"))
