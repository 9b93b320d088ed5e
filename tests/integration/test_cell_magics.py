"""What IPython adds to cells, run in the sandbox: programs, files, variables, folders, what is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.engine import RunSettings, execute_document
from harness.documents.parse import parse_document
from harness.findings.articles import examine_all
from harness.model.article import Answer
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import find_sandbox
from tests.unit.documents.written import code_cell, notebook

SANDBOX = find_sandbox(unsandboxed=True)
CELLS = {
    "%%bash\necho hello\n\nfor i in 1 2; do echo $i; done": "hello\n1\n2\n",
    "%%sh\nprintf 'a\\nb\\n' | sort -r": "b\na\n",
    "%%script bash -s 7\necho $1": "7\n",
    "%%writefile mine.py\ndef f(x):\n    return x * 2": "Writing mine.py\n",
    "import mine\nmine.f(21)": "42\n",
    "%%writefile -a mine.py\n# end": "Appending to mine.py\n",
    "!tail -n 1 mine.py": "# end\n",
    "%%bash --out kept\necho kept": "",
    "kept": "'kept\\n'\n",
    "%env SOME=thing": "env: SOME=thing\n",
    "!echo $SOME": "thing\n",
    "import os\nos.makedirs('sub', exist_ok=True)\n%cd -q sub\nos.path.basename(os.getcwd())": "'sub'\n",
    "%cd -q ..\nos.path.exists('mine.py')": "True\n",
    "%%capture out\nprint('inside')": "",
    "out.stdout": "'inside\\n'\n",
    "%precision 3\n3.14159": "3.142\n",
    "get_ipython().run_line_magic('who_ls', 'int')": "[]\n",
}


def test_cells_and_lines_for_ipython_run(tmp_path: Path) -> None:
    pytest.importorskip("IPython")
    (tmp_path / "a.ipynb").write_text(notebook(*map(code_cell, CELLS)), encoding="utf-8")
    document = parse_document(tmp_path / "a.ipynb")
    registry = Registry.load(Path(__file__).parent)
    execution = execute_document(document, registry=registry, sandbox=SANDBOX, trust=True)
    printed = [run.left.text.replace("\r", "") if run.left else run.skipped for run in execution.chunks]
    assert dict(zip(CELLS, printed, strict=True)) == CELLS
    assert not [run.left.error for run in execution.chunks if run.left and run.left.error]


def test_what_a_program_prints_is_compared_and_accuses_nobody(tmp_path: Path) -> None:
    pytest.importorskip("IPython")
    shown = {"%%bash\necho 1": "1\n", "%%sh\necho 2": "3\n", "%%writefile a.py\nx = 1": "Overwriting a.py\n"}
    cells = [
        code_cell(source, {"output_type": "stream", "name": "stdout", "text": [text]})
        for source, text in shown.items()
    ]
    (tmp_path / "a.ipynb").write_text(notebook(*cells), encoding="utf-8")
    (examined,) = examine_all([tmp_path / "a.ipynb"], sandbox=SANDBOX, plan=RunSettings(), suite=None)
    answers = [block.answer for block in examined.examined.blocks]
    assert answers == [Answer.REPRODUCED, Answer.UNCHECKED, Answer.UNCHECKED]


def test_without_ipython_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "IPython.py").write_text("raise ImportError('No module named IPython')\n")
    cells = [
        code_cell("%%bash\necho 1", {"output_type": "stream", "name": "stdout", "text": ["1\n"]}),
        code_cell("%env A=1\n2", {"output_type": "execute_result", "execution_count": 1, "metadata": {},
                                  "data": {"text/plain": "2"}}),
    ]  # fmt: skip
    (tmp_path / "a.ipynb").write_text(notebook(*cells), encoding="utf-8")
    plan = RunSettings(packages=tmp_path)
    (examined,) = examine_all([tmp_path / "a.ipynb"], sandbox=SANDBOX, plan=plan, suite=None)
    assert [block.answer for block in examined.examined.blocks] == [Answer.UNCHECKED, Answer.REPRODUCED]
    assert "magics were not run here" in examined.examined.findings[0].evidence
