// Loaded into the command before it starts. At SIGUSR2, when it serves, it tries every way in which text
// becomes code and one object changes all others, and says on stderr which of them worked.

import vm from 'node:vm';

const ATTEMPTS = {
  'new Function': () => new Function('return 1')(),
  'a call of Function': () => Function('return 1')(),
  // biome-ignore lint/security/noGlobalEval: the fault that the lock is shown
  eval: () => (0, eval)('1'),
  // biome-ignore lint/security/noGlobalEval: the fault that the lock is shown
  'direct eval': () => eval('1'),
  'the constructor of a function': () => (() => undefined).constructor('return 1')(),
  'the constructor of a class': () => class {}.constructor('return 1')(),
  'the constructor of an async function': () => (async () => undefined).constructor('return 1'),
  'the constructor of a generator': () => function* () {}.constructor('yield 1'),
  'the constructor of an async generator': () => async function* () {}.constructor('yield 1'),
  'giving eval back': () => Object.defineProperty(globalThis, 'eval', { value: () => 1 }),
  'giving Function back': () => Object.defineProperty(Function.prototype, 'constructor', { value: Object }),
  'a new property of all objects': () => assign(Object.prototype, 'polluted', 1),
  'a defined property of all objects': () =>
    Object.defineProperty(Object.prototype, 'polluted', { value: 1 }),
  'an old property of all objects': () => assign(Object.prototype, 'toString', () => 'mine'),
  'Object.assign to all objects': () => Object.assign(Object.prototype, { polluted: 1 }),
  'a parent for all objects': () => Object.setPrototypeOf(Object.prototype, { polluted: 1 }),
  'a method of all arrays': () => assign(Array.prototype, 'push', () => 1),
  'a method of all promises': () => assign(Promise.prototype, 'then', () => 1),
  'a method of all texts': () => assign(String.prototype, 'split', () => []),
  'a method of all maps': () => assign(Map.prototype, 'get', () => 1),
  'a method of all patterns': () => assign(RegExp.prototype, 'exec', () => null),
  'a method of all bytes': () => assign(Object.getPrototypeOf(Uint8Array.prototype), 'set', () => 1),
  'a method of all iterators': () => assign(Object.getPrototypeOf([].values()), 'next', () => 1),
  'a property of all functions': () => assign(Function.prototype, 'call', () => 1),
  'the name of all errors': () => assign(Error.prototype, 'name', 'x'),
  'reading __proto__': () => ({}).__proto__,
  'writing __proto__': () => assign({}, '__proto__', { polluted: 1 }),
  'a merge that follows __proto__': () => merge({}, JSON.parse('{"__proto__":{"polluted":1}}')),
  'a merge that follows constructor': () =>
    merge({}, JSON.parse('{"constructor":{"prototype":{"polluted":1}}}')),
};

/** What must go on working, or libraries break. */
const CUSTOMS = {
  'an error names itself': () => named(new Error('x')).name === 'Own',
  'an object has a toString of its own': () => String(assign({}, 'toString', () => 'own')) === 'own',
  'a class extends a built-in': () => new (class extends Map {})().set(1, 2).get(1) === 2,
  'a key is called constructor': () => assign({}, 'constructor', 1).constructor === 1,
  'a function is a Function': () => (() => undefined) instanceof Function,
  'JSON has a key __proto__': () => Object.keys(JSON.parse('{"__proto__":1}'))[0] === '__proto__',
  'a script that is constant runs in time': () => vm.runInNewContext('1', {}, { timeout: 60_000 }) === 1,
};

function assign(target, name, value) {
  target[name] = value;
  return target;
}

function named(error) {
  error.name = 'Own';
  return error;
}

function merge(into, from) {
  for (const key of Object.keys(from)) {
    if (typeof from[key] === 'object') merge(into[key], from[key]);
    else into[key] = from[key];
  }
  return into;
}

function outcome(attempt) {
  try {
    attempt();
    return 'worked';
  } catch (error) {
    return error instanceof Error ? error.name : 'refused';
  }
}

process.on('SIGUSR2', () => {
  const attempts = Object.entries(ATTEMPTS).map(([why, attempt]) => [why, outcome(attempt)]);
  const customs = Object.entries(CUSTOMS).map(([why, custom]) => [why, custom()]);
  process.stderr.write(`${JSON.stringify({ event: 'intruded', attempts, customs })}\n`);
});
