"""A listing that is no chunk of the document's own program: code, a transcript, data or an output."""

from __future__ import annotations

import re
import textwrap

import msgspec

from harness.documents import listing
from harness.documents.collected import Collected
from harness.documents.examples import is_example
from harness.documents.labelled import without_label
from harness.documents.languages import DATA, SUPPORTED, canonical
from harness.documents.listing import first_word, names_output
from harness.documents.markdown import Fence
from harness.documents.model import Chunk, DataBlock, OutputBlock
from harness.documents.output_words import leads_to_output
from harness.documents.prompted import at_the_margin, called_otherwise, chunks_of
from harness.documents.raw_output import (
    is_marked,
    looks_printed,
    with_labelled_output,
    with_marked_error,
    with_marked_values,
    with_marks,
)
from harness.documents.set_in import at_its_margin
from harness.documents.terminal import ScriptRun, not_the_scripts, script_beside, script_run, unclear_above
from harness.documents.transcript import first_prompt, prompt_of
from harness.documents.unnamed_code import is_of_python, only_sets

_DOCTEST_SETUP = re.compile(
    r"^DocTestSetup\s*=\s*(?:quote\n(?P<quoted>.*?)^end|:\((?P<expression>.*)\)\s*$)",
    re.DOTALL | re.MULTILINE,
)
_OTHER_PROMPTS = frozenset({"haskell", "hs", "purescript"})
"""Languages that have ``>>>`` for a prompt of their own."""
_TEXT = frozenset({"text", "txt", "plain", "plaintext", "none"})
_OF_ONE_LANGUAGE = ("julia", "python")
"""Prompts that no other text begins with."""
_INSTALLS = re.compile(r"\s*(?:sudo|(?:pip3?|apt(?:-get)?|conda|brew|npm) install|git clone) \S")
_STATES = re.compile(r"\w\s*\(.*\)|\w\s*(?:=|<-)\s*\S")
"""What a line of code has, and the number or word that it prints has not."""
_NEAR = 300
_NO_CODE = "the code that printed it is not shown above it"


def take_listing(found: Collected, block: Fence, info: str, *, display: bool) -> None:
    """Take the next listing.

    Parameters
    ----------
    found : Collected
        What was read above it.
    block : Fence
        The listing.
    info : str
        What it is called.
    display : bool
        Whether the document only shows it, so that it is not evaluated.
    """
    name = first_word(info)
    above = found.chunks[-1].code if found.chunks and found.chunks[-1].supported else ""
    awaited = found.awaits_output
    if (ran := script_run(name, block.text)) is not None:
        _terminal(found, block, ran)
        return
    if canonical(name) == "python":
        block = at_its_margin(block, found.chunks)
    reading = listing.reading_of(block, name, prose=found.prose, awaited=awaited, above=above)
    if (
        reading is not None
        and not reading.certain
        and canonical(name) in SUPPORTED
        and found.chunks[-1].output
    ):
        reading = None  # one value below another is code again, as ever
    language = canonical(name)
    if language == "python" or (not name and reading is not None):
        block = without_label(block, language if name else "")
    prompt = ""
    if language in SUPPORTED or not name or name in listing.CONSOLE:
        spoken = language if language in SUPPORTED else _of_prompts(found) if not name else ""
        block = at_the_margin(block, spoken)
        prompt = prompt_of(spoken, block.text)
    if not prompt and name not in _OTHER_PROMPTS:
        block, prompt = called_otherwise(block)
    typed = name in _TEXT and prompt in _OF_ONE_LANGUAGE and not leads_to_output(found.prose)
    if reading is not None and not (prompt and (typed or not (name and reading.certain))):
        before = found.before(block)
        if not name and before is not None and (what := _only_code(found, block, before)):
            found.note(block.line, f"{what} is taken neither as code nor as output")
        elif before is None:
            why = f"the {name or 'plain'} block follows no chunk: not taken as output"
            if names_output(name, block):
                found.leave_unread(block, why)
            elif is_marked(block.text) or (found.chunks and looks_printed(block.text)):
                found.leave_unread(block, _NO_CODE)
            else:
                found.note(block.line, why)
        else:
            # Behind an output and prose of its own, it may be of something else than the chunk.
            certain = reading.certain and not (before.output and found.prose.strip())
            reading = msgspec.structs.replace(reading, certain=certain, example=is_example(found.prose))
            for output in listing.outputs_of(block, reading, name or block.info, before.language):
                found.attach(output)
    elif name == "@meta" and (setup := _DOCTEST_SETUP.search(block.text)):
        code = textwrap.dedent((setup["quoted"] or setup["expression"]).strip("\n"))
        line = block.text.count("\n", 0, setup.start("quoted" if setup["quoted"] else "expression"))
        chunk = found.chunk(block, "julia", f"{code.strip()}\n", skipped=line)
        found.add(msgspec.structs.replace(chunk, evaluated=not display))
        found.awaits_output = False
    elif name in DATA and awaited and above and listing.is_called_output(found.prose):
        found.leave_unread(
            block, f"the text calls the {name} block an output, of other code than what is shown"
        )
    elif name in DATA:
        _data(found, block, name)
    elif prompt:
        _transcript(found, block, prompt, display=display)
    elif not name:
        if found.awaits_output and not _is_something_else(block):
            found.leave_unread(block, "a listing without a language, and prose between it and the code")
        elif is_marked(block.text) or (found.chunks and looks_printed(block.text)):
            found.leave_unread(block, _NO_CODE)
        elif block.kind == "fence":
            found.note(block.line, "a fence without a language is taken neither as code nor as output")
    else:
        begins = first_prompt(language, block.text)
        code = block.text if begins < 0 else block.text[:begins]
        code = with_marks(code) if language == "r" else code
        code = with_labelled_output(code) if language == "python" else code
        code = with_marked_error(with_marked_values(code)) if language == "julia" else code
        chunk = found.chunk(block, language, code)
        found.add(msgspec.structs.replace(chunk, evaluated=not display))
        if begins >= 0:
            rest = block.line + code.count("\n")
            below = msgspec.structs.replace(block, line=rest, text=block.text[begins:])
            _transcript(found, below, prompt_of(language, below.text), display=display)


def _is_something_else(block: Fence) -> bool:
    """Whether a listing is typed in a terminal, is code, or shows how Markdown is written."""
    typed = listing.is_command_alone(block.text) or _INSTALLS.match(block.text) is not None
    typed = typed or block.text.startswith("$ ") or is_of_python(textwrap.dedent(block.text))
    return typed or only_sets(block.text) or block.text.lstrip().startswith(("```", "~~~"))


def _only_code(found: Collected, block: Fence, before: Chunk) -> str:
    """Say what code a listing without a language is, which the code above it did not print; else nothing."""
    if before.language == "r" and only_sets(block.text):
        return "code of R in a fence without a language"
    lines = [line.strip() for line in block.text.split("\n") if line.strip()]
    code = {line.strip() for chunk in found.chunks if not chunk.prompts for line in chunk.code.split("\n")}
    quoted = all(line in code and _STATES.search(line) for line in lines)
    if lines and quoted and found.prose.strip() and not leads_to_output(found.prose):
        return "a piece of the code above, which the text quotes,"
    return ""


def _of_prompts(found: Collected) -> str:
    """Return the language of the prompts above: a ``>`` in a document with R's prompts is R's too."""
    languages = {chunk.language for chunk in found.chunks if chunk.prompts}
    return "r" if languages == {"r"} else ""


def _terminal(found: Collected, block: Fence, ran: ScriptRun) -> None:
    """Take what a script prints in a terminal as the output of the code above, where that may be it."""
    before = found.before(block)
    if found.kind == "markdown" and (text := script_beside(ran, found.path, before)):
        _script(found, block, ran, text)
        return
    unclear = unclear_above(ran, before)
    if before is None or unclear:
        found.leave_unread(block, f"a script is run in a terminal: {unclear}")
        return
    for output in _shown(found, block, ran):
        found.attach(output)


def _script(found: Collected, block: Fence, ran: ScriptRun, text: str) -> None:
    """Take a script that stands beside the document as a chunk, and what the terminal shows as its output."""
    name = ran.file.removeprefix("./")
    file = found.source or found.path.name
    outputs = (msgspec.structs.replace(output, file=file) for output in _shown(found, block, ran))
    found.chunks.append(
        Chunk(
            index=len(found.chunks),
            line=block.line,
            end_line=block.end_line,
            code_line=1,
            language=ran.language,
            code=text,
            track=name,
            source=name,
            doubtful=not_the_scripts(text),
            output=tuple(outputs),
        )
    )
    found.awaits_output = False


def _shown(found: Collected, block: Fence, ran: ScriptRun) -> tuple[OutputBlock, ...]:
    """Return what a terminal shows of a script."""
    shown = msgspec.structs.replace(block, text=ran.text, line=block.line + ran.skipped)
    reading = listing.Reading("printed", certain=False, example=is_example(found.prose))
    return listing.outputs_of(shown, reading, "terminal", ran.language)


def _data(found: Collected, block: Fence, name: str) -> None:
    names = re.findall(rf"\w[\w.-]*\.{name}\b", found.prose[-_NEAR:])
    found.data.append(
        DataBlock(line=block.line + 1, text=block.text, info=name, file=names[-1] if names else "")
    )
    found.awaits_output = False


def _transcript(found: Collected, block: Fence, prompt: str, *, display: bool) -> None:
    entries = chunks_of(block, prompt, index=len(found.chunks), source=found.source, evaluated=not display)
    found.notes += entries.notes
    for chunk in entries.chunks:
        found.add(chunk)
