// The worker of JavaScript, for Node.js 18 and newer: node worker.mjs REQUESTS REPLIES, two descriptors.
// An array is an object of its dtype, its shape and its data, a typed array whose last index runs fastest;
// a scalar is a number. docs/javascript.md says so to those who write stages, docs/protocol.md is what is spoken.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [REQUESTS, REPLIES] = [Number(process.argv[2] ?? 0), Number(process.argv[3] ?? 1)];
const LONGEST_MESSAGE = 2000;

// ---- arrays ---------------------------------------------------------------------------------------

// By dtype, the typed array of its data and how many of its elements make one number.
const FORMS = {
  bool: [Uint8Array, 1], int8: [Int8Array, 1], int16: [Int16Array, 1], int32: [Int32Array, 1],
  int64: [BigInt64Array, 1], uint8: [Uint8Array, 1], uint16: [Uint16Array, 1], uint32: [Uint32Array, 1],
  uint64: [BigUint64Array, 1], float16: [globalThis.Float16Array ?? Uint16Array, 1], bfloat16: [Uint16Array, 1],
  float32: [Float32Array, 1], float64: [Float64Array, 1],
  complex64: [Float32Array, 2], complex128: [Float64Array, 2],
};
// What a typed array is without a dtype beside it.
const DTYPE_OF = new Map(
  Object.entries(FORMS).filter(([name, [, width]]) => width === 1 && !/^(bool|bfloat16)$/.test(name))
    .filter(([name]) => name !== 'float16' || globalThis.Float16Array)
    .map(([name, [type]]) => [type, name]),
).set(Uint8ClampedArray, 'uint8');

const product = (shape) => shape.reduce((a, b) => a * b, 1);
const isTyped = (value) => ArrayBuffer.isView(value) && !(value instanceof DataView);

class Fault extends Error {
  constructor(kind, message, line, detail) {
    super(message);
    Object.assign(this, { kind, line, detail });
  }
}

// An argument: a 0-d array is a number, a boolean or, where no number holds it, a bigint.
function argument(dtype, shape, data) {
  if (shape.length || /complex|16/.test(dtype)) {
    return { dtype, shape, data };
  }
  if (dtype === 'bool') {
    return data[0] !== 0;
  }
  return typeof data[0] === 'bigint' && BigInt(Number(data[0])) === data[0] && Number.isSafeInteger(Number(data[0]))
    ? Number(data[0]) : data[0];
}

// An array of the protocol, of what a function returned in a precision.
function given(value, precision, before = '') {
  const refuse = (why) => new Fault('value', `${before}returned ${why}`);
  if (typeof value === 'number') {
    return ofNumbers([value], [], precision, refuse);
  }
  if (typeof value === 'boolean') {
    return { dtype: 'bool', shape: [], data: Uint8Array.of(value) };
  }
  if (typeof value === 'bigint') {
    return ofBigints([value], [], refuse);
  }
  if (Array.isArray(value)) {
    return ofLists(value, precision, refuse);
  }
  const { data, shape, dtype } = isTyped(value) ? { data: value, shape: [value.length] } : value ?? {};
  if (!isTyped(data) || !Array.isArray(shape)) {
    throw refuse(`${described(value)}, and an array is expected: a typed array, or { data, shape }`);
  }
  const name = dtype === undefined ? DTYPE_OF.get(data.constructor) : dtype;
  const [type, width] = FORMS[name] ?? [];
  if (type === undefined || !(data instanceof type || (name === 'uint8' && data instanceof Uint8ClampedArray))) {
    throw refuse(`an array of dtype ${name} whose data is a ${data.constructor.name}`);
  }
  if (!Array.from(shape).every((size) => Number.isInteger(size) && size >= 0) || product(shape) * width !== data.length) {
    throw refuse(`an array of shape [${shape}] with ${data.length / width} elements`);
  }
  const odd = name === 'bool' ? data.findIndex((item) => item > 1) : -1;
  if (odd >= 0) {
    throw refuse(`an array of dtype bool with ${data[odd]} at [${odd}] of its data, and 0 or 1 is expected`);
  }
  return { dtype: name, shape, data };
}

// Lists of numbers, one in the other: floats, or bool, int64 or uint64 where all are booleans or bigints.
function ofLists(value, precision, refuse) {
  const hole = holeOf(value);
  if (hole) {
    throw refuse(`a list with nothing at ${hole}, and numbers are expected`);
  }
  const shape = [];
  for (let part = value; Array.isArray(part); part = part[0]) {
    shape.push(part.length);
  }
  const isRegular = (part, depth) => depth === shape.length
    ? !Array.isArray(part)
    : Array.isArray(part) && part.length === shape[depth] && part.every((each) => isRegular(each, depth + 1));
  if (!isRegular(value, 0)) {
    throw refuse('lists of different lengths');
  }
  const flat = value.flat(Infinity), [kind = 'number'] = flat.map((item) => typeof item);
  const odd = flat.find((item) => typeof item !== kind || !['number', 'boolean', 'bigint'].includes(kind));
  if (odd !== undefined || flat.includes(undefined)) {
    throw refuse(`a list with ${described(odd)}, and numbers are expected`);
  }
  if (kind === 'bigint') {
    return ofBigints(flat, shape, refuse);
  }
  return kind === 'number' ? ofNumbers(flat, shape, precision, refuse) : { dtype: 'bool', shape, data: Uint8Array.from(flat) };
}

// Numbers have no precision: they are of the one that the stage runs in, where they are representable there.
function ofNumbers(flat, shape, precision, refuse) {
  const wide = precision === 'float32' ? flat.filter((item) => !Object.is(Math.fround(item), item)) : flat;
  const odd = precision === 'float32' ? wide.find((item) => !Number.isInteger(item)) : undefined;
  if (odd !== undefined) {
    throw refuse(`the number ${odd}, which is no float32: round it with Math.fround, or return it in a Float32Array`);
  }
  const [dtype, type] = wide.length || precision !== 'float32' ? ['float64', Float64Array] : ['float32', Float32Array];
  return { dtype, shape, data: type.from(flat) };
}

// The index of an element that was never set, as in [1, , 3] or new Array(2); flat, map and every pass over it.
function holeOf(list) {
  for (let at = 0; at < list.length; at += 1) {
    const deeper = Array.isArray(list[at]) ? holeOf(list[at]) : '';
    if (deeper || !(at in list)) {
      return `[${at}]${deeper}`;
    }
  }
  return '';
}

// Bigints: int64, or uint64 where that alone holds them. A typed array would take the lowest 64 bits of any.
function ofBigints(flat, shape, refuse) {
  for (const [dtype, type] of [['int64', BigInt64Array], ['uint64', BigUint64Array]]) {
    const data = type.from(flat);
    if (flat.every((item, i) => item === data[i])) {
      return { dtype, shape, data };
    }
  }
  throw refuse(`${flat.find((item) => BigInt.asIntN(64, item) !== item)}, and neither int64 nor uint64 holds all of it`);
}

function described(value) {
  if (typeof value === 'string') {
    return `the text ${JSON.stringify(value.slice(0, 40))}`;
  }
  const isPlain = value === null || value === undefined || typeof value !== 'object';
  return isPlain ? String(value).slice(0, 40) : `a ${value.constructor?.name ?? 'value'}`;
}

// The arrays of a value: by name where it has the names that are expected, else the one, or those of a list.
function outputs(value, count, names, precision) {
  const isNamed = value !== null && typeof value === 'object' && !Array.isArray(value) && !isTyped(value);
  if (isNamed && names.length === count && (count > 1 || names[0] in value) && !isTyped(value.data)) {
    const has = Object.keys(value), lost = names.filter((name) => !has.includes(name));
    if (lost.length) {
      throw new Fault('value', `returned an object with ${has.join(', ') || 'nothing'}: ${lost.join(', ')} missing`);
    }
    return names.map((name) => given(value[name], precision, `${name}: `));
  }
  if (count === 1) {
    return [given(value, precision)];
  }
  if (!Array.isArray(value)) {
    throw new Fault('value', `returned ${described(value)}, and an array of ${count} arrays is expected`);
  }
  if (value.length !== count) {
    throw new Fault('value', `returned ${value.length} values, and ${count} are expected`);
  }
  return Array.from(value, (item, at) => given(item, precision, `value ${at + 1} of ${count}: `));
}

// ---- files and stages -----------------------------------------------------------------------------

const files = new Map();
let loads = 0;

// From the second file on, modules that a file imports are read anew with it, as the file itself is.
const HOOKS = `export async function resolve(specifier, context, next) {
  const found = await next(specifier, context), load = /[?]load=\\d+$/.exec(context.parentURL ?? '');
  const isOwn = found.url.startsWith('file:') && !/[?]|[/]node_modules[/]/.test(found.url);
  return load && isOwn ? { ...found, url: found.url + load[0] } : found;
}`;

async function load({ source, stages, precision }) {
  loads += 1;
  if (loads === 2) {
    module.register?.(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
  }
  const query = `?load=${loads}`, url = pathToFileURL(source).href + query;
  let names;
  try {
    refuseBytes(source);
    names = await settled(import(importable(source) + query), 'awaits');
    await unwaited();
  } catch (error) {
    const found = fault('load', error, url);
    throw found.line || !(error instanceof SyntaxError) ? found : Object.assign(found, syntaxLine(source));
  }
  const handle = `h${loads}`, found = {}, problems = [];
  for (const [stage, inputs] of Object.entries(stages)) {
    // A member of the default export may use this, and is called as one.
    const holder = Object.hasOwn(names, stage) ? undefined : names.default;
    const own = holder === undefined ? names[stage] : holder?.[stage];
    if (typeof own !== 'function') {
      const what = own === undefined ? `there is no exported function ${stage}` : `${stage} is not a function`;
      problems.push({ stage, kind: 'missing', message: what });
    } else if (!accepts(own, inputs)) {
      const message = `${stage} takes ${own.length} arguments, and the stage has ${inputs} inputs`;
      problems.push({ stage, kind: 'arity', message, ...lineOf(source, stage) });
    } else {
      found[stage] = { own, holder };
    }
  }
  files.set(handle, { url, found, precision });
  return { handle, problems };
}

// Node.js puts U+FFFD for bytes that are not UTF-8: in a comment that does no harm, elsewhere it would change a value.
function refuseBytes(source) {
  fs.readFileSync(source).toString('latin1').split('\n').forEach((text, at) => {
    const bytes = Buffer.from(text, 'latin1'), isOdd = !isUtf8(bytes);
    if (isOdd && !/^(\s*\*(?!.*\*\/)|[^'"`/\x80-\xff]*\/\/)/.test(text)) {
      throw new Fault('load', `line ${at + 1} is not UTF-8`, at + 1);
    }
  });
}

function isUtf8(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes) !== undefined;
  } catch {
    return false;
  }
}

// What a promise comes to; one that nothing can settle any more ends the wait, and not the process.
let giveUp;
process.on('beforeExit', () => giveUp && setImmediate(giveUp));

function settled(value, does) {
  if (typeof value?.then !== 'function') {
    return value;
  }
  return new Promise((resolve, reject) => {
    giveUp = () => reject(new Error(`${does} a promise that is never settled: nothing is left that could settle it`));
    Promise.resolve(value).then(resolve, reject);
  }).finally(() => {
    giveUp = undefined;
  });
}

// Node.js tells of a rejected promise that nobody waits for when all else is done.
let rejected = [];
process.on('unhandledRejection', (error) => rejected.push(error));

async function unwaited() {
  await new Promise(setImmediate);
  const [first] = rejected, isNone = !rejected.length;
  rejected = [];
  if (!isNone) {
    throw first;
  }
}

// A module's SyntaxError does not say its line; Node.js does, where it checks a file.
function syntaxLine(source) {
  const { stderr } = spawnSync(process.execPath, ['--check', source], { encoding: 'utf8', env: {}, timeout: 10_000 });
  const line = Number(/:(\d+)\r?\n/.exec(stderr ?? '')?.[1]);
  return line ? { line } : {};
}

// Node.js imports nothing whose path has a backslash, but follows a link to it.
function importable(source) {
  if (!source.includes('\\')) {
    return pathToFileURL(source).href;
  }
  const link = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'stages-')), 'stages.mjs');
  fs.symlinkSync(source, link);
  return pathToFileURL(link).href;
}

// length counts the parameters before the first one with a default, and not the rest.
function accepts(own, inputs) {
  const text = Function.prototype.toString.call(own), head = text.slice(0, text.search(/\)\s*(=>|\{)/) + 1);
  if (inputs >= own.length) {
    return inputs === own.length || /=|\.\.\./.test(head) || /(?<![\w$.])arguments\b/.test(text);
  }
  // A default as it is written for older engines: if (x === void 0) { x = 0; }.
  const names = head.slice(head.indexOf('(') + 1, -1).split(',').map((name) => name.trim());
  return names.length === own.length && names.slice(inputs).every((name) =>
    /^[\w$]+$/.test(name) && new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}\\s*===?\\s*(void 0|undefined)\\b`).test(text));
}

function lineOf(source, stage) {
  const lines = fs.readFileSync(source, 'utf8').split('\n');
  const code = lines.map((text) => (/^\s*(\*|\/[/*])/.test(text) ? '' : text));
  const set = new RegExp(`\\b(function\\s*\\*?|const|let|var)\\s+${stage}\\b`);
  const named = new RegExp(`\\b${stage}\\b`);
  const defined = code.findIndex((text) => set.test(text));
  const line = defined >= 0 ? defined : code.findIndex((text) => named.test(text) && /export|function|=>|\{/.test(text));
  return line < 0 ? {} : { line: line + 1 };
}

function fault(kind, error, url) {
  if (error instanceof Fault) {
    return error;
  }
  const stack = String(error?.stack ?? ''), at = stack.indexOf(`${url}:`);
  const line = at < 0 ? undefined : Number(/^\d+/.exec(stack.slice(at + url.length + 1))?.[0]) || undefined;
  const message = error instanceof Error ? error.message || error.name : `threw ${described(error)}`;
  return new Fault(kind, message, line, stack.replaceAll(/[?]load=\d+/g, ''));
}

async function call({ handle, stage, outputs: count, names = [], absent = [] }, inputs) {
  const file = files.get(handle), known = file?.found[stage];
  if (known === undefined) {
    throw new Fault('protocol', `no function ${stage} was loaded with the handle ${handle}`);
  }
  for (const place of absent) {
    inputs.splice(place, 0, undefined);
  }
  const begin = process.hrtime.bigint();
  let value, seconds;
  try {
    value = await settled(known.own.apply(known.holder, inputs), 'returned');
    seconds = Number(process.hrtime.bigint() - begin) / 1e9;
    await unwaited();
  } catch (error) {
    throw fault('call', error, file.url);
  }
  return { seconds, arrays: outputs(value, count, names, file.precision) };
}

// ---- frames ---------------------------------------------------------------------------------------

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
