"""The harness's functions for a session of each language: they parse code and inspect values."""
