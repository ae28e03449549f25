// Secrets of a text that has no structure, or none that can be read.
import { findInLines, type IsAsked } from './find-in-lines.ts';
import { findInText } from './find-in-text.ts';
import type { FoundSecret } from './found-secret.ts';

/** Of a text that cannot be parsed: what its lines say; all of them where it may be a Secret. */
export function findInPlainText(text: string, isAsked?: IsAsked): readonly FoundSecret[] {
  const isAll = /(?:^|[\s{,"'])kind["']?\s{0,8}[:=]\s{0,8}["']?Secret\b/u.test(text);
  return [...findInText(text), ...findInLines(text, { isAll, isAsked })];
}
