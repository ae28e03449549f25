// Which document a call with a path means, and where that is not clear, those in which the path exists.
import { Refusal, unlessRefused } from '../../security/index.ts';
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
    const possible =
      selector === undefined ? [...stream.documents.keys()] : matchingDocuments(stream, selector);
    const holding = documentsWith(stream, possible, path);
    // What is to be made goes where the most of its path is.
    const inDocuments = holding.length > 0 ? holding : named(stream, deepest(stream, possible, path));
    throw error.hinting({ inDocuments });
  }
}

const MOST_NAMED = 4;

function documentsWith(stream: Stream, possible: readonly number[], path: string) {
  return named(
    stream,
    possible.filter((doc) => missingIn(stream, doc, path)?.missing === 0),
  );
}

/** Those that hold the most keys of the path, and one at least. */
function deepest(stream: Stream, possible: readonly number[], path: string): readonly number[] {
  const reached = possible.map((doc) => missingIn(stream, doc, path)?.found ?? 0);
  const most = Math.max(1, ...reached);
  return possible.filter((_, at) => reached[at] === most);
}

/** As "doc" takes them. None where they are too many to choose from. */
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

/** How many steps of the path are there, and how many are not; undefined where it leads nowhere for certain. */
function missingIn(stream: Stream, doc: number, path: string) {
  const document = stream.documents[doc];
  if (document === undefined) return undefined;
  return unlessRefused(() => {
    const { path: found, missing } = locate(document, resolvePath({ stream, document }, path, false));
    return { found: found.length, missing: missing.length };
  });
}
