// What the worker beside this file is checked with: harness check-worker --source stages.mjs -- node worker.mjs

export const same = (x) => x;

export const corner = (x) => x[0].at(-1);

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

const wait = (seconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000 * seconds);

export function sleeps(x) {
  wait(0.2);
  return x;
}

export function hangs(x) {
  while (true) wait(1);
}
