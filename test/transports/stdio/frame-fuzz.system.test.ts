// Frames broken at random, over the real command: every line that comes out is a frame, and a ping behind
// them is answered. SEED repeats a run.

import { afterAll, expect, it } from 'vitest';
import { jsonLines } from '../../harness/json-lines.ts';
import { seededRandom } from '../../harness/random.ts';
import { ENVELOPE, INITIALIZE, startGreeted } from '../../harness/raw-server.ts';
import { timesOf } from '../../harness/runs.ts';
import { tempRoot } from '../../harness/temp-root.ts';

const root = tempRoot({ 'a.yaml': 'a: 1\n' });
afterAll(() => root.remove());

const ROUNDS = timesOf(20, 400);
const FRAMES_A_ROUND = 50;
const call = { name: 'config_get', arguments: { file: 'a.yaml' } };
const WHOLE = [
  { jsonrpc: '2.0', id: 7, method: 'tools/call', params: call },
  { jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { ...call, ...ENVELOPE } },
  { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} },
  { jsonrpc: '2.0', id: 7, method: 'initialize', params: INITIALIZE },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'x' } },
  { jsonrpc: '2.0', id: 7, result: { ok: true } },
  { jsonrpc: '2.0', id: 7, error: { code: 1, message: 'x' } },
].map((frame) => Buffer.from(JSON.stringify(frame)));
const PIECES = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\r',
  '\0',
  '\ufeff',
  '\u2028',
  '\\ud800',
  '1e999',
]
  .concat(['null', '"__proto__":1,', '"id":8,', '"params":[],', '-', '\u202e', '[[[[', '"method":"ping",'])
  .map((text) => Buffer.from(text))
  .concat([Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.from([0xed, 0xa0, 0x80])]);
const random = seededRandom(20_261_121);

/** A frame with one to four wounds: a piece put in or over, a stretch cut out or doubled. */
function broken(): Buffer {
  let bytes = random.pick(WHOLE);
  for (let wounds = 1 + random.below(4); wounds > 0; wounds--) {
    const at = random.below(bytes.length + 1);
    const end = Math.min(bytes.length, at + random.below(20));
    const [before, stretch, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
    const piece = random.pick(PIECES);
    bytes = Buffer.concat(
      random.pick([
        [before, piece, stretch, after],
        [before, piece, after],
        [before, after],
        [before, stretch, stretch, after],
      ]),
    );
  }
  return bytes;
}

it(`answers in frames whatever is broken, and goes on (seed ${random.seed})`, async () => {
  const server = await startGreeted({ args: ['--root', root.dir, '--log-level', 'error'] });
  for (let round = 0; round < ROUNDS; round++) {
    const lines = Array.from({ length: FRAMES_A_ROUND }, () => Buffer.concat([broken(), Buffer.from('\n')]));
    const bytes = Buffer.concat(lines);
    // Cut where no line ends, as a pipe may.
    const cut = random.below(bytes.length);
    server.child.stdin.write(bytes.subarray(0, cut));
    server.child.stdin.write(bytes.subarray(cut));
    expect(await server.request(1_000_000 + round, 'ping')).toMatchObject({ result: {} });
  }
  server.child.stdin.end();
  expect(await server.exit).toEqual({ code: 0, signal: null });
  expect(jsonLines(await server.stderr()).map(({ event }) => event)).toEqual(['audit_trail']);
});
