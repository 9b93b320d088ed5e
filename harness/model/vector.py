"""Test vectors: the inputs of a stage, what is expected of it, and by how much it may be off."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from harness.model.base import Array, Precision
from harness.model.case import Case
from harness.model.observation import Mode
from harness.model.record import Basis


class Vector(msgspec.Struct, frozen=True, kw_only=True):
    """One output of a stage in one sample.

    Attributes
    ----------
    stage, output, sample : str
        Of what.
    mode : Mode
        Chained: what follows from the case's inputs. Isolated: what follows from the stage's own ones, which
        are the reference's values.
    against : str
        ``truth``, ``reference``, or the name of expected values that are given as data.
    basis : Basis
        Where the limits come from.
    inputs : mapping
        The arrays that it follows from, by name: of numbers, as a worker takes them.
    forms : mapping
        Of inputs that stand for something else than their numbers, what that is: see `form`.
    form : str
        Of what is expected: empty where it is an array of numbers; ``text``, ``category`` (its labels),
        ``date``, ``time``, or ``missing:`` and a kind of numbers, of which some may be missing.
    expected, low : ndarray, optional
        What is expected is their sum; ``low`` has the digits that ``expected`` has no room for. None where
        nothing is known.
    limit : ndarray, optional
        The largest error of each element.
    left_out : ndarray of bool, optional
        Elements that cannot be judged, such as ties that rounding turns, and those beyond a horizon.
    reason : str
        Why nothing is known, why the limits are coarse, or why they were chosen.
    """

    stage: str
    output: str
    sample: str
    mode: Mode
    against: str
    basis: Basis
    inputs: Mapping[str, Array]
    forms: Mapping[str, str] = {}
    form: str = ""
    expected: Array | None = None
    low: Array | None = None
    limit: Array | None = None
    left_out: Array | None = None
    reason: str = ""


class Vectors(msgspec.Struct, frozen=True, kw_only=True):
    """All vectors of a case in one precision, and what they were made from.

    ``origin`` has a sentence for each of fixture, licence and reference; ``complaints`` say what went wrong
    with workers between two calls.
    """

    case: Case
    precision: Precision
    origin: Mapping[str, str]
    vectors: tuple[Vector, ...]
    complaints: tuple[str, ...] = ()
