// The worker once it is locked down: the tools of this version, and nothing else.
import { TOOLS } from '../tools/index.ts';
import { serveParent } from './worker-side.ts';

export function serveTools(): void {
  serveParent(TOOLS);
}
