// Reads the mappings of a policy file strictly: an unknown key or a value of another kind is a PolicyFault at its place.
import { quoted } from '../text/visible.ts';
import type { DataPath } from './facts.ts';
import { PolicyFault } from './policy-fault.ts';

export class PolicyFields {
  readonly at: DataPath;
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(value: unknown, at: DataPath, known: readonly string[]) {
    this.at = at;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new PolicyFault(at, `expected a mapping with ${known.join(', ')}`);
    this.#values = new Map(Object.entries(value));
    for (const key of this.#values.keys())
      if (!known.includes(key))
        throw new PolicyFault([...at, key], `unknown key ${quoted(key)}; known are ${known.join(', ')}`);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  raw(name: string): unknown {
    return this.#values.get(name);
  }

  placeOf(...path: DataPath): DataPath {
    return [...this.at, ...path];
  }

  fault(name: string, reason: string): PolicyFault {
    return new PolicyFault(this.has(name) ? this.placeOf(name) : this.at, `${name}: ${reason}`);
  }

  text(name: string): string {
    const value = this.raw(name);
    if (typeof value !== 'string' || value.trim() === '') throw this.fault(name, 'expected a text');
    return value;
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value {
    const value = this.raw(name);
    const found = values.find((one) => one === value);
    if (found === undefined) throw this.fault(name, `expected ${values.join(', ')}`);
    return found;
  }

  number(name: string): number {
    const value = this.raw(name);
    if (typeof value !== 'number' || !(value > 0)) throw this.fault(name, 'expected a number above 0');
    return value;
  }

  /** Reads a list of texts; a single text counts as a list of one. */
  texts(name: string): readonly string[] {
    return this.#listOf(
      name,
      (item): item is string => typeof item === 'string' && item.trim() !== '',
      'texts',
    );
  }

  listOf<Value extends string>(name: string, values: readonly Value[]): readonly Value[] {
    const isOne = (item: unknown): item is Value => values.some((value) => value === item);
    return this.#listOf(name, isOne, `some of ${values.join(', ')}`);
  }

  #listOf<Item>(name: string, isItem: (item: unknown) => item is Item, what: string): readonly Item[] {
    const value = this.raw(name);
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (items.length === 0) throw this.fault(name, `expected ${what}, got an empty list`);
    return items.map((item, index) => {
      if (isItem(item)) return item;
      throw new PolicyFault(
        Array.isArray(value) ? this.placeOf(name, index) : this.placeOf(name),
        `${name}: expected ${what}`,
      );
    });
  }
}
