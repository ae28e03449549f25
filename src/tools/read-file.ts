// Reads and parses the files that tools are called with, and their schemas. Each refusal names the file.

import { z } from 'zod';
import { type ConfigFile, readConfigFile, readEvenIfInvalid } from '../adapters/formats/registry.ts';
import { CompiledSchema, ownSchemaOf } from '../adapters/schema/schema.ts';
import { requireParsableSize } from '../adapters/tree/wording.ts';
import { readPlainValue } from '../adapters/values/to-value.ts';
import { Refusal, unlessRefused, type Where } from '../security/errors/refusal.ts';
import { ownThread, stopwatch } from '../security/fs/thread-time.ts';
import { splitExclusions } from '../security/paths/glob.ts';
import type { SafePath } from '../security/paths/safe-path.ts';
import type { SchemaBinding } from '../security/policy/policy.ts';
import type { FileOpener } from '../security/sandbox/file-opener.ts';
import type { Listing } from '../security/sandbox/list.ts';
import type { Snapshot, Sought } from '../security/sandbox/snapshot.ts';
import { visibleLine } from '../security/text/visible.ts';
import { previewedSnapshot } from './as-previewed.ts';
import { advertised, type CallContext } from './tool.ts';

export interface ReadFile extends ConfigFile {
  readonly snapshot: Snapshot;
}

/** Reads the text. Throws LIMIT_EXCEEDED for a file that is too large to be parsed. */
export function readSnapshot(
  file: string,
  context: Pick<CallContext, 'policy' | 'sandbox' | 'previewed'>,
): Snapshot {
  const snapshot = snapshotOf(file, context);
  // The size on the disk would reveal the length of masked values.
  locating({ file }, () => requireParsableSize(snapshot.sizeBytes, context.policy.limits));
  return snapshot;
}

/** Reads a text of any readable size with an opener for many files. Returns undefined if it has no masked values and its text fails a test. */
export function readSought(
  file: string,
  { opener, sought }: { readonly opener: FileOpener; readonly sought: Sought },
  context: CallContext,
): Snapshot | undefined {
  if (context.previewed?.has(file)) return snapshotOf(file, context);
  return opener.open(context.sandbox.parse(file)).readIf(sought);
}

/** Returns a file of any readable size, as it is or as the preview of the call would make it. */
export function snapshotOf(
  file: string,
  { sandbox, previewed }: Pick<CallContext, 'sandbox' | 'previewed'>,
): Snapshot {
  const path = sandbox.parse(file);
  const preview = previewed?.get(path.toString());
  if (preview?.file_op === 'create') return previewedSnapshot(preview, sandbox.openAbsent(path));
  const read = sandbox.open(path).read();
  return preview === undefined ? read : previewedSnapshot(preview, read);
}

/** Reads and parses a file. `isText`: one with syntax errors is read as plain text. */
export function readFile(file: string, context: CallContext, isText = false): ReadFile {
  const snapshot = readSnapshot(file, context);
  const read = isText ? readEvenIfInvalid : readConfigFile;
  return locating({ file }, () => ({
    snapshot,
    ...read(snapshot.path, snapshot.text, context.policy.limits),
  }));
}

/** Throws what reading the file would throw. A missing file passes: its history may be older. */
export function requireReadable(file: string, { sandbox }: CallContext): void {
  unlessRefused(() => sandbox.open(sandbox.parse(file)).close(), ['FILE_NOT_FOUND']);
}

/** True if the current policy allows the file to be read. */
export function isReadable(file: string, context: CallContext): boolean {
  try {
    requireReadable(file, context);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'IO_ERROR') return false;
    throw error;
  }
}

/** Runs `work`, and adds the place to its refusals. */
export function locating<Result>(where: Where, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refusal ? error.at(where) : error;
  }
}

/** As `locating`, for asynchronous work. */
export async function locatingLater<Result>(where: Where, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refusal ? error.at(where) : error;
  }
}

export interface NamedSchema {
  readonly name: string;
  readonly schema: CompiledSchema;
}

/** Returns the operator's schemas for the path, in order. */
export function boundSchemas(path: SafePath, { sandbox }: Pick<CallContext, 'sandbox'>): NamedSchema[] {
  return sandbox
    .schemasFor(path)
    .map(({ name, schema }: SchemaBinding) => ({ name, schema: new CompiledSchema(schema) }));
}

/** Reads a schema in the root, like any other file. Throws the refusals of reading it, and ARGUMENT_INVALID. */
export function schemaFile(file: string, context: CallContext): NamedSchema {
  return locating({ file }, () => ({
    name: file,
    schema: new CompiledSchema(readPlainValue(readSnapshot(file, context).text)),
  }));
}

/** Returns the schema that the file names for itself, or a note why it cannot be used. */
export function ownSchema(
  file: ConfigFile,
  path: SafePath,
  context: CallContext,
): NamedSchema | string | undefined {
  const own = ownSchemaOf(file, path);
  if (own === undefined) return undefined;
  if (own.file === undefined)
    return 'The schema that the file names is a URL or outside of the root, and was not used: name a local one in "schema".';
  try {
    return schemaFile(own.file, context);
  } catch (error) {
    if (error instanceof Refusal)
      return `The schema that the file names (${visibleLine(own.file)}) cannot be used: ${error.code}.`;
    throw error;
  }
}

/** Returns the files that a pattern names, whether there may be more than a listing shows, and those that are closed. Throws ARGUMENT_INVALID for a bad pattern. */
export function filesOf(
  pattern: string | undefined,
  { sandbox, policy, previewed = new Map() }: CallContext,
): {
  readonly files: readonly string[];
  readonly isTruncated: boolean;
  readonly closed: Listing['closed'];
} {
  const wanted = pattern === undefined ? undefined : filesBelow(pattern);
  const {
    files,
    truncated: isTruncated,
    closed,
  } = sandbox.list({ pattern: wanted, limit: policy.limits.listEntries });
  const listed = files.map(({ path }) => path.toString());
  if (previewed.size === 0) return { files: listed, isTruncated, closed };
  const matches = wanted === undefined ? () => true : sandbox.matching(wanted);
  const created = [...previewed.values()].filter(
    ({ file, file_op: op }) => op === 'create' && matches(sandbox.parse(file)),
  );
  const kept = listed.filter((file) => previewed.get(file)?.file_op !== 'delete');
  return { files: [...kept, ...created.map(({ file }) => file)], isTruncated, closed };
}

/** The milliseconds between two turns of the event loop, in which a cancellation can arrive. */
const TURN_MS = 10;
/** The share of a call's time for one page: a file that ends the thread makes the call start again. */
const PAGE_SHARE = 1 / 3;

/** Walks the files from `from` on until `take` returns true because the page is full. Returns the index of the first file that was not visited. */
export async function eachFile(
  files: readonly string[],
  from: number,
  take: (file: string) => boolean,
  { pause, progress, policy, endsAt }: CallContext,
): Promise<number> {
  const usedMs = stopwatch(ownThread());
  let turned = 0;
  for (let at = from; ; at++) {
    const file = files[at];
    if (file === undefined) return at;
    if (at === from || performance.now() - turned > TURN_MS) {
      // The first file is always visited, so that repeated calls make progress.
      if (at > from && usedMs() > policy.limits.callMs * PAGE_SHARE) return at;
      progress(at, files.length);
      await pause();
      turned = performance.now();
    }
    if (take(file)) return at;
    if (file === endsAt) return at + 1;
  }
}

/** One pattern, or, as models send them, a list in which some begin with `!`. */
const patterns = z
  .union([z.string(), z.array(z.string())])
  .meta(advertised({ type: 'string' }))
  .optional();

export const patternField = patterns.describe('Which files');
export const excludeField = patterns;

type Patterns = z.infer<typeof patterns>;

/**
 * Returns both as one text, such as `*.yaml !vendor`, so that each call which a reply suggests is for the same files. Throws
 * ARGUMENT_INVALID for several patterns that braces cannot join.
 */
export function joinPatterns(pattern: Patterns, exclude: Patterns): string | undefined {
  const given = [pattern ?? []].flat();
  const wanted = given.filter((text) => !text.startsWith('!'));
  const excluded = [
    ...given.filter((text) => text.startsWith('!')),
    ...[exclude ?? []].flat().flatMap((text) => (/[{}]/u.test(text) ? [text] : text.split(','))),
  ]
    .map((text) => text.trim().replace(/^!/u, ''))
    .filter((text) => text !== '');
  if (wanted.length > 1 && wanted.some((text) => /[{}]| !/u.test(text)))
    throw new Refusal('ARGUMENT_INVALID', 'Cannot join these patterns: write one, such as {a,b}/**/*.yaml');
  const all = wanted.flatMap((text) => (/[*?]/u.test(text) ? [text] : [text, `${text}/**`]));
  const joined = wanted.length > 1 ? `{${all.join(',')}}` : wanted[0];
  return excluded.length === 0 ? joined : [joined ?? '**', ...excluded].join(' !');
}

/** Expands a pattern without wildcards to that file, or everything below that folder. Its exclusions stay. */
export function filesBelow(pattern: string): string {
  const { wanted, excluded } = splitExclusions(pattern);
  return [below(wanted === '' && excluded.length > 0 ? '**' : wanted), ...excluded].join(' !');
}

function below(pattern: string): string {
  const plain = pattern.replace(/^(?:\.\/)+/u, '').replace(/\/+$/u, '');
  if (/[*?{},]/u.test(plain)) return plain;
  if (plain === '' || plain === '.') return /^\.\/*$/u.test(pattern) ? '**' : pattern;
  const [, root = '', rest = plain] = /^(@[^/]+\/?)(.*)$/u.exec(plain) ?? [];
  return rest === '' ? `${root.replace(/\/$/u, '')}/**` : `${root}{${rest},${rest}/**}`;
}
