"""What is looked for by running a document again and again; imported only where that is asked for."""

from __future__ import annotations

from harness.findings.dead_code import dead_code
from harness.findings.examine import QUICK, Detector
from harness.findings.failures import as_script, needed_versions
from harness.findings.growing_loss import growing_loss
from harness.findings.hidden_globals import hidden_globals
from harness.findings.labels import printed_labels
from harness.findings.languages import languages_differ
from harness.findings.masked import masked_names
from harness.findings.order import order_of_execution
from harness.findings.repeats import run_twice, unpinned_randomness
from harness.findings.shapes import stated_shapes
from harness.findings.sizes import hard_coded_sizes
from harness.findings.swallowed import swallowed_exceptions
from harness.findings.unused import unused_arguments
from harness.findings.wrong_axis import wrong_axis

EXPERIMENTS: tuple[Detector, ...] = (
    as_script,
    needed_versions,
    languages_differ,
    hidden_globals,
    run_twice,
    unpinned_randomness,
    swallowed_exceptions,
    wrong_axis,
    growing_loss,
    stated_shapes,
    printed_labels,
    masked_names,
    dead_code,
    unused_arguments,
    hard_coded_sizes,
    order_of_execution,
)
"""The detectors that run a document again and again, the quicker ones first."""

DETECTORS = (*QUICK, *EXPERIMENTS)
"""All detectors, in the order in which they are applied."""
