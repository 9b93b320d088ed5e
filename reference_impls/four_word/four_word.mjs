// Scaled dot-product self-attention of four words, step by step.
// An array is its shape and its data, row after row; results are in the type of what came.

const made = (like, shape, element) => {
  const [rows, columns] = shape;
  const data = new like.data.constructor(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) data[i * columns + j] = element(i, j);
  }
  return { shape, data };
};

const row = ({ shape, data }, i) => data.subarray(i * shape[1], (i + 1) * shape[1]);

// The product of A and B; with B transposed, that of A and Bᵀ.
function times(A, B, transposed = false) {
  const inner = A.shape[1];
  const columns = B.shape[transposed ? 0 : 1];
  const at = transposed ? (k, j) => j * inner + k : (k, j) => k * columns + j;
  return made(A, [A.shape[0], columns], (i, j) => {
    let sum = 0;
    for (let k = 0; k < inner; k++) sum += A.data[i * inner + k] * B.data[at(k, j)];
    return sum;
  });
}

export const Q = (words, W_Q) => times(words, W_Q);

export const K = (words, W_K) => times(words, W_K);

export const V = (words, W_V) => times(words, W_V);

export const scores = (Q, K) => times(Q, K, true);

export const maxs = (scores) => made(scores, [scores.shape[0], 1], (i) => Math.max(...row(scores, i)));

export function weights(scores, maxs, K) {
  const d_k = K.shape[1];
  const e = made(scores, scores.shape, (i, j) => Math.exp((row(scores, i)[j] - maxs.data[i]) / Math.sqrt(d_k)));
  const sums = Array.from({ length: e.shape[0] }, (_, i) => row(e, i).reduce((a, b) => a + b));
  return made(e, e.shape, (i, j) => row(e, i)[j] / sums[i]);
}

export const attention = (weights, V) => times(weights, V);
