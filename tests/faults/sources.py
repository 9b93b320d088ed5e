"""Sources of the three stages, and code that runs before a language is there, for every worker."""

from __future__ import annotations

from pathlib import Path

SUFFIXES = {"numpy": ".py", "torch": ".py", "r": ".R", "julia": ".jl", "node": ".mjs", "octave": ".m"}

_PYTHON = """
import os, time, {library}

MARKS = {marks}
{first}

def during():
    if os.path.exists(MARKS + ".arm"):
        os.remove(MARKS + ".arm")
        {during}

def wait():
    open(MARKS + ".inside", "w").close()
    while not os.path.exists(MARKS + ".go"):
        time.sleep(0.05)

def twice(x):
    return 2 * x

def more(twice):
    during()
    return twice + 1

def less(more):
    during()
    return more - 1
"""
_R = """
marks <- {marks}
{first}
during <- function() {{
  if (file.exists(paste0(marks, ".arm"))) {{
    file.remove(paste0(marks, ".arm"))
    {during}
  }}
}}
wait <- function() {{
  file.create(paste0(marks, ".inside"))
  while (!file.exists(paste0(marks, ".go"))) Sys.sleep(0.05)
}}
twice <- function(x) 2 * x
more <- function(twice) {{ during(); twice + 1 }}
less <- function(more) {{ during(); more - 1 }}
"""
_JULIA = """
marks = {marks}
{first}
function wait_inside()
    touch(marks * ".inside")
    while !isfile(marks * ".go")
        sleep(0.05)
    end
end
function during()
    if isfile(marks * ".arm")
        rm(marks * ".arm")
        {during}
    end
end
twice(x) = 2 .* x
function more(twice)
    during()
    return twice .+ 1
end
function less(more)
    during()
    return more .- 1
end
"""
_NODE = """
import fs from 'node:fs';
const marks = {marks};
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
{first}
function wait() {{
  fs.writeFileSync(marks + '.inside', '');
  while (!fs.existsSync(marks + '.go')) sleep(50);
}}
function during() {{
  if (!fs.existsSync(marks + '.arm')) return;
  fs.unlinkSync(marks + '.arm');
  {during}
}}
const each = ({{ shape, data }}, change) => ({{ shape, data: data.map(change) }});
export const twice = (x) => each(x, (v) => 2 * v);
export const more = (twice) => {{ during(); return each(twice, (v) => v + 1); }};
export const less = (more) => {{ during(); return each(more, (v) => v - 1); }};
"""
_OCTAVE = """
{first}
function touch_mark(name)
  fclose(fopen([{marks} name], "w"));
end
function wait_inside()
  touch_mark(".inside");
  while ! exist([{marks} ".go"], "file"), pause(0.05); end
end
function during()
  if exist([{marks} ".arm"], "file")
    unlink([{marks} ".arm"]);
    {during}
  end
end
function y = twice(x)
  y = 2 * x;
end
function y = more(twice)
  during();
  y = twice + 1;
end
function y = less(more)
  during();
  y = more - 1;
end
"""
_TEXTS = {"numpy": _PYTHON, "torch": _PYTHON, "r": _R, "julia": _JULIA, "node": _NODE, "octave": _OCTAVE}
_DURING = {
    "numpy": {"": "wait()", "exit0": "os._exit(0)", "memory": "wait(); numpy.empty(1 << 31, numpy.uint8)"},
    "torch": {
        "": "wait()", "exit0": "os._exit(0)", "memory": "wait(); torch.empty(1 << 31, dtype=torch.uint8)",
    },
    "r": {"": "wait()", "exit0": "quit(save = 'no', status = 0)", "memory": "wait(); numeric(2^28)"},
    "julia": {
        "": "wait_inside()", "exit0": "exit(0)", "memory": "wait_inside(); Vector{UInt8}(undef, 2^31)",
    },
    "node": {"": "wait();", "exit0": "process.exit(0);", "memory": "wait(); new Float64Array(2 ** 28);"},
    "octave": {"": "wait_inside();", "exit0": "exit(0);", "memory": "wait_inside(); ones(2^28, 1);"},
}  # fmt: skip
_PYTHON_ONCE = (
    "if not os.path.exists(MARKS + '.struck'): open(MARKS + '.struck', 'w').close(); time.sleep(600)"
)
_FIRST = {
    "numpy": {"source_raises": "raise RuntimeError('no luck')", "source_hangs": _PYTHON_ONCE},
    "torch": {"source_raises": "raise RuntimeError('no luck')", "source_hangs": _PYTHON_ONCE},
    "r": {
        "source_raises": "stop('no luck')",
        "source_hangs": "if (!file.exists(paste0(marks, '.struck'))) "
        "{ file.create(paste0(marks, '.struck')); Sys.sleep(600) }",
    },
    "julia": {
        "source_raises": 'error("no luck")',
        "source_hangs": 'if !isfile(marks * ".struck"); touch(marks * ".struck"); sleep(600); end',
    },
    "node": {
        "source_raises": "throw new Error('no luck');",
        "source_hangs": "if (!fs.existsSync(marks + '.struck')) "
        "{ fs.writeFileSync(marks + '.struck', ''); sleep(600000); }",
    },
    "octave": {
        "source_raises": 'error("no luck");',
        "source_hangs": 'if ! exist([{marks} ".struck"], "file"), '
        'fclose(fopen([{marks} ".struck"], "w")); pause(600); end',
    },
}
_PYTHON_PRELOADED = {
    "import_raises": "raise ImportError('no luck')",
    "import_hangs": "import time; time.sleep(600)",
    "exit0": "import os; os._exit(0)",
}
_PRELOADED = {
    "numpy": _PYTHON_PRELOADED,
    "torch": _PYTHON_PRELOADED,
    "r": _PYTHON_PRELOADED,
    "julia": {"import_raises": 'error("no luck")', "import_hangs": "sleep(600)", "exit0": "exit(0)"},
    "node": {
        "import_raises": "throw new Error('no luck');",
        "import_hangs": "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600000);",
        "exit0": "process.exit(0);",
    },
}
# Python calls it while the worker waits for a frame.
ENDS_AT_A_SIGNAL = "import os, signal\nsignal.signal(signal.SIGURG, lambda *_: os._exit(0))\n"


def source(language: str, marks: Path, fault: str) -> str:
    """A source file: a call for which the mark ``arm`` is there does what the fault needs."""
    during = _DURING[language]
    return _TEXTS[language].format(
        library=language,
        marks=f'"{marks}"',
        first=_FIRST[language].get(fault, "").replace("{marks}", f'"{marks}"'),
        during=during.get(fault, during[""]),
    )


def preload(language: str, hosted_in_python: bool, fault: str, folder: Path, place: str) -> Path:
    """Write code that runs before the language is there; return the file, or the folder of a package."""
    if hosted_in_python:
        package = folder / place
        package.mkdir(parents=True)
        text = _PYTHON_PRELOADED[fault]
        (package / "__init__.py").write_text(text, encoding="utf-8")
        return folder
    folder.mkdir(parents=True)
    file = folder / {"julia": "first.jl", "node": "first.cjs"}[language]
    file.write_text(_PRELOADED[language][fault], encoding="utf-8")
    return file
