"""Write the cases' ONNX models from their text: ``python -m tests.onnx_models``; ``--check`` compares."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "reference_impls"

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

MODELS = {"four_word": FOUR_WORD, "self_attention": SELF_ATTENTION, "sentiment_forward": SENTIMENT_FORWARD}


def made(case: str) -> Any:
    """The model of a case, checked."""
    import onnx

    model = onnx.parser.parse_model(HEAD + MODELS[case])
    onnx.checker.check_model(model, full_check=True)
    return model


def main(check: bool) -> int:
    """Write the models, or say which files are others."""
    import onnx

    other = 0
    for case in MODELS:
        path = FOLDER / case / f"{case}.onnx"
        model = made(case)
        if not check:
            path.write_bytes(model.SerializeToString(deterministic=True))
        elif onnx.load(str(path)) != model:
            print(f"{path} is another model: python -m tests.onnx_models writes it")
            other = 1
    return other


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
