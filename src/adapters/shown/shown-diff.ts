// The rows of a diff that leave towards an agent, made of those that a preview keeps. What changes is shown to the
// letter. A long line beside it is cut and says so: it is there for orientation, and must not keep a change from
// being shown whole.

const MAX_CONTEXT_CHARS = 500;

export function shownDiff(diff: string): string {
  return diff.length <= MAX_CONTEXT_CHARS ? diff : diff.split('\n').map(shownRow).join('\n');
}

function shownRow(row: string): string {
  if (!row.startsWith(' ') || row.length <= MAX_CONTEXT_CHARS) return row;
  return `${row.slice(0, MAX_CONTEXT_CHARS).toWellFormed()}… (cut: an unchanged line of ${row.length - 1} characters)`;
}
