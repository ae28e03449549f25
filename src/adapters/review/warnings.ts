// What a reviewer should know of a change that the diff does not say by itself.
import type { Change, Edit } from '../../security/index.ts';
import { keyText, locate } from '../tree/locate.ts';
import { parseNodePath } from '../tree/node-path.ts';
import { type MappingNode, type SpanNode, type Stream, walk } from '../tree/span-tree.ts';
import { findDeceptions } from './deception.ts';
import { describeReading, readAsKey } from './readings.ts';

const MAX_WARNINGS = 20;

/** Hazards of what is new, each in one sentence that names its path or characters. */
export function findWarnings(
  result: Stream,
  changes: readonly Change[],
  edits: readonly Edit[],
  isJson: boolean,
): string[] {
  const found = new Set<string>();
  const isDataChange = changes.some(({ op }) => op !== 'comment');
  if (edits.length > 0 && !isDataChange) found.add('No data changes: only comments, layout or spelling.');
  if (!isJson)
    for (const change of changes) for (const warning of hazardsOf(result, change)) found.add(warning);
  for (const deception of findDeceptions(edits.map(({ insert }) => insert).join('\n')))
    found.add(`In the new text ${deception}.`);
  const all = [...found];
  return all.length <= MAX_WARNINGS
    ? all
    : [...all.slice(0, MAX_WARNINGS), `… and ${all.length - MAX_WARNINGS} more.`];
}

function* hazardsOf(result: Stream, change: Change): Generator<string> {
  if (change.op === 'remove' || change.op === 'comment') return;
  const document = result.documents[change.doc];
  if (document === undefined) return;
  const { text } = result;
  const located = locate(text, document, parseNodePath(change.path));
  if (located.missing.length > 0) return;
  for (const node of walk(located.node)) {
    if (node.kind === 'mapping') yield* collisions(text, node, change.path);
    yield* tagHazard(text, node, change.path);
    if (node.kind !== 'scalar' || node.style !== 'plain' || node.properties?.tag !== undefined) continue;
    const reading = describeReading(text.slice(node.start, node.end));
    if (reading !== undefined) yield `${change.path}: ${reading}. Quote it if it is meant as text.`;
  }
  const step = located.steps.at(-1);
  if (change.op !== 'replace' && step?.kind === 'entry') yield* collisions(text, step.container, change.path);
}

function* collisions(text: string, mapping: MappingNode, path: string): Generator<string> {
  const seen = new Map<string, string>();
  for (const { key } of mapping.entries) {
    const name = keyText(text, key);
    if (name === undefined || key.kind !== 'scalar') continue;
    const reading = key.style === 'plain' || key.style === 'empty' ? readAsKey(name) : `"${name}"`;
    const other = seen.get(reading);
    if (other !== undefined && other !== name)
      yield `${path}: the keys ${other} and ${name} are one key for YAML 1.1 readers.`;
    seen.set(reading, name);
  }
}

function* tagHazard(text: string, { properties }: SpanNode, path: string): Generator<string> {
  const tag = properties?.tag;
  if (tag === undefined) return;
  const source = text.slice(tag.start, tag.end);
  if (/^!!(?:js|python|ruby|perl|java)\b|^!(?:ruby|py|perl)\//.test(source))
    yield `${path}: the tag ${source} makes some readers run code.`;
}
