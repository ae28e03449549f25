// One spelling for all the names that some file system would take for the same: used to *refuse* names,
// never to open one. May fold too much, never too little.

const ignored = lazily(() => /[\p{DI}\p{Cf}\p{Cc}]/gu);

/**
 * A component as the most forgiving file system sees it: HFS+ skips ignorable characters (CVE-2014-9390),
 * NTFS drops a stream after ':' and trailing dots and spaces, case never counts (CVE-2024-23331,
 * CVE-2025-59944). Upper-casing first catches the letters that lower-casing alone leaves apart: ı, ß.
 */
export function foldComponent(component: string): string {
  const [name = ''] = component.split(':');
  return foldText(name).replace(/^ +|[. ]+$/gu, '');
}

/** Compatibility and case folding alone, for patterns and relative paths. */
export function foldText(text: string): string {
  if (isPlainAscii(text)) return text.toLowerCase();
  const plain = text.replace(ignored(), '').normalize('NFKC');
  // İ lower-cases to i and a combining dot, which would keep ".gİt" apart from ".git".
  return plain.toUpperCase().toLowerCase().normalize('NFKC').replaceAll('\u0307', '');
}

/**
 * A value that is made when it is first asked for: for expressions over all of Unicode, which take V8 longer to read
 * than a start takes for its other work, and which plain texts never need.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Whether there is nothing in it but what an old typewriter has, in one line: for going past those expressions. */
export function isPlainAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
