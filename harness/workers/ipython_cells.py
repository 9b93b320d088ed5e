"""What a notebook adds to Python: IPython's magics and its printer, where it is installed."""

from __future__ import annotations

import builtins
import os
import re
import sys
import tempfile
from collections.abc import Callable
from types import ModuleType
from typing import Any

_MAGIC = re.compile(r"^\s*(?:%%?\w|!+\s*\S|\?\??\w)|=\s*[%!]\w|[\w)\]]\?\??\s*$", re.MULTILINE)

_LEFT_OUT = re.compile(r"^[ \t]*%(?:env|cd|precision)\b[^\n]*$", re.MULTILINE)
_printers: list[Any] = []
"""IPython's own printer, once its shell has started."""

_COLUMNS = 20
"""How many columns of a table pandas prints in a notebook."""


class Cells:
    """IPython's view of one namespace; the shell is started when the first magic needs it."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        # IPython knows matplotlib's own backends by their names in lower case only; others name a module.
        if (backend := os.environ.get("MPLBACKEND", "")).isalpha():
            os.environ["MPLBACKEND"] = backend.lower()
        self._shell: Any = None

    def as_python(self, code: str) -> str:
        """Return code with its magics as calls; as it is where it has none, or IPython is not installed."""
        if not _MAGIC.search(code):
            return code
        try:
            from IPython.core.inputtransformer2 import TransformerManager
        except ImportError:
            # These may only change what is not looked at.
            return _LEFT_OUT.sub("", code)
        self.begin()
        transformed: str = TransformerManager().transform_cell(code)
        return transformed

    def begin(self) -> None:
        """Start the shell, if IPython is installed: code may ask for it by name."""
        if self._shell is not None:
            return
        try:
            from IPython.core.interactiveshell import InteractiveShell
            from traitlets.config import Config
        except ImportError:
            return

        os.environ.setdefault("IPYTHONDIR", tempfile.mkdtemp(prefix="ipython"))
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "nocolor"
        before = sys.displayhook, sys.excepthook
        self._shell = InteractiveShell(config=config, user_module=self._module, user_ns=self._module.__dict__)
        sys.displayhook, sys.excepthook = before
        # %pylab and %matplotlib ask for the event loop of a window, and there is none here.
        self._shell.enable_gui = lambda gui=None: None
        self._module.__dict__["get_ipython"] = lambda: self._shell
        self._shell.user_ns_hidden["get_ipython"] = self._module.__dict__["get_ipython"]
        _printers.append(self._shell.display_formatter.formatters["text/plain"])


def display(value: Any) -> None:
    """Show the value of a cell as notebooks do: by IPython's printer where it is installed."""
    if value is None:
        return
    builtins._ = value  # type: ignore[attr-defined]
    print(_pretty(value))


def display_all(*values: Any, **_: Any) -> None:
    """Show values as the ``display`` of a notebook does, where every cell has it without an import."""
    for value in values:
        print(_pretty(value))


def like_a_kernel() -> None:
    """Let pandas print as it does in a notebook, where it does not find out how wide a terminal is."""
    pandas = sys.modules.get("pandas")
    options = getattr(pandas, "options", None)
    if options is None or getattr(pandas, "_harness_kernel", False):
        return
    pandas._harness_kernel = True  # type: ignore[union-attr]
    if options.display.max_columns == 0:
        options.display.max_columns = _COLUMNS


def beside_sympy(hook: Callable[[Any], object]) -> Callable[[Any], object]:
    """Return what shows values after sympy was asked to print: to a notebook, others are what they were.

    Parameters
    ----------
    hook : callable
        ``sys.displayhook`` as it is; sympy's, outside of IPython, shows everything as text.
    """
    if getattr(hook, "__module__", "") != "sympy.interactive.printing":
        return hook
    return lambda value: hook(value) if _is_of_sympy(value) else display(value)


def _is_of_sympy(value: Any) -> bool:
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(map(_is_of_sympy, value))
    if isinstance(value, dict):
        return all(map(_is_of_sympy, [*value, *value.values()]))
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    return plain or any(kind.__module__.startswith("sympy.") for kind in type(value).__mro__)


def _pretty(value: Any) -> str:
    try:
        from IPython.lib.pretty import pretty
    except ImportError:
        return _in_order(value)
    # What fails to print itself fails as it does at a prompt.
    given = _printers and _printers[-1].float_format != ""  # %precision
    shown: str = _printers[-1](value) if given else pretty(value)
    return shown


def _in_order(value: Any) -> str:
    if type(value) not in (set, frozenset) or not value:
        return repr(value)
    try:
        listed = ", ".join(map(repr, sorted(value)))
    except Exception:
        return repr(value)
    return f"{{{listed}}}" if type(value) is set else f"frozenset({{{listed}}})"
