// The schema that a file of YAML names for itself: `# yaml-language-server: $schema=…`.
import type { Stream } from '../../tree/span-tree.ts';

const MAX_COMMENTS = 50;

export function ownSchema({ text, comments }: Stream): string | undefined {
  for (const { start, end } of comments.slice(0, MAX_COMMENTS)) {
    const comment = text.slice(start, Math.min(end, start + 1_024));
    const named = /^#\s*yaml-language-server:\s*\$schema=(\S+)/.exec(comment)?.[1];
    if (named !== undefined) return named;
  }
  return undefined;
}
