// `where` of a search: what a value must be.
import { quoted, Refusal } from '../../security/index.ts';
import type { SpanNode } from '../tree/span-tree.ts';
import { compileWildcard } from '../tree/wildcard.ts';

export type Condition = 'missing' | ((node: SpanNode) => boolean);

const COMPARISONS: Readonly<Record<string, (value: number, than: number) => boolean>> = {
  '<': (value, than) => value < than,
  '<=': (value, than) => value <= than,
  '>': (value, than) => value > than,
  '>=': (value, than) => value >= than,
};

/** Throws ARGUMENT_INVALID. */
export function compileCondition(where: string): Condition {
  const [, operator = '', operand = ''] = /^\s*(<=|>=|<|>|!==?|===?|=)\s*(.*?)\s*$/su.exec(where) ?? [];
  if (/^\s*missing\s*$/iu.test(where)) return 'missing';
  const compare = COMPARISONS[operator];
  const than = numberIn(operand);
  if (compare !== undefined && than !== undefined)
    return (node) => {
      const value = node.kind === 'scalar' ? numberIn(node.value) : undefined;
      return value !== undefined && compare(value, than);
    };
  if (compare === undefined && operator !== '') {
    const isValue = compileWildcard(unquoted(operand));
    const isWanted = !operator.startsWith('!');
    return (node) => node.kind === 'scalar' && isValue(node.value) === isWanted;
  }
  throw new Refusal(
    'ARGUMENT_INVALID',
    `Cannot use ${quoted(where)} as "where": it is one of <2, <=2, >2, >=2 with a number, =x, !=x, and missing`,
  );
}

/** A plain decimal, or one in quotes: whoever asks for ports below 1024 means "80" as well. */
function numberIn(text: string): number | undefined {
  return /^[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/u.test(text)
    ? Number(text.replaceAll('_', ''))
    : undefined;
}

/** `="a"` and `=a` ask for the same. */
function unquoted(operand: string): string {
  return /^(["']).*\1$/su.test(operand) ? operand.slice(1, -1) : operand;
}
