"""Write our ONNX models from their text: ``python -m tests.onnx_models``; ``--check`` compares."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "reference_impls"
SOURCES = Path(__file__).parents[1] / "harness" / "audit" / "worker_checks" / "sources" / "declared"

HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'

FOUR_WORD = """
four_word (double[n, d] words, double[d, d_k] W_Q, double[d, d_k] W_K, double[d, d_v] W_V)
    => (double[n, n] scores, double[n, 1] maxs, double[n, n] weights, double[n, d_v] attention)
{
    Q = MatMul (words, W_Q)
    K = MatMul (words, W_K)
    V = MatMul (words, W_V)
    K_turned = Transpose (K)
    scores = MatMul (Q, K_turned)
    maxs = ReduceMax <axes = [1], keepdims = 1> (scores)
    below = Sub (scores, maxs)
    d_k = Shape <start = 1, end = 2> (K)
    d_k_real = Cast <to = 11> (d_k)
    root = Sqrt (d_k_real)
    scaled = Div (below, root)
    weights = Softmax <axis = 1> (scaled)
    attention = MatMul (weights, V)
}
"""

SELF_ATTENTION = """
self_attention (
    double[B, T, d] x, double[head_size, d] query_weight, double[head_size, d] key_weight,
    double[head_size, d] value_weight, double[head_B, head_T, embed_dim] head_x,
    double[head_dim, embed_dim] head_query_weight, double[head_dim, embed_dim] head_key_weight,
    double[head_dim, embed_dim] head_value_weight
) => (double[B, T] row_sums, double[B, T, T] sharpened, double[B, T, head_size] outputs,
      double[B, T, T] masked_weights, double[head_B, head_T, head_dim] head_outputs)
{
    query_turned = Transpose (query_weight)
    key_turned = Transpose (key_weight)
    value_turned = Transpose (value_weight)
    Q = MatMul (x, query_turned)
    K = MatMul (x, key_turned)
    V = MatMul (x, value_turned)
    K_turned = Transpose <perm = [0, 2, 1]> (K)
    scores = MatMul (Q, K_turned)
    size = Shape <start = 2, end = 3> (K)
    size_real = Cast <to = 11> (size)
    root = Sqrt (size_real)
    scaled = Div (scores, root)
    weights = Softmax <axis = -1> (scaled)
    last = Constant <value_ints = [-1]> ()
    row_sums = ReduceSum <keepdims = 0> (weights, last)
    twelve = Constant <value = double {12.0}> ()
    times_twelve = Mul (twelve, scaled)
    sharpened = Softmax <axis = -1> (times_twelve)
    outputs = MatMul (weights, V)
    square = Shape <start = 1, end = 3> (scaled)
    ones = ConstantOfShape <value = double[1] {1.0}> (square)
    mask = Trilu <upper = 0> (ones)
    zero = Constant <value = double {0.0}> ()
    hidden = Equal (mask, zero)
    one = Constant <value = double {1.0}> ()
    none = Neg (one)
    nothing = Div (none, zero)
    masked_scores = Where (hidden, nothing, scaled)
    masked_weights = Softmax <axis = -1> (masked_scores)
    head_query_turned = Transpose (head_query_weight)
    head_key_turned = Transpose (head_key_weight)
    head_value_turned = Transpose (head_value_weight)
    head_Q = MatMul (head_x, head_query_turned)
    head_K = MatMul (head_x, head_key_turned)
    head_V = MatMul (head_x, head_value_turned)
    head_K_turned = Transpose <perm = [0, 2, 1]> (head_K)
    head_products = MatMul (head_Q, head_K_turned)
    head_size = Shape <start = 2, end = 3> (head_K)
    head_size_real = Cast <to = 11> (head_size)
    head_root = Sqrt (head_size_real)
    head_scores = Div (head_products, head_root)
    head_weights = Softmax <axis = -1> (head_scores)
    head_outputs = MatMul (head_weights, head_V)
}
"""

SENTIMENT_FORWARD = """
sentiment_forward (
    double[V_rows, 50] table, int64[n] tokens, double[d, d] Q, double[d, 1] Qb, double[d, d] K,
    double[d, 1] Kb, double[d, d] V, double[d, 1] Vb, double[3, d] W, double[3, 1] b
) => (double[3, 1] p, double[3, 1] p_exact)
{
    words = Gather <axis = 0> (table, tokens)
    embeddings = Transpose (words)
    count = Shape <start = 1, end = 2> (embeddings)
    first_axis = Constant <value_ints = [0]> ()
    n = Squeeze (count, first_axis)
    from_0 = Constant <value_int = 0> ()
    by_1 = Constant <value_int = 1> ()
    places = Range (from_0, n, by_1)
    places_real = Cast <to = 11> (places)
    positions = Unsqueeze (places_real, first_axis)
    x = Concat <axis = 0> (embeddings, positions)
    Qx = MatMul (Q, x)
    q = Add (Qx, Qb)
    Kx = MatMul (K, x)
    k = Add (Kx, Kb)
    Vx = MatMul (V, x)
    v = Add (Vx, Vb)
    q_turned = Transpose (q)
    products = MatMul (q_turned, k)
    length = Size (q)
    length_real = Cast <to = 11> (length)
    scale = Sqrt (length_real)
    e = Div (products, scale)
    alpha = Softmax <axis = 1> (e)
    alpha_turned = Transpose (alpha)
    z = MatMul (v, alpha_turned)
    Wz = MatMul (W, z)
    f = Add (Wz, b)
    pooled = ReduceMean <axes = [1], keepdims = 1> (f)
    p = Softmax <axis = 0> (pooled)
    rows = Shape <start = 0, end = 1> (k)
    rows_real = Cast <to = 11> (rows)
    scale_exact = Sqrt (rows_real)
    e_exact = Div (products, scale_exact)
    alpha_exact = Softmax <axis = 1> (e_exact)
    alpha_exact_turned = Transpose (alpha_exact)
    z_exact = MatMul (v, alpha_exact_turned)
    Wz_exact = MatMul (W, z_exact)
    f_exact = Add (Wz_exact, b)
    pooled_exact = ReduceMean <axes = [1], keepdims = 1> (f_exact)
    p_exact = Softmax <axis = 0> (pooled_exact)
}
"""

CHECKS = """
stages (
    REAL x0, REAL[n] x, REAL[k] y, REAL[n, m] x2, REAL[n, m, p] x3, REAL[n, m, p, q] x4,
    REAL[n, m, p, q, r] x5, int64[n] i1, int64[n, m] i2, bool[n, m] b2
) => (
    REAL[n] same, REAL same_of_x0, REAL[n, m] same_of_x2, REAL[n, m, p] same_of_x3,
    REAL[n, m, p, q] same_of_x4, REAL[n, m, p, q, r] same_of_x5, int64[n] same_of_i1,
    int64[n, m] same_of_i2, bool[n, m] same_of_b2, REAL corner, int64 corner_of_i2, bool corner_of_b2,
    REAL[k] two_b, REAL[n, m] two_a, REAL[k] two_of_x_b, REAL[n] two_of_x_a, REAL constant, REAL[n] boom,
    string text, REAL[n] hangs, REAL[n] picky, int64[n] picky_of_i1
) {
    same = Identity (x)
    same_of_x0 = Identity (x0)
    same_of_x2 = Identity (x2)
    same_of_x3 = Identity (x3)
    same_of_x4 = Identity (x4)
    same_of_x5 = Identity (x5)
    same_of_i1 = Identity (i1)
    same_of_i2 = Identity (i2)
    same_of_b2 = Identity (b2)
    first = Constant <value_int = 0> ()
    last = Constant <value_int = -1> ()
    row = Gather <axis = 0> (x2, first)
    corner = Gather <axis = 0> (row, last)
    row_of_i2 = Gather <axis = 0> (i2, first)
    corner_of_i2 = Gather <axis = 0> (row_of_i2, last)
    row_of_b2 = Gather <axis = 0> (b2, first)
    corner_of_b2 = Gather <axis = 0> (row_of_b2, last)
    two_b = Identity (y)
    two_a = Identity (x2)
    two_of_x_b = Identity (y)
    two_of_x_a = Identity (x)
    number = Constant <value = double {2.5}> ()
    constant = Cast <to = NUMBER> (number)
    far = Constant <value_ints = [1000000]> ()
    boom = Gather <axis = 0> (x, far)
    written = Constant <value_string = "four"> ()
    text = Identity (written)
    on = Constant <value = bool {1}> ()
    always = Constant <value_int = 9223372036854775807> ()
    hangs = Loop <body = again (int64 turn, bool before, REAL[n] was) => (bool after, REAL[n] now)
        { after = Identity (before) now = Identity (was) }> (always, on, x)
    as_double = Cast <to = 11> (x)
    zero = Constant <value = double {0.0}> ()
    below = Less (as_double, zero)
    below_number = Cast <to = 7> (below)
    any_below = ReduceMax <keepdims = 0> (below_number)
    twos = Constant <value_ints = [2]> ()
    factor = Gather <axis = 0> (twos, any_below)
    factor_real = Cast <to = NUMBER> (factor)
    picky = Mul (x, factor_real)
    below_of_i1 = Less (i1, first)
    below_number_of_i1 = Cast <to = 7> (below_of_i1)
    any_below_of_i1 = ReduceMax <keepdims = 0> (below_number_of_i1)
    factor_of_i1 = Gather <axis = 0> (twos, any_below_of_i1)
    picky_of_i1 = Mul (i1, factor_of_i1)
}
"""
"""What the worker of ONNX is checked with, in three formats: a graph has one."""

SAID = {"boom": "it went wrong", "factor": "negative", "factor_of_i1": "negative"}
"""Names of nodes that fail at times, which ONNX Runtime puts into its message; by what a node computes."""

MODELS = {"four_word": FOUR_WORD, "self_attention": SELF_ATTENTION, "sentiment_forward": SENTIMENT_FORWARD}


CASES = {FOLDER / case / f"{case}.onnx": text for case, text in MODELS.items()}
OF_CHECKS = {
    SOURCES / f"stages{ending}.onnx": CHECKS.replace("REAL", name).replace("NUMBER", str(number))
    for ending, name, number in (("", "double", 11), ("_float32", "float", 1), ("_float16", "float16", 10))
}


def made(text: str) -> Any:
    """A model, checked."""
    import onnx

    model = onnx.parser.parse_model(HEAD + text)
    for node in model.graph.node:
        if node.output[0] in SAID:
            node.name = SAID[node.output[0]]
    onnx.checker.check_model(model, full_check=True)
    return model


def main(check: bool) -> int:
    """Write the models, or say which files are others."""
    import onnx

    other = 0
    for path, text in (CASES | OF_CHECKS).items():
        model = made(text)
        if not check:
            path.write_bytes(model.SerializeToString(deterministic=True))
        elif onnx.load(str(path)) != model:
            print(f"{path} is another model: python -m tests.onnx_models writes it")
            other = 1
    return other


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
