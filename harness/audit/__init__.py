"""Auditing the judge: faults that are known are put in, and every one has to be found."""
