"""What statements read, what they set at once, and what their expressions are made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from harness.programs.trace import Site

_TARGETS = frozenset({"set", "element"})


def read_by(site: Site) -> dict[str, None]:
    """The variables that a site reads; of a column, the table."""
    return dict.fromkeys(name.partition("['")[0] for name in site.reads)


def is_beside(before: Site, site: Site) -> bool:
    """Whether a site sets a variable besides the one that was set before it, in one statement.

    Parameters
    ----------
    before, site : Site
        Of two events of one frame that follow each other.
    """
    return (
        {before.kind, site.kind} <= _TARGETS and before.number < site.number
        and (before.file, before.line, before.control) == (site.file, site.line, site.control)
        and {*site.reads} <= {*before.reads}
    )  # fmt: skip


class Turns:
    """Each part of an expression since a statement has used it: in a comprehension it has many values."""

    def __init__(self) -> None:
        self._places: dict[int, list[int]] = defaultdict(list)
        self._used: set[int] = set()

    def of(self, number: int) -> Sequence[int]:
        """The places of a part's values; none of what is no part."""
        return self._places.get(number, ())

    def take(self, site: Site, place: int) -> None:
        """Note an event, and what it uses."""
        if site.kind == "part":
            if site.number in self._used:
                self._used.discard(site.number)
                self._places[site.number].clear()
            self._places[site.number].append(place)
        self._used.update(site.control)
