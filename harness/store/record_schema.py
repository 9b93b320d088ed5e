"""The JSON Schema of a record; ``python -m harness.store.record_schema FILE`` writes it."""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from harness.store.record_line import LINES, NOT_FINITE


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one line of a record, made from the types."""
    lines, definitions = msgspec.json.schema_components(LINES)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One line of results.jsonl",
        "description": "A Header first, a Footer last; between them Cells, Pairs, Consensus and Exhibits.",
        "oneOf": list(lines),
        "$defs": {name: _published(definition) for name, definition in definitions.items()},
    }


def _published(schema: Any) -> Any:
    if isinstance(schema, list | tuple):
        return [_published(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: _published(value) for key, value in schema.items()}
    if isinstance(text := inner.get("description"), str):
        # From 3.13 on, Python takes the indentation away itself.
        inner["description"] = inspect.cleandoc(text)
    if inner.get("type") == "number":
        del inner["type"]
        inner["anyOf"] = [{"type": "number"}, {"enum": list(NOT_FINITE)}]
    return inner


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
