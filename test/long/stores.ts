// Places whose state is kept in each of the two stores. Without PostgreSQL the other one alone is tried.
import { afterAll, beforeAll, describe } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { type Place, place } from '../security/fixture.ts';
import { postgresPlace } from '../security/postgres-place.ts';

export function onEachStore(tests: (place: () => Place | Promise<Place>, store: string) => void): void {
  describe('SQLite', () => tests(place, 'SQLite'));
  describe.runIf(hasPostgres)('PostgreSQL', () => {
    let server: PostgresServer;
    beforeAll(() => {
      server = startPostgres();
    });
    afterAll(() => server.remove());
    tests(() => postgresPlace(server), 'PostgreSQL');
  });
}
