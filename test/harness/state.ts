// The state of a server, as somebody who can write its directory reaches it: its store, and its database itself.
import { join } from 'node:path';
import {
  openSqliteStore,
  type SqliteOptions,
  type StateStore,
  shortId,
  type TrailPoint,
  type TrailRecord,
} from '../../src/state/index.ts';
import { openDatabase, type SqliteDatabase } from '../../src/state/sqlite/driver.ts';

/** Calls `work` with the store of this state directory. */
export async function withStore<Result>(
  state: string,
  work: (store: StateStore) => Promise<Result>,
  options: Pick<SqliteOptions, 'evenDamaged'> = {},
): Promise<Result> {
  const store = openSqliteStore({ file: join(state, 'state.db'), ...options });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Calls `work` with the database itself, past all that the store checks. */
export function withDatabase<Result>(state: string, work: (database: SqliteDatabase) => Result): Result {
  const database = openDatabase(join(state, 'state.db'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** A record with the time of now. */
export function trailRecord(record: Omit<TrailRecord, 'time' | 'files'> & Partial<TrailRecord>): TrailRecord {
  return { time: new Date().toISOString(), files: [], ...record };
}

/** Appends a record, asked for with the end of the trail, as anybody can who can write the state directory. */
export async function record(state: string, make: (trail: TrailPoint) => TrailRecord): Promise<void> {
  await withStore(state, async (store) => {
    await store.append([make(await store.head())], true);
  });
}

/** All records of the trail, in order. */
export function trailOf(state: string): readonly TrailRecord[] {
  return withDatabase(state, (database) =>
    database.all('SELECT record FROM trail ORDER BY seq').map(({ record: text }) => JSON.parse(String(text))),
  );
}

/** The full id of a preview or a change that replies call by a short one; anything else as it is. */
export function fullIdIn(state: string, name: string): string {
  if (!/^(?:pv|ch)_/u.test(name)) return name;
  const ids = withDatabase(state, (database) =>
    database.all('SELECT id FROM previews UNION SELECT id FROM changes').map(({ id }) => String(id)),
  );
  return ids.find((id) => shortId('pv', id) === name || shortId('ch', id) === name) ?? name;
}

/** The record of a preview or a change as it is kept, by its id, short or full. */
export function recordIn(state: string, name: string): string | undefined {
  const id = fullIdIn(state, name);
  const select =
    'SELECT record FROM previews WHERE id = ?1 UNION ALL SELECT record FROM changes WHERE id = ?1';
  const record = withDatabase(state, (database) => database.get(select, id)?.['record']);
  return typeof record === 'string' ? record : undefined;
}

/** The ids of what is kept, oldest first. */
export function keptIn(state: string, table: 'previews' | 'changes'): readonly string[] {
  return withDatabase(state, (database) =>
    database.all(`SELECT id FROM ${table} ORDER BY rowid`).map(({ id }) => String(id)),
  );
}

/** The changes that have no end yet. */
export function openIn(state: string): readonly string[] {
  return withDatabase(state, (database) =>
    database.all('SELECT id FROM changes WHERE ended IS NULL ORDER BY position').map(({ id }) => String(id)),
  );
}
