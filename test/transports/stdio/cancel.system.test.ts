// A cancellation in the middle of a write comes before it or after it, and never in between: the record and
// the file say the same (PROT-014).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { jsonLines } from '../../harness/json-lines.ts';
import { startGreeted } from '../../harness/raw-server.ts';
import { sha256 } from '../../harness/sha256.ts';
import { trailOf } from '../../harness/state.ts';
import { tempRoot } from '../../harness/temp-root.ts';

const place = tempRoot({ 'root/a.yaml': 'a: 0 # kept\n' });
const [root, state] = [join(place.dir, 'root'), join(place.dir, 'state')];
afterAll(() => place.remove());

const ROUNDS = 24;

it('a write that is cancelled was made whole and recorded, or was not begun (PROT-014) [WRT-9]', async () => {
  const server = await startGreeted({ args: ['--root', root, '--state-dir', state] });
  for (let round = 1; round <= ROUNDS; round++) {
    const args = { file: 'a.yaml', path: 'a', json: round, dry_run: false };
    const call = { jsonrpc: '2.0', id: round, method: 'tools/call' };
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: round } };
    server.send({ ...call, params: { name: 'config_set', arguments: args } });
    // In the same breath, and one, two or three answers of a ping later.
    for (let pings = 0; pings < round % 4; pings++) await server.request(1_000 + round, 'ping');
    server.send(cancel);
    await server.request(2_000 + round, 'tools/call', { name: 'list_capabilities', arguments: {} });
  }
  server.child.stdin.end();
  expect(await server.exit).toEqual({ code: 0, signal: null });
  const records = jsonLines(await server.stderr());
  const audits = trailOf(state);
  const intents = audits.filter(({ type }) => type === 'begun');
  const applied = audits.filter(({ type }) => type === 'applied');
  expect(audits).toHaveLength(intents.length + applied.length);
  expect(applied.map(({ request_id }) => request_id)).toEqual(intents.map(({ request_id }) => request_id));
  const text = readFileSync(join(root, 'a.yaml'));
  expect(String(text)).toMatch(/^a: \d+ # kept\n$/);
  const last = applied.at(-1)?.files[0]?.result_sha256;
  expect(last ?? 'none').toBe(String(text) === 'a: 0 # kept\n' ? 'none' : sha256(text));
  const ends = records.filter(({ event, tool }) => event === 'tool_call' && tool === 'config_set');
  expect(ends).toHaveLength(ROUNDS);
  for (const { status, request_id } of ends) {
    // What is recorded as cancelled has not written.
    if (status === 'cancelled') expect(applied.map((record) => record.request_id)).not.toContain(request_id);
    else expect(status).toBe('ok');
  }
});
