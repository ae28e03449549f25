// pino, loaded when the first record is written: most servers start without one. In the published package
// scripts/bundle.mjs stands in for this.
import { createRequire } from 'node:module';

export function loadPino(): typeof import('pino')['pino'] {
  const loaded: typeof import('pino') = createRequire(import.meta.url)('pino');
  return loaded.pino;
}
