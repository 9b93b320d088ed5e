"""Implementations whose stages are the submodules of a torch module: the section ``[modules]``."""

from __future__ import annotations

from collections.abc import Mapping

from harness.model import Modules, Stage, Value
from harness.store.toml import Key, Toml


def modules_of(toml: Toml, inputs: tuple[Value, ...], stages: tuple[Stage, ...]) -> Mapping[str, Modules]:
    """The entries of ``[modules]``, by patterns of implementations.

    Raises
    ------
    HarnessError
        One names an input or a stage that is not there, or something that no submodule returns.
    """
    found: dict[str, Modules] = {}
    given = {value.name for value in inputs}
    for pattern in toml.data.get("modules", {}):
        place: tuple[Key, ...] = ("modules", pattern)
        entry = toml.convert(Modules, *place)
        for name in (*entry.takes, *entry.parameters.values()):
            if name not in given:
                raise toml.refuse(
                    f"{name!r} is no input", *place, advice=f"there are: {', '.join(sorted(given))}"
                )
        single = {stage.name: stage for stage in stages if len(stage.outputs) == 1 and not stage.returns}
        for name in entry.stages:
            if name not in single:
                raise toml.refuse(
                    f"{name!r} is no stage of one array, as a submodule returns it",
                    *(*place, "stages", name),
                    advice=f"there are: {', '.join(single) or 'none'}",
                )
        found[pattern] = entry
    return found
