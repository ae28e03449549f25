// Kills in the middle of writes: a file is the old one or the new one, and nothing is left beside it after the next start.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const LINES = 60_000;

export async function crash({ ground, restart, server, report, attempts }) {
  if (server.change === undefined) return;
  const filler = Array.from({ length: LINES }, (_, at) => `line${at}: some text that fills the line\n`).join(
    '',
  );
  const [old, next] = ['inside', 'changed'].map((word) => `key: ${word}\n${filler}`);
  let torn = 0;
  let written = 0;
  for (let round = 0; round < attempts; round++) {
    ground.write('root/big.txt', old);
    const client = await restart();
    void server.change(client, server.path('big.txt'), 'changed').catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, (150 * (round + 0.5)) / attempts));
    client.kill();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const now = ground.read('root/big.txt');
    if (now === next) written++;
    else if (now !== old) torn++;
  }
  report(
    'crash',
    `kill the server while it writes, ${attempts} times (${written} had been written)`,
    torn === 0,
    `${torn} files were neither the old nor the new one`,
  );
  const client = await restart();
  await server.change(client, server.path('big.txt'), 'changed').catch(() => undefined);
  await client.close();
  const left = readdirSync(ground.root).filter((name) => /big\.txt.+|.+big\.txt|tmp|temp/i.test(name));
  report(
    'crash',
    'what is left after the next start',
    left.length === 0,
    `${left.length} temporary files: ${left.slice(0, 2).join(', ')} in ${join('root')}`,
  );
}
