"""The smallest form of an input on which an implementation is off, judged once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from harness.fuzz.domain import Domain
from harness.fuzz.draw import batch_of, make_batch
from harness.fuzz.finding import kind_of
from harness.fuzz.judge import Accusation, Judge, Judged
from harness.fuzz.observe import Subject
from harness.fuzz.parting import Parting
from harness.fuzz.recipes import Recipe
from harness.fuzz.shrink import Shows, shrink
from harness.model import Array, Verdict

Input = Mapping[str, Array]

JUDGED = 80
"""Inputs that are judged for one finding, where nothing less tells."""
AT_ONCE = 16
PLAIN = 2
"""Inputs with nothing special in them that are tried."""
MOST_CRASHES = 15
"""A worker that ends on an input is started again so many times to make it smaller."""


class Smallest(NamedTuple):
    """An input, and what it was judged."""

    inputs: dict[str, Array]
    judged: Judged
    accusation: Accusation


class Shrinker:
    """Makes inputs small.

    Parameters
    ----------
    domain : Domain
        What the inputs may be.
    parting : Parting
        Whether they part the languages.
    judge : Judge
        Of all implementations.
    in_time : callable
        Whether there is time to wait for who does not end.
    """

    def __init__(
        self, domain: Domain, parting: Parting, judge: Judge, in_time: Callable[[], bool] = lambda: True
    ) -> None:
        self.domain = domain
        self.parting = parting
        self.judge = judge
        self.in_time = in_time

    def smallest(
        self,
        accusation: Accusation,
        judged: Judged,
        found: Input,
        others: Sequence[Subject],
        within: Callable[[Input], bool] = lambda inputs: True,
    ) -> Smallest:
        """The smallest form in which an accusation is proved: the first of three ways that comes to one.

        ``within`` says which inputs may be tried.
        """
        for shows in (
            self._parts(accusation, others),
            self._parts(accusation, others, excused=self.parting.is_excused),
            self._judged(accusation, others),
        ):
            tried = shrink(found, self.domain, _only(within, shows))
            again = self.judge({"shrunk": tried})
            same = [other for other in again.accusations if self._same(other, accusation)]
            if same and self.parting.is_proof(same[0], tried, others):
                return Smallest(tried, again, same[0])
        return Smallest(dict(found), judged, accusation)

    def is_general(self, accusation: Accusation, found: Input, others: Sequence[Subject]) -> bool:
        """Whether inputs of the same sizes with nothing special in them show it as well."""
        sizes = batch_of(self.domain.case, {name: array[None] for name, array in found.items()}).sizes
        drawn = [name for name, of in self.domain.inputs.items() if not of.fixed]
        recipe = Recipe(
            sample=0,
            sizes={symbol: size for symbol, size in sizes.items() if symbol in self.domain.sizes},
            groups=(dict.fromkeys(drawn, "normal"),),
            palette=(1.0,),
            seed=0,
        )
        plain = make_batch(self.domain, recipe, -1, PLAIN)
        tried = [{**found, **{name: plain.one(at)[name] for name in drawn}} for at in range(plain.count)]
        if any(tried[0][name].shape != array.shape for name, array in found.items()):
            return False
        # One by one: who crashes on the first of several is not asked of the next.
        return all(self.parting.parts(accusation, [given], others)[0] for given in tried)

    @staticmethod
    def _same(one: Accusation, other: Accusation) -> bool:
        return one.place == other.place and kind_of(one) == kind_of(other)

    def _parts(
        self,
        accusation: Accusation,
        others: Sequence[Subject],
        excused: Callable[[Accusation, Input, Sequence[Subject]], bool] | None = None,
    ) -> Shows:
        """Whether inputs part the languages at the same place, which no true value is needed for."""
        before = sum(subject.crashes for subject in others)

        def shows(inputs: Sequence[Input]) -> list[bool]:
            waits = accusation.verdict.verdict is Verdict.TIMEOUT
            if sum(subject.crashes for subject in others) - before > MOST_CRASHES or (
                waits and not self.in_time()
            ):
                return [False] * len(inputs)
            told = self.parting.parts(accusation, inputs, others)
            if excused is not None:
                told = [
                    yes and not excused(accusation, given, others)
                    for yes, given in zip(told, inputs, strict=True)
                ]
            return told

        return shows

    def _judged(self, accusation: Accusation, others: Sequence[Subject]) -> Shows:
        """Whether inputs are judged the same; so many are judged at most."""
        left = JUDGED

        def shows(inputs: Sequence[Input]) -> list[bool]:
            nonlocal left
            waits = accusation.verdict.verdict is Verdict.TIMEOUT
            few = list(islice(inputs, 0 if waits else max(0, min(left, AT_ONCE))))
            left -= len(few)
            if not few:
                return [False] * len(inputs)
            told = self.judge({f"shrunk_{place}": given for place, given in enumerate(few)})
            yes = {
                other.sample: other for other in reversed(told.accusations) if self._same(other, accusation)
            }
            proved = [
                (other := yes.get(f"shrunk_{place}")) is not None
                and self.parting.is_proof(other, given, others)
                for place, given in enumerate(few)
            ]
            return proved + [False] * (len(inputs) - len(few))

        return shows


def _only(within: Callable[[Input], bool], shows: Shows) -> Shows:
    """Whether inputs show something, and may be tried."""

    def both(inputs: Sequence[Input]) -> list[bool]:
        allowed = [within(given) for given in inputs]
        if not any(allowed):
            return allowed
        told = iter(shows([given for given, yes in zip(inputs, allowed, strict=True) if yes]))
        return [yes and next(told) for yes in allowed]

    return both
