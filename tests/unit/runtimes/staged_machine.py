"""A machine whose PATH has shell scripts that behave as the real programs do.

So every decision goes through real processes.
"""

from __future__ import annotations

from pathlib import Path

from harness.runtimes.provision.machine import Machine, run_command


class Stage:
    """A machine of scripts, and the log of what was run on it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.log = root / "log"
        self.log.write_text("")
        self.packages: dict[str, str] = {}
        self.environ = {"PATH": f"{root}/bin:/usr/bin:/bin"}
        self.python("exit 1")

    def script(self, name: str, body: str) -> str:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        note = f'(printf "%s " {path.name} "$@"; echo) >> {self.log}'
        path.write_text(f"#!/bin/sh\n{note}\n{body}\n")
        path.chmod(0o755)
        return str(path)

    def python(self, body: str) -> None:
        """The Python of the staged environment; pip installs by writing to a list that `installed` reads."""
        self.script(
            "env/bin/python",
            f'if [ "$2" = pip ]; then for a; do case "$a" in *==*) echo "$a" >> {self.root}/pip;; esac; done;'
            f" exit 0; fi\n{body}",
        )

    def r(self, version: str, name: str = "bin/R") -> str:
        folders = " ".join(f"{self.root}/R{name}" for name in ("", "/lib", "/doc", "/share", "/include"))
        return self.script(name, f"printf '%s\\n' {version} {folders}")

    def installed(self, distribution: str) -> str | None:
        listed = self.root / "pip"
        lines = listed.read_text().split() if listed.exists() else []
        return {**self.packages, **dict(line.split("==") for line in lines)}.get(distribution)

    def machine(self, **changes: object) -> Machine:
        settings: dict[str, object] = {
            "environ": self.environ,
            "system": "Linux",
            "arch": "x86_64",
            "distribution": frozenset({"debian"}),
            "is_root": True,
            "python": str(self.root / "env/bin/python"),
            "cache": self.root / "cache",
            "runner": run_command,
            "installed": self.installed,
        }
        return _Staged(**{**settings, **changes})  # type: ignore[arg-type]

    def ran(self) -> list[str]:
        return self.log.read_text().splitlines()


class _Staged(Machine, frozen=True, kw_only=True):
    def which(self, program: str) -> str | None:
        """Only what is staged: the programs of the machine that the tests run on are not seen."""
        path = Path(self.environ["PATH"].split(":")[0], program)
        return str(path) if path.is_file() else None
