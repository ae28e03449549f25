// The `--schema` option: which files must meet which JSON Schema. The words here; the schema itself is
// read when the airlock is opened.
import { quoted, Refusal, readOperatorFile, type SchemaBinding } from '../../security/index.ts';
import { bad, type Option } from './option.ts';
import { UsageError } from './usage-error.ts';

export interface SchemaSpec {
  readonly pattern: string;
  readonly file: string;
}

export function schemaBindings(name: string, help: string): Option<readonly SchemaSpec[]> {
  return {
    name,
    argument: 'GLOB=FILE',
    isRepeatable: true,
    help,
    default: [],
    parse: (texts) =>
      texts.map((text) => {
        const [, pattern, file] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
        if (pattern === undefined || file === undefined) throw bad(text, 'expected GLOB=FILE');
        return { pattern, file };
      }),
    show: (specs) => specs.map(({ pattern, file }) => `${pattern}=${file}`).join(', ') || 'none',
  };
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
