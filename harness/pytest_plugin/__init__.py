"""The cells of a suite as tests of pytest. Off unless asked; everything of the harness is imported late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from harness.pytest_plugin.check import Conformance


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options; all begin alike, so that they meet no other plugin's."""
    group = parser.getgroup("conformance", "one algorithm in several languages (harness)")
    group.addoption(
        "--conformance",
        action="store_true",
        help="Add a suite's cases: a test for each stage, implementation and sample.",
    )
    group.addoption(
        "--conformance-suite",
        metavar="DIR",
        help="Folder of cases; else the ini option conformance_suite, else looked for from here upwards.",
    )
    for name, what in (("case", "cases"), ("impl", "implementations")):
        group.addoption(
            f"--conformance-{name}",
            action="append",
            metavar="GLOB",
            help=f"Only {what} whose name matches; may be repeated; !GLOB leaves out.",
        )
    group.addoption(
        "--conformance-require",
        action="append",
        metavar="LIST",
        help="Runtimes that must be there, e.g. r,julia,torch: the tests of a missing one are errors.",
    )
    group.addoption(
        "--conformance-replay",
        choices=["missing", "always", "never"],
        default="missing",
        help="Which runtimes are answered from the snapshots instead of live; default: missing.",
    )
    group.addoption(
        "--conformance-warm",
        action="store_true",
        help="Keep the workers from one run of the session to the next, as harness watch does.",
    )
    group.addoption("--conformance-out", metavar="DIR", help="Folder for the record, results.jsonl.")
    parser.addini("conformance_suite", "Folder of cases, seen from the ini-file's.", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Register the collection of the suite's cases, if ``--conformance`` is given."""
    if not config.getoption("conformance"):
        return
    from harness.errors import HarnessError
    from harness.pytest_plugin.cells import Cells

    try:
        config.pluginmanager.register(Cells(config), "conformance-cells")
    except HarnessError as error:
        raise pytest.UsageError(f"--conformance: {error}") from error


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Pass a process of pytest-xdist the folder in which all of them share their runs."""
    from harness.pytest_plugin.runs import FOLDER, shared_folder

    node.workerinput[FOLDER] = str(shared_folder(node.config))


@pytest.fixture(scope="session")
def conformance(pytestconfig: pytest.Config) -> Conformance:
    """Check implementations from a test of your own: ``conformance.check("four_word", impl="r")``."""
    from harness.pytest_plugin.check import Conformance

    return Conformance(pytestconfig)
