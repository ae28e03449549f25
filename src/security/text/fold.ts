// Folds two names to one spelling where some file system would take them for the same. The result is used to *refuse* names,
// never to open a file. It may fold too much, but never too little.

const ignored = lazily(() => /[\p{DI}\p{Cf}\p{Cc}]/gu);

/**
 * Folds a component as the most forgiving file system would. HFS+ skips ignorable characters (CVE-2014-9390), NTFS drops a
 * stream after ':' and trailing dots and spaces, and case never counts (CVE-2024-23331, CVE-2025-59944). Upper-casing first
 * also folds letters that lower-casing alone leaves apart: ı, ß.
 */
export function foldComponent(component: string): string {
  const [name = ''] = component.split(':');
  return foldText(name).replace(/^ +|[. ]+$/gu, '');
}

/** Folds compatibility forms and case only, for patterns and relative paths. */
export function foldText(text: string): string {
  if (isPlainAscii(text)) return text.toLowerCase();
  const plain = text.replace(ignored(), '').normalize('NFKC');
  // İ lower-cases to i and a combining dot, which would keep ".gİt" apart from ".git".
  return plain.toUpperCase().toLowerCase().normalize('NFKC').replaceAll('\u0307', '');
}

/**
 * Makes a value when it is first asked for. It is for expressions over all of Unicode, which take V8 longer to read than all
 * other work of a start, and which plain texts never need.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** True for a single line of printable ASCII, for which the expressions over all of Unicode are not needed. */
export function isPlainAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
