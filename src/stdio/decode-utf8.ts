// Bytes → the text that they spell in UTF-8, or nothing where they do not, as a whole or in parts.

const START = new TextDecoder('utf-8', { fatal: true });
const REST = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A byte order mark at the start is dropped. */
export function decodeUtf8(bytes: Uint8Array, part: 'start' | 'rest'): string | undefined {
  try {
    return (part === 'start' ? START : REST).decode(bytes);
  } catch {
    return undefined;
  }
}

/** How many of the bytes can be decoded before those that follow are known. */
export function wholeCharacters(bytes: Uint8Array): number {
  const { length } = bytes;
  // The last four hold the beginning of the last character; bytes that begin none there are no UTF-8, cut or not.
  for (let at = length - 1; at >= length - 4; at--) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) return length;
    if (byte >= 0xc0) return at;
  }
  return length;
}
