"""Scripts that run a program in several versions, each in a process of its own."""
