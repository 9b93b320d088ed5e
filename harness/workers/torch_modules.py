"""Stages that are submodules of a torch ``nn.Module``: what forward hooks see while the whole module runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness.workers.value_codes import Refused, Undeclared


def submodule(make: Callable[[], Any], how: Mapping[str, Any]) -> Callable[..., Any]:
    """A function of the module's inputs, its parameters and earlier stages: it returns a submodule's output.

    The module is made anew, put into evaluation mode, and run as a whole: what stands between its submodules
    in ``forward`` is run too. Of an earlier stage that is given, the hook of its submodule returns that.

    Parameters
    ----------
    make : callable
        The class, or a function that returns the module.
    how : mapping
        ``names`` of the arrays; ``takes``, those that ``forward`` is given; ``parameters``, from the name of
        a parameter or buffer to an array's; ``stages``, from an array's name to the submodule that returns
        it; and ``path``, the submodule of this stage.
    """

    def call(*arrays: Any) -> Any:
        given = dict(zip(how["names"], arrays, strict=True))
        module = make()
        if not callable(getattr(module, "get_submodule", None)):
            raise Refused(
                f"{how['module']} makes a {type(module).__name__}, and a torch.nn.Module is expected"
            )
        floats = [array for array in given.values() if array.is_floating_point()]
        module = module.to(floats[0].dtype) if floats else module
        module.eval()
        _set(module, {name: given[array] for name, array in how["parameters"].items()})
        seen: list[Any] = []
        hooks = [
            _find(module, path).register_forward_hook(_returning(given[name]))
            for name, path in how["stages"].items()
            if name in given and path != how["path"]
        ]
        hooks.append(_find(module, how["path"]).register_forward_hook(_noting(seen)))
        try:
            module(*(given[name] for name in how["takes"]))
        finally:
            for hook in hooks:
                hook.remove()
        if len(seen) != 1:
            raise Undeclared(
                f"the submodule {how['path']} was called {len(seen)} times in one forward pass, not once:"
                " the case.toml cannot have it as a stage"
            )
        return seen[0]

    return call


def _find(module: Any, path: str) -> Any:
    try:
        return module.get_submodule(path)
    except AttributeError as error:
        there = ", ".join(name for name, _ in module.named_modules() if name)
        raise Undeclared(
            f"the module has no submodule {path}, which stages of [modules] in the case.toml names:"
            f" it has {there or 'none'}"
        ) from error


def _set(module: Any, values: Mapping[str, Any]) -> None:
    """Set parameters and buffers; all parameters are to be given, so that none is drawn at random.

    A buffer that is not given, such as the count of batches of a batch norm, is as the module makes it.
    """
    known = module.state_dict()
    unknown = [name for name in values if name not in known]
    buffers = {name for name, _ in module.named_buffers(remove_duplicate=False)}
    lacking = [name for name in known if name not in values and name not in buffers]
    if unknown:
        raise Undeclared(
            f"the module has no parameter {unknown[0]}, which parameters of [modules] in the case.toml names;"
            f" its parameters: {', '.join(known)}"
        )
    if lacking:
        raise Undeclared(
            f"no input is named for the parameter{'s' if lacking[1:] else ''} {', '.join(lacking)} of the"
            ' module: add "PARAMETER" = "INPUT" to parameters of [modules] in the case.toml'
        )
    for name, value in values.items():
        if known[name].shape != value.shape:
            raise Refused(
                f"the parameter {name} has the shape {tuple(known[name].shape)},"
                f" its input {tuple(value.shape)}"
            )
    module.load_state_dict({**known, **values})


def _returning(value: Any) -> Callable[..., Any]:
    return lambda module, inputs, output: value


def _noting(seen: list[Any]) -> Callable[..., Any]:
    def note(module: Any, inputs: Any, output: Any) -> None:
        seen.append(output)

    return note
