// Reads all rows of an SQLite state, and fills a state with those of another.
import { keptAs } from '../codec.ts';
import { StateFault } from '../fault.ts';
import { bytesIn, countIn, optionalTextIn, type Row, textIn } from '../rows.ts';
import type { KeptRow } from '../store.ts';
import type { SqliteDatabase } from './driver.ts';
import type { Identity } from './schema.ts';
import { addTexts } from './text-table.ts';
import type { TrailTable } from './trail-table.ts';

const RECORDS = 1_000;
/** The number of other rows at once, each of which may have texts of megabytes. */
const OTHERS = 20;

/** Yields all rows in pieces; `reading` reads each piece in one moment. */
export async function* rowsOf(
  database: SqliteDatabase,
  trail: TrailTable,
  reading: <Result>(work: () => Result) => Result,
): AsyncIterable<readonly KeptRow[]> {
  for (let seq = 0; ; ) {
    const rows = reading(() => trail.after(seq, RECORDS));
    yield rows.map((row) => ({ kind: 'trail', row }) as const);
    if (rows.length < RECORDS) break;
    seq = rows.at(-1)?.seq ?? seq;
  }
  for (const kind of ['preview', 'change'] as const) {
    for (let position = 0; ; ) {
      const { found, last } = reading(() => some(database, kind, position));
      yield found;
      if (found.length < OTHERS) break;
      position = last;
    }
  }
}

const SELECTS = {
  preview: 'SELECT rowid AS position, id, record FROM previews WHERE rowid > ? ORDER BY rowid LIMIT ?',
  change:
    'SELECT position, id, record, exact, ended FROM changes WHERE position > ? ORDER BY position LIMIT ?',
} as const;

function some(
  database: SqliteDatabase,
  kind: keyof typeof SELECTS,
  position: number,
): { readonly found: readonly KeptRow[]; readonly last: number } {
  const rows = database.all(SELECTS[kind], position, OTHERS);
  const found = rows.map((row): KeptRow => {
    const record = recordIn(database, row);
    if (kind === 'preview') return { kind, record };
    const ended = row['ended'] === null ? undefined : countIn(row, 'ended');
    return { kind, record: { ...record, exact: optionalTextIn(row, 'exact'), ended } };
  });
  return { found, last: rows.length === 0 ? position : countIn(rows.at(-1), 'position') };
}

function recordIn(database: SqliteDatabase, row: Row): NonNullable<ReturnType<typeof keptAs>> {
  const id = textIn(row, 'id');
  // They are read one by one, because reading all rows at once gives bytes another type.
  const texts = database.all('SELECT sha256 FROM text_uses WHERE used_by = ?', id).map((use) => {
    const sha256 = textIn(use, 'sha256');
    const text = database.get('SELECT bytes FROM texts WHERE sha256 = ?', sha256);
    return [sha256, text === undefined ? '' : bytesIn(text, 'bytes')] as const;
  });
  const record = keptAs(id, textIn(row, 'record'), new Map(texts));
  if (record === undefined) throw new StateFault('damaged');
  return record;
}

/** Fills the state. Throws a plain Error where it is not empty. */
export async function become(
  database: SqliteDatabase,
  { id, maskingKey }: Identity,
  rows: AsyncIterable<readonly KeptRow[]>,
): Promise<void> {
  database.writing(true, () => {
    for (const table of ['trail', 'previews', 'changes'])
      if (database.get(`SELECT 1 FROM ${table} LIMIT 1`) !== undefined)
        throw new Error('The state that is copied to is not empty');
    database.run('DELETE FROM identity');
  });
  for await (const piece of rows)
    database.writing(false, () => {
      for (const kept of piece) add(database, kept);
    });
  database.writing(true, () => {
    const insert = 'INSERT INTO identity (name, value) VALUES (?, ?)';
    database.run(insert, 'id', id);
    database.run(insert, 'masking key', maskingKey);
  });
}

function add(database: SqliteDatabase, kept: KeptRow): void {
  if (kept.kind === 'trail') {
    const { seq, prev, sha256, record } = kept.row;
    const insert = 'INSERT INTO trail (seq, prev, sha256, record) VALUES (?, ?, ?, ?)';
    database.run(insert, seq, prev, sha256, record);
    return;
  }
  const { id, line, sizeBytes } = kept.record;
  if (kept.kind === 'preview')
    database.run('INSERT INTO previews (id, record, size) VALUES (?, ?, ?)', id, line, sizeBytes);
  else {
    const { exact = null, ended = null } = kept.record;
    const insert = 'INSERT INTO changes (id, record, exact, size, ended) VALUES (?, ?, ?, ?, ?)';
    database.run(insert, id, line, exact, sizeBytes, ended);
  }
  addTexts(database, kept.record);
}
