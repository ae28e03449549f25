// What the worker thread is started with: locks it down before any other module of it is loaded.
import { lockDown } from '../lock-down.ts';

// Where it throws, the thread ends, and nothing is served.
lockDown();
void import('./worker-side.ts').then(({ serveParent }) => serveParent());
