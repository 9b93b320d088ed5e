"""What statements read, and what they set at once."""

from __future__ import annotations

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
