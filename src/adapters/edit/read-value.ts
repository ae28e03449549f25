// Reads the value of an operation into the fragment that goes into the text.
import { Refusal } from '../../security/index.ts';
import type { Json } from '../tree/json.ts';
import { isBlockCollection, isEmpty, type ScalarNode, type SpanNode } from '../tree/span-tree.ts';
import { endsInBrackets, holdsActions } from '../tree/word-ends.ts';
import { toFlowText } from './flow-text.ts';
import { type Fragment, parseFragment } from './fragment.ts';
import type { PlanContext } from './intent.ts';
import { jsonText } from './json-text.ts';
import type { WriteContext } from './write-context.ts';

/** The value of a call: `source` is a fragment that is used as it is, `json` a typed value that takes the style of what it replaces. */
export type NewValue = { readonly source: string } | { readonly json: Json };

/**
 * A collection of JSON on one line says nothing of how its file has them: it is laid out as a typed value. One that is no
 * plain JSON, or has numbers or escapes in words of its own, stays as it is.
 */
export function typedIfCompact({ format }: PlanContext, value: NewValue): NewValue {
  if (format.layout === 'sections' || !('source' in value)) return value;
  const source = value.source.trim();
  if (!/^[[{]/.test(source) || source.includes('\n')) return value;
  // In YAML `[1, 2]` is as good a source as any; nobody writes quotes around keys there.
  if (format.layout === 'block' && !source.includes('"')) return value;
  try {
    const json: Json = JSON.parse(source);
    const isAsWritten = JSON.stringify(json) === source.replaceAll(STRING_OR_BLANKS, '$1');
    return isAsWritten ? { json } : value;
  } catch {
    return value;
  }
}

const STRING_OR_BLANKS = /("(?:[^"\\]|\\.)*")|[ \t\r]+/g;

/** Throws VALUE_INVALID. `old` is the replaced node, or a node beside the new one. In flow style a block fragment becomes flow style. */
export function readValue(
  context: PlanContext,
  value: NewValue,
  writeContext: WriteContext,
  old?: SpanNode,
): Fragment {
  const fragment = readSource(context, value, writeContext, old);
  return 'json' in value ? { ...fragment, asked: value.json } : fragment;
}

function readSource(
  context: PlanContext,
  value: NewValue,
  writeContext: WriteContext,
  old: SpanNode | undefined,
): Fragment {
  const source =
    'source' in value
      ? value.source
      : jsonText(value.json, { ...writeContext, format: context.format, old, text: context.stream.text });
  const fragment = parseFragment(source, context);
  const { node, text } = fragment;
  if (writeContext.isFlow && context.format.sections !== undefined)
    return {
      ...parseFragment(context.format.sections.inline(text, node), context),
      trailingComment: fragment.trailingComment,
      given: fragment.given,
    };
  const isOther =
    isBlockCollection(node) ||
    (node.kind === 'scalar' && (node.block !== undefined || needsQuotesInBrackets(node, context)));
  if (!writeContext.isFlow || !isOther) return fragment;
  const quotes = () => 'double' as const;
  const quoted = (one: string): string =>
    context.format.writeScalar(one, { style: quotes(), isFlow: true, quotes, unit: writeContext.unit });
  return { ...parseFragment(toFlowText(text, node, quoted), context), given: fragment.given };
}

function needsQuotesInBrackets(node: ScalarNode, { format }: PlanContext): boolean {
  const { style, value } = node;
  return format.layout === 'block' && style === 'plain' && !holdsActions(node) && endsInBrackets(value);
}

/** Throws VALUE_INVALID for an empty item: there is no item between two commas of a list in `[ ]`. */
export function requireFlowItem({ node }: Fragment): void {
  if (!isEmpty(node) || node.properties !== undefined) return;
  throw new Refusal(
    'VALUE_INVALID',
    'Cannot use this value: a list in [ ] can have no empty item',
    {},
    { advice: ['Write null instead'] },
  );
}
