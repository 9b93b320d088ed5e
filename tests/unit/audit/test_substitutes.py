"""A bias that softmax does not see may be dropped: which inputs the proof of that tries."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from harness.audit.audit_context import AuditContext, make_context
from harness.audit.substitutes import substitutes
from harness.audit.types import InjectedFault
from harness.conformance.evaluator import NOTHING
from harness.conformance.plan import PlannedCase
from harness.model import Case, Fixture, Implementation, Observation, Precision, Stage, Value
from harness.store.beside import FilesBeside

X, B = Value(name="x", shape=(2,)), Value(name="b", shape=(2,))
COUNT = Value(name="count", shape=(1,), dtype="int")
Y, Z = Value(name="y", shape=(2,)), Value(name="z", shape=(2,))
FIRST = Stage(name="y", inputs=("x", "b"), outputs=(Y,))
LAST = Stage(name="z", inputs=("y", "count"), outputs=(Z,))
FIXTURE = Fixture(
    name="f",
    version=1,
    sha256="0",
    origin="",
    licence="",
    shared={"x": np.array([1.0, 2.0]), "b": np.array([3.0, 4.0])},
    samples={"one": {"count": np.array([5])}},
)


def context() -> AuditContext:
    case = Case(name="c", title="", origin="", fixture="f", inputs=(X, B, COUNT), stages=(FIRST, LAST))
    reference = Implementation(id="numpy", runtime="numpy", language="Python", path=Path("c.py"))
    planned = PlannedCase(
        folder=Path("c"),
        case=case,
        fixture=FIXTURE,
        reference=reference,
        implementations=(reference,),
        precisions=(Precision.FLOAT64,),
        beside=FilesBeside(Path(), ()),
    )
    upstream = {("one", "y"): Observation(outputs={"y": np.array([5.0, 6.0])}, seconds=0.0)}
    return make_context(planned, Precision.FLOAT64, {}, upstream, NOTHING)


def test_a_dropped_bias_is_zero_and_a_subtracted_one_negated() -> None:
    by_description = dict(substitutes(context(), FIRST, InjectedFault.BIAS))
    assert list(by_description) == ["x is zero", "b is zero"]
    changed = by_description["b is zero"].planned.fixture
    assert changed.shared["b"].tolist() == [0.0, 0.0]
    assert changed.shared["x"].tolist() == [1.0, 2.0]
    assert changed.sha256 != FIXTURE.sha256
    negated = dict(substitutes(context(), FIRST, InjectedFault.SIGN))["b is negated"]
    assert negated.planned.fixture.shared["b"].tolist() == [-3.0, -4.0]
    assert not list(substitutes(context(), FIRST, InjectedFault.AXIS))


def test_what_a_stage_takes_from_upstream_is_changed_there_and_integers_are_left_alone() -> None:
    ((name, audit_context),) = substitutes(context(), LAST, InjectedFault.SIGN)
    assert name == "y is negated"
    observed = audit_context.upstream["one", "y"]
    assert isinstance(observed, Observation)
    assert observed.outputs["y"].tolist() == [-5.0, -6.0]
    assert audit_context.planned.fixture.shared["x"].tolist() == [1.0, 2.0]
