"""Our own functions for a session of each language: they parse code, and look at values."""
