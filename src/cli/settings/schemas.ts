// Reads the option `--schema`, which binds files to a JSON Schema, and the file of a schema.

import { Refusal } from '../../security/errors/refusal.ts';
import { readOperatorFile } from '../../security/policy/operator-file.ts';
import type { SchemaBinding } from '../../security/policy/policy.ts';
import { quoted } from '../../security/text/visible.ts';
import { badValue, list, type Option, pathIn } from './option.ts';
import { UsageError } from './usage-error.ts';

export interface SchemaSpec {
  readonly pattern: string;
  readonly file: string;
}

const SPEC = /^([^=]+)=(.+)$/s;

export function schemaBindings(name: string, help: string): Option<readonly SchemaSpec[]> {
  const write = ({ pattern, file }: SchemaSpec): string => `${pattern}=${file}`;
  return list({ name, argument: 'GLOB=FILE', help, default: [], read: specIn, write });
}

function specIn(text: string, folder: string): SchemaSpec {
  const [, pattern, file] = SPEC.exec(text) ?? [];
  if (pattern === undefined || file === undefined) throw badValue(text, 'expected GLOB=FILE');
  return { pattern, file: pathIn(file, folder) };
}

/** Reads a schema. Throws UsageError or StartError for a file that is no usable schema. */
export async function readSchema({ pattern, file }: SchemaSpec): Promise<SchemaBinding> {
  // The module is loaded on demand, because most servers start without a schema.
  const { CompiledSchema } = await import('../../adapters/schema/schema.ts');
  const { readPlainValue } = await import('../../adapters/values/to-value.ts');
  try {
    const schema = readPlainValue(readOperatorFile(file));
    // It is compiled once here, to be sure that it can be.
    new CompiledSchema(schema);
    return { pattern, name: file.slice(file.lastIndexOf('/') + 1), schema };
  } catch (error) {
    if (error instanceof Refusal)
      throw new UsageError(`--schema: cannot use ${quoted(file)}: ${error.message}`);
    throw error;
  }
}
