// Only while the bundle is made: keeps writing down what V8 has made of a script so far, in NAME.cache beside it.
// What was called until then is in it, so that it need not be compiled at the next start.
import { writeFileSync } from 'node:fs';

const EVERY_MS = 200;

export function keepCache(script, url) {
  setInterval(() => writeFileSync(`${url.pathname}.cache`, script.createCachedData()), EVERY_MS).unref();
}
