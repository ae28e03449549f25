// From the spawn of a process to its answer to tools/list, and to its first real answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client.mjs';
import { race, timed } from './measure.mjs';

/** Until a client that has listed the tools calls one, somebody has thought. */
const THOUGHT_MS = 1_000;

export async function coldStarts(field, commands, isQuick) {
  const { target } = field;
  const firstCalls = { atOnce: [], afterThought: [] };
  const toList = (command) => async () => {
    const client = new Client(command);
    await client.initialize();
    await client.request('tools/list');
    closing.push(client);
  };
  const closing = [];
  const before = async () => {
    await Promise.all(closing.splice(0).map((client) => client.close()));
  };
  const times = await race(
    {
      echo: { before, run: toList(commands.echo) },
      airlock: { before, run: toList(commands.airlock) },
    },
    isQuick ? 5 : 15,
    1,
  );
  await before();
  for (let n = 0; n < (isQuick ? 3 : 9); n++) {
    for (const [when, list] of Object.entries(firstCalls)) {
      const client = new Client(commands.airlock);
      await client.initialize();
      await client.request('tools/list');
      if (when === 'afterThought') await sleep(THOUGHT_MS);
      list.push(await timed(() => client.call('config_get', { file: target.file, path: target.path })));
      await client.close();
    }
  }
  return { times, firstCalls };
}
