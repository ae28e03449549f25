// The value of an operation, as the fragment that goes into the text.
import { Refusal } from '../../security/index.ts';
import type { Syntax } from '../syntax.ts';
import { isEmpty, type SpanNode } from '../tree/span-tree.ts';
import { toFlowText } from './flow-text.ts';
import { type Fragment, parseFragment } from './fragment.ts';
import { isBlockCollection } from './indent-style.ts';
import { type Json, type JsonStyle, jsonText } from './json-text.ts';
import type { PlanContext } from './plan.ts';
import type { Site } from './site.ts';

/** `source` is a fragment, used as it is; `json` a typed value, written in the style of what it replaces. */
export type NewValue = { readonly source: string } | { readonly json: Json };

/** `old`: the node that is replaced. Throws VALUE_INVALID. Inside flow style a block fragment becomes flow. */
export function readValue(context: PlanContext, value: NewValue, site: Site, old?: SpanNode): Fragment {
  const { syntax, limits, document } = context;
  const fragmentContext = { syntax, limits, tagHandles: document.tagHandles };
  const source = 'source' in value ? value.source : jsonText(value.json, styleAt(site, syntax, old));
  const fragment = parseFragment(source, fragmentContext);
  const { node, text } = fragment;
  const isBlock = isBlockCollection(node) || (node.kind === 'scalar' && node.block !== undefined);
  if (!site.isFlow || !isBlock) return fragment;
  return parseFragment(toFlowText(text, node), fragmentContext);
}

/** Not a copy, which would look at all of it: most values have no level below them. */
function styleAt(site: Site, syntax: Syntax, old: SpanNode | undefined): JsonStyle {
  const { isFlow, isSpread } = site;
  return {
    ...{ syntax, isFlow, isSpread, old },
    get unit() {
      return site.unit;
    },
    get indentSequences() {
      return site.indentSequences;
    },
  };
}

/** Between two commas of a list in `[ ]` nothing is no item. */
export function requireFlowItem({ node }: Fragment): void {
  if (!isEmpty(node) || node.properties !== undefined) return;
  throw new Refusal(
    'VALUE_INVALID',
    'Cannot use this value: a list in [ ] can have no empty item',
    {},
    { advice: ['Write null instead'] },
  );
}
