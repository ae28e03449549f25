// What changes of this server made of a file lately, document by document, for rules that count it. Which document of an older
// version has become which of the present one is followed from version to version; where that cannot be told, or a version
// cannot be read, nothing stands there.
import type { DocumentData, Past, PastChange } from '../../security/index.ts';
import type { ConfigFile } from '../formats/registry.ts';
import type { DocumentSpans, Stream } from '../tree/span-tree.ts';
import { pairDocuments } from '../verify/pair-documents.ts';
import { ParsedData } from './document-data.ts';

/** A file before and after a change; undefined where it was not there. */
export interface PastVersions {
  readonly at: number;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Of one document of the present version. */
export type PastOfFile = (present: Stream, document: DocumentSpans) => Past;

/** `versions`: newest first. `read`: undefined for what cannot be read. */
export function pastReader(
  {
    now,
    knownSince,
    versions,
  }: Pick<Past, 'now' | 'knownSince'> & { readonly versions: readonly PastVersions[] },
  read: (text: string) => ConfigFile | undefined,
): PastOfFile {
  const known = new Map<string, ConfigFile | undefined>();
  const reader = (text: string): ConfigFile | undefined => {
    const file = known.has(text) ? known.get(text) : read(text);
    known.set(text, file);
    return file;
  };
  return (present, document) => ({
    ...{ now, knownSince },
    changes: changesOf(versions, { stream: present, index: present.documents.indexOf(document) }, reader),
  });
}

interface Place {
  readonly stream: Stream;
  readonly index: number;
}

function changesOf(
  versions: readonly PastVersions[],
  present: Place,
  read: (text: string) => ConfigFile | undefined,
): readonly PastChange[] {
  let place: Place | undefined = present;
  const back = (text: string | undefined): DocumentData | undefined => {
    const file = text === undefined ? undefined : read(text);
    const index = file && place && olderIndex(file.stream, place);
    const document = index === undefined ? undefined : file?.stream.documents[index];
    place = file === undefined || index === undefined ? undefined : { stream: file.stream, index };
    return file && document && new ParsedData(file.stream, document, file.format.hasDialects);
  };
  return versions.map(({ at, before, after }) => {
    const left = back(after);
    return { at, after: left, before: back(before) };
  });
}

function olderIndex(older: Stream, { stream, index }: Place): number | undefined {
  return pairDocuments(older, stream).find(({ next }) => next === index)?.old;
}
