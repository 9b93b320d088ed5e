"""Scripts for JavaScript and Octave: in Python, which has the language call the source on files of arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from harness import workers
from harness.conformance.helpers import helper_files
from harness.conformance.script_text import GIVE_UP, literal_text
from harness.model import ANY_DIMENSIONS, Case, Value

Interpreted = Literal["node", "octave"]

_HERE = Path(workers.__file__).parent

_RUNS = (
    """
import json as _json
import os as _system
import subprocess as _subprocess
import tempfile as _tempfile
from pathlib import Path as _Path

import numpy as _np


"""
    + GIVE_UP
    + """

def _as_declared(array, rank, kind):
    # Octave's arrays have two dimensions or more, and are complex only where some imaginary part is not zero.
    if not _IS_OCTAVE:
        return array
    if rank == 0 and array.size == 1:
        array = array.reshape(())
    elif rank == 1 and array.ndim == 2 and (1 in array.shape or array.shape == (0, 0)):
        array = array.reshape(array.size)
    elif rank is not None and rank > array.ndim:
        array = array.reshape(*array.shape, *[1] * (rank - array.ndim))
    if kind == "complex" and array.dtype.kind == "f":
        array = array.astype("c8" if array.dtype.itemsize == 4 else "c16")
    return array


def _run(stage, arrays):
    here = _Path(__file__).resolve().parent
    # Beside the script, so that the source finds what it imports.
    folders = _tempfile.TemporaryDirectory(), _tempfile.TemporaryDirectory(dir=here, prefix="run-")
    with folders[0] as kept, folders[1] as beside:
        folder, source, caller = _Path(kept), _Path(beside) / _NAME, _Path(kept) / _CALLER_NAME
        source.write_text(_SOURCE, encoding="utf-8")
        caller.write_text(_CALLER, encoding="utf-8")
        for name in _BESIDE:
            (source.parent / name).parent.mkdir(parents=True, exist_ok=True)
            (source.parent / name).write_bytes((here / name).read_bytes())
        rows = [_np.asarray(array, order="C") for array in arrays]
        about = [{"dtype": array.dtype.name, "shape": list(array.shape)} for array in rows]
        outputs = _STAGES[stage]
        names = [name for name, _, _ in outputs]
        asked = {"source": str(source), "stages": {stage: len(rows)}, "stage": stage, "arrays": about,
                 "outputs": len(names), "names": names}
        (folder / "asked.json").write_text(_json.dumps(asked), encoding="utf-8")
        (folder / "asked.bin").write_bytes(b"".join(array.tobytes() for array in rows))
        words = [*_COMMAND, str(caller), str(folder)]
        try:
            env = {**_system.environ, "TMPDIR": str(folder)}  # what the language leaves goes with the folder
            done = _subprocess.run(words, cwd=here, env=env, stdin=_subprocess.DEVNULL)
        except OSError as error:
            _give_up(f"{_COMMAND[0]} cannot be run: {error.strerror}")
        if not (folder / "said.json").is_file():
            _give_up(f"{_COMMAND[0]} ended with {done.returncode}, and returned nothing")
        said = _json.loads((folder / "said.json").read_text(encoding="utf-8"))
        if "error" in said:
            _give_up(said["error"])
        whole, values, at = (folder / "said.bin").read_bytes(), [], 0
    for each, (_, rank, kind) in zip(said["arrays"], outputs):
        dtype, shape = _np.dtype(each["dtype"]), tuple(_np.ravel(each["shape"]).astype(int).tolist())
        count = int(_np.prod(shape, dtype=int))
        array = _np.frombuffer(whole, dtype, count, at).reshape(shape, order=each.get("order", "C"))
        at += array.nbytes
        values.append(_as_declared(array, rank, kind))
    return values[0] if len(values) == 1 else tuple(values)
"""
)

_NODE = """
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';

%s

const folder = process.argv[2], asked = JSON.parse(fs.readFileSync(`${folder}/asked.json`));
let at = 0;
const inputs = asked.arrays.map(({ dtype, shape }) => {
  const [type, width] = FORMS[dtype], length = product(shape) * width * type.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(fs.readFileSync(`${folder}/asked.bin`).subarray(at, (at += length)));
  return argument(dtype, shape, new type(bytes.buffer));
});
const end = (said) => fs.writeFileSync(`${folder}/said.json`, JSON.stringify(said));
try {
  const names = await import(pathToFileURL(asked.source).href);
  const holder = Object.hasOwn(names, asked.stage) ? undefined : names.default;
  const own = holder === undefined ? names[asked.stage] : holder?.[asked.stage];
  if (typeof own !== 'function') {
    throw new Fault('missing', `there is no exported function ${asked.stage}`);
  }
  const values = outputs(await own.apply(holder, inputs), asked.outputs, asked.names);
  const pieces = values.map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  fs.writeFileSync(`${folder}/said.bin`, Buffer.concat(pieces));
  end({ arrays: values.map(({ dtype, shape }) => ({ dtype, shape })) });
} catch (error) {
  end({ error: error instanceof Fault ? error.message : String(error?.stack ?? error) });
}
process.exit(0);
"""

_OCTAVE = """
1;
%s

folder = argv(){end};
asked = jsondecode(fileread(fullfile(folder, "asked.json")), "makeValidName", false);
in = fopen(fullfile(folder, "asked.bin"), "r");
inputs = {};
for at = 1:numel(asked.arrays)
  inputs{end + 1} = harness_argument(asked.arrays(at), in);
end
said = struct();
try
  [file, problems] = harness_load(asked, 1);
  if (! isempty(problems))
    error("harness:call", "%%s", problems{1}.message);
  end
  [seconds, values] = harness_call(file, asked, inputs);
  out = fopen(fullfile(folder, "said.bin"), "w");
  for at = 1:numel(values)
    [about{at}, bytes] = harness_given(values{at}, "");
    fwrite(out, bytes);
  end
  fclose(out);
  said.arrays = about;
catch fault
  said.error = fault.message;
  if (strcmp(fault.identifier, "harness:told"))
    about = jsondecode(fault.message, "makeValidName", false);
    said.error = about.message;
    if (isfield(about, "line"))
      said.error = sprintf("%%s (line %%d)", about.message, about.line);
    end
  end
end
fflush(stdout);
out = fopen(fullfile(folder, "said.json"), "w");
fputs(out, harness_json(said));
fclose(out);
exit(0);
"""

OPTIONS = {"octave": ("--quiet", "--norc", "--no-gui", "--no-history"), "node": ()}


def source_of_interpreted(path: Path, case: Case, language: Interpreted, program: str) -> str:
    """Return a source in Python that has the stages of a file in JavaScript or Octave as functions.

    Parameters
    ----------
    path : Path
        The source file. What it imports from its folder has to lie beside the script.
    case : Case
        It says what the stages' outputs are called.
    language : {"node", "octave"}
        Its language.
    program : str
        What runs it.
    """
    stages = {stage.name: list(map(_described, stage.outputs)) for stage in case.stages}
    worker = _arrays_of(language)
    caller, caller_name = (
        (_NODE % worker, "call.mjs")
        if language == "node"
        else (_OCTAVE % "\n".join([worker, _text("worker_files.m")]), "call_stage.m")
    )
    beside = sorted(helper_files(path) | functions_beside(path))
    constants = {
        "_NAME": path.name, "_CALLER_NAME": caller_name, "_COMMAND": [program, *OPTIONS[language]],
        "_STAGES": stages, "_BESIDE": beside, "_IS_OCTAVE": language == "octave",
    }  # fmt: skip
    return "".join(
        [
            f"_SOURCE = {literal_text(path.read_text(encoding='utf-8'))}\n",
            "# Reads arrays, calls the source's function, and writes what that returns, as a worker does.\n",
            f"_CALLER = {literal_text(caller)}\n",
            *(f"{name} = {value!r}\n" for name, value in constants.items()),
            _RUNS,
            *(f"\n\ndef {name}(*arrays):\n    return _run({name!r}, arrays)\n" for name in stages),
        ]
    )


def _described(value: Value) -> tuple[str, int | None, str]:
    rank = None if ANY_DIMENSIONS in value.shape else len(value.shape)
    return value.name, rank, value.dtype


def functions_beside(path: Path) -> dict[str, bytes]:
    """The function files of Octave in the folder that is called as the source file."""
    if path.suffix != ".m":
        return {}
    folder = path.with_suffix("")
    return {f"{folder.name}/{each.name}": each.read_bytes() for each in sorted(folder.glob("*.m"))}


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _arrays_of(language: Interpreted) -> str:
    """What makes values of arrays and arrays of values in a worker."""
    if language == "node":
        return _text("worker_arrays.mjs")
    text = _text("worker.m")
    return text[text.index("% ---- arrays") : text.index("% ---- f")]
