// The worker of JavaScript, for Node.js 18 and newer: node worker.mjs REQUESTS REPLIES, two descriptors.
// An array is an object of its dtype, its shape and its data, a typed array whose last index runs fastest;
// a scalar is a number. docs/guides/javascript.md says so to those who write stages, docs/protocol.md is what is spoken.
import fs from 'node:fs';
import os from 'node:os';
import { FORMS, Fault, argument, product } from './worker_arrays.mjs';
import { call, load } from './worker_files.mjs';

const [REQUESTS, REPLIES] = [Number(process.argv[2] ?? 0), Number(process.argv[3] ?? 1)];
const LONGEST_MESSAGE = 2000;

let buffer = Buffer.alloc(0);

function more(least) {
  const part = Buffer.allocUnsafe(Math.max(least, 1 << 16));
  const count = fs.readSync(REQUESTS, part, 0, part.length, null);
  return count ? part.subarray(0, count) : process.exit(0);
}

function readLine() {
  const parts = [];
  let end;
  while ((end = buffer.indexOf(10)) < 0) {
    parts.push(buffer);
    buffer = more(0);
  }
  parts.push(buffer.subarray(0, end));
  buffer = buffer.subarray(end + 1);
  return Buffer.concat(parts).toString();
}

function readArray({ dtype, shape, order }) {
  const [type, width] = FORMS[dtype], length = product(shape) * width;
  const bytes = new Uint8Array(length * type.BYTES_PER_ELEMENT);
  for (let at = 0; at < bytes.length;) {
    if (!buffer.length) {
      buffer = more(Math.min(bytes.length - at, 1 << 24));
    }
    const part = buffer.subarray(0, bytes.length - at);
    bytes.set(part, at);
    buffer = buffer.subarray(part.length);
    at += part.length;
  }
  if (order !== 'C' && shape.length > 1) {
    throw new Error(`requests have arrays in the order C, not ${order}`);
  }
  return argument(dtype, shape, new type(bytes.buffer));
}

function write(frame, arrays = []) {
  const described = arrays.map(({ dtype, shape }) => ({ dtype, shape, order: 'C' }));
  const line = JSON.stringify(arrays.length ? { ...frame, arrays: described } : frame);
  const pieces = arrays.map(({ data }) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  for (const piece of [Buffer.from(`${line.toWellFormed?.() ?? line}\n`), ...pieces]) {
    for (let at = 0; at < piece.length;) {
      at += fs.writeSync(REPLIES, piece, at, piece.length - at);
    }
  }
}

function hello({ protocol }) {
  if (protocol !== 1) {
    throw new Fault('protocol', 'this worker speaks version 1 of the protocol');
  }
  if (os.endianness() !== 'LE') {
    throw new Fault('load', 'this worker needs a little-endian machine');
  }
  return { protocol: 1, runtime: {
    language: 'JavaScript', version: process.versions.node, hosting: 'process', blas: '', threads: 1,
    libraries: {}, dtypes: ['float64', 'float32'],
    platform: `${process.arch}-${process.platform}`,
  } };
}

const METHODS = { hello, load, call, bye: () => ({}) };

for (let method; method !== 'bye';) {
  const request = JSON.parse(readLine()), { id, params = {} } = request;
  const inputs = (request.arrays ?? []).map(readArray);
  ({ method } = request);
  try {
    if (!Object.hasOwn(METHODS, method)) {
      throw new Fault('protocol', `unknown method ${method}`);
    }
    const { arrays, ...result } = await METHODS[method](params, inputs);
    write({ id, result }, arrays);
  } catch (error) {
    const { kind = 'protocol', message, line, detail = error.stack ?? '' } = error;
    const said = String(message).split(/\s+/).join(' ').trim().slice(0, LONGEST_MESSAGE) || 'no message';
    write({ id, error: { kind, message: said, line, detail: String(detail).slice(-20000) } });
  }
}
process.exit(0);
