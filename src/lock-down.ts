// Closes, before any other module runs, the ways in which a text could become code or one object could change all others: no
// eval, no Function of text, no __proto__, built-in prototypes frozen. It runs once in each thread. It protects against data
// that is taken for code, and not against code that runs already.

/** Locks this thread down. Throws where that failed; then nothing may be served. */
export function lockDown(): void {
  for (const prototype of FUNCTION_PROTOTYPES) {
    fix(prototype, 'constructor', { value: refusingConstructor(prototype) });
  }
  fix(globalThis, 'Function', { value: Reflect.get(Function.prototype, 'constructor') });
  fix(globalThis, 'eval', { value: refuseCode });
  fix(Object.prototype, '__proto__', { get: refuseProto, set: refuseProto });
  for (const prototype of PROTOTYPES) {
    if (isOftenShadowed(prototype)) letHeirsShadow(prototype);
    harden(prototype);
  }
  requireLocked();
}

/**
 * Freezes a prototype. For typed arrays `Object.freeze` would make each store forty times slower, since V8 then looks through
 * the prototype. Fixing each property avoids that, but leaves a slow layout; asking an heir for a property restores the fast
 * one.
 */
function harden(prototype: object): void {
  if (!isAboveTypedArrays(prototype)) {
    Object.freeze(prototype);
    return;
  }
  Object.seal(prototype);
  for (const key of Reflect.ownKeys(prototype)) {
    const isData = Object.hasOwn(Reflect.getOwnPropertyDescriptor(prototype, key) ?? {}, 'value');
    if (isData) Reflect.defineProperty(prototype, key, { writable: false });
  }
  void ('nothing' in Object.create(prototype));
}

function isAboveTypedArrays(prototype: object): boolean {
  return (
    [prototype, Reflect.getPrototypeOf(prototype)].includes(TYPED_ARRAY) || prototype === Object.prototype
  );
}

const FUNCTION_PROTOTYPES: readonly object[] = [
  Function.prototype,
  prototypeOf(async () => undefined),
  prototypeOf(function* () {}),
  prototypeOf(async function* () {}),
];

const BUILT_INS: readonly { readonly prototype: object }[] = [
  ...[Object, Array, String, Number, Boolean, Symbol, BigInt, Date, RegExp, Promise, Map, Set],
  ...[WeakMap, WeakSet, WeakRef, FinalizationRegistry, ArrayBuffer, SharedArrayBuffer, DataView],
  ...[Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array, BigUint64Array, Float32Array],
  ...[Int8Array, Int16Array, Int32Array, BigInt64Array, Float64Array, AggregateError],
  ...[Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError],
];

const ITERATORS: readonly object[] = [
  [].values(),
  new Map().values(),
  new Set().values(),
  ''[Symbol.iterator](),
  ''.matchAll(/a/g),
  (function* () {})(),
  (async function* () {})(),
];

/** The prototype of all prototypes of typed arrays. */
const TYPED_ARRAY = prototypeOf(Uint8Array.prototype);

const PROTOTYPES: ReadonlySet<object> = new Set([
  ...FUNCTION_PROTOTYPES,
  ...BUILT_INS.map(({ prototype }) => prototype),
  TYPED_ARRAY,
  ...ITERATORS.flatMap((iterator) => ancestorsOf(iterator)),
]);

function prototypeOf(value: object): object {
  return Reflect.getPrototypeOf(value) ?? Object.prototype;
}

function ancestorsOf(value: object): readonly object[] {
  const parent = Reflect.getPrototypeOf(value);
  return parent === null ? [] : [parent, ...ancestorsOf(parent)];
}

function fix(target: object, name: PropertyKey, meaning: PropertyDescriptor): void {
  const isData = 'value' in meaning;
  const descriptor = { configurable: false, enumerable: false, ...(isData ? { writable: false } : {}) };
  if (!Reflect.defineProperty(target, name, { ...descriptor, ...meaning })) {
    throw new Error(`cannot lock ${String(name)}`);
  }
}

function refuseCode(): never {
  throw new EvalError('no code is made from text here');
}

function refuseProto(): never {
  throw new TypeError('nobody reaches for __proto__ here');
}

/** Replaces `Function` and the like; `instanceof` still works. */
function refusingConstructor(prototype: object): () => never {
  const refusing = (): never => refuseCode();
  Reflect.defineProperty(refusing, 'prototype', { value: prototype });
  return refusing;
}

function isOftenShadowed(prototype: object): boolean {
  return prototype === Object.prototype || prototype === Function.prototype || isErrorPrototype(prototype);
}

function isErrorPrototype(prototype: object): boolean {
  return prototype === Error.prototype || ancestorsOf(prototype).includes(Error.prototype);
}

/**
 * Turns the properties of common prototypes into accessors that set the heir's own property. A frozen property could not be
 * assigned on an heir either: `this.name = 'ParseError'` would throw.
 */
function letHeirsShadow(prototype: object): void {
  for (const name of Reflect.ownKeys(prototype)) {
    const own = Reflect.getOwnPropertyDescriptor(prototype, name);
    if (own?.configurable !== true || !('value' in own)) continue;
    const inherited: unknown = own.value;
    Reflect.defineProperty(prototype, name, {
      configurable: false,
      enumerable: own.enumerable ?? false,
      get: () => inherited,
      set(this: unknown, value: unknown) {
        const isHeir = typeof this === 'object' || typeof this === 'function';
        const mine = { value, writable: true, enumerable: true, configurable: true };
        if (!isHeir || this === null || this === prototype || !Reflect.defineProperty(this, name, mine)) {
          throw new TypeError(`cannot set ${String(name)}: it is locked`);
        }
      },
    });
  }
}

function requireLocked(): void {
  const attempts: readonly (() => unknown)[] = [
    () => Reflect.construct(Function, ['return 1']),
    () => Reflect.apply(Reflect.get(globalThis, 'eval'), undefined, ['1']),
    ...FUNCTION_PROTOTYPES.map(
      (prototype) => () => Reflect.construct(Reflect.get(prototype, 'constructor'), ['return 1']),
    ),
    () => Reflect.get({}, '__proto__'),
  ];
  const areOpen = attempts.some((attempt) => {
    try {
      attempt();
      return true;
    } catch {
      return false;
    }
  });
  if (areOpen || ![...PROTOTYPES].every((prototype) => Object.isFrozen(prototype))) {
    throw new Error('the lock-down did not take');
  }
}
