"""The time of a document's code in a plain interpreter."""

from __future__ import annotations

from pathlib import Path

from harness.documents.parse import parse_document
from harness.runtimes.registry import Registry
from tests.bench.bench_documents import directly


def test_files_in_folders_and_packages_are_there_as_in_a_session(tmp_path: Path) -> None:
    for folder in ("data", "packages"):
        (tmp_path / folder).mkdir()
    (tmp_path / "data" / "a.csv").write_text("1,2\n", encoding="utf-8")
    (tmp_path / "packages" / "saying.py").write_text("row = '1,2\\n'\n", encoding="utf-8")
    code = "import saying\nassert open('data/a.csv').read() == saying.row\nprint('read', file=open(OUT, 'w'))"
    out = tmp_path / "out.txt"
    document = tmp_path / "a.md"
    document.write_text(f"```python\nOUT = {str(out)!r}\n{code}\n```\n", encoding="utf-8")
    registry = Registry.load(tmp_path)
    assert directly(parse_document(document), registry, tmp_path, tmp_path / "packages") > 0
    assert out.read_text(encoding="utf-8") == "read\n"
