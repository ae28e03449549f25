// Turns the value of a step into text that fits its place.

import { differs } from '../prove/expected.ts';
import type { Json } from '../tree/json.ts';
import { isBlockCollection, partsOf, type SpanNode } from '../tree/span-tree.ts';
import { endsInBrackets, holdsActions } from '../tree/word-ends.ts';
import { lostComment } from './brackets.ts';
import { flowText } from './flow-text.ts';
import type { Place } from './place.ts';
import { printJson } from './print.ts';
import { withinBrackets } from './sections.ts';
import { parseSource, type Source, type Target } from './source.ts';
import type { Value } from './step.ts';
import { styleOf } from './style.ts';

/**
 * Returns the value as a source; a flow form of it for a place in brackets. `model` is the node whose style it takes; `isSpread`: new
 * brackets have their parts on lines. Throws VALUE_INVALID.
 */
export function sourceFor(
  target: Target,
  value: Value,
  { isFlow, unit }: Pick<Place, 'isFlow' | 'unit'>,
  model: SpanNode | undefined,
  isSpread = false,
): Source {
  if ('taken' in value && target.format.layout === 'sections') {
    const { text, node, above, behind, given } = value.taken;
    return { ...parseSource(withinBrackets(text, node), target), above, behind, given };
  }
  if ('taken' in value) return isFlow ? inBrackets(target, value.taken) : value.taken;
  if ('text' in value) {
    const source = parseSource(value.text, target);
    return isFlow ? inBrackets(target, source) : source;
  }
  const { stream, document } = target;
  const style = styleOf(stream.text, document);
  const text = printJson(value.json, { target, style, isFlow, isSpread, unit, model });
  const source = parseSource(text, target);
  if (!holdsData(source.node, value.json)) throw differs('the data would not be those that were asked for');
  return source;
}

/** True if the node reads as this data. Without this check, a bug of the printer would count as what was asked for. */
function holdsData(node: SpanNode, json: Json): boolean {
  if (node.kind === 'scalar') return node.typedValue === json;
  if (typeof json !== 'object' || json === null || node.kind === 'alias') return false;
  if (Array.isArray(json) !== (node.kind === 'sequence')) return false;
  const members = new Map(Object.entries(json));
  return (
    partsOf(node).length === members.size &&
    partsOf(node).every((part, index) => {
      const member = members.get('key' in part ? (part.name ?? '') : String(index));
      return member !== undefined && holdsData(part.value, member);
    })
  );
}

function inBrackets(target: Target, source: Source): Source {
  const { node, text, comments, above, behind } = source;
  const isQuoted =
    node.kind === 'scalar' &&
    node.style === 'plain' &&
    target.format.layout === 'block' &&
    !holdsActions(node) &&
    endsInBrackets(node.value);
  const isBlock = isBlockCollection(node) || (node.kind === 'scalar' && node.block !== undefined);
  if (!isBlock && !isQuoted) return source;
  if (isBlock && comments.length > 0) throw lostComment();
  const quotes = () => 'double' as const;
  const quoted = (one: string) =>
    target.format.writeScalar(one, { style: 'double', isFlow: true, quotes, unit: () => 2 });
  return { ...parseSource(flowText(text, node, quoted), target), above, behind };
}
