// A root whose state is in PostgreSQL, in a database of its own.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createLog } from '../../src/security/audit/log.ts';
import type { Policy } from '../../src/security/policy/policy.ts';
import { closeStore } from '../../src/security/state/open-store.ts';
import { openState } from '../../src/security/state/state.ts';
import { recoverRoots } from '../../src/security/writer/commit.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { type Place, place } from './fixture.ts';

let databases = 0;

export async function postgresPlace(server: PostgresServer): Promise<Place> {
  const here = place();
  databases += 1;
  const database = `place${databases}`;
  server.sql(`CREATE DATABASE ${database}`);
  const address = `postgres://owner@/${database}?host=${server.socket}&port=${server.port}`;
  const kept = { postgres: { address, environment: {} }, journal: join(here.base, 'journal') };
  const named = (changes: Partial<Policy> = {}) => ({
    roots: [{ name: 'shop', dir: here.root }],
    ...changes,
  });
  const log = createLog({ level: 'info', format: 'json', file: join(here.base, 'log.jsonl') });
  const state = await openState({ location: kept }, here.policy(named()), log);
  onTestFinished(() => closeStore(state));
  return {
    ...here,
    kept,
    policy: (changes) => here.policy(named(changes)),
    open: (containment, changes) => here.open(containment, named(changes)),
    start: async (containment, changes) => {
      const sandbox = here.open(containment, named(changes));
      await recoverRoots(sandbox, state);
      return sandbox;
    },
    state: async () => state,
    commit: (sandbox, edits, requestId, other = state) => here.commit(sandbox, edits, requestId, other),
  };
}
