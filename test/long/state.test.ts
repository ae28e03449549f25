// What a flood leaves in a state: a trail of ten million records, and two hundred thousand previews of one agent. Prints how
// long a start takes behind it, and what comes first. On both engines; PostgreSQL where it is installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  openPostgresStore,
  openSqliteStore,
  type StateStore,
  sha256Hex,
  shortId,
} from '../../src/state/index.ts';
import { hasPostgres, startPostgres } from '../harness/postgres.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { BOUNDS, begin, keep } from '../state/ground.ts';
import { ROOTS, refused } from '../state/records.mjs';
import { requireWhole } from '../state/trail.ts';

const RECORDS = Number(process.env['STATE_RECORDS'] ?? 10_000_000);
const PREVIEWS = Number(process.env['STATE_PREVIEWS'] ?? 200_000);
const BATCH = 10_000;
const HOURS = 6 * 3_600_000;

const flood = Array.from({ length: BATCH }, (_, n) =>
  refused(n, { request_id: 'x'.repeat(36), caller: { name: 'flood', version: '1' } }),
);

/** Says how long it took. */
async function timed<Result>(what: string, work: () => Promise<Result> | Result): Promise<Result> {
  const began = performance.now();
  const result = await work();
  const ms = performance.now() - began;
  process.stderr.write(
    `  ${what}: ${ms < 10_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(0)} s`}\n`,
  );
  return result;
}

async function behindTheFlood(open: () => Promise<StateStore>, id: string): Promise<void> {
  const store = await timed('start', open);
  expect(await timed('first read', () => store.findPreview(shortId('pv', id)))).toMatchObject({
    id,
    isKept: true,
  });
  const first = await timed('first preview', () => keep(store));
  const { end } = await timed('first change', () => begin(store, first.id));
  await timed('its end', () => end('applied'));
  await timed('what waits', () => store.waitingPreviews());
  await timed('changes', () => store.listChanges({ roots: ROOTS, most: 20 }));
  const whole = await timed('the whole trail', () => requireWhole(store));
  expect(whole.seq).toBe(RECORDS + 4);
  await store.close();
}

async function manyPreviews(store: StateStore): Promise<void> {
  const texts = ['shared: 1\n'];
  const waiting: string[] = [];
  for (let n = 0; n < 10; n += 1) waiting.push((await keep(store, { approval: 'human', texts, time: n })).id);
  await timed(`${PREVIEWS} previews`, async () => {
    for (let n = 0; n < PREVIEWS; n += 1) {
      const { answer } = await keep(store, { texts, warnings: [`${n}`], time: n, lasts: 1e6 });
      expect(answer).toBe('kept');
      if (n % 20_000 === 0)
        expect((await store.waitingPreviews()).length).toBeLessThanOrEqual(BOUNDS.previews + 10);
    }
  });
  const seen = (await store.waitingPreviews()).map(({ id }) => id);
  expect(waiting.filter((id) => !seen.includes(id))).toEqual([]);
  for (const id of waiting) expect((await store.findPreview(id))?.preview?.files[0]?.base).toBe(texts[0]);
  expect(await requireWhole(store)).toMatchObject({ seq: PREVIEWS + 10 });
}

describe('SQLite', () => {
  it(`starts and applies behind ${RECORDS} records, and verifies them all`, { timeout: HOURS }, async () => {
    process.stderr.write(`SQLite, ${RECORDS} records\n`);
    const { dir, remove } = tempRoot();
    const file = join(dir, 'state.db');
    const store = openSqliteStore({ file });
    const { id } = await keep(store);
    await timed('the flood', async () => {
      for (let done = 0; done < RECORDS; done += BATCH) await store.append(flood, false);
    });
    await store.close();
    process.stderr.write(`  ${(statSync(file).size / 1e9).toFixed(1)} GB\n`);
    await behindTheFlood(async () => openSqliteStore({ file }), id);
    remove();
  });

  it(`keeps its bounds over ${PREVIEWS} previews of one agent, and shows all that waits`, {
    timeout: HOURS,
  }, async () => {
    process.stderr.write('SQLite\n');
    const { dir, remove } = tempRoot();
    const store = openSqliteStore({ file: join(dir, 'state.db') });
    await manyPreviews(store);
    await store.close();
    remove();
  });
});

describe.runIf(hasPostgres)('PostgreSQL', () => {
  it(`starts and applies behind ${RECORDS} records, and verifies them all`, { timeout: HOURS }, async () => {
    process.stderr.write(`PostgreSQL, ${RECORDS} records\n`);
    const server = startPostgres({ parent: tmpdir(), settings: ['max_wal_size = 4GB'] });
    const open = () => openPostgresStore(server.options('postgres'));
    const store = await open();
    const { id } = await keep(store);
    let last = await store.head();
    await store.close();
    await timed('the flood', async () => {
      const copy = spawn('psql', ['-X', '-q', '-h', server.socket, '-U', 'owner', 'postgres'], {
        stdio: ['pipe', 'ignore', 'inherit'],
      });
      copy.stdin.write('COPY config_airlock.trail (seq, prev, sha256, record) FROM STDIN;\n');
      const lines = flood.map(canonicalJson);
      for (let done = 0; done < RECORDS; done += BATCH) {
        const text = lines
          .map((record) => {
            const [seq, prev] = [last.seq + 1, last.sha256];
            last = { seq, sha256: sha256Hex(`${seq}\n${prev}\n${record}`) };
            return `${seq}\t${prev}\t${last.sha256}\t${record}\n`;
          })
          .join('');
        if (!copy.stdin.write(text)) await once(copy.stdin, 'drain');
      }
      copy.stdin.end(
        `\\.\nUPDATE config_airlock.head SET seq = ${last.seq}, sha256 = '${last.sha256}';\nANALYZE;\n`,
      );
      const [code]: unknown[] = await once(copy, 'exit');
      expect(code).toBe(0);
    });
    process.stderr.write(
      `  ${server.sql("SELECT pg_size_pretty(pg_total_relation_size('config_airlock.trail'))")}\n`,
    );
    await behindTheFlood(open, id);
    server.remove();
  });

  it(`keeps its bounds over ${PREVIEWS} previews of one agent, and shows all that waits`, {
    timeout: HOURS,
  }, async () => {
    process.stderr.write('PostgreSQL\n');
    const server = startPostgres();
    const store = await openPostgresStore(server.options('postgres'));
    await manyPreviews(store);
    await store.close();
    server.remove();
  });
});
