// Which schemas a file must meet: those that the operator has bound to it, and for config_validate the one
// that the request or the file itself names.
import { CompiledSchema, type ConfigFile, ownSchemaOf, readPlainValue } from '../adapters/index.ts';
import { Refusal, type SafePath, type SchemaBinding, visibleLine } from '../security/index.ts';
import { locating, readSnapshot } from './read-file.ts';
import type { CallContext } from './tool.ts';

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
