// Writes to a PostgreSQL state until it is killed or done. OPTIONS ROUNDS
import { openPostgres, openStore } from '../../../dist/state/index.js';
import { rounds } from './scenario.mjs';

const [, , options, count] = process.argv;
const store = await openStore(await openPostgres({ ...JSON.parse(options), readFile: () => undefined }));
await rounds(store, Number(count), `writer ${process.pid}`);
await store.close();
