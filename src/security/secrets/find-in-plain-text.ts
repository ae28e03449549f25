// Finds secrets in a text that has no structure, or that cannot be parsed.
import { findInLines, type LineSearchOptions } from './find-in-lines.ts';
import { findInManifests } from './find-in-manifests.ts';
import { findInText } from './find-in-text.ts';
import type { FoundSecret } from './found-secret.ts';
import { secretNameCandidates } from './key-names.ts';

/** Finds the secrets that single lines show, and the data of Kubernetes Secrets. `found` is what `findInText` finds. */
export function findInPlainText(
  text: string,
  asked: LineSearchOptions = {},
  found = findInText(text, secretNameCandidates(text), asked.isSecret),
): readonly FoundSecret[] {
  return [...found, ...findInLines(text, asked), ...findInManifests(text)];
}
