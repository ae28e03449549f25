// The schema that a file names for itself: `# yaml-language-server: $schema=…`, or "$schema" in JSON.
import type { SafePath } from '../../security/index.ts';
import type { Stream } from '../tree/span-tree.ts';

const MAX_COMMENTS = 50;

/** The path of a local schema as the agent would address it; `undefined` inside for a URL, or one outside of the root. */
export function ownSchemaOf(
  stream: Stream,
  path: SafePath,
): { readonly file: string | undefined } | undefined {
  const named = path.extension === 'json' ? namedByKey(stream) : namedByComment(stream);
  return named === undefined ? undefined : { file: resolve(named, path) };
}

function namedByComment({ text, comments }: Stream): string | undefined {
  for (const { start, end } of comments.slice(0, MAX_COMMENTS)) {
    const comment = text.slice(start, Math.min(end, start + 1_024));
    const named = /^#\s*yaml-language-server:\s*\$schema=(\S+)/.exec(comment)?.[1];
    if (named !== undefined) return named;
  }
  return undefined;
}

function namedByKey({ documents }: Stream): string | undefined {
  const root = documents[0]?.root;
  if (root?.kind !== 'mapping') return undefined;
  const value = root.entries.find(({ name }) => name === '$schema')?.value;
  return value?.kind === 'scalar' && value.style === 'double' ? value.value : undefined;
}

/** Lexically, within the root: the result is checked as a path like any other. */
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
