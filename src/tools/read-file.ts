// Reads a file argument to its tree, and the schemas that it must meet, for every tool; each refusal names the file.
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
  type FileOpener,
  Refusal,
  type SafePath,
  type SchemaBinding,
  type Snapshot,
  type Sought,
  unlessRefused,
  visibleLine,
  type Where,
} from '../security/index.ts';
import { previewedSnapshot } from './as-previewed.ts';
import type { CallContext } from './tool.ts';

export interface ReadFile extends ConfigFile {
  readonly snapshot: Snapshot;
}

/** Reads the text. Throws LIMIT_EXCEEDED for a file that is too large to be parsed. */
export function readSnapshot(
  file: string,
  context: Pick<CallContext, 'policy' | 'sandbox' | 'previewed'>,
): Snapshot {
  const snapshot = snapshotOf(file, context);
  // The size on the disk would tell how long masked values are.
  locating({ file }, () => requireParsableSize(snapshot.sizeBytes, context.policy.limits));
  return snapshot;
}

/** Reads a text of any readable size with an opener for many files. Returns undefined for a file without masked values whose text fails a test. */
export function readSought(
  file: string,
  { opener, sought }: { readonly opener: FileOpener; readonly sought: Sought },
  context: CallContext,
): Snapshot | undefined {
  if (context.previewed?.has(file)) return snapshotOf(file, context);
  return opener.open(context.sandbox.parse(file)).readIf(sought);
}

/** Returns a file of any readable size, or what a preview would make of it if the call asks for that. */
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

/** Reads and parses a file; with `isText`, one with syntax errors is read as plain text. */
export function readFile(file: string, context: CallContext, isText = false): ReadFile {
  const snapshot = readSnapshot(file, context);
  const read = isText ? readEvenIfInvalid : readConfigFile;
  return locating({ file }, () => ({
    snapshot,
    ...read(snapshot.path, snapshot.text, context.policy.limits),
  }));
}

/** Throws what reading the file would throw. A missing file passes, because what is kept of it may be older. */
export function requireReadable(file: string, { sandbox }: CallContext): void {
  unlessRefused(() => sandbox.open(sandbox.parse(file)).close(), ['FILE_NOT_FOUND']);
}

/** True if the present policy allows the file to be read. */
export function isReadable(file: string, context: CallContext): boolean {
  try {
    requireReadable(file, context);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'IO_ERROR') return false;
    throw error;
  }
}

/** Runs `work`, and adds the place to a refusal that it throws. */
export function locating<Result>(where: Where, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refusal ? error.at(where) : error;
  }
}

/** Does the same for a promise. */
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

/** Returns the operator's schemas for the path, in their order. */
export function boundSchemas(path: SafePath, { sandbox }: Pick<CallContext, 'sandbox'>): NamedSchema[] {
  return sandbox
    .schemasFor(path)
    .map(({ name, schema }: SchemaBinding) => ({ name, schema: new CompiledSchema(schema) }));
}

/** Reads a schema inside the root, like any other file. Throws the refusals of reading it, and ARGUMENT_INVALID. */
export function schemaFile(file: string, context: CallContext): NamedSchema {
  return locating({ file }, () => ({
    name: file,
    schema: new CompiledSchema(readPlainValue(readSnapshot(file, context).text)),
  }));
}

/** Returns the schema that the file names for itself; a note where it cannot be used. */
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
