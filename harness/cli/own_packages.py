"""What a document lacks, installed into a folder of its own, if the user agrees."""

from __future__ import annotations

import os
from pathlib import Path

import click

from harness.cli.output import answers
from harness.errors import UsageError
from harness.findings.fix import folder_for, install, lacking_modules, requirements
from harness.findings.fix_r import install_r, r_requirements
from harness.model.article import Examined
from harness.runtimes.provision.machine import cache_folder
from harness.sessions.sandbox import Sandbox


class OwnPackages:
    """Folders of packages that a document lacked, by the setting that takes each.

    Parameters
    ----------
    document : Path
        The document.
    sandbox : Sandbox
        Where packages of R are built.
    """

    def __init__(self, document: Path, sandbox: Sandbox) -> None:
        self._document = document
        self._sandbox = sandbox
        self._lacking: dict[str, tuple[str, ...]] = {}
        self._rounds = 0
        self.folders: dict[str, Path] = {}
        self.refused = False

    def added_for(self, examined: Examined) -> bool:
        """Install what a document lacks, if the user agrees, and say what cannot be had.

        Parameters
        ----------
        examined : Examined
            What was found in it.

        Returns
        -------
        bool
            Whether anything was added, so that it is to be run again.
        """
        self._rounds += 1
        before = dict(self.folders)
        for language, setting in (("python", "packages"), ("r", "r_library")):
            already = self._lacking.get(language, ())
            lacking = tuple(dict.fromkeys((*already, *lacking_modules(examined, language))))
            if lacking != already and self._rounds <= _ROUNDS:
                self._lacking[language] = lacking
                self._install(language, setting, lacking)
        return self.folders != before

    def _install(self, language: str, setting: str, lacking: tuple[str, ...]) -> None:
        document = self._document
        try:
            wanted = (r_requirements if language == "r" else requirements)(lacking, document)
            question = f"{document.name} needs {', '.join(wanted)}: install into a folder of its own?"
            if answers() and not click.confirm(question, err=True):
                return
            folder = folder_for(document, (language, *wanted), cache_folder(os.environ))
            click.echo(f"installing {', '.join(wanted)} for {document.name}", err=True)
            notes: tuple[str, ...] = ()
            if language == "r":
                notes = install_r(wanted, folder, self._sandbox)
            else:
                install(wanted, folder)
        except UsageError as error:
            click.echo(f"{document.name}: {error}", err=True)
            self.refused = True
            return
        self.folders[setting] = folder
        for note in notes:
            click.echo(f"{document.name}: {note}", err=True)
        self.refused |= any(" cannot be installed: " in note for note in notes)


_ROUNDS = 3
