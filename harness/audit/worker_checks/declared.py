"""Source files whose functions a case.toml beside them declares, as workers of some languages need."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from harness.audit.worker_checks.ends import NotOffered
from harness.model import Array
from harness.workers.declared_arrays import Declared, DeclaredStage, read_stages

CASE = "case.toml"
_OTHERS = "_of_"
"""Between a function's name and the input that another of its kind is for: ``same_of_x2``."""
_KINDS = {"f": "float", "V": "float", "c": "complex", "i": "int", "u": "int", "b": "bool"}


class DeclaredSource(NamedTuple):
    """The stages that a case.toml declares beside a source file.

    What one function does for arrays of any dimension and type in other languages is here a function for
    each: ``same``, ``same_of_x2`` and so on.
    """

    stages: Mapping[str, DeclaredStage]

    @classmethod
    def beside(cls, source: Path) -> DeclaredSource | None:
        """The stages of a source file; None where no case.toml lies beside it."""
        return cls(read_stages(source)) if (source.parent / CASE).is_file() else None

    @property
    def counts(self) -> dict[str, int]:
        """How many inputs each stage has."""
        return {name: len(stage.inputs) for name, stage in self.stages.items()}

    def called(self, name: str) -> list[str]:
        """All stages of one name."""
        return [each for each in self.stages if each.partition(_OTHERS)[0] == name]

    def stage_for(self, name: str, arrays: Sequence[Array]) -> str:
        """The stage of a name that takes these arrays.

        Raises
        ------
        NotOffered
            There is none.
        """
        for stage in self.called(name):
            inputs = self.stages[stage].inputs
            if len(inputs) == len(arrays) and all(map(_takes, inputs, arrays)):
                return stage
        given = " and ".join(f"{array.dtype}{list(array.shape)}" for array in arrays)
        raise NotOffered(f"{CASE} declares no {name}" + (f" of {given}" if given else ""))


def _takes(value: Declared, array: Array) -> bool:
    return value.kind == _KINDS[array.dtype.kind] and len(value.shape) == array.ndim


def with_one_more(case: str, name: str) -> str:
    """The text of a case.toml with one more stage, which no source file has."""
    return f'{case}\n[[stage]]\nname = "{name}"\ninputs = []\nshape = []\n'


def without_inputs(case: str, stage: str) -> str:
    """The text of a case.toml in which a stage has no inputs.

    Raises
    ------
    NotOffered
        It is not written as our own are.
    """
    pattern = rf'(^name = "{stage}"\ninputs = )\[[^]\n]*]$'
    changed, count = re.subn(pattern, r"\g<1>[]", case, flags=re.MULTILINE)
    if count != 1:
        raise NotOffered(f"{CASE} has no lines of the name {stage} and then its inputs")
    return changed
