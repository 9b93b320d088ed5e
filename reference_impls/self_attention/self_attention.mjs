// Scaled dot-product self-attention of a batch of sequences, step by step, with a mask, and as one head.
// An array is its shape and its data, the last index running fastest; results are in the type of what came.

const empty = (like, shape) => ({ shape, data: new like.data.constructor(shape.reduce((a, b) => a * b, 1)) });

// Matrix b of a batch, or the matrix itself where there is no batch.
function matrix({ shape, data }, b) {
  const [rows, columns] = shape.slice(-2);
  const from = shape.length > 2 ? b * rows * columns : 0;
  return { rows, columns, data: data.subarray(from, from + rows * columns) };
}

// Every matrix of a batch times a matrix, which is transposed or not: one for all, or one for each.
function times(batch, others, transposed) {
  const [count, rows, inner] = batch.shape;
  const columns = others.shape.at(transposed ? -2 : -1);
  const product = empty(batch, [count, rows, columns]);
  for (let b = 0; b < count; b++) {
    const left = matrix(batch, b);
    const right = matrix(others, b);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        let sum = 0;
        for (let k = 0; k < inner; k++) {
          sum += left.data[i * inner + k] * right.data[transposed ? j * inner + k : k * columns + j];
        }
        product.data[(b * rows + i) * columns + j] = sum;
      }
    }
  }
  return product;
}

const each = ({ shape, data }, change) => ({ shape, data: data.map(change) });

// The rows along the last dimension, as parts of the data.
function* rows({ shape, data }) {
  const size = shape.at(-1);
  for (let from = 0; from < data.length; from += size) yield data.subarray(from, from + size);
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

function softmax(scores) {
  const weights = empty(scores, scores.shape);
  weights.data.set(scores.data);
  for (const row of rows(weights)) {
    const largest = Math.max(...row);
    row.forEach((score, j) => (row[j] = Math.exp(score - largest)));
    const total = sum(row);
    row.forEach((power, j) => (row[j] = power / total));
  }
  return weights;
}

export const Q = (x, query_weight) => times(x, query_weight, true);

export const K = (x, key_weight) => times(x, key_weight, true);

export const V = (x, value_weight) => times(x, value_weight, true);

export const scores = (Q, K) => times(Q, K, true);

export const scaled = (scores, K) => each(scores, (score) => score / Math.sqrt(K.shape.at(-1)));

export const weights = (scaled) => softmax(scaled);

export function row_sums(weights) {
  const sums = empty(weights, weights.shape.slice(0, -1));
  let at = 0;
  for (const row of rows(weights)) sums.data[at++] = sum(row);
  return sums;
}

export const sharpened = (scaled) => softmax(each(scaled, (score) => 12 * score));

export const outputs = (weights, V) => times(weights, V, false);

export function mask(scaled) {
  const size = scaled.shape.at(-1);
  const ones = empty(scaled, [size, size]);
  for (let i = 0; i < size; i++) ones.data.fill(1, i * size, i * size + i + 1);
  return ones;
}

export const masked_scores = (scaled, mask) =>
  each(scaled, (score, at) => (mask.data[at % mask.data.length] === 0 ? -Infinity : score));

export const masked_weights = (masked_scores) => softmax(masked_scores);

export const head_Q = (head_x, head_query_weight) => times(head_x, head_query_weight, true);

export const head_K = (head_x, head_key_weight) => times(head_x, head_key_weight, true);

export const head_V = (head_x, head_value_weight) => times(head_x, head_value_weight, true);

export const head_scores = (head_Q, head_K) => scaled(scores(head_Q, head_K), head_K);

export const head_weights = (head_scores) => softmax(head_scores);

export const head_outputs = (head_weights, head_V) => times(head_weights, head_V, false);
