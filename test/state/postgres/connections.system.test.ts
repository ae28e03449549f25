// What a PostgreSQL state does where the connection or the server goes away, and that nothing is lost or done twice.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodePreview } from '../../../src/state/preview.ts';
import { end } from '../../harness/end.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../harness/postgres.ts';
import { seededRandom } from '../../harness/random.ts';
import { timesOf } from '../../harness/runs.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { BOUNDS, begun, draft, event, refused } from '../events.mjs';
import { isFault, keep, requireWhole } from '../ground.ts';
import { type Answered, answeredIn, requireSound } from '../soundness.ts';
import { startProxy } from './cutting-proxy.ts';
import { makeState, openOn } from './open.ts';

const CHILDREN = join(import.meta.dirname, '../children');
const CUTS = timesOf(40, 200);
const KILLS = timesOf(4, 100);

describe.runIf(hasPostgres)('a PostgreSQL state', () => {
  let server: PostgresServer;
  let database: string;
  let databases = 0;
  beforeAll(async () => {
    server = startPostgres();
    server.sql('CREATE ROLE server LOGIN');
    await makeState(server, 'empty', 'server');
  });
  afterAll(() => server.remove());
  beforeEach(() => {
    databases += 1;
    database = `state${databases}`;
    server.sql(`CREATE DATABASE ${database} TEMPLATE empty`);
  });

  it(`neither loses nor doubles an operation where its connection is cut, ${CUTS} times`, async () => {
    const random = seededRandom(31);
    const proxy = await startProxy(server);
    const store = await openOn(proxy.options(database, 'server'));
    const answered: Answered[] = [];
    let cuts = 0;
    let unsure = 0;
    for (let time = 0; cuts < CUTS; time += 1) {
      const direction = random.pick(['to the server', 'to the client'] as const);
      proxy.cutAfter(direction, random.below(direction === 'to the server' ? 14_000 : 2_400));
      const preview = await encodePreview(
        draft({ time, texts: [`${time}\n`, 'large: '.padEnd(3_000, 'x')] }),
      );
      const { id } = preview;
      const bounds = { ...BOUNDS, previews: 20 };
      const end = time % 2 === 0 ? 'applied' : 'rolled_back';
      const decidedAt = async () => (await store.statusOf(id)).decidedAt;
      const steps = [
        {
          what: 'previewed',
          work: () => store.keep(preview, event('previewed', id, { time }), { bounds }),
          is: 'kept',
        },
        {
          what: 'approved',
          work: () => store.decide(id, [event('approved', id)]),
          is: { seq: expect.any(Number) },
        },
        {
          ...{ what: 'begun', is: { state: 'begun' } },
          work: async () => store.begin(begun(id), { decidedAt: await decidedAt() }),
        },
        { what: end, work: () => store.end(event(end, id)), is: { seq: expect.any(Number) } },
      ];
      for (const { what, work, is } of steps) {
        const isDone = async () => {
          const { status } = (await store.find(id)) ?? {};
          const isBegun = status?.begun !== undefined;
          const done = { previewed: status !== undefined, approved: status?.decidedAt !== 0, begun: isBegun };
          return { ...done, applied: status?.write === 'applied', rolled_back: !isBegun }[what];
        };
        try {
          const answer = await work();
          if (typeof is === 'string') expect(answer).toBe(is);
          else expect(answer).toMatchObject(is);
        } catch (error) {
          // Its second connection was the one that was cut.
          expect(error).toMatchObject(isFault('unreachable'));
          unsure += 1;
          if (!(await isDone())) await work();
        }
        answered.push({ what, id });
      }
      cuts += proxy.hasCut() ? 1 : 0;
    }
    expect(unsure).toBeLessThan(CUTS / 4);
    await requireSound(store, answered);
    await store.close();
    await proxy.close();
  });

  it('begins nothing for itself that another one began in the same words', async () => {
    const proxy = await startProxy(server);
    const [left, right] = [
      await openOn(proxy.options(database, 'server')),
      await openOn(server.options(database, 'server')),
    ];
    for (let bytes = 20; bytes < 2_400; bytes += 60) {
      const { id } = await keep(right);
      await left.head();
      proxy.cutAfter('to the server', bytes);
      const answers = await Promise.all(
        [left, right].map((store) =>
          store.begin(begun(id), { decidedAt: 0 }).then(
            ({ state }) => state,
            () => 'unsure',
          ),
        ),
      );
      const won = answers.filter((state) => state === 'begun').length;
      expect(won + Number(answers.includes('unsure'))).toBeGreaterThan(0);
      expect(won).toBeLessThanOrEqual(1);
      proxy.cutAfter('to the server', Number.POSITIVE_INFINITY);
      await right.end(event('applied', id));
    }
    for (const store of [left, right]) await store.close();
    await proxy.close();
  });

  it('is unreachable while its server is down, and goes on where it left off when it is back', async () => {
    const store = await openOn(server.options(database, 'server'));
    const { id } = await keep(store);
    const before = await store.head();
    server.stop('immediate');
    for (const call of [() => keep(store), () => store.head(), () => store.append([refused()], true)])
      await expect(call()).rejects.toMatchObject(isFault('unreachable'));
    await expect(openOn(server.options(database))).rejects.toMatchObject(isFault('unreachable'));
    server.start();
    expect(await store.head()).toEqual(before);
    expect(await store.find(id)).toMatchObject({ isKept: true });
    expect((await keep(store)).answer).toBe('kept');
    await store.close();
  });

  it('is durable whatever the account is set to', async () => {
    server.sql("ALTER ROLE server SET synchronous_commit = 'off'");
    const store = await openOn(server.options(database, 'server'));
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
      const stores = await Promise.all([1, 2, 3].map(() => openOn(server.options(database, 'server'))));
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
    const answered: Answered[] = [];
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
    const store = await openOn(server.options(database, 'server'));
    await requireSound(store, answered);
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
    await expect(openOn(options)).rejects.toMatchObject(isFault('unreachable'));
    silent.close();
    remove();
  });
});
