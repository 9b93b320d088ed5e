// What worker.mjs does with files and their functions: it imports them anew, finds stages and calls them.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Fault, described, outputs } from './worker_arrays.mjs';

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

export { call, load };
