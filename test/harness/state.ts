// The state of a server, as somebody who can write its directory reaches it: its store, and its database itself.
import { join } from 'node:path';
import { shortId } from '../../src/state/canonical.ts';
import type { Event, TrailPoint } from '../../src/state/event.ts';
import { openSqlite } from '../../src/state/sqlite.ts';
import { openStore, type Store } from '../../src/state/store.ts';
import { openRaw } from '../state/raw-sqlite.ts';

/** Calls `work` with the store of this state directory. */
export async function withStore<Result>(
  state: string,
  work: (store: Store) => Promise<Result>,
  { evenDamaged = false } = {},
): Promise<Result> {
  const store = await openStore(openSqlite({ file: join(state, 'state.db') }), evenDamaged);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

type Row = Readonly<Record<string, unknown>>;

/** A database past all that the store checks. */
export interface RawDatabase {
  run(sql: string, ...values: readonly unknown[]): void;
  all(sql: string, ...values: readonly unknown[]): readonly Row[];
}

export function withDatabase<Result>(state: string, work: (database: RawDatabase) => Result): Result {
  const database = openRaw(join(state, 'state.db'));
  try {
    return work({
      run: (sql, ...values) => {
        database.prepare(sql).run(...values);
      },
      all: (sql, ...values) =>
        database
          .prepare(sql)
          .all(...values)
          .map((row): Row => Object(row)),
    });
  } finally {
    database.close();
  }
}

/** An event with the time of now. */
export function eventNow(event: Omit<Event, 'time' | 'files'> & Partial<Event>): Event {
  return { time: new Date().toISOString(), files: [], ...event };
}

/** Appends an event, asked for with the end of the trail, as anybody can who can write the state directory. */
export async function record(state: string, make: (trail: TrailPoint) => Event): Promise<void> {
  await withStore(state, async (store) => {
    await store.append([make(await store.head())], true);
  });
}

/** All events of the trail, in order. */
export function trailOf(state: string): readonly Event[] {
  return withDatabase(state, (database) =>
    database.all('SELECT body FROM trail ORDER BY seq').map(({ body }) => JSON.parse(String(body))),
  );
}

/** The full id of a preview that replies call by a short one; anything else as it is. */
export function fullIdIn(state: string, name: string): string {
  if (!/^(?:pv|ch)_/u.test(name)) return name;
  const ids = keptIn(state, 'previews');
  return ids.find((id) => shortId('pv', id) === name || shortId('ch', id) === name) ?? name;
}

/** The body of a preview as it is kept, by its id, short or full. */
export function bodyIn(state: string, name: string): string | undefined {
  const id = fullIdIn(state, name);
  const [row] = withDatabase(state, (database) => database.all('SELECT body FROM previews WHERE id = ?', id));
  return row === undefined ? undefined : String(row['body']);
}

/** The ids of the previews that are kept, oldest first: all, or those whose write was begun. */
export function keptIn(state: string, which: 'previews' | 'changes'): readonly string[] {
  const order = which === 'changes' ? 'WHERE begun IS NOT NULL ORDER BY begun' : 'ORDER BY rowid';
  return idsIn(state, `SELECT id FROM previews ${order}`);
}

/** The writes that have no end yet. */
export function openIn(state: string): readonly string[] {
  return idsIn(state, "SELECT id FROM previews WHERE state = 'open' ORDER BY begun");
}

function idsIn(state: string, select: string): readonly string[] {
  return withDatabase(state, (database) => database.all(select).map(({ id }) => String(id)));
}
