"""How many planted slips are found: each alone in its document, counted by kind.

    python -m tests.strangers.recall FOLDER [--slips 120 | --evenly 2] [--seed 1] [--anew] [--kept FOLDER]

Planted are slips into outputs that are reproduced (``slips.py``). A slip in the text leaves the code as it
is, so that the document's own runs serve for all of them; changed code is run. ``--anew`` runs everything
again for each slip. ``--evenly`` plants as many in every document, each of another kind: documents of which
little is reproduced then count as much as others. ``--kept`` keeps the runs, for the next time that slips are
judged. Found is what is called *wrong* at that output (of code, at any; in prose, at that line).
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
import random
import re
import tempfile
from collections import Counter
from pathlib import Path

import msgspec

from harness.documents.engine import RunSettings
from harness.documents.model import Document
from harness.documents.parse import parse_document
from harness.errors import HarnessError
from harness.findings.answers import Judged, judged
from harness.findings.judging_state import Key
from harness.findings.runs import DocumentRuns
from harness.model.article import Answer, Block, Kind
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import Limits, Sandbox, find_sandbox
from tests.strangers.slips import KINDS, OF_CODE, Slip, slips_in
from tests.strangers.table import ROOT, documents_in

_EACH = 4
"""Slips of one kind in one document."""
RUNS = ("published", "again", "elsewhere")
_SHARES = (0.95, 0.75, 0.0)


class Trial:
    """A document, its runs, and what is said of it with a slip in it."""

    def __init__(
        self, path: Path, plan: RunSettings, sandbox: Sandbox, registry: Registry, kept: Path | None = None
    ) -> None:
        self.plan, self.sandbox, self.registry = plan, sandbox, registry
        self.runs = self.runs_of(parse_document(path))
        name = hashlib.sha256(str(path).encode() + path.read_bytes()).hexdigest()[:20]
        self.kept = kept / name if kept is not None else None
        if self.kept is not None and self.kept.exists():
            self.runs.__dict__.update(pickle.loads(self.kept.read_bytes()))
        self.said = judged(self.runs)

    def keep(self) -> None:
        """Keep the runs, all of one document in one file."""
        if self.kept is not None:
            self.kept.parent.mkdir(parents=True, exist_ok=True)
            made = {run: self.runs.__dict__[run] for run in RUNS if run in self.runs.__dict__}
            self.kept.write_bytes(pickle.dumps(made))

    def runs_of(self, document: Document) -> DocumentRuns:
        """The runs of a document, none of which is made yet."""
        return DocumentRuns(document, registry=self.registry, sandbox=self.sandbox, plan=self.plan)

    @property
    def right(self) -> list[Key]:
        """The outputs that are reproduced."""
        blocks = by_output(self.runs.document, self.said)
        return [key for key, block in blocks.items() if block.answer is Answer.REPRODUCED]

    def with_slip(self, slip: Slip, *, anew: bool) -> tuple[Document, Judged] | None:
        """Judge the document with a slip; None where something else, or nothing, is read otherwise."""
        before = self.runs.document
        with tempfile.TemporaryDirectory() as name:
            for beside in before.path.parent.iterdir():
                if beside.is_file() and (beside.name == before.path.name or beside.suffix == ".md"):
                    (Path(name) / beside.name).write_bytes(beside.read_bytes())
            (Path(name) / slip.file).write_text(slip.text, encoding="utf-8")
            document = parse_document(Path(name) / before.path.name)
            if not is_planted(slip, before, document):
                return None
            # What lies beside the document is not in the temporary folder, and further runs read it.
            document = msgspec.structs.replace(document, path=before.path)
            runs = self.runs_of(document)
            if slip.kind not in OF_CODE and not anew:
                for run in RUNS:
                    execution = getattr(self.runs, run)
                    runs.__dict__[run] = msgspec.structs.replace(execution, document=document)
            return document, judged(runs)


def is_planted(slip: Slip, before: Document, after: Document) -> bool:
    """Whether a document with a slip differs from what it was where the slip says, and nowhere else."""
    if [len(chunk.output) for chunk in before.chunks] != [len(chunk.output) for chunk in after.chunks]:
        return False
    if slip.kind in OF_CODE:
        return True
    texts = [
        {(chunk.index, n): block.text for chunk in part.chunks for n, block in enumerate(chunk.output)}
        for part in (before, after)
    ]
    changed = {key for key, text in texts[0].items() if text != texts[1][key]}
    codes = [[re.sub(r"#.*", "", chunk.code) for chunk in part.chunks] for part in (before, after)]
    same = codes[0] == codes[1]
    return same and changed == (set() if slip.kind == "prose" else set(slip.outputs))


def by_output(document: Document, said: Judged) -> dict[Key, Block]:
    """What is said of each output, by its chunk's index and its place there."""
    keys = [(chunk.index, place) for chunk in document.chunks for place in range(len(chunk.output))]
    return dict(zip(keys, said.blocks, strict=True))


def is_found(slip: Slip, document: Document, said: Judged) -> bool:
    """Whether a slip is called wrong where it stands."""
    if slip.kind == "prose":
        return any(
            finding.kind is Kind.PROSE and slip.new.lstrip("-") in finding.evidence
            for finding in said.findings
        )
    blocks = by_output(document, said)
    return any(blocks[key].answer is Answer.WRONG for key in slip.outputs if key in blocks)


def main() -> None:
    """Plant slips, and print those that are missed and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--slips", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--anew", action="store_true")
    parser.add_argument("--deadline", type=float, default=60.0)
    parser.add_argument("--packages", type=Path)
    parser.add_argument("--evenly", type=int, default=0, help="slips in each document, one of a kind")
    parser.add_argument("--kept", type=Path)
    given = parser.parse_args()
    plan = RunSettings(
        packages=given.packages, limits=Limits(chunk_seconds=given.deadline), roots=(given.folder,)
    )
    sandbox, registry = find_sandbox(), Registry.load(ROOT / "reference_impls")
    paths = documents_in(given.folder)
    random.Random(given.seed).shuffle(paths)
    planted: Counter[str] = Counter()
    found: Counter[str] = Counter()
    groups: Counter[str] = Counter()
    right: Counter[str] = Counter()
    share = -(-given.slips // len(KINDS))
    for path in paths:
        if not given.evenly and sum(planted.values()) >= given.slips:
            break
        try:
            trial = Trial(path, plan, sandbox, registry, given.kept)
        except HarnessError as error:
            print(f"{path}: {error}")
            continue
        here: Counter[str] = Counter()
        for slip in slips_in(trial.runs.document, trial.right, random.Random(f"{given.seed}:{path.name}")):
            if given.evenly and sum(here.values()) >= given.evenly:
                break
            if here[slip.kind] >= (1 if given.evenly else _EACH):
                continue
            if not given.evenly and planted[slip.kind] >= share * 2:
                continue
            judged_so = trial.with_slip(slip, anew=given.anew)
            if judged_so is None or (slip.kind in OF_CODE and not _shows(*judged_so, trial)):
                continue
            here[slip.kind] += 1
            planted[slip.kind] += 1
            groups.update(group := groups_of(slip, trial))
            if is_found(slip, *judged_so):
                found[slip.kind] += 1
                right.update(group)
            else:
                print(f"missed: {slip.kind}: {path.name}:{slip.line}: {slip.old!r} -> {slip.new!r}")
                print(f"    {why(slip, *judged_so)}", flush=True)
        trial.keep()
        print(f"{path.name}: {sum(here.values())} planted", flush=True)
    print("\n| kind | planted | found |\n| --- | --- | --- |")
    for kind in KINDS:
        print(f"| {kind} | {planted[kind]} | {found[kind]} |")
    print(f"| all | {sum(planted.values())} | {sum(found.values())} |")
    for group in sorted(groups):
        print(f"| {group} | {groups[group]} | {right[group]} |")


def groups_of(slip: Slip, trial: Trial) -> tuple[str, ...]:
    """The language of a slip, and the share of its document that is reproduced without it."""
    index = slip.outputs[0][0] if slip.outputs else 0
    least = max(share for share in _SHARES if len(trial.right) >= share * len(trial.said.blocks))
    return trial.runs.document.chunks[index].language, f"reproduced by {least:.0%} or more"


def why(slip: Slip, document: Document, said: Judged) -> str:
    """What is said of the outputs of a slip that is missed."""
    told = [
        f"{block.answer}: {block.why}"
        for key, block in by_output(document, said).items()
        if key in slip.outputs
    ]
    return "; ".join(dict.fromkeys(told))[:200]


def _shows(document: Document, said: Judged, trial: Trial) -> bool:
    """Whether what was changed in the code changes any output that was reproduced."""
    blocks = by_output(document, said)
    return any(blocks[key].answer is not Answer.REPRODUCED for key in trial.right if key in blocks)


if __name__ == "__main__":
    main()
