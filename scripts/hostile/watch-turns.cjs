// Loaded into the server before anything else: says on descriptor 3 how long the main thread was busy in one piece, in
// milliseconds, a line each time that it was for more than a moment. A timer looks every millisecond; what lies between two
// looks is the time that has passed or what the thread has computed, whichever is less: the other work of the machine makes
// only the one longer. The system counts the other by the tick, so that it is up to one more than was computed.
const { openSync, readSync, writeSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const LOOK_EVERY_MS = 1;
const MOMENT_MS = 4;
const TICK_MS = 4;

if (isMainThread) {
  const schedstat = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const bytes = Buffer.alloc(64);
  const computedMs = () =>
    Number.parseInt(bytes.toString('latin1', 0, readSync(schedstat, bytes, 0, 64, 0)), 10) / 1e6;
  let [at, computed] = [performance.now(), computedMs()];
  setInterval(() => {
    const [now, computedNow] = [performance.now(), computedMs()];
    const busyMs = Math.min(now - at, computedNow - computed + TICK_MS);
    [at, computed] = [now, computedNow];
    if (busyMs > MOMENT_MS) writeSync(3, `${busyMs.toFixed(1)}\n`);
  }, LOOK_EVERY_MS).unref();
}
