// Writes to a PostgreSQL state until it is killed or done. OPTIONS ROUNDS
import { openPostgres } from '../../../dist/state/postgres.js';
import { openStore } from '../../../dist/state/store.js';
import { rounds } from './scenario.mjs';

const [, , options, count] = process.argv;
const store = await openStore(await openPostgres({ ...JSON.parse(options), readFile: () => undefined }));
await rounds(store, Number(count), `writer ${process.pid}`);
await store.close();
