"""Which names a piece of code sets and uses, read from its text: cheap, and rather one name too many."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache

import msgspec

from harness.documents.continued import parsed
from harness.documents.model import Chunk
from harness.findings.gives_new import only_read
from harness.findings.parts import parts_of
from harness.findings.steady import BASE_NAMES
from harness.sessions.statements import python_statements
from harness.workers.pylab_names import PYLAB, numpys

_NAME = {"r": r"[A-Za-z.][\w.]*", "julia": r"[^\W\d][\w!]*", "python": r"[^\W\d]\w*"}
_PARTS = r"(?:\s*(?:\[[^\n]*?\]|[$@.]\w+|\$`[^`]+`))*"
_METHOD = re.compile(r"^(?:for\b.*:)?\s*([^\W\d]\w*)(?:\.\w+)+\s*\(", re.MULTILINE)
_IN_PLACE = re.compile(
    r"\b(?:shuffle|heapify|heappush|heappop|heapreplace|heappushpop|insort(?:_left|_right)?|fill_diagonal|copyto"
    r"|put|place|putmask|setattr|delattr|setitem|delitem|next)\(\s*([^\W\d]\w*)"
)
"""Functions of Python's that change what they are given."""
_STRING = re.compile(r"\"\"\"[\s\S]*?\"\"\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
_PLAIN_VALUE = r"[-+*/^%.:\s\d]*\d[-+*/^%.:\s\d]*"
"""A number of R's, or what is computed from numbers."""
_COMMENT = re.compile(r"#[^\n]*")
_FILE = re.compile(r"[\"']([\w./~-]*\w\.[A-Za-z]\w{0,6})[\"']")
_WRITES = re.compile(
    r"\b(?:save\w*|write\w*|dump|to_(?:csv|json|excel|pickle|parquet|hdf|file)|tofile|imsave|sink|download\w*|unzip"
    r"|copy\w*|urlretrieve)\(|\.write\w*\(|%%writefile|cell_magic\(\"(?:write)?file|\bopen\([^)\n]*,\s*(?:mode\s*=\s*)?[\"'][wax]|\bfile\s*="
)
_INTERPOLATED = re.compile(r"\$\(?([^\W\d]\w*)|\{([^\W\d]\w*)")


class Names(msgspec.Struct, frozen=True):
    """Names that code sets, takes from elsewhere, defines as functions or types, and reads anywhere."""

    sets: frozenset[str]
    uses: frozenset[str]
    defines: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()


@lru_cache(maxsize=4096)
def names_in(code: str, language: str) -> Names:
    """Read the names of a piece of code; files that it writes and reads are names too, as ``file:NAME``.

    Parameters
    ----------
    code, language : str
        Any part of a program; ``python``, ``r`` or ``julia``.
    """
    names = _names(code, language)
    if language == "python" and "pylab" in code and PYLAB.search(code):
        names = msgspec.structs.replace(names, sets=names.sets | numpys().keys())
    named = frozenset(f"file:{name.removeprefix('./')}" for name in _FILE.findall(code))
    if not named:
        return names
    writes = named if _WRITES.search(code) else frozenset()
    return msgspec.structs.replace(names, sets=names.sets | writes, uses=names.uses | named)


def _names(code: str, language: str) -> Names:
    if language == "python":
        statements = python_statements(0, code)
        if statements:
            sets = {name for statement in statements for name in statement.sets}
            uses: set[str] = set()
            made: set[str] = set()
            loops = _of_loops(code)
            for statement in statements:
                # What is set above in the same code comes from there, and what a loop runs through from it.
                uses |= (statement.reads | statement.inner) - made - loops.get(statement.line, frozenset())
                made |= statement.sets
            read = {name for statement in statements for name in statement.reads | statement.inner}
            defines = {
                name for statement in statements if statement.kind == "definition" for name in statement.sets
            }
            # x.append(...) may change x.
            imported = {name for s in statements if s.kind == "import" for name in s.sets}
            changed = set(_METHOD.findall(_plain(code))) - only_read(code)
            changed |= set(_IN_PLACE.findall(_plain(code)))
            sets |= (changed & read) - imported - _MODULES
            return Names(frozenset(sets), frozenset(uses), frozenset(defines), frozenset(read))
    parts = parts_of(code, language)
    if parts is not None:
        came: set[str] = set()
        needs: set[str] = set()
        for part in parts:
            needs |= (part.reads | part.inner) - came
            came |= part.whole | part.defines
        every = frozenset(name for part in parts for name in part.reads | part.inner)
        return Names(
            frozenset(name for part in parts for name in part.sets | part.defines),
            frozenset(needs),
            frozenset(name for part in parts for name in part.defines),
            every,
        )
    plain = _plain(code)
    name = _NAME.get(language, _NAME["python"])
    sets = set(
        re.findall(rf"(?m)(?<![\w.$@(,])({name}){_PARTS}\s*(?:<<?-|(?:[-+*/^%|&]|\.)?=(?![=>]))", plain)
    )
    sets |= {
        other
        for group in re.findall(rf"(?m)^[ \t]*({name}(?:\s*,\s*{name})+)(?:\.\.\.)?\s*=(?!=)", plain)
        for other in re.findall(name, group)
    }
    sets |= set(re.findall(rf"\bfor\s*\(?\s*({name})\s+in\b", plain))
    defines = set(re.findall(rf"\b(?:def|class|function|struct|macro|type)\s+({name})", plain))
    if language == "python":
        sets |= (set(_METHOD.findall(plain)) | set(_IN_PLACE.findall(plain))) - _MODULES
    if language == "r":
        sets |= set(re.findall(rf"->>?\s*({name})", plain))
        sets |= set(re.findall(rf"(?m)^\s*{name}\(\s*({name})[^\n]*?\)(?:\[[^\n]*?\])*\s*<-", plain))
        sets |= set(re.findall(rf"({name})\s*%<>%", plain)) | set(re.findall(rf"({name})\[[^\n\]]*:=", plain))
        sets |= set(re.findall(r"\bassign\(\s*[\"']([\w.]+)", code))
        defines |= set(re.findall(rf"({name})\s*(?:<-|=)\s*(?:function\b|\\\()", plain))
    if language == "julia":
        defines |= set(re.findall(rf"(?m)^\s*({name})\([^\n=]*\)\s*(?:::\S+\s*)?=(?!=)", plain))
        for group in re.findall(r"(?m)^\s*\(([\w\s,;!]+)\)\s*=(?!=)", plain):
            sets |= set(re.findall(name, group))
        sets |= set(re.findall(rf"{name}!\(\s*({name})", plain))
        sets |= set(re.findall(rf"(?m)^[ \t]*({name})::[^\n=]+=(?!=)", plain))
    uses = set(re.findall(rf"(?<![\w.]){name}", plain))
    uses |= {left or right for left, right in _INTERPOLATED.findall(code)}
    return Names(frozenset(sets | defines), frozenset(uses), frozenset(defines), frozenset(uses))


@lru_cache(maxsize=4096)
def parts_set_in(code: str, language: str) -> frozenset[str]:
    """Return the names of which Python code sets a part, as in ``x[k] += 1``; others are in `names_in`."""
    tree = parsed(code) if language == "python" else None
    found = set()
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            whole: ast.expr = node
            while isinstance(whole, ast.Subscript | ast.Attribute):
                whole = whole.value
            found |= {whole.id} if isinstance(whole, ast.Name) else set()
    return frozenset(found)


def _of_loops(code: str) -> dict[int, frozenset[str]]:
    """What Python's loops at top level give values to, by the line of the loop, before anything reads it."""
    tree = parsed(code)
    loops = [node for node in tree.body if isinstance(node, ast.For | ast.While)] if tree is not None else []
    return {node.lineno: frozenset(_made_first(node)) for node in loops}


def _made_first(loop: ast.For | ast.While) -> set[str]:
    read = _read_in(loop.iter if isinstance(loop, ast.For) else loop.test)
    made = _named_in(loop.target) - read if isinstance(loop, ast.For) else set()
    for node in loop.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        read |= _read_in(node)
        if all(isinstance(target, ast.Name) for target in targets):
            made |= set().union(*map(_named_in, targets)) - read
    # Behind a loop that ran over nothing it is as it was.
    return made - set().union(*map(_read_in, loop.orelse))


def _named_in(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _read_in(node: ast.AST) -> set[str]:
    """The names that a piece of code reads, those that it only adds to or deletes among them."""
    changed = (part.target for part in ast.walk(node) if isinstance(part, ast.AugAssign))
    loaded = (
        part for part in ast.walk(node) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Store)
    )
    return {part.id for part in loaded} | {part.id for part in changed if isinstance(part, ast.Name)}


_AMBIGUOUS = frozenset(
    re.findall(
        r"\w+",
        "array calendar chunk cmd code copy numbers parser profile queue secrets select site statistics"
        " string symbol test this token types",
    )
)
"""Modules whose names are names of variables too."""
_MODULES = (sys.stdlib_module_names - _AMBIGUOUS) | {"np", "pd", "plt", "torch", "sns", "tf", "scipy"}


def upstream(chunks: Sequence[Chunk], chunk: Chunk) -> tuple[Chunk, ...]:
    """Return a chunk after the earlier ones of its language that it depends on, through the names it uses.

    Parameters
    ----------
    chunks : sequence of Chunk
        Those of the document.
    chunk : Chunk
        One of them.
    """
    earlier = [other for other in chunks if other.language == chunk.language and other.index < chunk.index]
    kept = [chunk]
    wanted = set(names_in(chunk.code, chunk.language).uses)
    for other in reversed(earlier):
        named = names_in(other.code, other.language)
        touched = named.sets & wanted
        if other.language == "r":
            touched -= _no_function_for(touched, other.code, kept)
        if touched:
            kept.append(other)
            wanted = (wanted - named.sets) | named.uses
    if chunk.language == "julia":
        kept += _methods_called(kept, earlier)
    return tuple(sorted(kept, key=lambda part: part.index))


def _no_function_for(names: Set[str], code: str, kept: Sequence[Chunk]) -> set[str]:
    """Names of R's own functions that code gives to plain values, and that chunks do nothing with but call.

    R passes over what is no function where it calls one: after ``c <- 3``, ``c(1, 2)`` is what it was.
    """
    own = {name for name in names if name in BASE_NAMES["r"] and name.isidentifier()}
    return {
        name
        for name in own
        if re.fullmatch(rf"(?:\s*{name}\s*(?:<-|=){_PLAIN_VALUE})+", "\n".join(_assignments_of(name, code)))
        and not any(re.search(rf"(?<![\w.$@]){name}(?!\s*\(|[\w.])", _plain(part.code)) for part in kept)
    }


def _assignments_of(name: str, code: str) -> list[str]:
    return [line for line in _COMMENT.sub("", code).split("\n") if re.match(rf"\s*{name}\s*(?:<-|=)", line)]


def _methods_called(kept: Sequence[Chunk], earlier: Sequence[Chunk]) -> list[Chunk]:
    """The chunks of the definitions that those of Julia find when they are called, be they below them."""
    found: list[Chunk] = []
    while True:
        known = [names_in(part.code, part.language) for part in (*kept, *found)]
        called = frozenset().union(*(names.uses | names.defines for names in known if names.defines))
        indices = {part.index for part in (*kept, *found)}
        more = [
            part
            for part in earlier
            if part.index not in indices and names_in(part.code, part.language).defines & called
        ]
        if not more:
            return found
        found += more


def set_by(chunks: Iterable[Chunk], name: str, language: str, *, outside: bool = False) -> list[int]:
    """Return the indices of the chunks that set a name.

    Parameters
    ----------
    chunks : iterable of Chunk
        Those of a document.
    name, language : str
        The name, and the language of the chunks that are looked at.
    outside : bool
        Whether only what stands at the margin counts: in R and Julia, what is indented may be a function's.
    """
    return [
        chunk.index
        for chunk in chunks
        if chunk.language == language
        and name in names_in(_margin(chunk.code, language) if outside else chunk.code, language).sets
    ]


def _margin(code: str, language: str) -> str:
    """Code without its indented lines, where the language's grammar is not read."""
    if language == "python":
        return code
    return "\n".join(line for line in code.split("\n") if line[:1] not in (" ", "\t"))


def last_line(chunk: Chunk) -> int:
    """Return the last line of a chunk's code that is no comment: the statement that prints, as a rule."""
    lines = [place for place, text in enumerate(chunk.code.split("\n"), 1) if re.match(r"\s*[^\s#]", text)]
    return lines[-1] if lines else 0


def _plain(code: str) -> str:
    """Code without its comments and the texts in its strings."""
    return _COMMENT.sub("", _STRING.sub('""', code))
