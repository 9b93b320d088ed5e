"""Findings on documents: detectors that run code and measure, one module for each family."""
