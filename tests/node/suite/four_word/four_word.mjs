// Scaled dot-product self-attention.

const columns = (A) => A[0].map((_, j) => A.map((row) => row[j]));
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const times = (A, B) => A.map((row) => columns(B).map((column) => dot(row, column)));

export const Q = (words, W_Q) => times(words, W_Q);

export const K = (words, W_K) => times(words, W_K);

export const V = (words, W_V) => times(words, W_V);

export const scores = (Q, K) => times(Q, columns(K));

export const weights = (scores, K) => scores.map((row) => {
  const e = row.map((score) => Math.exp((score - Math.max(...row)) / Math.sqrt(K[0].length)));
  const sum = e.reduce((a, b) => a + b);
  return e.map((x) => x / sum);
});

export const attention = (weights, V) => times(weights, V);
