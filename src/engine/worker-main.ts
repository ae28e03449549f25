// The first module of the worker thread: it locks the thread down before any other module is loaded. Where it throws, the
// thread ends, and nothing is served.
import { lockDown } from '../lock-down.ts';

lockDown();
void import('./worker-side.ts').then(({ serveParent }) => serveParent());
