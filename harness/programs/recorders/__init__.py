"""Child side: programs of Python, R and Julia are rewritten so that they record what they compute."""
