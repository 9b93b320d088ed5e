"""Good pages in HTML, Org and AsciiDoc, with what means something in them."""

from __future__ import annotations

_TABLE = '<table class="dataframe"><tr><th></th><th>a</th></tr><tr><th>0</th><td>1.5</td></tr></table>'
HTML_WORDS = (
    b"<pre>", b"</pre>", b'<pre class="r">', b"<code>", b"<table>", b"<td>", b"</table>", b"<div", b"<!--",
    b"<script>", b'class="cell-output"', b"<!DOCTYPE", b"<![CDATA[", b"&#x110000;", b"&lt;", b"<h1>", b"\\(",
    b"</div>" * 9,
)  # fmt: skip
ORG_WORDS = (
    b"#+begin_src ", b"#+end_src\n", b"#+RESULTS:\n", b"#+begin_example\n", b": ", b":RESULTS:\n", b":END:\n",
    b"* ", b"| a |\n", b":eval no", b":var x=1", b"<<x>>\n", b"[[", b"#+", b",*",
)  # fmt: skip
ASCII_DOC_WORDS = (
    b"[source,python]\n", b"----\n", b"....\n", b"|===\n", b"////\n", b"<1>", b"<1> a\n", b"[.output]\n",
    b"== ", b"```r\n", b"include::a[]\n", b":a: b\n", b".T\n", b"+\n", b"[", b"[,]\n",
)  # fmt: skip


def html() -> list[bytes]:
    """Pages as R Markdown and nbconvert write them."""
    text = "<h1>T</h1>\n<p>Some <code>x</code>.</p>"
    of_r = f'{text}<pre class="r"><code>x &lt;- 1\nx</code></pre>\n<pre>## [1] 1</pre>'
    code = '<div class="highlight hl-ipython3"><pre>f()</pre></div>'
    cell = f'{code}<div class="output_text"><pre>1</pre></div>{_TABLE}'
    return [f"<html><body>{body}</body></html>\n".encode() for body in (of_r, cell, of_r + cell)]


def org() -> list[bytes]:
    """Documents with results of each form."""
    block = "#+begin_src python :results output\nprint(1)\n#+end_src\n\n#+RESULTS:\n"
    text = f"#+TITLE: T\n* One\nSome =x=.\n{block}: 1\n\n{block}#+begin_example\n1\n#+end_example\n"
    drawer = f"{block}:RESULTS:\n: 1\n| 1 |\n[[a.png]]\n:END:\n"
    return [text.encode(), drawer.encode(), (text + drawer).encode()]


def ascii_doc() -> list[bytes]:
    """Documents with listings of each form."""
    head = "= T\n:source-language: r\n\n== One\n\n"
    text = f"{head}[source,python]\n----\nprint(1) # <1>\n----\n<1> One\n\n....\n1\n....\n"
    more = "[source]\nx <- 1\n\n|===\n| a\n|===\n\n```julia\n1 + 1\n```\n\n[.output]\n----\n2\n----\n\n a\n"
    return [text.encode(), more.encode(), (text + more).encode()]
