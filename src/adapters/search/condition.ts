// Compiles `where` of a search: a condition for a value.
import { outsidePlaceholders, quoted, Refusal, semver } from '../../security/index.ts';
import type { SpanNode } from '../tree/span-tree.ts';
import { compileWildcard } from '../tree/wildcard.ts';
import { isVersionOnly, lowestIn, numberIn, quantityIn, versionIn, versionOfImage } from './quantity.ts';

/** The answer about a value. `no number` means that it cannot be compared; an object is the answer for numbers, where versions would give the other one, or for the lowest version of a range. */
export type Answer = boolean | 'no number' | { readonly is: boolean; readonly by: 'number' | 'lowest' };

export type Condition = 'missing' | ((node: SpanNode) => Answer);

/** The operators, as tests of the order of a value and the operand. */
const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Compiles a condition; `loadVersions` must have ended. Throws ARGUMENT_INVALID. */
export function compileCondition(where: string): Condition {
  const { operator, operand } = partsOf(where);
  if (/^\s*missing\s*$/iu.test(where)) return 'missing';
  const isWithin = COMPARISONS[operator];
  const compare = isWithin && comparison(unquoted(operand), isWithin);
  if (compare !== undefined)
    return (node) => node.kind === 'scalar' && compare(node.value, typeof node.typedValue === 'string');
  if (isWithin === undefined && operator !== '') {
    const isValue = compileValue(unquoted(operand));
    const isWanted = !operator.startsWith('!');
    const isAny = isEmptyCollection(operand);
    return (node) => (isAny || node.kind === 'scalar') && isValue(node) === isWanted;
  }
  throw new Refusal(
    'ARGUMENT_INVALID',
    `Cannot use ${quoted(where)} as "where": it is one of <2, <=2, >2, >=2 with a number, a version (1.9.0, v2) or a quantity (500m, 256Mi), =x, !=x, and missing`,
  );
}

/** True for the text of an empty collection. */
export function isEmptyCollection(text: string): boolean {
  return text === '{}' || text === '[]';
}

/** Compiles the test of a value: of a scalar, or of an empty collection by `{}` or `[]`. Throws ARGUMENT_INVALID. */
export function compileValue(pattern: string): (node: SpanNode) => boolean {
  const isText = compileWildcard(pattern);
  return (node) => {
    if (node.kind === 'scalar') return isText(outsidePlaceholders(node.value));
    if (node.kind === 'mapping') return pattern === '{}' && node.entries.length === 0;
    return node.kind === 'sequence' && pattern === '[]' && node.items.length === 0;
  };
}

/** Returns the text, with wildcards, that a value must be equal to; undefined for any other condition. */
export function equalityIn(where: string): string | undefined {
  const { operator, operand } = partsOf(where);
  return /^=+$/u.test(operator) ? unquoted(operand) : undefined;
}

function partsOf(where: string): { readonly operator: string; readonly operand: string } {
  const [, operator = '', operand = ''] = /^\s*(<=|>=|<|>|!==?|===?|=)\s*(.*?)\s*$/su.exec(where) ?? [];
  return { operator, operand };
}

type Compare = (value: string, isText: boolean) => Answer;

/** Compares values that are numbers on both sides; others as versions, or as quantities where the operand has a unit. */
function comparison(operand: string, isWithin: (order: number) => boolean): Compare | undefined {
  const [number, version, quantity] = [numberIn(operand), versionIn(operand), quantityIn(operand)];
  const byVersion = (value: string): Answer => {
    // A tag may have a digest behind it.
    const tag = value.replace(/@sha256:[0-9a-f]{64}$/u, '');
    const exact = versionIn(tag) ?? versionOfImage(value);
    const other = exact ?? lowestIn(tag);
    if (other === undefined || version === undefined) return 'no number';
    const is = isWithin(semver().compare(other, version));
    return exact === undefined ? { is, by: 'lowest' } : is;
  };
  if (number === undefined && version !== undefined && isVersionOnly(operand)) return byVersion;
  if (number === undefined && quantity !== undefined)
    return (value) => {
      const other = quantityIn(value);
      return other === undefined ? 'no number' : isWithin(other - quantity);
    };
  if (number === undefined) return undefined;
  return (value, isText) => {
    const other = numberIn(value);
    if (other === undefined) return byVersion(value);
    const is = isWithin(other - number);
    return isText && byVersion(value) === !is ? { is, by: 'number' } : is;
  };
}

/** Removes quotes, so that `="a"` and `=a` ask for the same. */
function unquoted(operand: string): string {
  return /^(["']).*\1$/su.test(operand) ? operand.slice(1, -1) : operand;
}
