"""Words that say that output stands behind or below them, in the languages that pages are written in."""

from __future__ import annotations

import re

OUTPUT_WORD = (
    r"(?:\b(?:out(?:put)?s?|o/p|salida|sa[ií]da|sortie|ausgabe|uscita|çıktı|вывод)\b"
    r"|(?:程序|输出|運行|运行|执行|実行)?(?:结果|結果)|(?:程序)?输出|輸出|出力|출력(?: ?결과)?)"
)
"""What a page calls the listing below its code, or the comment behind a statement."""
RESULT_WORD = r"(?:\b(?:results?|resultados?|résultats?|ergebnis(?:se)?|risultat[oi]|sonuç|результат)\b|결과)"
_PRINTS = (
    r"(?:prints?|outputs?|returns?|displays?|shows?|gives?|yields?|imprime|muestra|mostra|devuelve|retorna"
    r"|affiche|renvoie|打印|返回|显示)"
)
_LEAD = re.compile(
    rf"(?:(?:this|it|which|that|will|would|should) +)*(?:{OUTPUT_WORD}|{RESULT_WORD}|{_PRINTS})(?: out)?"
    r"(?: +(?:is|será|sera)\b)?[为是]?\s*[:：=]?\s*(?=\S)|(?:={1,2}|>>) +(?=\S)",
    re.I,
)
_LEADS = re.compile(
    r"(?:(?:this|it|which|that|and|the|above|when|run|running|will|would|be|code|script|program|snippet"
    r"|statement|call|example|sample|expected|execution|console|terminal|in|we|you|here is|here['’]s"
    r"|la|el|le|die|o|a|julia|python|r)\b,?\s*)*"
    rf"(?:{OUTPUT_WORD}|{RESULT_WORD}|out ?\[\d+\]|(?:prints?|returns?|gives?|gets?|yields|produces"
    r"|displays)\b)(?:\s+(?:the|this|that|of|following|above|code|out|is|will be|as follows|output|result"
    r"|screen|on|to|us|in|like|\d{1,2}|\(\w+\)))*(?:如下|为|是)?|(?:=+|-+)>|[→⇒➜]",
    re.I,
)
_HEADS = re.compile(
    rf"(?:(?:the|expected|console|program|code|sample|example) )?(?:{OUTPUT_WORD}|{RESULT_WORD})", re.I
)
_LONGEST = 500
"""Letters of what says nothing but that output follows."""
_TAG = re.compile(r"</?\w+>")
_EDGES = re.compile(r"^[^\w=→⇒➜-]+|(?:[^\w\])>→⇒➜]|(?<!\d)\])+$")
"""Marks of Markdown, brackets, colons and pictures around a heading."""


def without_lead(text: str) -> str:
    """Return a remark without the words before what is shown: ``will print 2``, ``Result: 2``, ``== 2``."""
    found = _LEAD.match(text)
    return text[found.end() :] if found is not None and not text[: found.end()].isalnum() else text


def leads_to_output(prose: str) -> bool:
    """Whether the last paragraph above a listing says nothing but that it is what the code prints."""
    last = last_paragraph(prose)
    return len(last) <= _LONGEST and _LEADS.fullmatch(_bare(last)) is not None


def heads_output(heading: str) -> bool:
    """Whether a heading says nothing but that what the code above it prints stands below."""
    return len(heading) <= _LONGEST and _HEADS.fullmatch(_bare(heading)) is not None


def last_paragraph(prose: str) -> str:
    """Return the last paragraph of a text."""
    return re.split(r"\n\s*\n", prose.strip())[-1].strip()


def without_emphasis(text: str) -> str:
    """Return a paragraph without the marks that set it in bold."""
    return text.replace("**", "").replace("__", "").strip("*_ \n")


def _bare(text: str) -> str:
    return _EDGES.sub("", _TAG.sub("", without_emphasis(text))).strip()
