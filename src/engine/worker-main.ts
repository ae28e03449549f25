// The file that the worker is started with: locks it down before any other module of it is loaded.
import { lockDown } from '../lock-down.ts';
import { loadThread } from './load-thread.ts';

// Where it throws, the thread ends, and nothing is served.
lockDown();
void loadThread().then(({ serveTools }) => serveTools());
