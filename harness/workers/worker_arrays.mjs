// What worker.mjs makes of arrays: an argument of an array of the protocol, an array of what a function returned.

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

export { FORMS, Fault, argument, described, outputs, product };
