// The hash of a text or of bytes, by Node's own means: for tests that do not trust what the server reports.
import { createHash } from 'node:crypto';

export function sha256(contents: string | Uint8Array): string {
  return createHash('sha256').update(contents).digest('hex');
}
