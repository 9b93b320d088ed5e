"""The text of new files in JavaScript and Octave."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from harness.model import Case, Stage

Bodies = Mapping[str, str]

_PRODUCT = """\
const [n, d] = x.shape;
  const k = W.shape[1];
  const data = new Float64Array(n * k);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < k; j++) {
      for (let m = 0; m < d; m++) data[i * k + j] += x.data[i * d + m] * W.data[m * k + j];
    }
  }
  return { shape: [n, k], data };"""
_SUMS = """\
const [n, k] = scores.shape;
  const data = new Float64Array(n);
  scores.data.forEach((score, at) => (data[Math.floor(at / k)] += score));
  return { shape: [n], data };"""

EXAMPLE: Mapping[str, Bodies] = {
    "node": {"scores": _PRODUCT, "total": _SUMS},
    "octave": {"scores": "result = x * W;", "total": "result = sum(scores, 2);"},
}
"""The stages of a new case, by runtime."""

Comments = Callable[[Case, Stage, str], str]


def node(case: Case, bodies: Bodies, head: str, comments: Comments) -> str:
    """A source file for Node.js.

    Parameters
    ----------
    case : Case
        With its stages.
    bodies : mapping of str to str
        By stage, what stands in the function; a stage without one is not written yet.
    head : str
        Lines of comments, each after a ``#``.
    comments : callable
        Writes what a stage takes and returns, likewise.
    """
    about = (
        "# An array is its shape and its data, row after row in a typed array: docs/guides/javascript.md.\n"
    )
    parts = [_commented(head + about, "//")]
    for stage in case.stages:
        missing = f"throw new Error('{stage.name} is not written yet');"
        parts.append(
            f"export function {stage.name}({', '.join(stage.inputs)}) {{\n"
            f"{_commented(comments(case, stage, '  '), '//')}"
            f"  {bodies.get(stage.name) or missing}\n"
            "}\n"
        )
    return "\n".join(parts)


def octave(case: Case, bodies: Bodies, head: str, comments: Comments) -> str:
    """A source file for Octave; parameters as of `node`."""
    parts = [_commented(head, "%")]
    for stage in case.stages:
        several = len(stage.outputs) > 1
        names = [value.name.replace(".", "_") for value in stage.outputs] if several else ["result"]
        results = f"[{', '.join(names)}]" if several else names[0]
        missing = f'error("{stage.name} is not written yet");'
        parts.append(
            f"function {results} = {stage.name}({', '.join(stage.inputs)})\n"
            f"{_commented(comments(case, stage, '  '), '%')}"
            f"  {bodies.get(stage.name) or missing}\n"
            "end\n"
        )
    return "\n".join(parts)


def _commented(text: str, mark: str) -> str:
    """Comments that begin with another mark."""
    lines = text.splitlines(keepends=True)
    return "".join(line.replace("#", mark, 1) if line.lstrip().startswith("#") else line for line in lines)
