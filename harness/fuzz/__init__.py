"""Inputs drawn for a case, all languages against each other on them, and what is found shrunk and kept."""
