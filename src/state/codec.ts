// Encodes previews and changes for the store: a line of canonical JSON, whose hash is the id, and the texts of the files, each under its
// own hash. Decoding checks the hashes and the shape, and repairs nothing.
import { canonicalJson, parseCanonical, randomNonce, sha256Hex } from './canonical-json.ts';
import { type Change, changeShape, type ExactFile, exactShape } from './records/change.ts';
import { contentId } from './records/content-id.ts';
import { type Preview, type PreviewFile, previewShape } from './records/preview.ts';

/** A record before it gets its version and its nonce. */
export type NewRecord<Kept> = Omit<Kept, 'v' | 'nonce'>;

export interface EncodedRecord {
  readonly id: string;
  readonly line: string;
  /** The texts by their hash. */
  readonly texts: ReadonlyMap<string, string>;
  /** The size of the line and the texts in UTF-8. */
  readonly sizeBytes: number;
}

/** Encodes a record with a nonce, so that nobody can guess its id. */
export function encodeRecord(record: NewRecord<Preview> | NewRecord<Change>): EncodedRecord {
  const files = record.files.map(({ base: _, ...file }) => file);
  const line = canonicalJson({ ...record, v: 1, nonce: randomNonce(), files });
  const texts = new Map(record.files.map(({ base_sha256, base }) => [base_sha256, base]));
  const sizeBytes = [line, ...texts.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return { id: contentId(line), line, texts, sizeBytes };
}

/** Reads a text by its hash. */
export type TextOf = (sha256: string) => string | undefined;

/** Decodes a preview; undefined unless the line has the hash in the id, and each text has its hash. */
export function decodePreview(id: string, line: string, textOf: TextOf): Preview | undefined {
  const record = contentId(line) === id ? previewShape.safeParse(parseCanonical(line)).data : undefined;
  const files = record && withBaseTexts(record.files, textOf);
  return record && files && { ...record, files };
}

/** Decodes a change as `decodePreview` does a preview. */
export function decodeChange(id: string, line: string, textOf: TextOf): Change | undefined {
  const record = contentId(line) === id ? changeShape.safeParse(parseCanonical(line)).data : undefined;
  const files = record && withBaseTexts(record.files, textOf);
  return record && files && { ...record, files };
}

function withBaseTexts(
  files: readonly Omit<PreviewFile, 'base'>[],
  textOf: TextOf,
): readonly PreviewFile[] | undefined {
  const whole = files.flatMap((file) => {
    const base = textOf(file.base_sha256);
    return base !== undefined && sha256Hex(base) === file.base_sha256 ? [{ ...file, base }] : [];
  });
  return whole.length === files.length ? whole : undefined;
}

/** Encodes the exact parts of a change; undefined where nothing of it is masked. */
export function encodeExact(files: readonly ExactFile[]): string | undefined {
  return files.length === 0 ? undefined : canonicalJson(files);
}

export function decodeExact(text: string | undefined): readonly ExactFile[] | undefined {
  return text === undefined ? [] : exactShape.safeParse(parseCanonical(text)).data;
}
