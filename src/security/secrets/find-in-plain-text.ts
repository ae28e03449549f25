// Finds secrets in a text that has no structure, or that cannot be parsed.
import { findInLines, type LinesAsked } from './find-in-lines.ts';
import { findInManifests } from './find-in-manifests.ts';
import { findInText } from './find-in-text.ts';
import type { FoundSecret } from './found-secret.ts';
import { mayBeNamedAt } from './key-names.ts';

/** Finds what single lines show, and the data of Kubernetes Secrets. */
export function findInPlainText(text: string, asked: LinesAsked = {}): readonly FoundSecret[] {
  return [
    ...findInText(text, mayBeNamedAt(text), asked.isSecret),
    ...findInLines(text, asked),
    ...findInManifests(text),
  ];
}
