// Where in a preview a value is filled in: the one path that it sets, in the one file and document that is meant.
import {
  type ConfigFile,
  type DocumentSelector,
  isSetBy,
  placeOfValue,
  readEvenIfInvalid,
  type ValuePlace,
} from '../adapters/index.ts';
import { type PreviewFile, Refusal, type StoredPreview, splice } from '../security/index.ts';
import { locating } from './read-file.ts';
import type { ReviewContext } from './review-edit.ts';

export interface PlaceRequest {
  /** Needed where the path is set in several files of the preview. */
  readonly file: string | undefined;
  readonly path: string;
  readonly doc: DocumentSelector | undefined;
}

/** Where the value would be written, so that it need not be entered in vain. Throws as `fillPreview` does of the place. */
export function placeToFill(
  stored: StoredPreview,
  request: PlaceRequest,
  context: ReviewContext,
): { readonly file: string; readonly path: string; readonly doc: number } {
  requireFillable(stored);
  const { file, place } = placeIn(stored.record.files, request, context);
  return { file: file.file, path: place.path, doc: place.doc };
}

/** Throws ARGUMENT_INVALID for what undoes a change, and for a part. */
export function requireFillable({ record }: StoredPreview): void {
  const { kind } = record.origin;
  if (kind === 'edit' || kind === 'filled') return;
  throw new Refusal(
    'ARGUMENT_INVALID',
    kind === 'part'
      ? 'Cannot fill in a value of this preview: it is a part. Fill it into the whole preview, and approve a part of that.'
      : 'Cannot fill in a value of this preview: it undoes a change, and brings back what stood there.',
  );
}

/** The one place of the preview in which it sets what stands at the path. */
export function placeIn(
  files: readonly PreviewFile[],
  { file: name, path, doc }: PlaceRequest,
  context: ReviewContext,
): { readonly file: PreviewFile; readonly place: ValuePlace } {
  const asked = files.filter(
    ({ file, file_op: op }) => (name === undefined || file === name) && op !== 'delete',
  );
  const refusals: unknown[] = [];
  const found = asked.flatMap((file) =>
    documentsOf(file, doc, context).flatMap((index) => {
      try {
        const place = locating({ file: file.file }, () => placeOfValue(resultOf(file, context), path, index));
        return file.changes.some((change) => isSetBy(change, place)) ? [{ file, place }] : [];
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refusals.push(error);
        return [];
      }
    }),
  );
  const [first, second] = found;
  if (second !== undefined)
    throw invalid(
      first?.file === second.file
        ? 'this path is set in several documents: name one with --doc'
        : 'this path is set in several files of the preview: name one with --file',
      files,
    );
  if (first !== undefined) return first;
  if (asked.length === 1 && refusals[0] !== undefined) throw refusals[0];
  throw invalid('this preview does not set what stands there', files);
}

/** Those that the file's changes are about, unless one is asked for. */
function documentsOf(
  file: PreviewFile,
  doc: DocumentSelector | undefined,
  context: ReviewContext,
): readonly DocumentSelector[] {
  if (doc !== undefined) return [doc];
  if (file.file_op === 'create') return [...resultOf(file, context).stream.documents.keys()];
  return [...new Set(file.changes.map((change) => change.doc))];
}

const MOST_NAMED = 10;

function invalid(reason: string, files: readonly PreviewFile[]): Refusal {
  const paths = files.flatMap(({ file, changes }) =>
    changes.filter(({ op }) => op === 'add' || op === 'replace').map(({ path }) => `${path} in ${file}`),
  );
  const named = paths.slice(0, MOST_NAMED).join(', ');
  return new Refusal(
    'ARGUMENT_INVALID',
    `Cannot fill in this value: ${reason}.`,
    {},
    { advice: [named === '' ? 'It sets no value' : `What it sets: ${named}`] },
  );
}

function resultOf({ file, base, edits }: PreviewFile, context: ReviewContext): ConfigFile {
  return readEvenIfInvalid(context.sandbox.parse(file), splice(base, edits), context.policy.limits);
}
