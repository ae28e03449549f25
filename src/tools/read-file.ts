// From a file argument to its tree, and to the schemas that it must meet, for every tool, with the file named in each
// refusal.
import {
  CompiledSchema,
  type ConfigFile,
  ownSchemaOf,
  readConfigFile,
  readEvenIfInvalid,
  readPlainValue,
  requireParsableSize,
} from '../adapters/index.ts';
import {
  Refusal,
  type SafePath,
  type SchemaBinding,
  type Snapshot,
  unlessRefused,
  visibleLine,
  type Where,
} from '../security/index.ts';
import { previewedSnapshot } from './as-previewed.ts';
import type { CallContext } from './tool.ts';

export interface ReadFile extends ConfigFile {
  readonly snapshot: Snapshot;
}

/** Throws LIMIT_EXCEEDED for a file that is too large to be parsed, before it is read. */
export function readSnapshot(
  file: string,
  context: Pick<CallContext, 'policy' | 'sandbox' | 'previewed'>,
): Snapshot {
  return snapshotOf(file, context, (sizeBytes) =>
    locating({ file }, () => requireParsableSize(sizeBytes, context.policy.limits)),
  );
}

/** Of any size that can be read, and as a preview would make it where the call asks for that. `check` may throw before it is read. */
export function snapshotOf(
  file: string,
  { sandbox, previewed }: Pick<CallContext, 'sandbox' | 'previewed'>,
  check: (sizeBytes: number) => void = () => undefined,
): Snapshot {
  const path = sandbox.parse(file);
  const preview = previewed?.get(path.toString());
  if (preview?.file_op === 'create') return previewedSnapshot(preview, sandbox.openAbsent(path));
  const opened = sandbox.open(path);
  try {
    check(opened.sizeBytes);
  } catch (error) {
    opened.close();
    throw error;
  }
  const read = opened.read();
  return preview === undefined ? read : previewedSnapshot(preview, read);
}

/** `isText`: whether one with syntax errors will do, as plain text. */
export function readFile(file: string, context: CallContext, isText = false): ReadFile {
  const snapshot = readSnapshot(file, context);
  const read = isText ? readEvenIfInvalid : readConfigFile;
  return locating({ file }, () => ({
    snapshot,
    ...read(snapshot.path, snapshot.text, context.policy.limits),
  }));
}

/** The pattern that is meant by one without wildcards: that file, or all below that folder. */
export function filesBelow(pattern: string): string {
  const plain = pattern.replace(/^(?:\.\/)+/u, '').replace(/\/+$/u, '');
  if (/[*?{},]/u.test(plain)) return plain;
  if (plain === '' || plain === '.') return /^\.\/*$/u.test(pattern) ? '**' : pattern;
  return `{${plain},${plain}/**}`;
}

/** For what is kept of a file, which may have been removed since. Throws what reading it would throw. */
export function requireReadable(file: string, { sandbox }: CallContext): void {
  unlessRefused(() => sandbox.open(sandbox.parse(file)).close(), ['FILE_NOT_FOUND']);
}

/** Whether the policy lets it be read, now that somebody asks for what is kept of it. */
export function isReadable(file: string, context: CallContext): boolean {
  try {
    requireReadable(file, context);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'IO_ERROR') return false;
    throw error;
  }
}

/** Runs `work`; a refusal that leaves it says where it happened. */
export function locating<Result>(where: Where, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refusal ? error.at(where) : error;
  }
}

/** As `locating`. */
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

/** The operator's, in their order. */
export function boundSchemas(path: SafePath, { sandbox }: Pick<CallContext, 'sandbox'>): NamedSchema[] {
  return sandbox
    .schemasFor(path)
    .map(({ name, schema }: SchemaBinding) => ({ name, schema: new CompiledSchema(schema) }));
}

/** A file inside the root, reached like any other. Throws the refusals of reading it, and ARGUMENT_INVALID. */
export function schemaFile(file: string, context: CallContext): NamedSchema {
  return locating({ file }, () => ({
    name: file,
    schema: new CompiledSchema(readPlainValue(readSnapshot(file, context).text)),
  }));
}

/** The schema that the file names for itself; a note where it cannot be used. */
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
