// What a PostgreSQL state does where the connection or the server goes away, and that nothing is lost or done twice.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeRecord, openPostgresStore, serverGrants } from '../../../src/state/index.ts';
import { end } from '../../harness/end.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../harness/postgres.ts';
import { seededRandom } from '../../harness/random.ts';
import { timesOf } from '../../harness/runs.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { BOUNDS, keep } from '../ground.ts';
import { at, changeDraft, committed, decided, previewDraft, proposed, refused } from '../records.mjs';
import { answeredIn, requireSound } from '../soundness.ts';
import { requireWhole } from '../trail.ts';
import { startProxy } from './cutting-proxy.ts';

const CHILDREN = join(import.meta.dirname, '../children');
const CUTS = timesOf(40, 200);
const KILLS = timesOf(8, 100);

describe.runIf(hasPostgres)('a PostgreSQL state', () => {
  let server: PostgresServer;
  let database: string;
  let databases = 0;
  beforeAll(async () => {
    server = startPostgres();
    server.sql('CREATE ROLE server LOGIN; CREATE DATABASE empty');
    await (await openPostgresStore(server.options('empty'))).close();
    server.sql(await serverGrants('server'), 'empty');
  });
  afterAll(() => server.remove());
  beforeEach(() => {
    databases += 1;
    database = `state${databases}`;
    server.sql(`CREATE DATABASE ${database} TEMPLATE empty`);
  });

  it(`does all of an operation or nothing where its connection is cut, and nothing twice where it is repeated`, async () => {
    const random = seededRandom(31);
    const proxy = await startProxy(server);
    const store = await openPostgresStore(proxy.options(database, 'server'));
    const doneThrough = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      for (;;)
        try {
          return await work();
        } catch (error) {
          expect(error).toMatchObject({ name: 'StateFault', kind: 'unreachable' });
        }
    };
    let cuts = 0;
    const answered: { what: string; id: string }[] = [];
    for (let round = 0; cuts < CUTS; round += 1) {
      const direction = random.pick(['to the server', 'to the client'] as const);
      proxy.cutAfter(direction, random.below(direction === 'to the server' ? 12_000 : 1_200));
      const preview = encodeRecord(
        previewDraft({ time: round, texts: [`${round}\n`, 'large: '.padEnd(3_000, 'x')] }),
      );
      const kept = { ...preview, bounds: { ...BOUNDS, previews: 20 }, now: at(round) };
      expect(await doneThrough(() => store.keepPreview(kept, proposed(preview.id, round)))).toBe('kept');
      const decision = decided(preview.id, 'approve', round);
      const point = await doneThrough(() => store.recordDecision(preview.id, decision));
      const change = { ...encodeRecord(changeDraft({ time: round, preview: preview.id })), exact: [] };
      const claim = { preview: preview.id, whole: undefined, decidedAt: point?.seq ?? 0 };
      const intent = committed(change.id, 'intent', preview.id, round);
      expect(await doneThrough(() => store.beginChange(change, intent, claim))).toMatchObject({
        state: 'begun',
      });
      const ended = committed(change.id, round % 2 === 0 ? 'applied' : 'rolled_back', preview.id, round);
      await doneThrough(() => store.endChange(change.id, ended));
      answered.push({ what: 'kept', id: preview.id }, { what: 'decided', id: preview.id });
      answered.push({ what: 'begun', id: change.id }, { what: ended.outcome, id: change.id });
      cuts += proxy.hasCut() ? 1 : 0;
    }
    await requireSound(store, answered);
    await store.close();
    await proxy.close();
  });

  it('is unreachable while its server is down, and goes on where it left off when it is back', async () => {
    const store = await openPostgresStore(server.options(database, 'server'));
    const { id } = await keep(store);
    const before = await store.head();
    server.stop('immediate');
    for (const call of [() => keep(store), () => store.head(), () => store.append([refused()], true)])
      await expect(call()).rejects.toMatchObject({ name: 'StateFault', kind: 'unreachable' });
    await expect(openPostgresStore(server.options(database))).rejects.toMatchObject({ kind: 'unreachable' });
    server.start();
    expect(await store.head()).toEqual(before);
    expect(await store.findPreview(id)).toMatchObject({ isKept: true });
    expect((await keep(store)).answer).toBe('kept');
    await store.close();
  });

  it('is durable whatever the account is set to', async () => {
    server.sql("ALTER ROLE server SET synchronous_commit = 'off'");
    const store = await openPostgresStore(server.options(database, 'server'));
    const ends = await Promise.all(Array.from({ length: 20 }, (_, n) => store.append([refused(n)], false)));
    server.stop('immediate');
    server.start();
    server.sql('ALTER ROLE server RESET ALL');
    for (const point of ends) expect(await store.holds(point)).toBe(true);
    await store.close();
  });

  it.each(['repeatable read', 'serializable'])(
    'is one chain where an account is set to %s',
    async (level) => {
      server.sql(`ALTER ROLE server SET default_transaction_isolation = '${level}'`);
      const stores = await Promise.all(
        [1, 2, 3].map(() => openPostgresStore(server.options(database, 'server'))),
      );
      server.sql('ALTER ROLE server RESET ALL');
      await Promise.all(
        stores.flatMap((store) => Array.from({ length: 15 }, () => store.append([refused()], true))),
      );
      const [first] = stores;
      expect(first && (await requireWhole(first))).toMatchObject({ seq: 45 });
      for (const store of stores) await store.close();
    },
  );

  it(`loses nothing and tears nothing where ${KILLS} of its processes are killed`, async () => {
    const options = JSON.stringify(server.options(database, 'server'));
    const random = seededRandom(31);
    const answered: { what: string; id: string }[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = spawn(process.execPath, [join(CHILDREN, 'postgres-writer.mjs'), options, '1000']);
      const most = 1 + random.below(12);
      let output = '';
      let errors = '';
      let dead: Promise<void> | undefined;
      child.stderr.on('data', (data) => {
        errors += String(data);
      });
      child.stdout.on('data', (data) => {
        output += String(data);
        if (output.split('\n').length > most) dead ??= end(child);
      });
      await once(child, 'close');
      await dead;
      expect(errors).toBe('');
      answered.push(...answeredIn(output));
    }
    const store = await openPostgresStore(server.options(database, 'server'));
    await requireSound(store, answered);
    await store.close();
  });

  it('is kept by a thread that is locked down', async () => {
    const { readFile: _, ...workerData } = server.options(database, 'server');
    const worker = new Worker(join(CHILDREN, 'locked-worker.mjs'), {
      workerData,
      stdout: true,
      stderr: true,
    });
    const said: string[] = [];
    worker.stderr.on('data', (data) => said.push(String(data)));
    worker.on('error', (error) => said.push(String(error)));
    const [code]: unknown[] = await once(worker, 'exit');
    expect([code, said]).toEqual([0, []]);
    const store = await openPostgresStore(server.options(database, 'server'));
    expect(await requireWhole(store)).toMatchObject({ seq: 18 });
    await store.close();
  });

  it.each([
    { what: 'closes each connection at once', says: (close: () => void) => close() },
    { what: 'never says anything', says: () => undefined },
  ])('is unreachable where whoever listens $what', async ({ says }) => {
    const { dir, remove } = tempRoot();
    const silent = createServer((socket) => {
      socket.on('error', () => undefined);
      says(() => socket.end());
    });
    silent.listen(join(dir, '.s.PGSQL.5432'));
    await once(silent, 'listening');
    const options = { ...server.options(database), url: `postgres://owner@/x?host=${dir}&connect_timeout=1` };
    await expect(openPostgresStore(options)).rejects.toMatchObject({
      name: 'StateFault',
      kind: 'unreachable',
    });
    silent.close();
    remove();
  });
});
