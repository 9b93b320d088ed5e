// From the words of a sentence to its sentiment: attention, a linear layer, mean pooling, softmax.
// Words are columns. An array is its shape and its data, row after row; results are in the type of what came.

function made(like, shape, element) {
  const [rows, columns] = shape;
  const data = new like.data.constructor(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) data[i * columns + j] = element(i, j);
  }
  return { shape, data };
}

const at = ({ shape, data }, i, j) => data[i * shape[1] + j];

const transposed = (A) => made(A, [A.shape[1], A.shape[0]], (i, j) => at(A, j, i));

function times(A, B) {
  return made(A, [A.shape[0], B.shape[1]], (i, j) => {
    let sum = 0;
    for (let k = 0; k < A.shape[1]; k++) sum += at(A, i, k) * at(B, k, j);
    return sum;
  });
}

function linear(x, weights, bias) {
  const product = times(weights, x);
  return made(product, product.shape, (i, j) => at(product, i, j) + bias.data[i]);
}

function softmax_rows(scores) {
  const [rows, columns] = scores.shape;
  const row = ({ data }, i) => data.subarray(i * columns, (i + 1) * columns);
  const largest = Array.from({ length: rows }, (_, i) => Math.max(...row(scores, i)));
  const powers = made(scores, scores.shape, (i, j) => Math.exp(at(scores, i, j) - largest[i]));
  const sums = largest.map((_, i) => row(powers, i).reduce((a, b) => a + b));
  return made(powers, powers.shape, (i, j) => at(powers, i, j) / sums[i]);
}

const divided = ({ shape, data }, by) => ({ shape, data: data.map((number) => number / by) });

// Tokens are 64-bit integers, which are bigints here.
export const embeddings = (table, tokens) =>
  made(table, [table.shape[1], tokens.shape[0]], (i, j) => at(table, Number(tokens.data[j]), i));

export function x(embeddings) {
  const [size, words] = embeddings.shape;
  return made(embeddings, [size + 1, words], (i, j) => (i < size ? at(embeddings, i, j) : j));
}

export const q = (x, Q, Qb) => linear(x, Q, Qb);

export const k = (x, K, Kb) => linear(x, K, Kb);

export const v = (x, V, Vb) => linear(x, V, Vb);

export const e = (q, k) => divided(times(transposed(q), k), Math.sqrt(q.data.length));

export const alpha = (e) => softmax_rows(e);

export const z = (v, alpha) => times(v, transposed(alpha));

export const f = (z, W, b) => linear(z, W, b);

export function pooled(f) {
  const [rows, words] = f.shape;
  return made(f, [rows, 1], (i) => {
    let sum = 0;
    for (let j = 0; j < words; j++) sum += at(f, i, j);
    return sum / words;
  });
}

export const p = (pooled) => transposed(softmax_rows(transposed(pooled)));

export function e_exact(q, k) {
  const d_k = k.shape[0];
  return divided(times(transposed(q), k), Math.sqrt(d_k));
}

export const alpha_exact = (e_exact) => softmax_rows(e_exact);

export const z_exact = (v, alpha_exact) => z(v, alpha_exact);

export const p_exact = (z_exact, W, b) => p(pooled(f(z_exact, W, b)));
