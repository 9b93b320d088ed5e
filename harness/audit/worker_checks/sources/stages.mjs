// What the worker of Node.js is checked with.
import fs from 'node:fs';

export const same = (x) => x;

export const corner = ({ shape, data }) => data[shape[1] - 1];

export const two = (a, b) => [b, a];

export const constant = () => 2.5;

export function boom(x) {
  throw new Error('it went wrong');
}

export const text = (x) => 'four';

export function noise(x) {
  for (let i = 0; i < 1000; i++) console.log('printed noise');
  return x;
}

const nothing = (x) => {};

export { nothing as void };

export function reads(x) {
  fs.readSync(0, Buffer.alloc(1));
  return x;
}

const wait = (seconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000 * seconds);

export function sleeps(x) {
  wait(0.2);
  return x;
}

export function hangs(x) {
  while (true) wait(1);
}

export function picky({ shape, data }) {
  if (data.some((number) => number < 0)) throw new Error('negative');
  return { shape, data: data.map((number) => (typeof number === 'bigint' ? 2n : 2) * number) };
}

export const named = ({ shape, data }) => ({
  second: { shape, data: data.map((number) => number + 1) },
  first: { shape, data },
});

export const defaulted = (x, y = 2) => ({
  shape: x.shape,
  data: x.data.map((number, i) => number * (y.data?.[i] ?? y)),
});
