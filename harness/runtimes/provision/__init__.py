"""Finding the runtimes on this machine, and installing what is missing."""
