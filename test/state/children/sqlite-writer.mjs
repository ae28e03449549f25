// Writes to an SQLite state, and is killed before the statement of the number that it is told. FILE ROUNDS NUMBER
import { createRequire } from 'node:module';
import { openSqlite } from '../../../dist/state/sqlite.js';
import { openStore } from '../../../dist/state/store.js';
import { rounds } from './scenario.mjs';

const [, , file, count, last] = process.argv;
const load = createRequire(import.meta.url);
const [major] = process.versions.node.split('.').map(Number);
const Engine = major >= 23 ? load('node:sqlite').DatabaseSync : load('libsql');

let done = 0;
function dieInTime() {
  done += 1;
  if (done === Number(last)) process.kill(process.pid, 'SIGKILL');
}

for (const name of ['exec', 'prepare']) {
  const original = Engine.prototype[name];
  Engine.prototype[name] = function (sql) {
    if (name === 'exec') dieInTime();
    const result = original.call(this, sql);
    return name === 'exec' ? result : mortal(result);
  };
}

function mortal(statement) {
  const run =
    (name) =>
    (...values) => {
      dieInTime();
      return statement[name](...values);
    };
  return { run: run('run'), get: run('get'), all: run('all') };
}

const store = await openStore(openSqlite({ file }));
await rounds(store, Number(count), `writer ${last}`);
await store.close();
