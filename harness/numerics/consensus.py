"""Clusters of implementations that agree, and the implementations outside a majority."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations

import msgspec

MOST = 16
"""Implementations up to which every group is looked at; of more, groups grow from each one."""


class Clusters(msgspec.Struct, frozen=True, kw_only=True):
    """Groups in which every two agree, the largest first, and the names outside a majority."""

    groups: tuple[tuple[str, ...], ...]
    outside: tuple[str, ...]


def clusters(names: Sequence[str], agreeing: Collection[frozenset[str]]) -> Clusters:
    """Group implementations by agreement.

    Parameters
    ----------
    names : sequence of str
        Implementations, in the order that decides between equals.
    agreeing : collection of frozenset of str
        Every two that agree.

    Returns
    -------
    Clusters
        ``outside`` is empty where no group is more than half of all.

    Notes
    -----
    Agreement is not transitive: a may agree with b and b with c, and a not with c. So every two members of a
    group agree. The largest group is taken first, then the largest among the remaining names. Of several
    groups of that size, the one with the most agreements between its members and all others is taken, then
    the one whose members come first.

    Examples
    --------
    >>> pairs = [frozenset("ab"), frozenset("bc"), frozenset("ac")]
    >>> clusters("abcd", pairs).groups, clusters("abcd", pairs).outside
    ((('a', 'b', 'c'), ('d',)), ('d',))
    """
    left = list(names)
    groups = []
    while left:
        group = _largest(left, names, agreeing)
        groups.append(group)
        left = [name for name in left if name not in group]
    majority = next((group for group in groups if 2 * len(group) > len(names)), None)
    outside = () if majority is None else tuple(name for name in names if name not in majority)
    return Clusters(groups=tuple(groups), outside=outside)


def _largest(
    left: Sequence[str], names: Sequence[str], agreeing: Collection[frozenset[str]]
) -> tuple[str, ...]:
    def agrees(a: str, b: str) -> bool:
        return frozenset((a, b)) in agreeing

    def ties(group: tuple[str, ...]) -> int:
        return sum(agrees(member, other) for member in group for other in names if other not in group)

    if len(left) > MOST:
        return max((_grown(first, left, agrees) for first in left), key=len)
    for size in range(len(left), 1, -1):
        whole = [
            group
            for group in combinations(left, size)
            if all(agrees(a, b) for a, b in combinations(group, 2))
        ]
        if whole:
            return max(whole, key=ties)
    return (left[0],)


def _grown(first: str, left: Sequence[str], agrees: Callable[[str, str], bool]) -> tuple[str, ...]:
    group = [first]
    for name in left:
        if name not in group and all(agrees(name, member) for member in group):
            group.append(name)
    return tuple(name for name in left if name in group)
