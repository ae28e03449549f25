// Refuses bytes that are not strict UTF-8. Nothing is ever replaced: a decoder that puts U+FFFD in would
// write the damage back to the file.
import { ignoring } from '../errors/ignoring.ts';
import { Refusal } from '../errors/refusal.ts';

/** The exact text, byte order mark included; encoding it again gives the same bytes. */
export function decodeUtf8(bytes: Uint8Array, file: string): string {
  const text = decoded(bytes);
  if (text !== undefined) return text;
  throw new Refusal(
    'NOT_UTF8',
    `Cannot read this file: byte ${firstInvalidByte(bytes)} is not valid UTF-8. Convert the file to UTF-8 first.`,
    { file },
  );
}

function decoded(bytes: Uint8Array, isPrefix = false): string | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return ignoring('all', () => decoder.decode(bytes, { stream: isPrefix }));
}

/** Where the first ill-formed sequence starts. A prefix that fails keeps failing, so halving finds it. */
function firstInvalidByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decoded(bytes.subarray(0, middle), true) === undefined) bad = middle;
    else good = middle;
  }
  while (decoded(bytes.subarray(0, good)) === undefined) good -= 1;
  return good;
}
