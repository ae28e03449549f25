// Values between formats: what `move` and `copy` may take to a file of another format, as data and without loss; and the data of YAML
// that was sent for such a file.

import { Refusal, unlessRefused } from '../../security/errors/refusal.ts';
import type { NodePath } from '../../security/node-paths/node-path.ts';
import { DEFAULT_LIMITS } from '../../security/policy/policy.ts';
import type { Target } from '../edit/source.ts';
import type { Insert, Step } from '../edit/step.ts';
import type { Taken } from '../edit/taken.ts';
import { FORMATS } from '../formats/registry.ts';
import type { Action } from '../tree/actions.ts';
import type { Format } from '../tree/format.ts';
import type { Json } from '../tree/json.ts';
import { isBlockCollection, isCollection, partsOf, type SpanNode, walk } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';

/** True if the part can keep its text in a file of the other format. */
export function canStayAsWritten(
  to: Format,
  from: Format,
  { part: { lines }, text }: Taken,
  actions: readonly Action[],
): boolean {
  if (to.name === from.name) return true;
  const isBraced = actions.length > 0 || /\{[{%#]/.test(lines?.(0, undefined).join('\n') ?? text);
  return to.layout === 'block' && from.layout === 'block' && !isBraced;
}

/** Throws if lines of actions would be lost: they, and what they write, are not data. */
export function requireNothingBeside({ stream: { lines } }: Target, actions: readonly Action[]): void {
  const beside = actions.find(({ isHidden }) => isHidden);
  if (beside === undefined) return;
  const line = lines.at(beside.start);
  throw new Refusal(
    'TEMPLATE_ACTION',
    `Cannot take this to a file of another format: an action of the template stands in it (line ${line} of its file), which would be lost`,
    {},
    {
      advice: [
        'Take its parts that hold no lines of actions one by one; or read it, and write it there with "value"',
      ],
    },
  );
}

/** Throws for data that would change in another format: long numbers lose digits; dates, inf and nan become strings. */
export function requireExactData(root: SpanNode, { layout }: Format): void {
  const keys = new Set<SpanNode>();
  for (const node of walk(root)) {
    if (node.kind === 'mapping') for (const { key } of node.entries) keys.add(key);
    if (node.kind !== 'scalar' || node.style !== 'plain' || typeof node.typedValue !== 'string') continue;
    // A key is a string in every format.
    if (keys.has(node)) continue;
    const isNumber = /^[-+.]?[0-9][0-9_.eE+-]*$/.test(node.value) && !Number.isNaN(Number(node.value));
    if (isNumber)
      throw new Refusal(
        'VALUE_INVALID',
        'Cannot copy this to another format: a number in it would lose digits',
      );
    // A plain scalar of TOML with a string value is a date.
    if (layout !== 'sections' && !/^[-+]?\.(?:inf|nan)$/i.test(node.value)) continue;
    throw new Refusal(
      'VALUE_INVALID',
      'Cannot copy this to another format: a date, inf or nan in it would become a text',
      {},
      { advice: ['Set it there with "value", as that format writes it; copy the others one by one'] },
    );
  }
}

/** Returns the steps that turn floats without a fraction into floats again: as data they are integers. */
export function floatSteps(
  { doc, path, key, index = -1 }: Insert & { readonly doc?: number | undefined },
  root: SpanNode,
): readonly Step[] {
  const found: Step[] = [];
  const look = (node: SpanNode, at: NodePath): void => {
    if (isCollection(node))
      for (const [item, part] of partsOf(node).entries())
        look(part.value, [...at, 'key' in part ? (part.name ?? '') : item]);
    const isFloat =
      node.kind === 'scalar' && node.style === 'plain' && /^[-+\d_]+[.eE][-+\d_eE]*$/.test(node.value);
    const text = isFloat ? String(node.typedValue) : '';
    if (/^-?\d+$/.test(text)) found.push({ do: 'replace', path: at, doc, value: { text: `${text}.0` } });
  };
  look(root, [...path, key ?? index]);
  return found;
}

export function mismatch(message: string, advice: string): Refusal {
  return new Refusal('TYPE_MISMATCH', message, {}, { advice: [advice] });
}

/** Runs `work`; if it refuses a value that is YAML, the refusal offers the same data as `json`. */
export function translating<Result>(source: string | undefined, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal) || source === undefined) throw error;
    const { wantedFormat } = error.clues;
    const json = wantedFormat === undefined ? undefined : dataOf(source, wantedFormat !== 'TOML');
    if (json === undefined) throw error;
    throw error.hinting({ instead: { fields: { value: undefined, json }, what: 'Send it as json' } });
  }
}

const MAX_YAML_CHARS = 10_000;

/** Reads a block mapping or list, which can only be YAML; undefined for anything else, and for data that would lose digits. */
function dataOf(value: string, hasNull: boolean): Json | undefined {
  if (value.length > MAX_YAML_CHARS) return undefined;
  return unlessRefused(() => {
    const { documents } = FORMATS.yaml.parse(value.endsWith('\n') ? value : `${value}\n`, DEFAULT_LIMITS);
    const [document, second] = documents;
    if (document === undefined || second !== undefined || !isBlockCollection(document.root)) return undefined;
    for (const node of walk(document.root)) {
      if (node.kind !== 'scalar') continue;
      const { typedValue } = node;
      if (typedValue === null && !hasNull) return undefined;
      if (typeof typedValue === 'number' && String(typedValue) !== node.value) return undefined;
    }
    return toValue(document, document.root);
  });
}
