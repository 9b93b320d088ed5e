"""``harness watch``."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from harness.conformance.plan import Plan
    from harness.conformance.warm import WarmWorkers
    from harness.model import Record

DEBOUNCE = 200
"""Milliseconds in which changes that follow each other are one, as of an editor that writes two files."""
STEP = 20
_NAMED = 5


@click.command("watch")
@options.suite
@options.globs("--case", "cases", "cases")
@options.globs("--impl", "implementations", "implementations")
@options.globs("--sample", "samples", "samples")
@options.glove
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write the record and the reports of what was run last into this folder, each time.",
)
@click.option("--serve", is_flag=True, help="Show the page to this machine, where it updates itself.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="With --serve; 0, the default: any.")
@options.debug
@click.pass_context
def watch(
    ctx: click.Context,
    suite: Path | None,
    cases: tuple[str, ...],
    implementations: tuple[str, ...],
    samples: tuple[str, ...],
    glove: Path | None,
    out: Path | None,
    serve: bool,
    port: int,
) -> None:
    """Run the cases, then again whatever a saved file touches; Ctrl-C ends it.

    Workers stay warm, so that a verdict comes as fast as the code runs. After each run, what changed since
    the last one of these cases is said.
    """

    import msgspec

    from harness.cli.results_folder import folder_to_write
    from harness.conformance.plan import make_plan
    from harness.conformance.touched import touched, watched_folders
    from harness.conformance.warm import WarmWorkers
    from harness.report.text import counted
    from harness.store.lock import only_writer

    where = options.the_suite(suite)
    saved = _watcher(ctx)

    def planned(names: tuple[str, ...]) -> Plan:
        return make_plan(where, cases=names, implementations=implementations, samples=samples, glove=glove)

    plan = planned(cases)
    if out is not None:
        ctx.with_resource(only_writer(ctx.with_resource(folder_to_write(out))))
    seen: dict[str, Record] = {}
    broken: dict[str, str] = {}
    show = _shown(ctx, port) if serve else lambda seen, broken: None
    with contextlib.suppress(KeyboardInterrupt), WarmWorkers() as warm:
        # What is saved while it starts is seen as well.
        changes = saved(watched_folders(plan))
        click.echo(f"starting {', '.join(plan.runtimes)} for {counted(len(plan.cases), 'case')}", err=True)
        _run(warm, plan, seen, out)
        show(seen, broken)
        click.echo(f"watching {where}; Ctrl-C ends", err=True)
        for paths in changes:
            # The reports may lie in the suite.
            read = [path for path in paths if out is None or not path.is_relative_to(out.resolve())]
            read = [path for path in read if not _printed_into(path)]
            if not (names := touched(plan, read)):
                continue
            part, broken = _readable(planned, tuple(dict.fromkeys((*broken, *names))))
            for error in dict.fromkeys(broken.values()):
                click.echo(_now(error))
            if part is not None:
                # What was not touched was not left out.
                _run(warm, msgspec.structs.replace(part, left_out=plan.left_out), seen, out)
            show(seen, broken)


def _readable(
    planned: Callable[[tuple[str, ...]], Plan], names: tuple[str, ...]
) -> tuple[Plan | None, dict[str, str]]:
    """Plan those cases that can be read; the others by name, with what is wrong."""
    from harness.errors import HarnessError

    try:
        return planned(names), {}
    except HarnessError as error:
        if len(names) == 1:
            return None, {names[0]: str(error)}
    broken: dict[str, str] = {}
    for name in names:
        broken |= _readable(planned, (name,))[1]
    sound = tuple(name for name in names if name not in broken)
    return planned(sound) if sound else None, broken


def _shown(ctx: click.Context, port: int) -> Callable[[dict[str, Record], dict[str, str]], None]:
    """Serve a page, and return what shows the last records of all cases on it."""
    from harness.cli.served_page import ServedPage
    from harness.report.html import render
    from harness.report.sentence import verdict
    from harness.report.together import together

    served = ctx.with_resource(ServedPage(port))
    click.echo(f"showing {served.url}", err=True)

    def show(seen: dict[str, Record], broken: dict[str, str]) -> None:
        if seen:
            record = together(seen)
            said = verdict(record)
            words = f"{said.outcome}: {said.text}"
            if broken:
                words = (
                    f"ERROR: {'; '.join(dict.fromkeys(broken.values()))} (below: the last verdict before it)"
                )
            served.show(render(record, ()).encode(), words)

    return show


def _run(warm: WarmWorkers, plan: Plan, seen: dict[str, Record], out: Path | None) -> None:
    """Run a plan, say what it came to, and keep its record under the names of its cases."""
    import msgspec

    from harness.report.since import since

    for ended in warm.renew():
        click.echo(_now(ended), err=True)
    record = warm.run(plan, out=out)
    if record.footer is not None and record.footer.partial:
        # A run keeps what it has when it is interrupted; what was meant to end is the watching.
        raise KeyboardInterrupt
    if out is not None:
        from harness.cli.report import save
        from harness.report.files import Request, rendered

        save(out, rendered(Request(record=record)))
    names = [planned.case.name for planned in plan.cases]
    before = [cell for name in names if name in seen for cell in seen[name].cells if cell.case == name]
    earlier = msgspec.structs.replace(record, cells=tuple(before)) if before else None
    first, *more = since(earlier, record)
    click.echo(_now(f"{', '.join(names) if len(names) < _NAMED else f'{len(names)} cases'}: {first}"))
    for line in more:
        click.echo(line)
    seen |= dict.fromkeys(names, record)


def _now(text: str) -> str:
    return f"{time.strftime('%H:%M:%S')} {text}"


def _printed_into(path: Path) -> bool:
    """Whether what this command prints goes to a file, which each verdict changes."""
    for descriptor in (1, 2):
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return True
    return False


def _watcher(ctx: click.Context) -> Callable[[Iterable[Path]], Iterator[list[Path]]]:
    """What gives the files that are saved in some folders, from when it is called on, as they are saved."""
    try:
        import watchfiles
    except ImportError as error:
        from harness.errors import UsageError

        raise UsageError(
            "watchfiles is not installed", advice="python3 -m pip install 'polyglot-harness[watch]'"
        ) from error
    import queue
    import threading

    def saved(folders: Iterable[Path]) -> Iterator[list[Path]]:
        seen: queue.SimpleQueue[list[Path]] = queue.SimpleQueue()
        ready, ended = threading.Event(), threading.Event()

        def look() -> None:
            looking = watchfiles.watch(
                *folders,
                debounce=DEBOUNCE,
                step=STEP,
                rust_timeout=STEP,
                yield_on_timeout=True,
                stop_event=ended,
            )
            for changes in looking:
                ready.set()
                if changes:
                    seen.put([Path(path) for _, path in sorted(changes)])

        looker = threading.Thread(target=look, daemon=True)
        looker.start()

        def end() -> None:
            # A Python that ends while a thread is in Rust may abort.
            ended.set()
            looker.join()

        ctx.call_on_close(end)
        ready.wait()
        return iter(seen.get, None)

    return saved
