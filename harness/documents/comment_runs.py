"""Comments of code that say what it shows: which lines of them belong together, and how they are marked."""

from __future__ import annotations

import re

import msgspec

from harness.documents.output_words import OUTPUT_WORD
from harness.documents.r_remarks import are_values
from harness.documents.shown_objects import ends_with_object, led_below, object_below
from harness.documents.shown_remarks import error_below, shown_behind, words_below
from harness.documents.values_below import are_shown, is_prose, values_below

_PRINTED = re.compile(r"#>(?: |$)?(.*)")
_KNITR = re.compile(
    r"##? (?P<text>\[1\](?: .*|$)|# A tibble: .*|'data\.frame':.*|List of \d+"
    r"|Error(?: in .*|: .*)|Warning(?: in .*|: .*))"
    r"|## (?:\$[A-Za-z.`][\w.`]*|\[\[\d+\]\])"
)
_BELOW = re.compile(r"##(?!#) {0,8}\S")
_HIGH = re.compile(r"##(?!#)(?: *$| {9,}\S)")
"""R begins what a test prints with an empty line, and the head of a table far to the right."""
_OF_R = re.compile(r"##\s+\[(?:1\]|,1\]|1,\])")
_FITTED = re.compile(r"## (?:Call:$|Residuals:$|Coefficients:$|Signif\. codes: |data: )")
"""Lines of what R prints of a fit or a test."""
_SET_IN = re.compile(r"## {2,8}\S")
"""R sets the head of a table, and counts of several digits, more than one blank in."""
_BEHIND = {"r": re.compile(r"(?:#>|##(?= \[1\] )) ?(?P<text>\S.*)")}
"""What R prints behind a statement, marked as knitr does."""
_BEHIND_ANY = re.compile(r"#> ?(?P<text>\S.*)")
_SAYS_PRINTS = re.compile(r"#+ ?[Pp]rints")
_FAILS = re.compile(r"#+ ?(?P<text>ERROR: \S.*)")
"""An error as Julia prints it, with its stack below."""
_ONE_MARK = re.compile(r"^#(?!#) ?")
_MARKED = re.compile(
    r"#+ ?(?:=+>|-+>|>>>(?= [^()=]*$| +(?:array|tensor)\(.*\)$| +\([^()=]*\)$)|→|⇒|➜"
    rf"|(?i:{OUTPUT_WORD})(?: ?\[\d+\])?\s?[:：]|(?:[Pp]rints|[Rr]eturns)(?: out)?:)"
    r"(?:\s+(?P<text>.*)|$)"
)
_HEADS = re.compile(rf"#+ ?(?i:{OUTPUT_WORD})\s?[:：]")
"""What stands above all that code printed, perhaps below a blank line."""
_PRINTS = re.compile(r"(?:print|println|cat)\(")
_QUOTED = re.compile(
    r"#+ ?(?:[^\"`]*[;:.,)] ?)?(?:[Pp]rint|[Oo]utput|[Rr]eturn|[Gg]ive)s?:?[ ]+(?P<mark>[\"`])(?P<text>.*)"
)
"""``Prints "[[1 2]"``, perhaps behind a remark, on to the mark that ends it."""
_MORE = re.compile(r"#+ (?: +|\s*=+> ?)(?P<text>.*)")
_REMARK = re.compile(r"\s+#+\s.*")
_RETURNS = re.compile(r"#\s*[Rr]eturns")
"""What a function returns may be described below, and not shown."""


class Run(msgspec.Struct):
    """Comment lines that belong together.

    ``margin`` says that they begin at the margin; ``prints`` that they say what is printed, and no value.
    """

    line: int
    info: str
    texts: list[str]
    after: int
    margin: bool
    prints: bool = False


def runs_of(code: str, comments: dict[int, str], literals: str, language: str, *, values: bool) -> list[Run]:
    """Put comment lines together; ``comments`` are by line, from the ``#`` on.

    Words behind a call of ``print`` may be what it prints where the code's own strings hold all of them.
    """
    lines = code.split("\n")
    above = _stand_above(lines)
    runs: list[Run] = []
    last = 0  # the last line of code
    for number, line in enumerate(lines, 1):
        comment = comments.get(number, "")
        own = bool(comment) and line.strip() == comment.strip()
        if line.strip() and not own:
            last = number
        if not comment:
            if not line.strip():
                last = -abs(last)  # a blank line ends what a comment can belong to
            continue
        before = runs[-1] if runs and own and runs[-1].line + len(runs[-1].texts) == number else None
        margin = line.startswith("#")
        printed = _PRINTED.fullmatch(comment.rstrip()) if own else None
        knitr = _KNITR.fullmatch(comment.rstrip()) if own else None
        if printed is not None:
            if before is not None and before.info == "comment" and before.margin is margin:
                before.texts.append(line if margin else line.strip())
            elif before is not None and before.info == "marked" and comments[before.line].startswith("#>"):
                before.texts.append(printed[1])
            else:
                runs.append(Run(number, "comment", [line if margin else line.strip()], abs(last), margin))
            continue
        mark = before.texts[0][:3] if before is not None else ""
        same = comment.startswith(mark) or comment.strip() == mark.strip()
        if before is not None and before.info == "knitr" and same:
            before.texts.append(comment)
            continue
        if knitr is not None and last > 0:
            runs.append(Run(number, "knitr", [comment], last, True))
            continue
        if before is not None and before.info == "below" and comment.startswith("##"):
            before.texts.append(line)
            continue
        high = _HIGH.match(line) and comments.get(number + 1, "").startswith("##")
        near = last == number - 1 and (high or _BELOW.match(line))
        # What R numbers is its own even below a blank line.
        apart = language == "r" and last == 2 - number and _OF_R.match(line)
        if own and values and (near or apart):
            runs.append(Run(number, "below", [line], abs(last), True))
            continue
        if not values:
            continue
        marked = _MARKED.fullmatch(comment.rstrip())
        quoted = _QUOTED.fullmatch(comment.rstrip()) if last > 0 else None
        if before is not None and before.info in ("`", '"') and before.info not in "".join(before.texts):
            before.texts.append(comment.lstrip("#"))
        elif quoted is not None:
            runs.append(Run(number, quoted["mark"], [quoted["text"]], last, margin))
        elif before is not None and before.info == "marked" and before.texts[0].startswith("ERROR: "):
            before.texts.append(comment.lstrip("#").removeprefix(" "))
        elif before is not None and before.info == "marked" and (more := _MORE.fullmatch(comment.rstrip())):
            before.texts.append(more["text"])
        elif before is not None and _goes_on(before, comments, comment, literals, language):
            before.texts.append(comment.lstrip("# "))
        elif before is not None and before.info in ("marked", "led") and not before.texts[0].strip():
            text = comment.lstrip("#").removeprefix(" ")
            if len(before.texts) > 1 and is_prose(text) and not is_prose(before.texts[1]):
                continue  # a remark below the output
            before.info = "led"
            before.texts.append(text)
        elif language == "julia" and (not own or last == number - 1) and (fails := _FAILS.match(comment)):
            runs.append(Run(number, "marked", [fails["text"].rstrip()], last, margin))
        elif not own and last > 0 and (behind := _BEHIND.get(language, _BEHIND_ANY).match(comment)):
            runs.append(Run(number, "marked", [_REMARK.sub("", behind["text"]).rstrip()], last, margin))
        elif before is not None and before.prints and marked is not None and _SAYS_PRINTS.match(comment):
            before.texts.append(marked["text"] or "")
        elif own and marked is not None and marked["text"] and above:
            runs.append(Run(number, "bare", [marked["text"]], number + 1, margin))
        elif marked is not None and (last > 0 or (last < 0 and own and _ends_paragraph(lines, number))):
            text = _REMARK.sub("", marked["text"] or "") if not own else marked["text"] or ""
            says = own and _SAYS_PRINTS.match(comment) is not None
            runs.append(Run(number, "marked", [text], abs(last), margin, says))
        elif not own and (text := shown_behind(comment, line, literals, language)):
            runs.append(Run(number, "bare", [text], last, False))
        elif not own and language == "python" and line.startswith("print(") and ends_with_object(comment):
            runs.append(Run(number, "amid", [comment.lstrip("# ")], last, False))
        elif own and before is None and last == number - 1:
            below = values_below(lines[number - 1 :], language) or words_below(lines, number, literals)
            if language == "python" and not below:
                below = object_below(lines, number) or error_below(lines, number)
                led = led_below(lines, number) if not below else []
                runs += [Run(number, "unclear", [comment.lstrip("# ")], last, margin)] if led is None else []
                below = below or led or []
            runs += [Run(number, "bare", below, last, margin)] if below else []
        elif own and before is None and language == "python" and last == 2 - number:
            below = values_below(lines[number - 1 :], language) or object_below(lines, number, number - 2)
            if below := below or error_below(lines, number):
                runs.append(Run(number, "apart", below, -last, margin))
    _settle(runs, lines, language)
    return runs


def _stand_above(lines: list[str]) -> bool:
    """Whether each comment that gives output stands right above what prints it, and below a blank line."""
    headed = [n for n, line in enumerate(lines) if _HEADS.match(line)]
    return bool(headed) and all(
        not "".join(lines[max(0, n - 1) : n]).strip() and _PRINTS.match("".join(lines[n + 1 : n + 2]))
        for n in headed
    )


def _ends_paragraph(lines: list[str], number: int) -> bool:
    """Whether a comment says that it is output, and no code stands right below it, which it may be of."""
    below = number
    while below < len(lines) and lines[below].lstrip().startswith("#"):
        below += 1
    return (
        _HEADS.match(lines[number - 1].lstrip()) is not None and not "".join(lines[below : below + 1]).strip()
    )


def _goes_on(run: Run, comments: dict[int, str], comment: str, literals: str, language: str) -> bool:
    """Whether a comment below one that says that it is output, and gives some, is more of that."""
    text = comment.lstrip("# ").rstrip()
    headed = run.info == "marked" and run.texts[0].strip() and _HEADS.match(comments[run.line])
    return bool(headed) and bool(text) and (are_shown([text], language) or text.lower() in literals)


def _settle(runs: list[Run], lines: list[str], language: str) -> None:
    """Say of each run what it is, now that all are known."""
    knitted = any(run.info == "knitr" for run in runs)
    below = [are_values(run.texts[0].lstrip("# ").rstrip()) for run in runs if run.info == "below"]
    listed = len(below) > 1 and all(below)
    for run in runs:
        behind = lines[run.line + len(run.texts) - 1 : run.line + len(run.texts)]
        head = run.texts[0]
        set_in = _SET_IN.match(head) or _HIGH.match(head)
        of_r = _OF_R.match(head) is not None or (knitted and set_in is not None)
        of_r = of_r or any(_FITTED.match(text) for text in run.texts)
        goes_on = "".join(behind).startswith("##") and are_values(head.lstrip("# ").rstrip())
        if run.info == "below" and "".join(behind).strip() and not (of_r or listed or goes_on):
            run.info = "prose"  # a remark on the code below it
        if run.info in ("`", '"'):
            text, closed, rest = "\n".join(run.texts).partition(run.info)
            run.info, run.texts = ("marked" if closed and not rest.strip(" .") else "prose"), [text]
        if run.info == "knitr":
            run.info = "comment"
            run.texts = [_ONE_MARK.sub("", text) for text in run.texts]
        if run.info == "marked" and not head.strip():
            run.texts = run.texts[1:] or [""]
        if run.info == "led":
            described = _RETURNS.search(lines[run.line - 1]) and not are_shown(run.texts[1:], language)
            run.info, run.texts = ("prose" if described else "led"), run.texts[1:]
