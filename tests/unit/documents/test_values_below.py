"""Values right below statements, without a mark, and texts below ``print``."""

from __future__ import annotations

import pytest

from harness.documents.comment_output import read_comments


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("python", "f(\n  [1, 2],\n)\n# 5.0\n", [(4, "5.0", 3)]),
        ("python", "f(x)\n# [ ['a', 'b'],\n#   ['c'] ]\n", [(2, "[ ['a', 'b'],\n['c'] ]", 1)]),
        ("python", "f(x)\n# 'long'\ng(x)\n# 'longer'\n", [(2, "'long'", 1), (4, "'longer'", 3)]),
        ("python", 'print("Hello,", name)\n# Hello\n', [(2, "Hello", 1)]),
        ("python", "for i in x:\n    print(i)\n# 0.5\n# 1.5\n", [(3, "0.5\n1.5", 2)]),
        ("julia", "f(x)\n# 5.0\ng(x)\n", [(2, "5.0", 1)]),
        ("r", "mean(x)\n# 2\n", [(2, "2", 1)]),
        (
            "r",
            "DT[, mean(a), by = b]\n#    b  V1\n#1: x 4.5\n#2: y 5.5\n",
            [(2, "b  V1\n1: x 4.5\n2: y 5.5", 1)],
        ),
        ("python", "df\n#    a  b\n# 0  1  4\n# 1  2  5\n", [(2, "a  b\n0  1  4\n1  2  5", 1)]),
        ("python", "print(next(it))  # 1\nprint(next(it))  # 2\n", [(1, "1", 1), (2, "2", 2)]),
        ("python", "print(a is b)  # True, because both are one\n", [(1, "True", 1)]),
        ("python", "print(x)\n# Output:\n# a\n# b\n", [(2, "a\nb", 1)]),
        ("r", "f(x)\n# Returns:\n# 1.5 2.5\n", [(2, "1.5 2.5", 1)]),
        (
            "r",
            "m\n# =>\n#      [,1]\n# [1,]    1\n# Unlike a vector, it has a size\n",
            [(2, "[,1]\n[1,]    1", 1)],
        ),
        ("r", "x\n# =>\n# 1.5 2.5\n# ベクターとは違い\n", [(2, "1.5 2.5", 1)]),
        ("r", "f(x)\n# 1 4 6\n# Your numbers will differ from mine\n", [(2, "1 4 6", 1)]),
        ("python", "f(x)\n# 5.0\n# That is what is left\n", [(2, "5.0", 1)]),
        (
            "python",
            "for n in x:\n    print(n)\n# Output:\n# It is what it is\n",
            [(3, "It is what it is", 2)],
        ),
        ("python", "print(f(x))\n# Outputs [2, 4]\n", [(2, "[2, 4]", 1)]),
        ("python", "print(type(x))  # <class 'int'>\n", [(1, "<class 'int'>", 1)]),
        ("python", "print(x)  # <a.B object at 0x10ad>\n", [(1, "<a.B object at 0x10ad>", 1)]),
        ("python", "print(a, b)  # 35 True\n", [(1, "35 True", 1)]),
        ("python", "print(s[::2])  # c246\n", [(1, "c246", 1)]),
        ("python", 'def f():\n    print("hello, world!")\nf()  # hello, world!\n', [(3, "hello, world!", 3)]),
        ("python", "x.index(3)  # ValueError: 3 is not in list\n", [(1, "ValueError: 3 is not in list", 1)]),
    ],
)
def test_values_below_statements(language: str, code: str, expected: list[tuple[int, str, int]]) -> None:
    found = read_comments(code, language, 1, values=True).blocks
    assert [(block.line, block.text, block.after) for block in found] == expected
    assert not any(block.certain for block in found)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "f(x)\n# 2\ng(x)\n"),  # may number a step
        ("python", "f(x)\n\n# 5.0\n"),
        ("python", "x = 3\n# 5.0\n"),
        ("python", "f(x)\n# 5.0\n# what is left\n"),
        ("python", "f(x)\n# [section]\n"),
        ("python", "f(x)\n# a b\n# 1 2\n# 3 4\n"),
        ("python", "f(x)\n# a b\n# 0 1\n"),
        ("python", "def f(x):\n    g(x)\n    # 5.0\n"),
        ("python", "def f(x):\n    return x\n# 5.0\n"),
        ("python", "f(x)  # True if both are one\n"),
        ("python", "print('first', x)  # 1\nprint('second', x)  # 2\n"),
        ("python", "f(x)\n# Returns:\n# the mean of x\n"),
        ("python", "f(a, b)  # 35 36\n"),
        ("python", "f(x)  # c246\n"),
        ("python", "print(x)  # O(1)\n"),
        ("python", "x = f('hello, world!')  # hello, world!\n"),
        ("python", "f(x)  # ValueError if x is empty\n"),
    ],
)
def test_remarks_below_statements(language: str, code: str) -> None:
    found = read_comments(code, language, 1, values=True)
    assert found.blocks == ()


def test_values_behind_two_marks_stand_above_more_code() -> None:
    code = "length(five)\n## 1\nlength(die)\n## 6\n"
    found = read_comments(code, "r", 1, values=True).blocks
    assert [(block.text, block.after, block.certain) for block in found] == [
        ("## 1", 1, False),
        ("## 6", 3, False),
    ]


def test_an_amount_is_no_name_of_a_list() -> None:
    (found,) = read_comments("play()\n## 0 0 DD\n## $0\n", "r", 1, values=True).blocks
    assert (found.text, found.after) == ("## 0 0 DD\n## $0", 1)


def test_output_at_the_end_of_a_block_is_that_of_the_block() -> None:
    code = "for name in names:\n    print(name)\n    #> a\n    #> b\nf()\n"
    (found,) = read_comments(code, "python", 1, values=True).blocks
    assert (found.text, found.after, found.certain) == ("#> a\n#> b", 2, True)


@pytest.mark.parametrize(
    "code",
    [
        "def f():\n    print(1)\n    #> 1\n",
        "for i in x:\n    print(i)\n    #> 1\n    print(i)\n    #> 1\n",
        "for i in x:\n    print(i)\n    #> 1\n\n    #> 2\n",
        "for i in x:\n    print(i)\n    #> 1\n    f(i)\n",
        'def f():\n    print(1)\n    """\n    1\n    """\n',
        'for i in x:\n    print(i)\n    """\n    1\n    """\n    f(i)\n',
    ],
)
def test_output_inside_of_a_body_is_counted(code: str) -> None:
    found = read_comments(code, "python", 1, values=True)
    assert found.blocks == ()
    assert {output.why for output in found.unread} == {"it stands inside a function, a loop or a call"}


@pytest.mark.parametrize(
    ("code", "after"),
    [
        ('print(x)\n"""\n{\n    1\n}\n"""\ny\n', 1),
        ('try:\n    f()\nexcept E as e:\n    print(e)\n    """\n    {\n        1\n    }\n    """\n', 9),
    ],
)
def test_a_text_below_print_is_what_it_prints(code: str, after: int) -> None:
    (found,) = read_comments(code, "python", 1, values=True).blocks
    assert (found.text, found.after, found.certain) == ("{\n    1\n}", after, False)
    assert read_comments(code, "python", 1, values=False).blocks == ()


@pytest.mark.parametrize(
    "code",
    [
        'x = f()\n"""\n1\n"""\n',
        'print(x)\n\n"""\n1\n"""\n',
        'print(x)\n"""1"""\n',
        'def f():\n    """\n    1\n    """\n',
    ],
)
def test_other_texts_are_no_output(code: str) -> None:
    found = read_comments(code, "python", 1, values=True)
    assert (found.blocks, found.unread) == ((), ())


@pytest.mark.parametrize(
    "shown",
    ["## \n## a b\n## 1 2\n", "##         0%   100%\n## -2.3  1.0\n", "## 200\n## 500\n## $url\n## [1] 2\n"],
)
def test_what_knitr_prints_stands_above_more_code(shown: str) -> None:
    code = f"f(x)\n{shown}levels(x)\n## [1] 2\n"
    found = read_comments(code, "r", 1, values=True).blocks
    assert found[0].text.startswith(shown.split("\n")[0].rstrip())
    assert found[0].after == 1
