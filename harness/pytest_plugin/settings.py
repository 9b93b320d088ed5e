"""The plugin's settings, read from pytest's options."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
import pytest

from harness.conformance.plan import Plan, make_plan
from harness.errors import UsageError
from harness.store.suites import find_suite


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The options, as the harness takes them; ``suite`` is absolute."""

    suite: Path
    cases: tuple[str, ...]
    implementations: tuple[str, ...]
    require: tuple[str, ...]
    replay: Literal["missing", "always", "never"]
    out: Path | None
    warm: bool = False

    @classmethod
    def of(cls, config: pytest.Config) -> Settings:
        """Read the options.

        Raises
        ------
        UsageError
            No suite is named, and none is found.
        """
        here = config.invocation_params.dir
        given, ini = config.getoption("conformance_suite"), config.getini("conformance_suite")
        if given:
            suite = here / given
        elif ini:
            suite = (config.inipath.parent if config.inipath else config.rootpath) / ini
        else:
            try:
                suite = find_suite(here)
            except UsageError as error:
                advice = "name a folder of cases with --conformance-suite or the ini option conformance_suite"
                raise UsageError(error.message, path=here, advice=advice) from error
        out = config.getoption("conformance_out")
        return cls(
            suite=suite.resolve(),
            cases=tuple(config.getoption("conformance_case") or ("*",)),
            implementations=tuple(config.getoption("conformance_impl") or ("*",)),
            require=required(config),
            replay=config.getoption("conformance_replay"),
            out=here / out if out else None,
            warm=config.getoption("conformance_warm"),
        )

    def plan(self, *, cases: tuple[str, ...], implementations: tuple[str, ...]) -> Plan:
        """Choose from the suite. Raises as `make_plan`."""
        return make_plan(self.suite, cases=cases, implementations=implementations)


def required(config: pytest.Config) -> tuple[str, ...]:
    """The runtimes that ``--conformance-require`` names."""
    names = ",".join(config.getoption("conformance_require") or ()).split(",")
    return tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
