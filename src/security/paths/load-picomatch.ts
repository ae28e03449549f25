// picomatch, loaded with the first pattern that it has to compile: most servers are greeted without one. In the
// published package scripts/bundle.mjs stands in for this.
import { createRequire } from 'node:module';
import type picomatch from 'picomatch';

export function loadPicomatch(): typeof picomatch {
  const loaded: typeof picomatch = createRequire(import.meta.url)('picomatch');
  return loaded;
}
