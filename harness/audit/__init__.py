"""Audits the judge: known faults are injected, and every one has to be found."""
