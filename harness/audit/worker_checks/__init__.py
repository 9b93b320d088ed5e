"""Checks of the protocol that any worker can be held to: what docs/protocol.md says, sentence by sentence."""
