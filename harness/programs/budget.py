"""How much may still be tried: processor time, which is the same on a busy machine."""

from __future__ import annotations

import math
import threading
import time

PATIENCE = 4.0
"""How much longer than the processor time something may take on the clock: other programs run too."""


class Budget:
    """Processor time that a search may take, of this process and of the programs that it runs.

    Parameters
    ----------
    seconds : float
        Of processor time, from now on. What waits takes none: `PATIENCE` times as long on the clock is all.
    """

    def __init__(self, seconds: float = math.inf) -> None:
        self.seconds = seconds
        self._own, self._begun = time.process_time(), time.monotonic()
        self._of_programs = 0.0
        self._lock = threading.Lock()

    def take(self, seconds: float) -> None:
        """Count what a program has used."""
        with self._lock:
            self._of_programs += seconds

    @property
    def spent(self) -> float:
        """What has been used."""
        own = time.process_time() - self._own
        return max(own + self._of_programs, (time.monotonic() - self._begun) / PATIENCE)

    @property
    def left(self) -> float:
        """What may be used yet; not above 0 where all is."""
        return self.seconds - self.spent
