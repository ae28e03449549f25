// `set`: replaces the node at a path, or creates the mapping keys that lead to it.
import { type Edit, Refusal } from '../../security/index.ts';
import type { Datum, StreamData } from '../proof/datum.ts';
import { PartList } from '../proof/part-list.ts';
import { type Located, locate, notFound } from '../tree/locate.ts';
import type { NodePath } from '../tree/node-path.ts';
import { sliceOf } from '../tree/slice.ts';
import { type DocumentSpans, isEmpty, type SpanNode } from '../tree/span-tree.ts';
import { type Fragment, parseFragment } from './fragment.ts';
import { layOut } from './lay-out.ts';
import { keyQuotesOf, newKeyDatum } from './new-key.ts';
import type { Plan, PlanContext } from './plan.ts';
import { type NewEntry, newMappingText, planFirstEntry, planFirstNode, planNewEntry } from './plan-create.ts';
import { planReplace } from './plan-replace.ts';
import { type NewValue, readValue, requireFlowItem } from './read-value.ts';
import { type Site, siteOf, siteWithin } from './site.ts';

/** Throws NODE_NOT_FOUND, TYPE_MISMATCH, DUPLICATE_KEY, ALIAS_CROSSED, VALUE_INVALID. */
export function planSet(context: PlanContext, path: NodePath, value: NewValue, create: boolean): Plan {
  const { text } = context.stream;
  const located = locate(text, context.document, path);
  // What `config_get` returned is put back as it is, whatever its indentation.
  const isThere = located.missing.length === 0;
  if (isThere && 'source' in value && value.source === sliceOf(text, located.node))
    return { edits: [], apply: () => {} };
  const site = siteOf(text, context.document, located);
  if (located.missing.length > 0) {
    assertCreatable(text, located, path, create);
    return planNew(context, located, site, value);
  }
  return planOld(context, located, site, value);
}

function planOld(context: PlanContext, located: Located, site: Site, value: NewValue): Plan {
  const { text } = context.stream;
  const node = located.node;
  const fragment = readValue(context, value, site, node);
  if (site.isFlow && located.steps.at(-1)?.kind === 'item') requireFlowItem(fragment);
  const keepAnchor = keepsAnchor(node, fragment);
  if (keepAnchor === 'impossible') throw aliasUnderAnchor(node);
  if (site.isRoot) requireDocument(context, fragment, keepAnchor);
  const edits = isUnmarked(text, context.document, node)
    ? planFirstNode(text, context.document, wholeLines(fragment, site), fragment)
    : planReplace(text, node, site, fragment, keepAnchor ? anchorText(text, node) : '');
  const datum = fragment.datum();
  return { edits, apply: (data) => replaceDatum(data, context.documentIndex, located, datum, keepAnchor) };
}

function planNew(context: PlanContext, located: Located, where: Site, value: NewValue): Plan {
  const { text } = context.stream;
  const node = located.node;
  const keys = located.missing.map((segment) => (segment.kind === 'index' ? '' : segment.key));
  const site = siteWithin(text, where, node);
  const fragment = readValue(context, value, site, undefined);
  const quotes = keyQuotesOf(text, node);
  const edits = newEntryEdits(context, located, site, { keys, fragment, quotes });
  const datum = fragment.datum();
  const newKeys = keys.map((key, index) => {
    return newKeyDatum(key, site.isFlow, context.syntax, index > 0 && !site.isFlow ? undefined : quotes);
  });
  return { edits, apply: (data) => addDatum(data, context, located, newKeys, datum) };
}

/** An implicit null grows into a mapping; a mapping takes the entry at its end. */
function newEntryEdits(context: PlanContext, located: Located, site: Site, entry: NewEntry): readonly Edit[] {
  const { stream, document, syntax } = context;
  const node = located.node;
  if (node.kind === 'mapping') {
    return planNewEntry(stream, node, node.entries.length - 1, site, entry, syntax);
  }
  if (located.steps.length === 0 && node.properties === undefined)
    return planFirstEntry(stream.text, document, entry, site, syntax);
  const mapping = parseFragment(newMappingText(entry, site, syntax), {
    ...context,
    tagHandles: document.tagHandles,
  });
  const properties = node.properties;
  const kept = properties === undefined ? '' : stream.text.slice(properties.start, properties.end);
  return planReplace(stream.text, node, site, mapping, kept);
}

/** Without a `---` a document is there by its content only: nothing would end it, or leave a bare `...`. */
function requireDocument({ stream, document }: PlanContext, { node }: Fragment, keepAnchor: boolean): void {
  const isMarked = stream.text.slice(0, document.contentStart).endsWith('---');
  const isLast = document.contentEnd === stream.text.length;
  if (!isEmpty(node) || node.properties !== undefined || keepAnchor || isMarked || isLast) return;
  throw new Refusal(
    'VALUE_INVALID',
    'Cannot set nothing here: the document would be gone',
    {},
    { advice: ['Write null instead'] },
  );
}

/** Keys are created; list items past the end and keys below a scalar never are. */
function assertCreatable(text: string, located: Located, path: NodePath, create: boolean): void {
  const first = located.missing[0];
  const hasIndex = located.missing.some((segment) => segment.kind === 'index');
  const isItem = located.node.kind === 'sequence' || first?.kind === 'index';
  if (!create || hasIndex || isItem) throw notFound(text, located, path, 'set');
}

/** Whether the document has neither a node nor a `---` for one to stand behind. */
function isUnmarked(text: string, document: DocumentSpans, node: SpanNode): boolean {
  const isNothing = node === document.root && isEmpty(node) && node.properties === undefined;
  return isNothing && !text.slice(0, document.contentStart).endsWith('---');
}

function wholeLines(fragment: Fragment, site: Site): readonly string[] {
  const { head, below } = layOut(fragment, site);
  return head === '' ? below : [...head.split('\n'), ...below];
}

function anchorText(text: string, node: SpanNode): string {
  const anchor = node.properties?.anchor;
  return anchor === undefined ? '' : text.slice(anchor.start, anchor.end);
}

/** An alias can have no anchor: where the old node has one that nobody uses, it goes. */
function keepsAnchor(node: SpanNode, fragment: Fragment): boolean | 'impossible' {
  const anchor = node.properties?.anchor;
  if (anchor === undefined || fragment.node.properties?.anchor !== undefined) return false;
  return fragment.node.kind === 'alias' ? 'impossible' : true;
}

function aliasUnderAnchor(node: SpanNode): Refusal {
  const name = node.properties?.anchor?.name ?? '';
  return new Refusal(
    'ANCHOR_IN_USE',
    `Cannot put an alias here: the node carries the anchor &${name}, and an alias can have none`,
    {},
    {
      advice: [
        `Set a copy of the value instead of an alias, or give the anchor &${name} to another node first`,
      ],
    },
  );
}

/** Puts `datum` where the located node's datum is; aliases of the old one follow where the anchor is kept. */
export function replaceDatum(
  data: StreamData,
  documentIndex: number,
  located: Located,
  datum: Datum,
  keepAnchor: boolean,
): void {
  const old = data.of(located.node);
  if (keepAnchor) datum.anchor = old.anchor;
  data.redirect(old, datum);
  const step = located.steps.at(-1);
  if (step === undefined) {
    data.documents[documentIndex] = datum;
    return;
  }
  const container = data.of(step.container);
  if (container.kind === 'mapping') {
    const entry = container.entries.at(step.index);
    if (entry !== undefined) entry[1] = datum;
  } else if (container.kind === 'sequence') {
    container.items.set(step.index, datum);
  }
}

function addDatum(
  data: StreamData,
  context: PlanContext,
  located: Located,
  keys: readonly Datum[],
  datum: Datum,
): void {
  const [first, ...rest] = keys;
  if (first === undefined) throw new Error('a new entry has a key');
  const value = rest.reduceRight<Datum>((inner, key) => newMapping([[key, inner]]), datum);
  const target = data.of(located.node);
  if (target.kind === 'mapping') {
    target.entries.push([first, value]);
    return;
  }
  const mapping = newMapping([[first, value]]);
  mapping.tag = target.tag;
  replaceDatum(data, context.documentIndex, located, mapping, true);
}

function newMapping(entries: [Datum, Datum][]): Datum {
  return { kind: 'mapping', entries: PartList.of(entries), tag: undefined, anchor: undefined };
}
