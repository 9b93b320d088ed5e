"""Reports, rendered from the record alone."""
