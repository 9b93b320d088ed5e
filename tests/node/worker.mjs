// A worker for JavaScript: node worker.mjs. All that it had to know stands in docs/protocol.md.
// An array is a list of rows, as deep as it has dimensions, and a scalar a number; what comes back is float64.
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';

const TYPES = {
  bool: Uint8Array, int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
  float32: Float32Array, float64: Float64Array,
};
const product = (shape) => shape.reduce((a, b) => a * b, 1);

// What is printed goes to descriptor 2. Node's own process.stdout, once it is used, makes writes to a full pipe fail.
Object.defineProperty(process, 'stdout', { value: process.stderr });

function read(count) {
  const bytes = Buffer.alloc(count);
  for (let at = 0, got; at < count; at += got)
    if ((got = fs.readSync(0, bytes, at, count - at, null)) === 0) process.exit(0);
  return bytes;
}

function readLine() {
  const bytes = [];
  for (let byte; byte !== 10; bytes.push(byte)) [byte] = read(1);
  return Buffer.from(bytes).toString();
}

function readArray({ dtype, shape }) {
  const bytes = read(product(shape) * TYPES[dtype].BYTES_PER_ELEMENT);
  const flat = Array.from(new TYPES[dtype](new Uint8Array(bytes).buffer), Number);
  const nest = (depth, at) => depth === shape.length ? flat[at] : Array.from(
    { length: shape[depth] }, (_, i) => nest(depth + 1, at + i * product(shape.slice(depth + 1))));
  return nest(0, 0);
}

function write(frame, arrays = []) {
  for (const data of [Buffer.from(JSON.stringify(frame) + '\n'), ...arrays])
    for (let at = 0; at < data.length;) at += fs.writeSync(1, data, at);
}

function give(value) {
  const shape = [], flat = [value].flat(Infinity);
  for (let part = value; Array.isArray(part); part = part[0]) shape.push(part.length);
  if (flat.length !== product(shape) || flat.some((item) => typeof item !== 'number'))
    throw { kind: 'value', message: `returned ${String(value).slice(0, 40)}, and an array of numbers is expected` };
  return [{ dtype: 'float64', shape, order: 'C' }, Buffer.from(Float64Array.from(flat).buffer)];
}

const files = [];
const methods = {
  hello: () => ({ protocol: 1, runtime: {
    language: 'JavaScript', version: process.versions.node, hosting: 'process', dtypes: ['float64'] } }),
  bye: () => ({}),
  async load({ source, stages }) {
    const file = await import(`${pathToFileURL(source).href}?${files.length}`), problems = [];
    for (const [stage, inputs] of Object.entries(stages))
      if (typeof file[stage] !== 'function') problems.push({ stage, kind: 'missing', message: `no function ${stage}` });
      else if (file[stage].length !== inputs) problems.push({ stage, kind: 'arity', message: `not ${inputs} arguments` });
    return { handle: String(files.push(file) - 1), problems };
  },
  call({ handle, stage, outputs }, inputs) {
    const begin = process.hrtime.bigint(), value = files[handle][stage](...inputs);
    const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
    if (outputs > 1 && value?.length !== outputs) throw { kind: 'value', message: `${outputs} arrays are expected` };
    return { seconds, given: (outputs > 1 ? value : [value]).map(give) };
  },
};

for (let method; method !== 'bye';) {
  const request = JSON.parse(readLine()), inputs = (request.arrays ?? []).map(readArray), { id, params } = request;
  method = request.method;
  try {
    const { given = [], ...result } = await methods[method](params, inputs);
    write({ id, result, arrays: given.map(([about]) => about) }, given.map(([, bytes]) => bytes));
  } catch ({ kind = method === 'load' ? 'load' : 'call', message, stack }) {
    write({ id, error: { kind, message, line: Number(stack?.match(/(?<!worker)\.mjs\?\d+:(\d+)/)?.[1]) || undefined } });
  }
}
