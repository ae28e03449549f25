// Finds the schema that a file names for itself, as a path.
import type { SafePath } from '../../security/index.ts';
import type { ConfigFile } from '../formats/registry.ts';

/** Returns the path of a local schema as the agent would address it; `file` is undefined for a URL, and outside of the root. */
export function ownSchemaOf(
  { format, stream }: ConfigFile,
  path: SafePath,
): { readonly file: string | undefined } | undefined {
  const named = format.ownSchema(stream);
  return named === undefined ? undefined : { file: resolve(named, path) };
}

/** Resolves the name as text, within the root; the result is checked as a path like any other. */
function resolve(named: string, path: SafePath): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(named) || named.startsWith('/')) return undefined;
  const components = path.components.slice(0, -1);
  for (const part of named.split('/')) {
    if (part === '..' && components.length === 0) return undefined;
    if (part === '..') components.pop();
    else if (part !== '.' && part !== '') components.push(part);
  }
  const relative = components.join('/');
  return path.root === undefined ? relative : `@${path.root}/${relative}`;
}
