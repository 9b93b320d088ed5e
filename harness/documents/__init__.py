"""Documents: parsed, executed, held to what they print."""
