"""Documents: parsed, executed, and compared with the output that they print."""
