"""Org is read: source blocks and the results that Babel wrote below them."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.model import Document
from harness.documents.parse import parse_document

PAGE = """\
#+TITLE: Sums
#+PROPERTY: header-args:python :session
:PROPERTIES:
:x: 1
:END:

* TODO Lists                                                    :easy:
Adding =x= and ~y~ is
easy.

#+NAME: first
#+begin_src python :results output
  x = [1, 2]
  print("\\n".join(["a",
    "b"]))
  ,* 2
#+end_src

#+RESULTS: first
: a
: b

#+BEGIN_SRC R
sum(1:3)
#+END_SRC

#+RESULTS[0af]:
#+begin_example
[1] 6
#+end_example

#+begin_src jupyter-julia
1 + 1
#+end_src

#+RESULTS:
:RESULTS:
: 2
[[file:a.png]]
:END:
"""


def read(folder: Path, text: str) -> Document:
    path = folder / "page.org"
    path.write_text(text, encoding="utf-8")
    return parse_document(path)


def test_source_blocks_and_results(tmp_path: Path) -> None:
    document = read(tmp_path, PAGE)
    assert document.title == "Sums"
    assert [(c.language, c.code_line, c.code.count("\n")) for c in document.chunks] == [
        ("python", 13, 4),
        ("r", 24, 1),
        ("julia", 33, 1),
    ]
    assert document.chunks[0].code.startswith('x = [1, 2]\nprint("\\n".join(["a",\n  "b"]))\n* 2')
    outputs = [output for chunk in document.chunks for output in chunk.output]
    assert [(o.line, o.text, o.certain) for o in outputs] == [
        (20, "a\nb", True),
        (29, "[1] 6", False),
        (38, "2", True),
    ]
    assert [paragraph.text for paragraph in document.prose] == [
        "Sums",
        "Lists",
        "Adding `x` and `y` is\neasy.",
    ]


def test_what_org_makes_of_a_value_is_counted(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        "#+begin_src python\nreturn 2\n#+end_src\n\n#+RESULTS:\n: 2\n\n"
        "#+begin_src python\n[1, 2]\n#+end_src\n\n#+RESULTS:\n| 1 | 2 |\n\n| no | result |\n\n"
        "#+begin_src python :eval no\nlong()\n#+end_src\n\n#+RESULTS:\n: 3\n\n"
        "#+begin_src python :eval no-export\nx\n#+end_src\n",
    )
    assert [chunk.code for chunk in document.chunks] == ["[1, 2]\n", "x\n"]
    assert [(output.line, output.why.split()[0]) for output in document.unread] == [
        (6, "Org"),
        (13, "a"),
        (22, "its"),
    ]
    assert document.read == 0


def test_results_in_a_source_block_and_lines_behind_colons(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        "#+begin_src python :results output :wrap src text\nprint(1)\n#+end_src\n\n"
        "#+RESULTS:\n#+begin_src text\n1\n#+end_src\n\n#+begin_src python\nprint(2)\n#+end_src\n: 2\n",
    )
    assert [[(o.line, o.text) for o in chunk.output] for chunk in document.chunks] == [
        [(7, "1")],
        [(13, "2")],
    ]


def test_a_block_without_an_end_is_text(tmp_path: Path) -> None:
    assert read(tmp_path, "#+begin_src python\nprint(1)\n").chunks == ()


@pytest.mark.parametrize(
    ("head", "code", "doubtful"),
    [("", "x", False), (" :var x=table", "x", True), ("", "<<first>>\nx", True), ("", "1 <<x>> 2", False)],
)
def test_what_org_hands_to_a_block_is_not_shown(tmp_path: Path, head: str, code: str, doubtful: bool) -> None:
    document = read(
        tmp_path,
        f"<<a target>>\n<<target>>\n#+begin_src python{head}\n{code}\n#+end_src\n\n"
        "#+begin_src python\nprint(1)\n#+end_src\n",
    )
    assert [bool(chunk.doubtful) for chunk in document.chunks] == [doubtful, doubtful]
