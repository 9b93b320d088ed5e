"""Chunks of Python 2: their print statements are calls where they run."""

from __future__ import annotations

import pytest

from harness.documents.older_python import with_print_calls
from harness.documents.parse import parse_document
from tests.unit.documents.written import Write, code_cell, notebook


@pytest.mark.parametrize(
    ("code", "calls"),
    [
        ("print x", "print(x)"),
        ("print 'a', x  # both", "print('a', x)  # both"),
        ("for i in y:\n    print i,", 'for i in y:\n    print(i, end=" ")'),
        ("if x: print y", "if x: print(y)"),
        ("print x\nprint", "print(x)\nprint()"),
        ('print "%d %d" % (1,\n    2)', 'print("%d %d" % (1,\n    2))'),
        ("try:\n    f()\nexcept E, e:\n    print e", "try:\n    f()\nexcept E as e:\n    print(e)"),
        ("%time f()\nprint x", "%time f()\nprint(x)"),
        ('print """a\n\nb"""', 'print("""a\n\nb""")'),
    ],
)
def test_print_statements_become_calls(code: str, calls: str) -> None:
    assert with_print_calls(code) == calls


@pytest.mark.parametrize("code", ["print(x)", "x = 1", "print x y z", "print x\nexec 'a'", "x = ("])
def test_other_code_stays_as_it_is(code: str) -> None:
    assert with_print_calls(code) is None


def test_a_document_of_python_2(write: Write) -> None:
    document = parse_document(write("a.ipynb", notebook(code_cell("print 'a', 7 / 2"), code_cell("x = 1"))))
    first, second = document.chunks
    assert (first.code, first.own) == ("print('a', 7 / 2)\n", "print 'a', 7 / 2\n")
    assert "written for Python 2" in first.doubtful
    assert not second.doubtful
    assert document.written_for["python"] == "2.7"


def test_how_python_3_refuses_a_print_statement_is_shown(write: Write) -> None:
    error = {"output_type": "error", "ename": "SyntaxError", "evalue": "Missing parentheses", "traceback": []}
    document = parse_document(write("a.ipynb", notebook(code_cell("print 'a'", error))))
    assert document.chunks[0].code == "print 'a'\n"
    assert not document.chunks[0].doubtful
