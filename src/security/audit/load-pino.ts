// pino, loaded when the first record is written, which at a high level may be never. In the published package
// scripts/bundle.mjs stands in for this.
import { createRequire } from 'node:module';

export function loadPino(): typeof import('pino')['pino'] {
  const loaded: typeof import('pino') = createRequire(import.meta.url)('pino');
  return loaded.pino;
}
