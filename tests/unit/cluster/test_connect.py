"""Connections to a Dask scheduler: what is said of them, and what Dask's workers are told not to do."""

from __future__ import annotations

import pytest

pytest.importorskip("distributed")

from harness.cluster.connect import connected, in_words

CLOSED = "<TCP (closed) ConnectionPool.ncores local=tcp://127.0.0.1:54 remote=tcp://127.0.0.1:8786>"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(CLOSED), "the connection to tcp://127.0.0.1:8786 was closed"),
        (OSError(f"in {CLOSED}: Stream is closed"), "the connection to tcp://127.0.0.1:8786 was closed"),
        (OSError("<TLS (closed)>"), "the connection was closed"),
        (TimeoutError("Timed out during handshake after 15 s"), "no answer in time"),
        (RuntimeError("one line\nand another"), "one line"),
        (OSError(), "OSError"),
    ],
)
def test_an_error_of_a_connection_is_said_in_words(error: Exception, words: str) -> None:
    assert in_words(error) == words


def test_workers_of_its_own_keep_no_profile() -> None:
    with connected("local:1") as client:
        client.wait_for_workers(1, timeout=60)
        client.submit(sum, [1, 2]).result(timeout=60)
        kept = client.run(lambda dask_worker: list(dask_worker.periodic_callbacks))
        assert kept
        assert not any("profile" in names for names in kept.values())
