// A second way to an SQLite file, past the engine: for tests that tamper with it.
import { createRequire } from 'node:module';

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: unknown[]): unknown; all(...values: unknown[]): unknown[] };
  close(): void;
}

export function openRaw(file: string): Database {
  const load = createRequire(import.meta.url);
  const [major = 0] = process.versions.node.split('.').map(Number);
  const Engine: new (name: string) => Database =
    major >= 23 ? load('node:sqlite').DatabaseSync : load('libsql');
  return new Engine(file);
}
