// Writes comments from a `#` to the end of the line.
import type { CommentSyntax } from '../tree/format.ts';

export const HASH_COMMENTS: CommentSyntax = {
  write: (lines) => lines.map((line) => (line.startsWith('#') ? line : `# ${line}`.trimEnd())),
  join: (old, added) => {
    const text = added.replace(/^#+[ \t]*/, '');
    return text === '' || old.includes(text) ? old : `${old.trimEnd()}; ${text}`;
  },
};
