"""``python -m harness``, and the command ``harness``."""

from __future__ import annotations

import sys
from importlib import import_module

INTERRUPTED = 130
"""What a shell says of a command that Ctrl-C has ended; `harness.errors` takes time to import."""

INFRASTRUCTURE = 3


def main(program: str = "harness") -> None:
    """Import the command line, and hand over to it; Ctrl-C ends the import as it ends a command."""
    try:
        command = getattr(import_module("harness.cli"), "main", None)
        # Where the package that PyPI has under this name was installed over it, `main` is none or a module.
        if not callable(command):
            raise ImportError("harness.cli has no command line")
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None
    except ImportError:
        _tell_of_a_clash()
        raise
    command(prog_name=program)


def _tell_of_a_clash() -> None:
    from harness.name import clash

    if said := clash():
        print(f"error: {said}", file=sys.stderr)
        raise SystemExit(INFRASTRUCTURE)


if __name__ == "__main__":
    main("python -m harness")
