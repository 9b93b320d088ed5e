"""Workers of JavaScript and of Octave, with the stages that they are tested with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from harness.errors import ImplementationError
from harness.model import Absent
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry

LONG = 60.0


NODE_STAGES = """
export const wide = (x) => [2n ** 63n, 1n];
export const tooWide = (x) => 2n ** 64n;
export const mixedWide = (x) => [2n ** 63n, -1n];
import { twice } from './beside.mjs';
import { execSync } from 'node:child_process';
import fs from 'node:fs';

export const same = (x) => x;
export const kinds = (x) => (typeof x === 'object' ? x.data.constructor.name : typeof x).length;
export const lists = (x) => [[1, 2], [3, 4.5]];
export const flags = (x) => [true, false];
export const bare = (x) => Int32Array.of(1, 2, 3);
export const promised = async (x) => 2 * x;
export const ragged = (x) => [[1], [2, 3]];
export const hole = (x) => [[1, 2], [3, , 4]];
export const unset = (x) => new Array(2);
export const twoButOne = (x) => [x, , ];
export const boolOfTwo = (x) => ({ dtype: 'bool', shape: [2], data: Uint8Array.of(1, 2) });
export const sizeless = (x) => ({ shape: [2, , ], data: Float64Array.of(1, 2) });
export const mixed = (x) => [1, 'a'];
export const short = ({ data }) => ({ shape: [7], data });
export const wrong_type = ({ data, shape }) => ({ dtype: 'int32', shape, data });
export const inf = (x) => [Infinity, -0, NaN];
export const default_of = (x, y = 2, ...more) => x * y;
export const helped = (x) => twice(x);
export const complex = (x) => ({ dtype: 'complex128', shape: [2], data: Float64Array.of(1, -0, 3, 4) });
export const byName = (x) => ({ b: 2, a: 1 });
export const child = (x) => (execSync('echo from a child', { stdio: 'inherit' }), x);
export const deep = (x) => deep(x) + 1;
export function line(x) {
  null.nothing;  // the line
}
export function thrown(x) {
  throw 'only a text';
}
export const quits = (x) => (console.log('last words'), process.exit(3));
export const hang = (x) => { while (true); };
export default { k: 2, member: (x) => x + 1, method(x) { return x * this.k; } };
"""


OCTAVE_STAGES = """% One line before.
1;
scale = 3;
function y = same(x)
  y = x;
end
function varargout = many(x)
  varargout = {x, 2 * x};
end
function [low, high, unused] = range_of(x)
  low = min(x(:));
  high = max(x(:));
  unused = 0;
end
function y = row(x)
  y = x(:).';
end
function y = sum(x)
  y = 40 + numel(x);
end
function y = own_sum(x)
  y = sum(x);
end
function y = size(x)
  y = 1;
end
function y = sparse_one(x)
  y = sparse([1 0; 0 2]);
end
function y = range_one(x)
  y = 1:4;
end
function y = eye_one(x)
  y = 2 * eye(2);
end
function y = whole(x)
  y = int8([100 27]) + 100;
end
function y = complex_one(x)
  y = complex([1; 2], [0; -3]);
end
function y = helped(x)
  y = helper(x);
end
function y = fields(x)
  y.b = 2;
  y.a = 1;
end
function y = line(x)
  y = x;
  undefined_here + 1;  % the line
end
function y = numbers(x)
  error('a \\\\" "1000000.0, [2000000.0] 3.0');
end
function y = letters(x)
  y = "four";
end
function y = cells(x)
  y = {x};
end
function y = optional(x, varargin)
  y = x + numel(varargin);
end
function y = child(x)
  system("echo from a child");
  y = x;
end
function y = deep(x)
  y = deep(x);
end
function y = quits(x)
  disp("last words");
  exit(3);
end
function y = hang(x)
  while true, end
end
"""


class Hosted(NamedTuple):
    runtime: str
    path: Path
    worker: Worker

    def handle(self, **stages: int) -> str:
        loaded = self.worker.load(self.path, stages, deadline=LONG)
        assert loaded.problems == {}
        return loaded.handle

    def call(
        self, stage: str, *inputs: object, outputs: int = 1, names: tuple[str, ...] = ()
    ) -> list[np.ndarray]:
        arrays = [np.asarray(each) for each in inputs]
        handle = self.handle(**{stage: len(arrays)})
        return self.worker.call(handle, stage, arrays, outputs=outputs, deadline=LONG, names=names)[0]

    def refused(self, stage: str, *inputs: object, outputs: int = 1) -> ImplementationError:
        with pytest.raises(ImplementationError) as caught:
            self.call(stage, *inputs, outputs=outputs)
        assert self.worker.alive
        return caught.value

    @property
    def marked(self) -> int:
        lines = self.path.read_text(encoding="utf-8").splitlines()
        return next(number for number, line in enumerate(lines, 1) if line.endswith("the line"))


def started(runtime: str, folder: Path) -> Worker:
    launch = Registry.load(folder).launch(runtime)
    if isinstance(launch, Absent):
        pytest.skip(launch.reason)
    worker = Worker.spawn(runtime, launch, stderr=folder / f"{runtime}.stderr", scratch=folder)
    worker.greet(LONG)
    return worker


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    folder = tmp_path_factory.mktemp("node")
    (folder / "stages.mjs").write_text(NODE_STAGES, encoding="utf-8")
    (folder / "beside.mjs").write_text("export const twice = (x) => 2 * x;\n", encoding="utf-8")
    hosted = Hosted("node", folder / "stages.mjs", started("node", folder))
    yield hosted
    hosted.worker.stop()
    assert not hosted.worker.alive


@pytest.fixture(scope="module")
def octave(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    folder = tmp_path_factory.mktemp("octave")
    (folder / "stages.m").write_text(OCTAVE_STAGES, encoding="utf-8")
    (folder / "stages").mkdir()
    (folder / "stages" / "helper.m").write_text("function y = helper(x)\ny = 7 * x;\n", encoding="utf-8")
    (folder / "stages" / "alone.m").write_text(
        "function y = alone(x)\ny = helper(x) + 1;\n", encoding="utf-8"
    )
    hosted = Hosted("octave", folder / "stages.m", started("octave", folder))
    yield hosted
    hosted.worker.stop()
    assert not hosted.worker.alive
