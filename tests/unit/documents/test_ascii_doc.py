"""AsciiDoc is read: listings, literal blocks and the language that the line above them names."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.model import Document
from harness.documents.parse import parse_document

PAGE = """\
= Sums
:source-language: python

== Lists

Adding is easy:

.Of numbers
[source,python]
----
x = [1, 2]  # <1>
print(sum(x)) <2>
----
<1> A list
<2> Its sum

----
3
----

[source]
print(x)

....
[1, 2]
....

////
[source]
print("not run")
////

|===
| a | b
|===

[,julia]
----
julia> 1 + 1
2
----

```r
sum(1:3)
```

[.output]
----
[1] 6
----

[source,python]
print(4)

 4
"""


def read(folder: Path, text: str) -> Document:
    path = folder / "page.adoc"
    path.write_text(text, encoding="utf-8")
    return parse_document(path)


def test_listings_and_outputs(tmp_path: Path) -> None:
    document = read(tmp_path, PAGE)
    assert document.title == "Sums"
    assert [
        (c.language, c.code_line, c.code, [(o.line, o.text) for o in c.output]) for c in document.chunks
    ] == [
        ("python", 11, "x = [1, 2]\nprint(sum(x))\n", [(18, "3")]),
        ("python", 22, "print(x)\n", [(25, "[1, 2]")]),
        ("julia", 39, "1 + 1\n", [(40, "2")]),
        ("r", 44, "sum(1:3)\n", [(49, "[1] 6")]),
        ("python", 53, "print(4)\n", [(55, "4")]),
    ]


def test_numbers_in_angles_stay_where_no_remark_explains_them(tmp_path: Path) -> None:
    (chunk,) = read(tmp_path, '[source,python]\n----\nprint("a <1>\\n")  # <1>\n----\n').chunks
    assert chunk.code == 'print("a <1>\\n")  # <1>\n'


@pytest.mark.parametrize("drawn", ["[plantuml]\n----\nA -> B\n----\n", "....\n[ditaa, x]\n+--+\n....\n"])
def test_what_pictures_are_drawn_from_is_no_output(drawn: str, tmp_path: Path) -> None:
    document = read(tmp_path, f"[source,python]\n----\nprint(1)\n----\n\n{drawn}")
    assert document.shown == 0


def test_code_in_another_file_takes_the_output_below_it(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        "[source,python]\n----\nprint(1)\n----\n\n[source,python]\n----\ninclude::a.py[]\n----\n\n----\n2\n----\n",
    )
    assert [(chunk.supported, len(chunk.output)) for chunk in document.chunks] == [(True, 0), (False, 1)]
    assert all(chunk.doubtful for chunk in document.chunks)
