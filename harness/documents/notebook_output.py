"""The saved outputs of a notebook's cell: text, errors, pictures, and what holds no text."""

from __future__ import annotations

import ast
import re
from typing import Any

import msgspec

from harness.documents.model import OutputBlock, OutputKind, UnreadOutput
from harness.sessions.statements import NOT_PARSED

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_OBJECT = re.compile(
    r"<(?:IPython|ipywidgets|altair|plotly|bokeh)\b[^\n]*>|\S*(?:Widget|Progress)\(.*\)", re.DOTALL
)
_DRAWN = re.compile(
    r"[\[(]?<[^\n]*(?:matplotlib|Axes|Figure|seaborn|PIL)[^\n]*>[\])]?|.*Figure\(.*\)|Plot\{.*\}.*", re.DOTALL
)
_MOVING = re.compile(r"<(?:video|audio|script|iframe|img|svg|canvas|embed|object)\b", re.IGNORECASE)
_TABLE = re.compile(r"<table\b", re.IGNORECASE)
_UNSEEN = re.compile(r"<(style|script)\b.*?</\1\s*>|<!--.*?-->|<[^<>]*>", re.IGNORECASE | re.DOTALL)
_BESIDE = re.compile(
    r"application/vnd\.(?:google\.colaboratory\.(?:intrinsic|module)\+|microsoft\.datawrangler\.viewer\b|dataresource\+)"
)
"""What Colab, Visual Studio Code and pandas store beside the text of a table, for viewers of their own."""


class CellOutputs(msgspec.Struct, frozen=True):
    """What a cell shows: blocks, what could not be read, how many pictures, and the numbers of its values."""

    blocks: tuple[OutputBlock, ...]
    unread: tuple[UnreadOutput, ...]
    pictures: int
    counts: tuple[int | None, ...] = ()


def read_outputs(outputs: list[Any], line: int) -> CellOutputs:
    """Read the outputs of a cell, in order; pieces of one stream that follow each other are one text.

    Parameters
    ----------
    outputs : list of nbformat.NotebookNode
        They conform to the schema of format 4.
    line : int
        The line that the cell starts on.
    """
    blocks: list[OutputBlock] = []
    unread: list[UnreadOutput] = []
    pictures = 0
    for output in _joined(outputs):
        match output.output_type:
            case "stream":
                kind: OutputKind = "message" if output.name == "stderr" else "printed"
                text = plain(output.text)
                if text.strip():
                    blocks.append(OutputBlock(line=line, text=text, info=output.name, kind=kind))
            case "error":
                name, message = plain(output.ename), plain(output.evalue)
                blocks.append(
                    OutputBlock(
                        line=line,
                        text=f"{name}: {message}",
                        info="error",
                        kind="error",
                        ename=name,
                        evalue=message,
                    )
                )
            case _:
                text, why = _text(output.data)
                if why == "picture":
                    pictures += 1
                elif why:
                    unread.append(UnreadOutput(line=line, text=text[:200], why=why))
                elif text.strip():
                    info = "result" if output.output_type == "execute_result" else "display"
                    blocks.append(OutputBlock(line=line, text=text, info=info))
    counts = tuple(output.execution_count for output in outputs if output.output_type == "execute_result")
    return CellOutputs(tuple(blocks), tuple(unread), pictures, counts)


def each_shown(code: str, blocks: tuple[OutputBlock, ...]) -> tuple[OutputBlock, ...]:
    """Place the values of a cell that shows more than one: IPython was told to show every expression's.

    Parameters
    ----------
    code : str
        The cell's code, in Python.
    blocks : tuple of OutputBlock
        Its outputs. Where there are as many as expressions, each is of one; else that is not known.
    """
    if sum(block.info == "result" for block in blocks) < 2:
        return blocks
    try:
        body = ast.parse(code).body
    except NOT_PARSED:
        body = []
    ends = [node.end_lineno or node.lineno for node in body if isinstance(node, ast.Expr)]
    alone = len(set(ends)) == len(ends) == len(blocks) and all(block.info == "result" for block in blocks)
    if not alone:
        return tuple(msgspec.structs.replace(block, certain=False, example=True) for block in blocks)
    return tuple(msgspec.structs.replace(block, after=end) for block, end in zip(blocks, ends, strict=True))


def plain(text: str) -> str:
    """Take colours and line ends at the end off a text that was meant for a terminal."""
    return _ESCAPE.sub("", text).rstrip("\n")


def _joined(outputs: list[Any]) -> list[Any]:
    joined: list[Any] = []
    for output in outputs:
        before = joined[-1] if joined else None
        if (
            before is not None
            and output.output_type == before.output_type == "stream"
            and output.name == before.name
        ):
            before = before.copy()
            before["text"] += output.text
            joined[-1] = before
        else:
            joined.append(output)
    return joined


def _text(data: Any) -> tuple[str, str]:
    """Return the text of a rich output, and why it says nothing, where it does not."""
    text = data.get("text/plain", "")
    # Of a kind of data that ends in +json, the format lets it be anything.
    text = plain(text) if isinstance(text, str) else ""
    picture = any(key.startswith(("image/", "video/", "audio/")) for key in data)
    widget = any(key.startswith("application/vnd.") and not _BESIDE.match(key) for key in data)
    if picture and (not text.strip() or _DRAWN.fullmatch(text) or _OBJECT.fullmatch(text)):
        return text, "picture"
    if widget:
        return text, "picture"
    if text.strip() and not _OBJECT.fullmatch(text):
        return text, ""
    html = data.get("text/html")
    if isinstance(html, str):
        drawn = _TABLE.search(html) is None and (_MOVING.search(html) or not _UNSEEN.sub("", html).strip())
        return html, "picture" if drawn else "it is stored as HTML alone"
    for key, why in (("text/latex", "LaTeX"), ("text/markdown", "Markdown"), ("application/json", "JSON")):
        if key in data:
            return str(data[key]), f"it is stored as {why} alone"
    return text, "picture" if data else ""
