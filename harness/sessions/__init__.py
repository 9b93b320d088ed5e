"""Sessions of Python, R and Julia that evaluate code in a sandbox, and readers of its statements."""
