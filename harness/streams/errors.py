"""Errors of the streams: plain ValueError and TypeError, so that this room imports nothing of the harness."""


class StreamError(ValueError):
    """A seed, kind, shape or range that the language itself refuses; the message names what it would do."""


class StreamTypeError(TypeError):
    """An argument of a type that the language itself refuses."""
