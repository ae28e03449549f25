// Which document a call with a path means, and where that is not clear, those in which the path exists.
import { Refusal } from '../../security/index.ts';
import { type DocumentSelector, documentLabels, matchingDocuments, selectDocument } from './document.ts';
import { locate } from './locate.ts';
import { resolvePath } from './resolve-path.ts';
import type { Stream } from './span-tree.ts';

/** Throws as `selectDocument` does. */
export function chooseDocument(stream: Stream, selector: DocumentSelector | undefined, path: string): number {
  try {
    return selectDocument(stream, selector);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'DOCUMENT_AMBIGUOUS' || path === '') throw error;
    const possible = selector === undefined ? stream.documents.keys() : matchingDocuments(stream, selector);
    throw error.hinting({ inDocuments: documentsWith(stream, possible, path) });
  }
}

const MOST_NAMED = 4;

/** As "doc" takes them. None where they are too many to choose from. */
function documentsWith(
  stream: Stream,
  possible: Iterable<number>,
  path: string,
): readonly (string | number)[] {
  const labels = documentLabels(stream);
  const found: (string | number)[] = [];
  for (const doc of possible) {
    if (!exists(stream, doc, path)) continue;
    if (found.length === MOST_NAMED) return [];
    const label = labels[doc];
    const isClear = label !== undefined && String(matchingDocuments(stream, label)) === String(doc);
    found.push(isClear ? label : doc);
  }
  return found;
}

function exists(stream: Stream, doc: number, path: string): boolean {
  const document = stream.documents[doc];
  if (document === undefined) return false;
  try {
    return locate(document, resolvePath({ stream, document }, path, false)).missing.length === 0;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
