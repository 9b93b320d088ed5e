"""What is known of a document's chunks while they are judged in order."""

from __future__ import annotations

import msgspec

from harness.documents.model import Chunk
from harness.findings.causes import Cause, Causes
from harness.findings.doubts import Context
from harness.findings.names import upstream
from harness.findings.runs import DocumentRuns
from harness.model.article import Answer


class JudgingState(msgspec.Struct, kw_only=True):
    """What is known up to the chunk that is judged.

    Attributes
    ----------
    runs : DocumentRuns
        The document, and its runs.
    context : Context
        Versions and packages, and what is reproduced where.
    causes : Causes
        The root causes so far.
    tainted : dict
        By language and name, the cause why a value is not what the author had.
    """

    runs: DocumentRuns
    context: Context
    causes: Causes = msgspec.field(default_factory=Causes)
    tainted: dict[tuple[str, str], Cause] = msgspec.field(default_factory=dict)

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """The document's chunks."""
        return self.runs.document.chunks

    def stand_in(self, chunk: Chunk) -> Cause | None:
        """The cause where a chunk depends on a package that a stand-in took the place of."""
        for part in upstream(self.chunks, chunk):
            names = [name for name in self.runs.published.of(part).stand_ins if name != "range"]
            if names:
                said = f"{', '.join(names)} is not installed, and a stand-in ran in its place"
                return self.causes.get(("stand-in", *names), Cause(Answer.UNCHECKED, part, 0, said))
        return None
