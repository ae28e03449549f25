// Encodes previews and changes for the store: a line of canonical JSON, whose hash is the id, and the texts of the files, each under its
// own hash. Decoding checks the hashes and the shape, and repairs nothing.
import { canonicalJson, parseCanonical, randomNonce, sha256Hex } from './canonical-json.ts';
import { Recent } from './recent.ts';
import { type Change, changeShape, type ExactFile, exactShape } from './records/change.ts';
import { contentId } from './records/content-id.ts';
import { type Preview, type PreviewFile, previewShape } from './records/preview.ts';

const TEXTS = new Recent<Uint8Array, string>(({ length }) => length);

/** A record before it gets its version and its nonce. */
export type NewRecord<Kept> = Omit<Kept, 'v' | 'nonce'>;

export interface EncodedRecord {
  readonly id: string;
  readonly line: string;
  /** The texts by their hash. */
  readonly texts: ReadonlyMap<string, KeptText>;
  /** The size of the line and the texts in UTF-8. */
  readonly sizeBytes: number;
}

/** A text of a file, which is read where it is needed. */
export interface KeptText {
  readonly sizeBytes: number;
  readonly read: () => string;
}

/** Encodes a record with a nonce, so that nobody can guess its id. */
export function encodeRecord(record: NewRecord<Preview> | NewRecord<Change>): EncodedRecord {
  const files = record.files.map(({ base: _, ...file }) => file);
  const line = canonicalJson({ ...record, v: 1, nonce: randomNonce(), files });
  const texts = new Map(
    record.files.map((file) => {
      const text = { sizeBytes: Buffer.byteLength(file.base), read: () => file.base };
      return [file.base_sha256, text];
    }),
  );
  const sizeBytes = [...texts.values()].reduce((sum, text) => sum + text.sizeBytes, Buffer.byteLength(line));
  return { id: contentId(line), line, texts, sizeBytes };
}

/** Reads the bytes of a text by its hash. */
export type TextOf = (sha256: string) => Uint8Array | undefined;

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

/** Adds the texts, each of which is decoded where it is needed, so that a call over many files holds one at a time. */
function withBaseTexts(
  files: readonly Omit<PreviewFile, 'base'>[],
  textOf: TextOf,
): readonly PreviewFile[] | undefined {
  const whole = files.flatMap((file) => {
    const bytes = textOf(file.base_sha256);
    if (bytes === undefined || sha256Hex(bytes) !== file.base_sha256) return [];
    return [
      {
        ...file,
        get base() {
          const { buffer, byteOffset, length } = bytes;
          return TEXTS.of(bytes, () => Buffer.from(buffer, byteOffset, length).toString());
        },
      },
    ];
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
