"""``python -m harness``, and the command ``harness``."""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""What a shell says of a command that Ctrl-C has ended; `harness.errors` takes time to import."""

INFRASTRUCTURE = 3


def main(program: str = "harness") -> None:
    """Import the command line, and hand over to it; Ctrl-C ends the import as it ends a command."""
    try:
        from harness.cli import main as command
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None
    except ImportError:
        from harness.name import clash

        if not (said := clash()):
            raise
        print(f"error: {said}", file=sys.stderr)
        raise SystemExit(INFRASTRUCTURE) from None
    command(prog_name=program)


if __name__ == "__main__":
    main("python -m harness")
