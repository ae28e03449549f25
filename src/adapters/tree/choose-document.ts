// Chooses the document that a call with a path means. Where that is not clear, it names those in which the path exists.
import { Refusal, unlessRefused } from '../../security/index.ts';
import { type DocumentSelector, documentLabels, matchingDocuments, selectDocument } from './document.ts';
import { locate } from './locate.ts';
import { resolvePath } from './resolve-path.ts';
import type { Stream } from './span-tree.ts';

/** Returns the index; without a selector, that of the one document which has the path. Throws as `selectDocument` does. */
export function chooseDocument(stream: Stream, selector: DocumentSelector | undefined, path: string): number {
  try {
    return selectDocument(stream, selector);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'DOCUMENT_AMBIGUOUS' || path === '') throw error;
    const possible =
      selector === undefined ? [...stream.documents.keys()] : matchingDocuments(stream, selector);
    const holding = possible.filter((doc) => mayHold(stream, doc, path));
    const [only, second] = holding;
    if (only !== undefined && second === undefined) return only;
    // New nodes go into the document that has the most of the path.
    const inDocuments = named(stream, holding.length > 0 ? holding : deepest(stream, possible, path));
    throw error.hinting({ inDocuments });
  }
}

const MOST_NAMED = 4;

/** True if the path exists there, or if it is unclear whether it does, as through an alias or a repeated key. */
function mayHold(stream: Stream, doc: number, path: string): boolean {
  try {
    return missingIn(stream, doc, path)?.missing === 0;
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}

/** Returns the documents that hold the most keys of the path, and at least one. */
function deepest(stream: Stream, possible: readonly number[], path: string): readonly number[] {
  const reached = possible.map((doc) => unlessRefused(() => missingIn(stream, doc, path))?.found ?? 0);
  const most = Math.max(1, ...reached);
  return possible.filter((_, at) => reached[at] === most);
}

/** Returns the documents as "doc" takes them; none if there are too many to choose from. */
function named(stream: Stream, documents: readonly number[]): readonly (string | number)[] {
  if (documents.length > MOST_NAMED) return [];
  const labels = documentLabels(stream);
  return documents.map((doc) => {
    const label = labels[doc];
    const isClear =
      label !== undefined &&
      label !== `doc ${doc}` &&
      String(matchingDocuments(stream, label)) === String(doc);
    return isClear ? label : doc;
  });
}

const LEADS_NOWHERE = ['NODE_NOT_FOUND', 'TYPE_MISMATCH'] as const;

/** Returns how many steps of the path exist, and how many do not; undefined if it certainly leads nowhere. Throws what is unclear. */
function missingIn(stream: Stream, doc: number, path: string) {
  const document = stream.documents[doc];
  if (document === undefined) return undefined;
  return unlessRefused(() => {
    const { path: found, missing } = locate(document, resolvePath({ stream, document }, path, false));
    return { found: found.length, missing: missing.length };
  }, LEADS_NOWHERE);
}
