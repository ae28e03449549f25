// The schema that a file names for itself: `# yaml-language-server: $schema=…`, or "$schema" in JSON.
import type { SafePath } from '../../security/index.ts';
import type { Stream } from '../tree/span-tree.ts';

const MAX_COMMENTS = 50;

/** The path of a local schema relative to the root, as the agent would address it; undefined for none, a URL, or one outside. */
export function ownSchemaOf({ text, comments }: Stream, path: SafePath): string | undefined {
  for (const { start, end } of comments.slice(0, MAX_COMMENTS)) {
    const named = /^#\s*yaml-language-server:\s*\$schema=(\S+)/.exec(
      text.slice(start, Math.min(end, start + 1_024)),
    )?.[1];
    if (named !== undefined) return resolve(named, path);
  }
  return undefined;
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
