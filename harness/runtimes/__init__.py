"""The parent side of the runtimes."""
