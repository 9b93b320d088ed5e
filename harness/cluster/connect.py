"""Connecting to a Dask scheduler, or starting one here."""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Iterator
from typing import Any

from harness.errors import ClusterError, UsageError

ANSWERS = "15s"
"""A scheduler that does not answer for so long is not there."""

_ADDRESS = re.compile(r"((tcp|tls|ws|wss|ucx)://)?[^/\s]+:[0-9]{1,5}")
_LOCAL = re.compile(r"local:([1-9][0-9]{0,3})")

_PART = re.compile(r"<(?:TCP|TLS|WS|WSS|UCX|InProc)\b[^<>]*?(?:remote=(?P<remote>[^\s<>]+))?>")

_SETTINGS = {
    "distributed.comm.timeouts.connect": ANSWERS,
    # Of a suite it is known how large it is.
    "distributed.admin.large-graph-warning-threshold": "2GiB",
    # What fails is said in the record, and the worker's language is none of Dask's business.
    "distributed.worker.memory.terminate": False,
    # It looks at the stack all the time, and keeps what it saw: 5 MiB a minute in each worker.
    "distributed.worker.profile.enabled": False,
}


def check_address(address: str) -> None:
    """Refuse what is no address, before anything is read or started.

    Raises
    ------
    UsageError
        It is none, or Dask is not installed.
    """
    if address.startswith("local") and not _LOCAL.fullmatch(address):
        raise UsageError(f"--dask: {address!r} starts no workers", advice="two of them: --dask local:2")
    if not _LOCAL.fullmatch(address) and not _ADDRESS.fullmatch(address):
        raise UsageError(
            f"--dask: {address!r} is no address", advice="that of a scheduler is such as tcp://10.0.0.1:8786"
        )
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise UsageError(
            "Dask is not installed", advice="python3 -m pip install 'polyglot-harness[dask]'"
        ) from error


@contextlib.contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to the scheduler at an address, such as ``tcp://10.0.0.1:8786``; ``local:N`` starts N workers.

    Yields
    ------
    distributed.Client
        Its cluster ends with the context if it was started here.

    Raises
    ------
    ClusterError
        Nothing answers there, or what answers is no scheduler.
    """
    import dask
    import distributed

    for name in ("distributed", "tornado", "asyncio", "bokeh"):
        # What they log is about their own connections; what matters is said by the run.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as stack:
        stack.enter_context(dask.config.set(_SETTINGS))
        local = _LOCAL.fullmatch(address)
        try:
            where = stack.enter_context(_cluster(int(local[1]))) if local else address
            client = distributed.Client(where, timeout=ANSWERS, set_as_default=False)
        except (OSError, ValueError, TimeoutError, TypeError, RuntimeError) as error:
            raise ClusterError(
                f"--dask {address}: no Dask scheduler answers: {in_words(error)}",
                advice="dask scheduler says its address where it starts, such as tcp://10.0.0.1:8786",
            ) from error
        try:
            yield client
        finally:
            with contextlib.suppress(Exception):
                client.close(timeout=2)


def slots(client: Any, address: str) -> int:
    """How many units can be run at a time by those who are there; by all that ``local:N`` starts."""
    local = _LOCAL.fullmatch(address)
    return int(local[1]) if local else max(1, sum(client.nthreads().values()))


@contextlib.contextmanager
def _cluster(count: int) -> Iterator[Any]:
    import distributed

    cluster = distributed.LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        processes=True,
        protocol="tcp",
        host="127.0.0.1",
        dashboard_address=None,
        memory_limit=0,
        silence_logs=logging.CRITICAL,
        preload=["harness.cluster.preload"],
    )
    try:
        yield cluster
    finally:
        with contextlib.suppress(Exception):
            cluster.close(timeout=10)


def in_words(error: BaseException) -> str:
    """What went wrong with a connection, without Dask's own names of its parts."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    said = (str(error) or type(error).__name__).splitlines()[0]
    # Such as <TCP (closed) ConnectionPool.ncores local=tcp://... remote=tcp://...>.
    if found := _PART.search(said):
        where = f" to {found['remote']}" if found["remote"] else ""
        return f"the connection{where} was closed"
    return said
