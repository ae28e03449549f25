// One operation on one text as the server carries it out: planned, spliced, and proven from scratch. What
// comes out is a result that passed every check, or the refusal. Anything else that is thrown is a bug.
// With places.ts the only file of these tests that knows how the engine is called.

import { Edits } from '../../../src/adapters/edit/edits.ts';
import type { ConfigFile } from '../../../src/adapters/formats/registry.ts';
import { FORMATS, readOrAsText } from '../../../src/adapters/formats/registry.ts';
import { carryOut } from '../../../src/adapters/operations/plan-operation.ts';
import type { Operation } from '../../../src/adapters/operations/registry.ts';
import { findNode } from '../../../src/adapters/shown/shown.ts';
import type { Json } from '../../../src/adapters/tree/json.ts';
import type { Stream } from '../../../src/adapters/tree/span-tree.ts';
import { type Change, type Edit, splice } from '../../../src/security/edits/edit.ts';
import { assertEqualOutside } from '../../../src/security/edits/verified-edit.ts';
import type { Refusal } from '../../../src/security/errors/refusal.ts';
import { DEFAULT_LIMITS, type Limits, type Verify } from '../../../src/security/policy/policy.ts';
import { orRefusal } from '../../harness/refusals.ts';

export type { Operation } from '../../../src/adapters/operations/registry.ts';
export type { Json } from '../../../src/adapters/tree/json.ts';
export type { Stream };
export type Language = keyof typeof FORMATS;

export interface Done {
  readonly after: string;
  readonly edits: readonly Edit[];
  readonly changes: readonly Change[];
}

export function parse(text: string, language: Language = 'yaml', limits: Limits = DEFAULT_LIMITS): Stream {
  return FORMATS[language].parse(text, limits);
}

/** True if the second reader of the format finds the same data in the text; also where it has none. */
export function isReadAlike(text: string, stream: Stream, language: Language = 'yaml'): boolean {
  return FORMATS[language].reference?.(text, stream, DEFAULT_LIMITS) ?? true;
}

/** The data of each document. */
export function dataOf(stream: Stream, language: Language = 'yaml'): readonly Json[] {
  const file = { format: FORMATS[language], stream };
  return stream.documents.map((_, doc) => findNode(file, '', doc).value());
}

/** The source of a node, with the line breaks of Linux, and its value. */
export function got(stream: Stream, doc: number, path: string, language: Language = 'yaml') {
  const node = findNode({ format: FORMATS[language], stream }, path, doc);
  return { source: () => node.source().replaceAll('\r\n', '\n'), value: () => node.value() };
}

/** In the format that the extension and the text tell; undefined where it cannot be read. */
export function reading(
  extension: 'yaml' | 'json' | 'jsonc' | 'toml',
  text: string,
): { readonly stream: Stream; readonly language: Language } | undefined {
  const file = orRefusal(() => readOrAsText(FORMATS[extension], text, DEFAULT_LIMITS));
  if (!('stream' in file) || file.unreadable !== undefined)
    return extension === 'json' ? orUndefined('jsonc', text) : undefined;
  return { stream: file.stream, language: file.format === FORMATS.template ? 'template' : extension };
}

function orUndefined(language: Language, text: string) {
  const stream = orRefusal(() => parse(text, language));
  return 'documents' in stream ? { stream, language } : undefined;
}

/** A reader or a printer with a fault, to show it to the proof. */
export type Faults = Partial<Pick<(typeof FORMATS)[Language], 'parse' | 'writeScalar'>>;

/** What would be written, and the proof of any text that should come out. */
export function planned(
  text: string,
  operation: Operation,
  language: Language = 'yaml',
  { verify, ...faults }: Faults & { readonly verify?: Verify } = {},
) {
  const format = { ...FORMATS[language], ...faults };
  const file = { format, stream: format.parse(text, DEFAULT_LIMITS) };
  const edits = editsOf(file, verify);
  carryOut(edits, operation, DEFAULT_LIMITS);
  return { edits: edits.edits, check: (after: string) => edits.prove(after) };
}

function editsOf(base: ConfigFile, verify: Verify = 'fast'): Edits {
  const read = (text: string) => ({ format: base.format, stream: base.format.parse(text, DEFAULT_LIMITS) });
  return new Edits({ base, limits: DEFAULT_LIMITS, verify, read });
}

/** `stream`: the text as it was read, to save reading it again for every operation. */
export function attemptOn(stream: Stream, operation: Operation, language: Language = 'yaml'): Done | Refusal {
  return orRefusal(() => carriedOut({ format: FORMATS[language], stream }, operation));
}

function carriedOut(base: ConfigFile, operation: Operation): Done {
  const chain = editsOf(base);
  carryOut(chain, operation, DEFAULT_LIMITS);
  const { edits } = chain;
  const { text } = base.stream;
  const after = splice(text, edits);
  assertEqualOutside(text, after, edits);
  return { after, edits, changes: chain.prove(after) };
}

export function attempt(text: string, operation: Operation, language: Language = 'yaml'): Done | Refusal {
  return attemptOn(parse(text, language), operation, language);
}

/** The text afterwards. Throws the refusal: for operations that must succeed. */
export function edited(text: string, operation: Operation, language: Language = 'yaml'): string {
  return carriedOut({ format: FORMATS[language], stream: parse(text, language) }, operation).after;
}
