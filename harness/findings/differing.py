"""The cause of an output that differs although all that it needs is here; only the last of them accuses."""

from __future__ import annotations

import re
from collections.abc import Hashable

from harness.documents.evaluate import quiet_magic
from harness.documents.model import Chunk
from harness.documents.written_numbers import digits_of
from harness.findings.apart import values_apart
from harness.findings.carried import of_the_clock
from harness.findings.causes import Cause, named
from harness.findings.changed_before import changed_above
from harness.findings.doubts import ONLY_THE_ORDER, difference_at, doubt
from harness.findings.evidence import is_rounded_by_libraries
from harness.findings.in_full import is_misprinted
from harness.findings.judging_state import JudgingState, Key
from harness.findings.names import last_line, upstream
from harness.findings.no_proof import (
    has_its_words,
    is_borne_out,
    may_be_turned_by_order,
)
from harness.findings.number_pairs import number_pairs
from harness.findings.older_samples import is_of_no_older_sample
from harness.findings.one_place import VERY_MANY, is_one_of_many, missing_line
from harness.findings.order_of_runs import other_session, ran_more_than_once
from harness.findings.outputs import differs, produced
from harness.findings.random_numbers import (
    clock_given_by,
    clock_in,
    draw_here,
    draw_in,
    draws_pythons_own,
    generator_in,
    machine_in,
    passing_in,
    seeds,
    seeds_pythons_own,
    unset_in,
    without_comments,
)
from harness.findings.reached import shown_by
from harness.findings.reasons import Proof
from harness.findings.session_of import failed_before, needs_no_package
from harness.findings.sizes_shown import shows_a_type_alone, shows_sizes_alone
from harness.findings.slices import statements_behind
from harness.findings.sources import Ground, asks_in, source_of
from harness.findings.stream_versions import OF_SAMPLES
from harness.findings.swapped import NO_CHANCE, runs_on
from harness.findings.used_packages import used_packages
from harness.findings.which_first import OF_A_SET
from harness.model.article import Answer, BlockVerdict, Kind

_BY_CHANCE = 4
"""Digits on which two draws do not agree by chance."""
_LINE = 80
"""Characters of a missing line that are quoted."""
_TELLS = 3
"""Letters or digits of a value that is published in several places, and printed nowhere."""
_DATED = re.compile(r"\b(?:Date|Time):\s+(?:\w{3}, \d{1,2} \w{3} \d{4}|\d{1,2}:\d{2}:\d{2})")
_SECONDS = re.compile(r"\b(?:seconds?|allocations?|time|times)\b|\d ?(?:[nmuμµ]?s|min)\b", re.IGNORECASE)
"""How a time that something took is shown."""
_FORM = "not only values differ"
"""How the reason begins that may as well be that something else stands there."""


def cause_of_difference(
    state: JudgingState, chunk: Chunk, place: int, verdict: BlockVerdict, taken: Cause | None
) -> Cause:
    """Return why an output differs.

    Parameters
    ----------
    state : JudgingState
        What is known of the document up to the chunk.
    chunk, place : Chunk, int
        The output.
    verdict : BlockVerdict
        How it differs.
    taken : Cause or None
        The cause that the chunk's inputs come from, if they are not what the author had.
    """
    output = chunk.output[place]
    text = produced(chunk, state.runs.published.of(chunk), place)
    if not text.strip():
        magic = quiet_magic(shown_by(chunk, place)) if chunk.language == "python" else ""
        said = f"the magic {magic} was not run" if magic else "the code above it prints nothing"
        return state.causes.get((said, chunk.index), Cause(Answer.UNCHECKED, chunk, 0, said))
    sure = output.certain or output.info == "value" or has_its_words(state, (chunk.index, place))
    # Nothing else holds many values that the code prints, and one that it does not.
    sure = sure or is_one_of_many(output.text, text, chunk.language, VERY_MANY)
    if not sure and (
        number_pairs(output.text, text) is None or not is_borne_out(state, (chunk.index, place))
    ):
        said = "it may be something else than what the code prints"
        if is_borne_out(state, (chunk.index, place)):
            # Others like it are outputs, so that a version or a printer may be the reason.
            why = doubt(difference_at(state, (chunk.index, place)))
            if why and not why.startswith(_FORM):
                return state.causes.get(("here", why), Cause(Answer.HERE, chunk, 0, why))
        return state.causes.get((said,), Cause(Answer.UNCHECKED, chunk, 0, said))
    if output.example:
        said = "the text above it calls it an example, or it cannot be told which statement it is of"
        return state.causes.get((said,), Cause(Answer.UNCHECKED, chunk, 0, said))
    bare = output.info == "value" and not output.certain
    if bare and (_is_bare_shape(output.text, text) or not is_borne_out(state, (chunk.index, place))):
        said = "the comment behind it may say something else than its value"
        return state.causes.get((said,), Cause(Answer.UNCHECKED, chunk, 0, said))
    if _dated(output.text, text):
        said = "it shows the day and the time of the run"
        return state.causes.get((said,), Cause(Answer.NOBODY, chunk, 0, said))
    passing = _passing(state, chunk, place)
    if passing is not None:
        return passing
    steady = state.context.same_in_all_draws
    drawn = taken is not None and not (steady and taken.kind is Kind.RANDOMNESS)
    if (
        taken is not None
        and drawn
        and not (_is_a_shape(state, chunk, place) or _is_fixed(state, chunk, place))
    ):
        return state.causes.get(("unseeded", chunk.language), taken)
    unseeded = state.unseeded.get(chunk.language)
    unpinned = chunk.index in state.unpinned
    if (
        unseeded is not None
        and unpinned
        and not steady
        and not (_is_a_shape(state, chunk, place) or _is_beside_the_draw(state, chunk, place))
    ):
        return state.causes.get(("unseeded", chunk.language), unseeded)
    if (stand_in := state.stand_in(chunk)) is not None and not needs_no_package(state, chunk, place):
        return stand_in
    if (earlier := failed_before(state, chunk, place)) is not None:
        return earlier
    whole = chunk.cell or chunk.executable  # a text may show again what it printed before
    below = runs_on(state.runs.published, chunk, place, state.verdicts) if whole else None
    if below is not None and not differs(state.runs.published, state.runs.again, chunk, place):
        said = f"behind what the code prints stands what that of {named(state.runs.document, below)} prints"
        cause = Cause(Answer.WRONG, chunk, last_line(chunk), said, exchanged=True)
        return state.causes.get(("runs on", chunk.index), cause)
    if asks_in(upstream(state.chunks, chunk), shown_by(chunk, place)):
        return state.causes.get(
            ("lack", "input", ""), Cause(Answer.UNCHECKED, chunk, last_line(chunk), "it asks for input")
        )
    if (own := _other_generator(state, chunk, place)) is not None:
        return own
    if (repeated := ran_more_than_once(state, chunk, place)) is not None:
        return repeated
    misprinted = is_misprinted(state, chunk, place)
    difference = difference_at(state, (chunk.index, place), misprinted=misprinted)
    why = doubt(difference)
    if why.startswith(OF_SAMPLES) and is_of_no_older_sample(state, difference, place):
        why = doubt(difference, Proof.SAMPLED)
    if why in (OF_A_SET, ONLY_THE_ORDER) and differs(state.runs.published, state.runs.again, chunk, place):
        said = "texts and objects have other places in a set in every run"
        return state.causes.get((said,), Cause(Answer.NOBODY, chunk, 0, said))
    if why:
        return state.causes.get(("here", why), Cause(Answer.HERE, chunk, 0, why))
    # Only an accusation needs further runs.
    if differs(state.runs.published, state.runs.again, chunk, place):
        return _unsteady(state, chunk, taken)
    if (elsewhere := _of_the_machine(state, chunk, place)) is not None:
        return elsewhere
    return (
        other_session(state, chunk, place, verdict)
        or changed_above(state, chunk, place)
        or _wrong(state, chunk, place, verdict)
    )


def swapped(state: JudgingState, chunk: Chunk, key: Key, other: Key) -> Cause:
    """Return the one cause of two outputs of which each is what the other's code prints."""
    first, second = sorted((key, other))
    there = state.chunks[second[0]]
    where = named(state.runs.document, there) if there.cell else f"line {there.output[second[1]].line}"
    said = f"this output and the one of {where} are swapped: each is what the other's code prints"
    cause = Cause(Answer.WRONG, state.chunks[first[0]], 0, said, exchanged=True)
    return state.causes.get(("swapped", first), cause)


def is_swap(state: JudgingState, key: Key, other: Key) -> bool:
    """Whether an output that the code of another one prints is so for certain, and not by chance."""
    chunk, place = state.chunks[key[0]], key[1]
    code = shown_by(chunk, place)
    if may_be_turned_by_order(state, key, other):
        return False
    cone = upstream(state.chunks, chunk)
    ground = source_of(state.chunks, cone, used_packages(state.chunks, cone), code).ground
    if ground is Ground.READER:
        return False
    weak = chunk.index in state.unpinned or ground > Ground.FITS
    weak = weak or any(found(code) is not None for found in (clock_in, passing_in, machine_in, unset_in))
    if weak and len("".join(chunk.output[place].text.split())) < NO_CHANCE:
        return False
    return not differs(state.runs.published, state.runs.again, chunk, place)


def how(verdict: BlockVerdict) -> str:
    """Say how an output differs."""
    if verdict.first is None:
        return "it differs"
    if verdict.numbers > 1 and verdict.differing > 1:
        return f"{verdict.first}; {verdict.differing} of {verdict.numbers} numbers differ"
    return str(verdict.first)


def _is_bare_shape(published: str, printed: str) -> bool:
    """Whether a bare comment, such as ``# (3, 2)``, is a shape, and the code shows something else."""
    return re.match(r"\(", published.lstrip("# ")) is not None and not printed.lstrip().startswith("(")


def _dated(published: str, printed: str) -> bool:
    """Whether two tables of a fit are the same but for the day and the time at which it was made."""
    left, right = (" ".join(_DATED.sub("", text).split()) for text in (published, printed))
    return left == right and published.split() != printed.split()


def _passing(state: JudgingState, chunk: Chunk, place: int) -> Cause | None:
    """The cause of an output that shows what passes: the time, an address, memory that nothing wrote to."""
    code = shown_by(chunk, place)
    above = chunk.code.count("\n", 0, max(0, chunk.code.find(code)))
    texts = (chunk.output[place].text, produced(chunk, state.runs.published.of(chunk), place))
    # What is timed gives its own value, where the time does not stand beside it.
    found = clock_in(code) if any(map(_SECONDS.search, texts)) else clock_given_by(code)
    timed = found is not None or of_the_clock(upstream(state.chunks, chunk), code)
    if timed and not shows_a_type_alone(without_comments(code)):
        said = "it shows the time, or how long something took"
        line = found + above if found is not None else chunk.output[place].after or last_line(chunk)
        return state.causes.get((said, chunk.index), Cause(Answer.NOBODY, chunk, line, said))
    said = "it shows memory that nothing has been written to"
    found = unset_in(code)
    if found is None:
        said = "it shows an address, an id, a hash or a temporary path"
        found = passing_in(code)
    if found is None:
        return None
    elsewhere = state.context.other_generation(chunk.language)
    steady = elsewhere or not differs(state.runs.published, state.runs.again, chunk, place)
    answer = Answer.HERE if steady else Answer.NOBODY
    return state.causes.get((said, answer, chunk.index), Cause(answer, chunk, found + above, said))


def _is_beside_the_draw(state: JudgingState, chunk: Chunk, place: int) -> bool:
    """Whether nothing that an output is computed by draws, and two fresh runs print the same there."""
    code = statements_behind(upstream(state.chunks, chunk), shown_by(chunk, place))
    if draw_here(code, chunk.language, state.drawing) is not None or generator_in(code) is not None:
        return False
    if draw_in(code, chunk.language) is not None:
        return False
    return not differs(state.runs.published, state.runs.again, chunk, place)


def _is_a_shape(state: JudgingState, chunk: Chunk, place: int) -> bool:
    """Whether only how large a value is, or its type, is shown, and two fresh runs agree."""
    shown = without_comments(shown_by(chunk, place))
    behind = without_comments(statements_behind(upstream(state.chunks, chunk), shown))
    if not shows_sizes_alone(shown, behind):
        return False
    return not differs(state.runs.published, state.runs.again, chunk, place)


def _is_fixed(state: JudgingState, chunk: Chunk, place: int) -> bool:
    """Whether two fresh runs agree on numbers that no two draws would give by chance."""
    text = produced(chunk, state.runs.published.of(chunk), place)
    pairs = number_pairs(chunk.output[place].text, text)
    off = [right for left, right in pairs or () if left != right]
    return (
        bool(off)
        and all(digits_of(right) >= _BY_CHANCE for right in off)
        and not differs(state.runs.published, state.runs.again, chunk, place)
    )


def _unsteady(state: JudgingState, chunk: Chunk, taken: Cause | None) -> Cause:
    unseeded = state.unseeded.get(chunk.language)
    if taken is not None and taken is not unseeded:
        return taken
    if unseeded is not None:
        return state.causes.get(("unseeded", chunk.language), unseeded)
    first = next(
        (
            part
            for part in upstream(state.chunks, chunk)
            if state.runs.published.of(part).left is not None
            and draw_in(part.code, part.language) is not None
        ),
        chunk,
    )
    line = draw_in(first.code, first.language) or 0
    said = "two fresh runs print something else"
    if line:
        said = "random numbers are drawn here that no seed fixes"
    return state.causes.get(("runs", first.index), Cause(Answer.NOBODY, first, line, said))


def _of_the_machine(state: JudgingState, chunk: Chunk, place: int) -> Cause | None:
    """The cause of an output that is another where numeric libraries round in another order."""
    code = statements_behind(upstream(state.chunks, chunk), shown_by(chunk, place))
    if not is_rounded_by_libraries(code, chunk.language):
        return None
    if not differs(state.runs.published, state.runs.elsewhere, chunk, place):
        return None
    said = "it is another where the numeric libraries round in another order, as on another machine"
    return state.causes.get(("here", said), Cause(Answer.HERE, chunk, 0, said))


def _other_generator(state: JudgingState, chunk: Chunk, place: int) -> Cause | None:
    """The cause where numbers are drawn from Python's own generator, and only NumPy's is seeded."""
    if chunk.language != "python":
        return None
    above = [part for part in state.chunks[: chunk.index + 1] if part.language == "python"]
    if any(seeds_pythons_own(part.code) for part in above):
        return None
    for part in upstream(state.chunks, chunk):
        line = draws_pythons_own(part.code)
        if line is not None and differs(state.runs.published, state.runs.again, chunk, place):
            said = (
                "random numbers are drawn here from Python's own generator, and no seed is set for it before"
            )
            return state.causes.get(
                ("own", part.index), Cause(Answer.NOBODY, part, line, said, kind=Kind.RANDOMNESS)
            )
    return None


def _wrong(state: JudgingState, chunk: Chunk, place: int, verdict: BlockVerdict) -> Cause:
    """A difference that is the document's own; those of one seed are one."""
    cone = upstream(state.chunks, chunk)
    drawn = next((part for part in cone if draw_in(part.code, part.language) is not None), None)
    line = chunk.output[place].after or last_line(chunk)
    whole = verdict.numbers > 1 and verdict.differing > verdict.numbers // 2
    seeding = [
        part.index
        for part in state.chunks[: chunk.index + 1]
        if part.language == chunk.language and seeds(part.code, part.language)
    ]
    key: Hashable = ("wrong", chunk.index, line)
    published, printed = chunk.output[place].text, produced(chunk, state.runs.published.of(chunk), place)
    apart = values_apart(published, printed) or ()
    if len(apart) == 1:
        words = [tuple(re.findall(r"\w+", text)) for text in (apart[0].published, apart[0].produced)]
        # One value that is another wherever it is shown is one mistake.
        if len("".join(words[0])) >= _TELLS or is_one_of_many(published, printed, chunk.language):
            key = ("wrong", *words)
    if drawn is not None and (whole or verdict.numbers == 1):
        # One wrong seed is one mistake, whatever is drawn from it.
        key = ("drawn", seeding[-1], 0) if seeding else ("drawn", drawn.index, 1)
    lost = missing_line(published, printed)[:_LINE]
    said = f"the line `{lost}` is missing" if lost else how(verdict)
    return state.causes.get(key, Cause(Answer.WRONG, chunk, line, said))
