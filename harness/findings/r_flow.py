"""What each statement of R sets and reads."""

from __future__ import annotations

import re
from functools import lru_cache

from harness.findings.flow import Part, StatementNames
from harness.findings.r_syntax import Node, r_statements

_SETTING = frozenset({"<-", "=", "<<-", ":="})
_TURNED = frozenset({"->", "->>"})
_ANYTHING = frozenset(
    [
        "source",
        "sys.source",
        "load",
        "attach",
        "detach",
        "eval",
        "evalq",
        "setwd",
        "options",
        "list2env",
        "load_all",
        "library",
        "require",
        "requireNamespace",
        "loadNamespace",
        "setMethod",
        "setClass",
        "setGeneric",
        "setValidity",
        "setAs",
        "setRefClass",
        "setClassUnion",
        "registerS3method",
        "Sys.setenv",
        "Sys.setlocale",
        "theme_set",
        "p_load",
        "use",
        "local_options",
        "attachNamespace",
    ]
)
"""What may set names that its text does not show, or changes what comes below it."""
_GENERICS = re.compile(
    r"(?:print|format|summary|plot|toString|length|as|Ops|Math|Summary|mean|sort|rev|unique|c|t|dim|names|levels"
    r"|seq|rep|head|tail|update|predict|merge|cbind|rbind|all|str|cat|xtfrm|\[+|\$|@|[-+*/^<>=!&|%]+.*?)"
    r"(?:<-)?\.[A-Za-z]\w*|[-+*/^<>=!&|(\[{$:]+|%[^%]*%|if|for|while|print|c"
)
"""Functions that R calls where their names do not stand."""
_QUOTES = frozenset({"quote", "bquote", "substitute", "expression", "~"})


@lru_cache(maxsize=4096)
def r_parts(code: str) -> tuple[Part, ...]:
    """Read the statements of R code.

    Parameters
    ----------
    code : str
        Any number of whole statements.

    Raises
    ------
    NotRead
        It cannot be read.
    """
    parts = []
    for line, end_line, node in r_statements(code):
        names = _Names()
        names.visit(node)
        names.anything |= any(_GENERICS.fullmatch(name) for name in names.defines)
        parts.append(names.part(line, end_line, names.sets if _is_whole(node) else set()))
    return tuple(parts)


def _is_whole(node: Node) -> bool:
    """Whether an assignment sets a name whatever it was before."""
    while node.kind == "block" and node.text == "(":
        node = node.parts[0]
    if node.kind != "operator" or len(node.parts) != 2:
        return False
    target, value = node.parts if node.text in _SETTING else node.parts[::-1]
    if node.text not in _SETTING | _TURNED or target.kind not in ("name", "string"):
        return False
    return value.kind != "operator" or value.text not in _SETTING or _is_whole(value)


class _Names(StatementNames):
    """Names of an expression: of one outside of functions, and of the functions in it."""

    def __init__(self) -> None:
        super().__init__()
        self.beyond: set[str] = set()

    def visit(self, node: Node) -> None:
        match node.kind:
            case "name":
                self.reads.add(node.text)
            case "string":
                # glue and paste take names out of texts.
                self.reads |= set(re.findall(r"\{\s*([A-Za-z.][\w.]*)", node.text))
            case "operator":
                self.operator(node)
            case "function":
                self.function(node)
            case "for":
                self.loop(node)
            case "member":
                self.member(node)
            case "call":
                self.call(node)
            case "index":
                if any(part.kind == "operator" and part.text == ":=" for part in node.parts[1:]):
                    self.set(node.parts[0], node, outside=False)  # data.table changes its tables in place
                self.all(node.parts)
            case _:
                self.all(node.parts)

    def all(self, parts: tuple[Node, ...]) -> None:
        for part in parts:
            self.visit(part)

    def loop(self, node: Node) -> None:
        self.sets |= set(node.names)
        self.all(node.parts[:-1])
        above, self.reads = self.reads, set()
        self.all(node.parts[-1:])
        # In its body a loop's variable is the loop's own.
        self.reads = above | (self.reads - set(node.names))

    def operator(self, node: Node) -> None:
        if len(node.parts) == 2 and node.text in _SETTING | _TURNED:
            target, value = node.parts if node.text in _SETTING else node.parts[::-1]
            self.set(target, value, outside=node.text in ("<<-", "->>"))
            self.visit(value)
            return
        if node.text == "%<>%":
            self.set(node.parts[0], node.parts[1], outside=False)
        if node.text.startswith("%"):
            self.reads.add(node.text)
        self.all(node.parts)

    def set(self, target: Node, value: Node, *, outside: bool) -> None:
        if target.kind in ("name", "string"):
            name = target.text.strip("\"'")
            self.sets.add(name)
            if outside:
                self.beyond.add(name)
            if value.kind == "function" or (
                value.kind == "call" and any(p.kind == "function" for p in value.parts)
            ):
                self.defines.add(name)
            return
        # names(x)[2] <- and x$y[1] <- change x, and read what stands in the brackets.
        whole = target
        while whole.kind not in ("name", "string") and whole.parts:
            inside = whole.kind == "call" and len(whole.parts) > 1
            if inside and whole.parts[0].kind == "name":
                self.reads.add(f"{whole.parts[0].text}<-")
            self.all(whole.parts[2:] if inside else whole.parts[1:] if whole.kind != "member" else ())
            whole = whole.parts[1] if inside else whole.parts[0]
        if whole.text:
            self.sets.add(whole.text.strip("\"'"))
            self.reads.add(whole.text.strip("\"'"))
            if outside:
                self.beyond.add(whole.text)

    def member(self, node: Node) -> None:
        if node.text in ("$", "@"):
            self.visit(node.parts[0])
            if node.parts[1].kind not in ("name", "string"):
                self.visit(node.parts[1])
        else:
            self.reads.add(node.parts[0].text)

    def call(self, node: Node) -> None:
        function, given = node.parts[0], node.parts[1:]
        name = function.text if function.kind == "name" else ""
        if function.kind == "member":
            name = function.parts[1].text
        if name in _ANYTHING:
            self.anything = True
        if name in ("library", "require", "p_load", "use") and function.kind == "name":
            return
        if name == "data" and function.kind == "name":
            self.sets |= {part.text.strip("\"'") for part in given if part.kind in ("name", "string")}
            return
        if name in ("assign", "delayedAssign", "makeActiveBinding", "setattr", "rm") and given:
            first = given[0]
            if first.kind in ("string", "name"):
                self.sets.add(first.text.strip("\"'"))
            else:
                self.anything = True
            if name == "assign" and len(given) == 2 and given[1].kind == "function":
                self.defines.add(first.text.strip("\"'"))
        if (
            name in ("setDT", "setnames", "setorder", "setkey", "set", "setcolorder", "setDF", "fix", "edit")
            and given
        ):
            base = given[0]
            if base.kind == "name":
                self.sets.add(base.text)
        if name in (
            "do.call",
            "match.fun",
            "get",
            "get0",
            "mget",
            "exists",
            "sapply",
            "lapply",
            "Reduce",
            "Map",
        ):
            self.reads |= {part.text.strip("\"'") for part in given if part.kind == "string"}
        self.visit(function)
        for argument, part in zip(node.names, given, strict=True):
            if part.kind == "string" and argument in ("FUN", "what", "method"):
                self.reads.add(part.text.strip("\"'"))
            self.visit(part)

    def function(self, node: Node) -> None:
        inside = _Names()
        inside.all(node.parts)
        own = set(node.names) | (inside.sets - inside.beyond)
        self.inner |= (inside.reads | inside.inner) - own
        self.sets |= inside.beyond
        self.beyond |= inside.beyond
        # library() and options() in a function's body act when it is called.
        self.anything = self.anything or inside.anything
