// The `--schema` option: which files must meet which JSON Schema. Its syntax is read here; the schema itself
// when the airlock is opened.
import { quoted, Refusal, readOperatorFile, type SchemaBinding } from '../../security/index.ts';
import { bad, list, type Option, pathIn } from './option.ts';
import { UsageError } from './usage-error.ts';

export interface SchemaSpec {
  readonly pattern: string;
  readonly file: string;
}

const SPEC = /^([^=]+)=(.+)$/s;

export function schemaBindings(name: string, help: string): Option<readonly SchemaSpec[]> {
  const show = (specs: readonly SchemaSpec[]): string =>
    specs.map(({ pattern, file }) => `${pattern}=${file}`).join(', ') || 'none';
  const parse = (texts: readonly string[]): readonly SchemaSpec[] => texts.map(specIn);
  return {
    ...list({ name, argument: 'GLOB=FILE', help, default: [], parse, show }),
    inFolder: (text, folder) =>
      text.replace(SPEC, (_, pattern: string, file: string) => `${pattern}=${pathIn(file, folder)}`),
  };
}

function specIn(text: string): SchemaSpec {
  const [, pattern, file] = SPEC.exec(text) ?? [];
  if (pattern === undefined || file === undefined) throw bad(text, 'expected GLOB=FILE');
  return { pattern, file };
}

/** Throws UsageError or StartError for a file that is no usable schema. */
export async function readSchema({ pattern, file }: SchemaSpec): Promise<SchemaBinding> {
  // Most servers start without a schema, and should not wait for what checks it.
  const { CompiledSchema, readPlainValue } = await import('../../adapters/index.ts');
  try {
    const schema = readPlainValue(readOperatorFile(file));
    // Compiled once to be sure that it can be.
    new CompiledSchema(schema);
    return { pattern, name: file.slice(file.lastIndexOf('/') + 1), schema };
  } catch (error) {
    if (error instanceof Refusal)
      throw new UsageError(`--schema: cannot use ${quoted(file)}: ${error.message}`);
    throw error;
  }
}
