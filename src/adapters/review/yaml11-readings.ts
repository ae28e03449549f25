// Readings of plain scalars by readers of YAML 1.1 (PyYAML, Ruby, Go's yaml.v2), where they differ from 1.2; and all such
// scalars of a file, which are not wrong, but worth checking.
import { keyOf, type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import { shownSpan } from '../shown/shown.ts';
import { visitNodes } from '../tree/keys.ts';
import { withPlaces } from '../tree/lines.ts';
import { scalarAt } from '../tree/locate.ts';
import { type DocumentSpans, isEmpty, isWritten, type SpanNode, type Stream } from '../tree/span-tree.ts';

interface Trap {
  readonly pattern: RegExp;
  readonly says: (text: string) => string;
}

/** The readings, tested in this order; all patterns are linear. */
const TRAPS: readonly Trap[] = [
  {
    pattern: /^(?:y|Y|yes|Yes|YES|on|On|ON)$/,
    says: (text) => `${text} is the boolean true for YAML 1.1 readers`,
  },
  {
    pattern: /^(?:n|N|no|No|NO|off|Off|OFF)$/,
    says: (text) => `${text} is the boolean false for YAML 1.1 readers`,
  },
  {
    pattern: /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}[^#]*)?$/,
    says: (text) => `${text} is a date for YAML 1.1 readers, not a string`,
  },
  {
    pattern: /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/,
    says: (text) => `${text} is a base-60 number for YAML 1.1 readers`,
  },
  {
    // YAML 1.1 has no `0o`; its octal numbers begin with 0, and its floats need a dot and a signed exponent.
    pattern:
      /^(?:0o[0-7]+|[-+]?(?:0[0-9]*[89][0-9]*|[0-9]+[eE][-+]?[0-9]+|(?:[0-9]+\.[0-9]*|\.[0-9]+)[eE][0-9]+))$/,
    says: (text) => `${text} is a number for YAML 1.2 readers and a string for YAML 1.1 readers`,
  },
  {
    pattern: /^[-+]?0[0-7_]+$/,
    says: (text) => `${text} is an octal number for YAML 1.1 readers`,
  },
  {
    pattern:
      /^[-+]?(?:0b[01_]+|0x[0-9a-fA-F]*_[0-9a-fA-F_]*|[0-9]+_[0-9_]*(?:\.[0-9_]*)?|[0-9]+\.[0-9]*_[0-9_]*)$/,
    says: (text) => `${text} is a number for YAML 1.1 readers and a string for YAML 1.2 readers`,
  },
  {
    // Go reads a base in capitals and after a sign, and PyYAML a sign before 0x.
    pattern: /^(?!0x[0-9a-fA-F]+$)[-+]?0[xXoObB][0-9a-fA-F_]+$/,
    says: (text) => `${text} is a number for some YAML readers and a string for others`,
  },
  {
    pattern: /^(?:=|<<)$/,
    says: (text) => `${text} means something else to YAML 1.1 readers, and some refuse it`,
  },
  {
    pattern: /^[-+]?[0-9]+\.[0-9]*0$/,
    says: (text) => `${text} is the number ${Number(text)}: as a version it loses its last zero`,
  },
];

const LONGEST = 64;

/** Returns one clause; undefined if all readers agree. */
export function describeYaml11Reading(text: string, role: 'value' | 'key' = 'value'): string | undefined {
  if (text.length > LONGEST || (role === 'key' && text === '<<')) return undefined;
  return TRAPS.find(({ pattern }) => pattern.test(text))?.says(text);
}

/** True for the warning about the key `on` of a workflow, which GitHub reads as text. */
export function isKeyOfWorkflow(file: string, warning: string): boolean {
  return /(?:^|\/)\.github\/workflows\/[^/]+$/u.test(file) && warning.startsWith('on: the key on ');
}

export interface Hazard {
  readonly doc: number;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const MAX_HAZARDS = 100;

/** Returns at most 100 hazards in source order. */
export function findHazards(stream: Stream, doc?: number): Hazard[] {
  const { text } = stream;
  const found: { offset: number; doc: number; path: string; message: string }[] = [];
  for (const [index, { root }] of stream.documents.entries()) {
    if (doc !== undefined && doc !== index) continue;
    visitNodes(text, root, (node, path) => {
      if (found.length >= MAX_HAZARDS || node.kind !== 'scalar') return;
      if (node.style !== 'plain' || node.properties?.tag !== undefined) return;
      const message = describeYaml11Reading(shownSpan(stream, node));
      if (message !== undefined)
        found.push({ offset: node.start, doc: index, path: printNodePath(path), message });
    });
  }
  return withPlaces(text, found);
}

/** The keys of mappings of texts in any object. */
const OF_TEXTS = ['labels', 'annotations', 'matchLabels', 'nodeSelector'];
/** All keys whose parts can only be texts. */
export const TAKES_TEXTS: readonly string[] = [...OF_TEXTS, 'data', 'stringData'];
const MOST_NAMED = 5;

/**
 * Asks, in whole sentences, about values in `now`, which is new at this path, where Kubernetes takes texts only: it would refuse
 * a number, `true` or a mapping there, long after the edit was reviewed.
 */
export function findNoTexts(
  { text }: Stream,
  document: DocumentSpans,
  at: NodePath,
  now: SpanNode,
): string[] {
  const found: string[] = [];
  if (!isObject(document.root)) return found;
  visitNodes(text, now, (node, below) => {
    const path = [...at, ...below];
    const is = kindOf(node);
    if (found.length >= MOST_NAMED || is === 'text' || is === 'alias' || is === 'null') return;
    if (!takesText(document.root, path)) return;
    const meant =
      node.kind === 'scalar'
        ? `Did you mean "json": ${JSON.stringify(node.value.slice(0, 60))}?`
        : 'Did you mean a text? Then send it as "json".';
    found.push(`${printNodePath(path)}: becomes ${is}, where only texts can stand. ${meant}`);
  });
  return found;
}

function takesText(root: SpanNode, path: NodePath): boolean {
  const parent = path.at(-2);
  if (typeof parent === 'number') return keyOf(path.at(-1)) === 'value' && keyOf(path.at(-3)) === 'env';
  const [key, kind] = [keyOf(parent), scalarAt(root, ['kind'])];
  if (key === undefined || kind === 'CustomResourceDefinition') return false;
  if (OF_TEXTS.includes(key)) return true;
  return path.length === 2 && (key === 'stringData' || (key === 'data' && kind === 'ConfigMap'));
}

function isObject(node: SpanNode): boolean {
  return ['apiVersion', 'kind'].every((key) => scalarAt(node, [key]) !== undefined);
}

/** Names the kind of a node in words, as a reader takes it. */
export function kindOf(
  node: SpanNode,
): 'a mapping' | 'a list' | 'text' | 'a number' | 'true or false' | 'null' | 'alias' {
  switch (node.kind) {
    case 'mapping':
      return 'a mapping';
    case 'sequence':
      return 'a list';
    case 'alias':
      return 'alias';
    case 'scalar': {
      const { typedValue } = node;
      // Only its readers, or the values of the template, determine what it is.
      if (node.properties?.tag !== undefined || isWritten(node)) return 'alias';
      if (typedValue === null || isEmpty(node)) return 'null';
      if (typeof typedValue === 'boolean') return 'true or false';
      // A number that JSON cannot hold comes as its source text.
      return typeof typedValue === 'string' ? 'text' : 'a number';
    }
  }
}
