"""Clusters of implementations that agree."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.numerics.consensus import MOST, Clusters, clusters


def clusters_of(names: str, *pairs: str) -> Clusters:
    return clusters(tuple(names), {frozenset(pair) for pair in pairs})


def groups(names: str, *pairs: str) -> list[str]:
    return ["".join(group) for group in clusters_of(names, *pairs).groups]


def test_all_agree() -> None:
    whole = clusters_of("abc", "ab", "bc", "ac")
    assert (whole.groups, whole.outside) == ((("a", "b", "c"),), ())


def test_one_against_three() -> None:
    assert groups("abcd", "ab", "bd", "ad") == ["abd", "c"]
    assert clusters_of("abcd", "ab", "bd", "ad").outside == ("c",)


def test_two_against_two_is_no_majority() -> None:
    half = clusters_of("abcd", "ab", "cd")
    assert (half.groups, half.outside) == ((("a", "b"), ("c", "d")), ())


def test_nobody_agrees() -> None:
    assert groups("abc") == ["a", "b", "c"]
    assert clusters_of("abc").outside == ()


def test_a_chain_is_not_a_group() -> None:
    # a-b and b-c, but not a-c: b goes with one of them, and the first in order decides.
    chain = clusters_of("abc", "ab", "bc")
    assert (chain.groups, chain.outside) == ((("a", "b"), ("c",)), ("c",))


def test_of_two_groups_as_large_the_better_connected_is_taken() -> None:
    assert groups("abcde", "ab", "cd", "ce")[0] == "cd"


def test_the_order_of_names_is_kept() -> None:
    assert groups("dcba", "ab", "bc", "ac") == ["cba", "d"]


@pytest.mark.parametrize("size", [MOST, MOST + 4])
def test_many_implementations(size: int) -> None:
    names = [f"i{number}" for number in range(size)]
    agreeing = {frozenset(pair) for pair in combinations(names[1:], 2)}
    split = clusters(names, agreeing)
    assert (split.groups, split.outside) == ((tuple(names[1:]), (names[0],)), (names[0],))


@given(st.sets(st.sampled_from(["".join(pair) for pair in combinations("abcdef", 2)])))
def test_groups_are_whole_and_cannot_be_joined(pairs: set[str]) -> None:
    agreeing = {frozenset(pair) for pair in pairs}
    split = clusters("abcdef", agreeing)
    assert sorted(name for group in split.groups for name in group) == list("abcdef")
    for group in split.groups:
        assert all(frozenset(pair) in agreeing for pair in combinations(group, 2))
    for larger, other in combinations(split.groups, 2):
        assert len(larger) >= len(other)
        together = all(frozenset((a, b)) in agreeing for a in larger for b in other)
        assert not together


@pytest.mark.parametrize(("alone", "first"), [(10, ("d", "e", "f")), (11, ("a", "d"))])
def test_of_sixteen_every_group_is_looked_at_and_of_more_they_grow(
    alone: int, first: tuple[str, ...]
) -> None:
    # From d, e and f alike a group grows to one that comes earlier, which agrees with none of the other two.
    names = [*"abcdef", *(f"i{number}" for number in range(alone))]
    agreeing = {frozenset(pair) for pair in ("de", "df", "ef", "ad", "be", "cf")}
    assert clusters(names, agreeing).groups[0] == first
