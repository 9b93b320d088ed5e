"""What holds for every test."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

HERE = Path(__file__).parent
LONGEST = (
    "integration/test_check_worker.py",
    "integration/test_dask.py",
    "integration/test_documents_articles.py",
    "integration/test_suites_fuzz.py",
    "integration/test_guides.py",
    "integration/test_reproduce_values.py",
    "integration/test_fuzz.py",
    "integration/test_findings_planted.py",
    "integration/test_dask_search.py",
    "unit/numerics/test_compare_compiled.py",
    "unit/cli/test_new_from.py",
    "integration/test_suites.py",
    "meta/test_bad_implementations.py",
    "integration/test_no_false_alarm.py",
    "integration/test_functions_live.py",
    "integration/test_provision_private_julia.py",
    "unit/numerics/test_compare_properties.py",
    "integration/test_worker_languages.py",
    "integration/test_streams_live_julia.py",
    "integration/test_at_once.py",
    "integration/test_adopt.py",
    "integration/test_align.py",
    "integration/test_streams_live_torch.py",
    "examples/test_examples.py",
    "integration/test_worker_julia.py",
    "integration/test_environments.py",
    "unit/reference_impls/test_sentiment_training.py",
    "integration/test_reproduce_faults.py",
    "integration/test_fix_r.py",
    "integration/test_values.py",
    "integration/test_reproduce_training.py",
    "integration/test_export_values.py",
    "integration/test_fix_r_debian.py",
    "integration/test_align_rounding.py",
    "integration/test_programs_record.py",
    "integration/test_interpreted.py",
    "integration/test_export.py",
    "integration/test_audit_live.py",
    "integration/test_faults_matrix.py",
    "integration/test_reproduce.py",
    "integration/test_faults.py",
    "unit/cli/test_run_documents.py",
    "integration/test_findings_live.py",
    "unit/cli/test_snapshot.py",
    "integration/test_findings_order.py",
    "unit/sessions/test_sandbox.py",
    "integration/test_undecided.py",
    "integration/test_known_divergence_live.py",
    "unit/conformance/test_oracle_kept.py",
    "integration/test_documents_sessions.py",
    "integration/test_tolerances_live.py",
    "unit/cli/test_signals.py",
    "unit/cli/test_new.py",
    "unit/cli/test_run.py",
    "unit/pytest_plugin/test_cells.py",
    "unit/oracle/test_summation.py",
    "unit/oracle/test_fourier.py",
    "unit/conformance/test_oracle.py",
    "integration/test_provision_live.py",
    "unit/oracle/test_functions.py",
    "integration/test_attention_shapes.py",
    "unit/cli/test_snapshot_refused.py",
    "integration/test_damaged_files.py",
)
"""Files that take longest with their slow tests, longest first."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files: each runs in one process, and all are to end together."""
    if missing := [name for name in LONGEST if not (HERE / name).is_file()]:
        raise pytest.UsageError(f"{Path(__file__)}: LONGEST names no file {', '.join(missing)}")
    places = {HERE / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(LONGEST)))


def pytest_collection_finish() -> None:
    """Leave what was collected to its end: garbage would be looked for among 12,000 tests again and again."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def no_terminal_width() -> None:
    """Processes of pytest-xdist have a COLUMNS, and tables would be cut to it."""
    os.environ.pop("COLUMNS", None)


@pytest.fixture(scope="session", autouse=True)
def interrupts() -> None:
    """A shell starts what runs in its background deaf to Ctrl-C, and so would be all that tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module")
def julia_process() -> Iterator[None]:
    """Julia in a process of its own: with juliacall it compiles for ten seconds more before it answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARNESS_JULIA_HOSTING", "process")
        yield


@pytest.fixture(scope="module")
def interpreted_julia(julia_process: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The first Julia on PATH is one that does not compile: what is called once or twice, it does at once.

    Where it computes for long it is slower. ``harness run`` compiles, and so does every other test.
    """
    from tests.interpreted import interpreted

    with interpreted(tmp_path_factory.mktemp("interpreted")):
        yield
