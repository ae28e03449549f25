// How many documents a YAML text holds, without parsing it: for lists of files.

/** Counts `---` markers, which are markers wherever they begin a line, and what stands before the first. */
export function countDocuments(text: string): number {
  let count = 0;
  let hasContent = false;
  for (const line of text.split('\n')) {
    if (/^---(?:\s|$)/.test(line)) {
      if (hasContent) count += 1;
      hasContent = true;
    } else if (/^\.\.\.(?:\s|$)/.test(line)) {
      if (hasContent) count += 1;
      hasContent = false;
    } else if (!hasContent && !/^\uFEFF?\s*(?:#|%|$)/.test(line)) {
      hasContent = true;
    }
  }
  return Math.max(count + (hasContent ? 1 : 0), 1);
}
