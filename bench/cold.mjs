// From the spawn of a process to its answer to tools/list, and to its first real answer.
import { spawnSync } from 'node:child_process';
import { Client } from './client.mjs';
import { race, timed } from './measure.mjs';

export async function coldStarts(field, commands, isQuick) {
  const { target } = field;
  const firstCalls = [];
  const toList = (command, finish) => async () => {
    const client = new Client(command);
    await client.initialize();
    await client.request('tools/list');
    await finish?.(client);
    closing.push(client);
  };
  const closing = [];
  const before = async () => {
    await Promise.all(closing.splice(0).map((client) => client.close()));
  };
  const times = await race(
    {
      'node -e 0': { before, run: () => spawnSync(process.execPath, ['-e', '0']) },
      echo: { before, run: toList(commands.echo) },
      airlock: { before, run: toList(commands.airlock) },
    },
    isQuick ? 5 : 15,
    1,
  );
  await before();
  for (let n = 0; n < (isQuick ? 3 : 9); n++) {
    const client = new Client(commands.airlock);
    await client.initialize();
    await client.request('tools/list');
    const call = () => client.call('config_get', { file: target.file, path: target.path });
    firstCalls.push(await timed(call));
    await client.close();
  }
  return { times, firstCalls };
}
