"""Environment variables that the sessions of R and Python share, as where knitr runs both in one process."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from harness.documents.model import Document
from harness.sessions.lasting_session import LastingSession

_OTHER = {"r": "python", "python": "r"}
_SETS = {
    "r": re.compile(r"\bSys\.(?:setenv|unsetenv)\(|\breadRenviron\("),
    "python": re.compile(r"\bos\.(?:environ\s*(?:\[[^\]\n]+\]\s*=|\.\w+\()|unsetenv|putenv)|\benviron\s*\["),
}
_READS = {
    # What a program is given that R starts, too.
    "r": re.compile(r"\bSys\.getenv\(|\bsystem2?\("),
    "python": re.compile(r"\b(?:environ|getenv|subprocess)\b"),
}
_MARK = "harness: "
_ASKED = {
    "r": (
        "invisible(local({ e <- Sys.getenv(); h <- function(x) paste(charToRaw(x), collapse = '');"
        f' for (n in names(e)) cat("\\n{_MARK}", h(n), " ", h(e[[n]]), "\\n", sep = "") }}))'
    ),
    "python": (
        "[print('\\n" + _MARK + "' + n.encode('utf-8', 'surrogateescape').hex() + ' '"
        " + v.encode('utf-8', 'surrogateescape').hex())"
        " for n, v in __import__('os').environ.items()] and None"
    ),
}


def variables_cross(document: Document) -> bool:
    """Whether code of one language sets environment variables, and code of the other reads some.

    Parameters
    ----------
    document : Document
        As it was read. Its chunks run in its order then.
    """
    if document.kind not in ("rmarkdown", "quarto") or document.tracks:
        return False
    code = {
        language: "\n".join(
            chunk.code for chunk in document.chunks if chunk.language == language and chunk.executable
        )
        for language in _OTHER
    }
    return any(
        _SETS[one].search(code[one]) and _READS[other].search(code[other]) for one, other in _OTHER.items()
    )


class SharedVariables:
    """What each session's environment was when it was last seen."""

    def __init__(self) -> None:
        self._seen: dict[str, dict[str, str]] = {}

    def begin(self, language: str, session: LastingSession) -> None:
        """See the environment in which a session begins: what is set there of itself is not shared.

        Parameters
        ----------
        language, session : str, LastingSession
            The session.
        """
        self._seen[language] = _variables(language, session)

    def share(self, source: LastingSession, target: LastingSession, language: str) -> None:
        """Set in a session what code of the other one has set or taken away since this was last done.

        Parameters
        ----------
        source, target : LastingSession
            The sessions whose variables are shared, and that gets them.
        language : {"python", "r"}
            That of ``target``.
        """
        other = _OTHER[language]
        before, now = self._seen.get(other, {}), _variables(other, source)
        if not now:
            return
        self._seen[other] = now
        new = {name: value for name, value in now.items() if before.get(name) != value}
        gone = sorted(before.keys() - now.keys())
        mine = self._seen.setdefault(language, {})
        mine.update(new)
        for name in gone:
            mine.pop(name, None)
        if new or gone:
            target.eval(_setting(new, gone, language), file="<variables>", line=1)


def _variables(language: str, session: LastingSession) -> dict[str, str]:
    given = session.eval(_ASKED[language], file="<variables>", line=1)
    if given.error is not None or given.cut:
        return {}
    pairs = [line.removeprefix(_MARK).split(" ") for line in given.text.split("\n") if line.startswith(_MARK)]
    decoded = ([bytes.fromhex(part).decode("utf-8", "replace") for part in pair] for pair in pairs)
    return {pair[0]: pair[1] for pair in decoded}


def _setting(new: Mapping[str, str], gone: list[str], language: str) -> str:
    """Code of a language that sets variables, and takes others away."""
    if language == "python":
        return (
            f"__import__('os').environ.update({dict(new)!r}) or"
            f" [__import__('os').environ.pop(n, None) for n in {gone!r}] and None"
        )
    lines = [f"Sys.unsetenv({_of_r(name)})" for name in gone]
    lines += [f"do.call(Sys.setenv, structure(list({_of_r(v)}), names = {_of_r(n)}))" for n, v in new.items()]
    return f"invisible({{{'; '.join(lines)}}})"


def _of_r(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
