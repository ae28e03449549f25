// Secrets of a text that has no structure, or none that can be read.
import { findInLines, type LinesAsked } from './find-in-lines.ts';
import { findInManifests } from './find-in-manifests.ts';
import { findInText } from './find-in-text.ts';
import type { FoundSecret } from './found-secret.ts';
import { mayBeNamedAt } from './key-names.ts';

/** Of a text that cannot be parsed: what its lines say, and the data of Secrets in it. */
export function findInPlainText(text: string, asked: LinesAsked = {}): readonly FoundSecret[] {
  return [
    ...findInText(text, mayBeNamedAt(text), asked.isSecret),
    ...findInLines(text, asked),
    ...findInManifests(text),
  ];
}
