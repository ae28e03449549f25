// The suite on SQLite: in memory, and in a file.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../../src/state/sqlite.ts';
import { openStore, type Store } from '../../src/state/store.ts';
import { memoryDisk } from '../harness/memory-disk.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { openRaw } from './raw-sqlite.ts';
import { stateSuite } from './suite.ts';

stateSuite('in memory', false, async () => {
  const store = await openStore(openSqlite({ file: ':memory:' }));
  return {
    open: async () => store,
    openAsOwner: async () => store,
    tamper: undefined,
    holdLock: async () => async () => undefined,
    filesHold: undefined,
    end: () => store.close(),
  };
});

stateSuite('in a file', true, async () => {
  const { dir, remove } = tempRoot({}, memoryDisk());
  const file = join(dir, 'state.db');
  const opened: Store[] = [];
  const open = async () => {
    const store = await openStore(openSqlite({ file }));
    opened.push(store);
    return store;
  };
  return {
    open,
    openAsOwner: open,
    tamper: async (sql) => {
      const database = openRaw(file);
      database.exec(sql);
      database.close();
    },
    holdLock: async () => {
      const database = openRaw(file);
      database.exec('BEGIN IMMEDIATE');
      return async () => database.close();
    },
    filesHold: async (text) => readdirSync(dir).some((name) => readFileSync(join(dir, name)).includes(text)),
    end: async () => {
      for (const store of opened) await store.close();
      remove();
    },
  };
});
