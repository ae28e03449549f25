// The scan against `yaml` on one text: the same tree in everything that it carries, or a fallback to `yaml`.

import { parseWithYaml } from '../../../../../src/adapters/formats/yaml/parse-unusual.ts';
import { scanYaml } from '../../../../../src/adapters/formats/yaml/scan/scan-yaml.ts';
import { DEFAULT_LIMITS, type Limits, Refusal } from '../../../../../src/security/index.ts';
import { orRefusal } from '../../../../harness/refusals.ts';

export type Comparison =
  | { readonly outcome: 'same' }
  | { readonly outcome: 'fallback'; readonly reason: string; readonly isValid: boolean }
  /** What must never be: `where` tells how the two differ. */
  | { readonly outcome: 'different'; readonly where: string };

export function compare(text: string, limits: Limits = DEFAULT_LIMITS): Comparison {
  const scanned = scanYaml(text, limits);
  const theirs = orRefusal<unknown>(() => parseWithYaml(text, limits));
  const isValid = !(theirs instanceof Refusal);
  if ('fallback' in scanned) return { outcome: 'fallback', reason: scanned.fallback, isValid };
  // The scan takes what most readers do, where the standard asks for more indentation within quotes.
  if (!isValid && scanned.stream.unindented !== undefined)
    return { outcome: 'fallback', reason: 'indentation', isValid };
  if (!isValid) return { outcome: 'different', where: `accepted, though ${theirs.message}` };
  const where = difference(scanned.stream, theirs, 'stream');
  return where === undefined ? { outcome: 'same' } : { outcome: 'different', where };
}

/** The first place at which two trees differ, whatever their fields are called. */
function difference(ours: unknown, theirs: unknown, path: string): string | undefined {
  if (ours instanceof Map && theirs instanceof Map)
    return difference([...ours.entries()], [...theirs.entries()], path);
  if (!isObject(ours) || !isObject(theirs))
    return Object.is(ours, theirs) ? undefined : `${path}: ${show(ours)}, not ${show(theirs)}`;
  for (const key of new Set([...fieldsOf(theirs), ...fieldsOf(ours)])) {
    const found = difference(Reflect.get(ours, key), Reflect.get(theirs, key), `${path}.${key}`);
    if (found !== undefined) return found;
  }
  if (Array.isArray(ours) && Array.isArray(theirs) && ours.length !== theirs.length)
    return `${path}: ${ours.length} long, not ${theirs.length}`;
  return undefined;
}

/** With the getters of its class: what a node makes when somebody asks for it. */
function fieldsOf(node: object): string[] {
  const shape: object | null = Object.getPrototypeOf(node);
  const inherited = shape === null || shape === Object.prototype || Array.isArray(node) ? [] : getters(shape);
  return [...Object.keys(node), ...inherited];
}

function getters(shape: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(shape)).flatMap(([name, { get }]) =>
    get === undefined ? [] : [name],
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  return isObject(value) ? Object.keys(value).join() : String(value);
}
