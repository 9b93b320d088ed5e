"""A case from two programs that were aligned: stages of their matched statements, each with all it needs."""
