// A program that tries to get out of the box that it was started in: each attempt of the plan in argv, one
// line of JSON with what came of it. It does no harm where it succeeds: what it opens for writing stays as it
// is, and what it creates it removes again.
import { closeSync, openSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';

const { reads, writes, creates, port, pid } = JSON.parse(process.argv[2] ?? '{}');

/** @param {() => unknown} act */
function outcome(act) {
  try {
    act();
    return 'ok';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'another error';
  }
}

/** @param {string} path */
function create(path) {
  writeFileSync(path, 'escaped', { flag: 'wx' });
  unlinkSync(path);
}

/** @param {readonly string[]} paths @param {(path: string) => unknown} act */
const each = (paths, act) => Object.fromEntries(paths.map((path) => [path, outcome(() => act(path))]));

const reached = await new Promise((resolve) => {
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => resolve('ok')).once('error', (error) => resolve(Reflect.get(error, 'code')));
  socket.unref();
});

const report = {
  reads: each(reads, (path) => readFileSync(path)),
  writes: each(writes, (path) => closeSync(openSync(path, 'r+'))),
  creates: each(creates, create),
  connect: reached,
  interfaces: Object.keys(networkInterfaces()),
  signal: outcome(() => process.kill(pid, 0)),
  processes: readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length,
  environment: Object.keys(process.env),
  status: readFileSync('/proc/self/status', 'utf8'),
};
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exit(0);
