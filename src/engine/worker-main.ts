// What the serving thread is started with: locks it down before any other module of it is loaded.
import { lockDown } from '../lock-down.ts';
import { loadThread } from './load-thread.ts';
import { keepYoungSpace } from './young-space.ts';

// Where it throws, the thread ends, and nothing is served.
lockDown();
void loadThread().then(({ serveTools }) => {
  // For the other thread as well: the start of this one has let it grow again.
  keepYoungSpace();
  serveTools();
});
