"""The functions of files in JavaScript, Octave, C, C++ and Fortran, by their words: none is parsed here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.authoring.sources import Argument, Function, Source
from harness.errors import UsageError

ENDINGS: Mapping[str, tuple[str, ...]] = {
    "node": (".mjs", ".js"), "octave": (".m",), "c": (".c",), "cpp": (".cpp", ".cc", ".cxx"),
    "fortran": (".f90", ".f95", ".f03", ".f08"),
}  # fmt: skip
"""How files are called that are read so, by runtime."""

_COMMENTS = {
    "node": re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL),
    "octave": re.compile(
        r"^[ \t]*[%#]\{[ \t]*$.*?^[ \t]*[%#]\}[ \t]*$|(?<![\w')\]])[%#][^\n]*", re.DOTALL | re.M
    ),
    "c": re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL),
    "cpp": re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL),
    "fortran": re.compile(r"![^\n]*"),
}
_BEGINS = {
    "node": re.compile(
        r"^(?P<out>export\s+)?(?:async\s+)?"
        r"(?:function\s*\*?\s*(?P<name>[\w$]+)\s*(?=\()"
        r"|(?:const|let|var)\s+(?P<held>[\w$]+)\s*=\s*(?:async\s*)?(?:function\s*[\w$]*\s*)?"
        r"(?:(?=\()|(?P<one>[\w$]+)\s*=>))",
        re.MULTILINE,
    ),
    "octave": re.compile(
        r"^[ \t]*function\s+(?:(?:\[(?P<several>[^\]]*)\]|(?P<single>\w+))\s*=\s*)?"
        r"(?P<name>\w+)[ \t]*(?=\(|$|;)",
        re.MULTILINE,
    ),
    "c": re.compile(
        r"^(?!(?:typedef|return|else|extern)\b)[A-Za-z_][\w \t*]*?"
        r"(?:[ \t*]|\n\**)(?!(?:if|for|while|switch)\b)(?P<name>\w+)\s*(?=\()",
        re.MULTILINE,
    ),
    "cpp": re.compile(
        r"^(?!(?:typedef|return|else|using|namespace|template)\b)"
        r"[A-Za-z_][\w \t*:<>,\"]*?(?:[ \t*&>]|\n\**)(?!(?:if|for|while|switch)\b)(?P<name>\w+)\s*(?=\()",
        re.MULTILINE,
    ),
    "fortran": re.compile(
        r"^(?![ \t]*end\b)[^!'\"\n]*\b(?:subroutine|function)[ \t]+(?P<name>\w+)[ \t]*(?=\(|$)",
        re.MULTILINE | re.IGNORECASE,
    ),
}
"""Where a function begins, in text without comments."""
_EXPORTED = re.compile(r"^export\s*\{(?P<names>[^}]*)\}", re.MULTILINE)
_DEFAULT = re.compile(
    r"^export\s+default\s+(?:new\s+(?P<of>[\w$]+)\s*\(|(?P<name>[\w$]+)\s*(?=;|$)|(?=\{))", re.MULTILINE
)
_MEMBER = re.compile(r"\s*(?:async\s+)?(?:\*\s*)?(?P<quote>['\"]?)(?P<name>[\w$]+)(?P=quote)\s*(?=\(|:|$)")
_COMMONJS = re.compile(r"^\s*(?:module\.exports|exports\.\w+)\s*=|\brequire\s*\(", re.MULTILINE)


def read_words(path: Path, text: str, runtime: str) -> Source:
    """Find the functions of a file.

    Parameters
    ----------
    path : Path
        The file.
    text : str
        What is in it.
    runtime : str
        One of `ENDINGS`.

    Raises
    ------
    UsageError
        It is a module of another kind than can be taken.
    """
    plain = without_comments(text, runtime)
    if runtime == "node" and (found := _COMMONJS.search(plain)):
        line = plain.count("\n", 0, found.end()) + 1
        raise UsageError(
            "is a CommonJS module, and a module with import and export is expected",
            path=path,
            line=line,
            advice="replace require by import, and module.exports by export",
        )
    last = {function.name: function for function in _functions(plain, runtime)}
    return Source(path=path, runtime=runtime, text=text, functions=tuple(last.values()))


def without_comments(text: str, runtime: str) -> str:
    """The text of a file with blanks in place of comments."""
    return _COMMENTS[runtime].sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def exported(source: Source) -> frozenset[str]:
    """The names that a module of JavaScript exports."""
    plain = _COMMENTS["node"].sub("", source.text)
    names = {found["name"] or found["held"] for found in _BEGINS["node"].finditer(plain) if found["out"]}
    for found in _EXPORTED.finditer(plain):
        names |= {each.split()[-1] for each in found["names"].split(",") if each.strip()}
    return frozenset(names)


def members(source: Source) -> frozenset[str]:
    """The names of what a module of JavaScript has in the object that is its default export.

    That is written there or above, or made of a class of the file.
    """
    plain = without_comments(source.text, "node").replace("=>", "  ")
    found = _DEFAULT.search(plain)
    start = found.end() if found else -1
    made = found["of"] if found else None
    if found and found["name"]:
        held = re.search(
            rf"^(?:const|let|var)\s+{re.escape(found['name'])}\s*=\s*(?:new\s+(?P<of>[\w$]+)\s*\(|(?=\{{))",
            plain,
            re.MULTILINE,
        )
        start = held.end() if held else -1
        made = held["of"] if held else None
    if made:
        return _methods(plain, made)
    if start < 0:
        return frozenset()
    named = (_MEMBER.match(part) for part in parts(bracketed(plain, start)[0]))
    return frozenset(each["name"] for each in named if each)


def _methods(plain: str, name: str) -> frozenset[str]:
    """The methods of a class of JavaScript."""
    held = re.search(rf"\bclass\s+{re.escape(name)}\b[^{{]*(?=\{{)", plain)
    found, depth = set(), 0
    for each in re.finditer(r"(?P<brace>[{}])|(?<![\w$.])(?P<name>[\w$]+)\s*\(", _body(plain, held)):
        if each["brace"]:
            depth += 1 if each["brace"] == "{" else -1
        elif not depth:
            found.add(each["name"])
    return frozenset(found)


def _body(plain: str, held: re.Match[str] | None) -> str:
    """What stands within the brackets behind a match."""
    return bracketed(plain, held.end())[0] if held else ""


def _functions(plain: str, runtime: str) -> Iterator[Function]:
    for found in _BEGINS[runtime].finditer(plain):
        groups = found.groupdict()
        name = groups["name"] or groups.get("held")
        if groups.get("one"):
            inside, after = groups["one"], "=>"
        elif plain[found.end() : found.end() + 1] == "(":
            inside, after = bracketed(plain, found.end())
        else:
            inside, after = "", "{"
        if runtime in ("c", "cpp") and not after.startswith("{"):
            continue
        if runtime == "node" and groups.get("held") and not (after.startswith(("=>", "{"))):
            continue
        if name is None:
            continue
        line = plain.count("\n", 0, found.start("name" if groups["name"] else "held")) + 1
        returns = tuple(re.findall(r"\w+", groups.get("several") or "")) or ("",)
        yield Function(name=name, line=line, arguments=tuple(_arguments(inside, runtime)), returns=returns)


def bracketed(text: str, start: int) -> tuple[str, str]:
    """What is between a bracket and the one that closes it, and what follows that."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return text[start + 1 : place], text[place + 1 : place + 200].lstrip()
    return text[start + 1 :], ""


def _arguments(inside: str, runtime: str) -> Iterator[Argument]:
    for place, part in enumerate(parts(inside)):
        first, equals, default = (each.strip() for each in part.partition("="))
        words = re.findall(r"[\w$]+", re.sub(r"\[.*", "", first, flags=re.DOTALL))
        if runtime in ("c", "cpp") and words in (["void"], []):
            continue
        # A pattern such as { shape, data } has no name of its own.
        plain = words[-1] if words and not first.startswith(("{", "[")) else f"argument_{place + 1}"
        yield Argument(name=plain, optional=bool(equals) or first.startswith("..."), default=default)


def parts(inside: str) -> list[str]:
    """A list of arguments, divided at its commas, and not at those within brackets."""
    found, depth = [""], 0
    for sign in inside:
        depth += (sign in "([{<") - (sign in ")]}>")
        if sign == "," and depth <= 0:
            found.append("")
        else:
            found[-1] += sign
    return [part for part in found if part.strip() not in ("", "&")]
