// A whole repository over stdio: the first search of a server and the same again, beside `grep -r` and a server that can only
// hand over the files.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, timed } from './measure.mjs';
import { FILES, NEW_ACTION, OLD_ACTION, RARE, writeRepository, writeWorkflows } from './repository-files.mjs';
import { airlockCommand, filesystemCommand, start } from './servers.mjs';

/** Of files in a root that is only opened. */
const MANY = 20_000;

/** @returns {Promise<{ files: number, megabytes: number, jobs: Record<string, Record<string, number>> }>} milliseconds */
export async function wholeRepository(isQuick) {
  const files = isQuick ? FILES / 10 : FILES;
  const [root, state] = [folder(), folder()];
  try {
    const bytes = writeRepository(root, files);
    const rounds = isQuick ? 2 : 4;
    const airlock = await inRounds(rounds, () => searches(root, state));
    const grep = await inRounds(rounds, async () => ({
      'search of a rare text': await timed(() => execFileSync('grep', ['-rl', RARE, root])),
    }));
    const filesystem = await readAll(root);
    const jobs = {};
    for (const [job, ms] of Object.entries(airlock)) jobs[job] = { airlock: ms };
    for (const job of Object.keys(jobs).filter((name) => name.includes('rare text'))) {
      jobs[job].grep = grep['search of a rare text'];
      if (filesystem !== undefined) jobs[job]['filesystem (reads all)'] = filesystem;
    }
    jobs[`first call beside ${isQuick ? MANY / 10 : MANY} files`] = {
      airlock: await firstCall(isQuick ? MANY / 10 : MANY),
    };
    jobs['first call beside 1 file'] = { airlock: await firstCall(1) };
    for (const count of isQuick ? [320] : [320, 2_000])
      jobs[`preview of one change in each of ${count} workflows`] = { airlock: await bulkPreview(count) };
    return { files, megabytes: bytes / 1e6, jobs };
  } finally {
    for (const dir of [root, state]) rmSync(dir, { recursive: true, force: true });
  }
}

/** Of a server that has served nothing yet, and of one that has read all files. */
async function searches(root, state) {
  const client = await start(airlockCommand(root, state, 0));
  try {
    const search = (args) => () => client.call('config_search', args);
    const first = await timed(search({ text: RARE }));
    const again = await timed(search({ text: RARE }));
    return {
      'search of a rare text, first': first,
      'search of a rare text, again': again,
      'search of a key that no file has': await timed(search({ key: 'noSuchKey' })),
      'search of a key that many files have, one page': await timed(search({ key: 'replicaCount' })),
      'validate all': await timed(() => client.call('config_validate', { pattern: '**' })),
      'validate all, again': await timed(() => client.call('config_validate', { pattern: '**' })),
    };
  } finally {
    await client.close();
  }
}

/** What an agent would have to be sent to look for itself. Undefined where that server could not be installed. */
async function readAll(root) {
  const command = filesystemCommand(root);
  if (command === undefined) return undefined;
  const client = await start(command);
  try {
    const paths = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return await timed(() => client.call('read_multiple_files', { paths }));
  } finally {
    await client.close();
  }
}

/** From the request to the reply, of a server that has just been started. */
async function firstCall(count) {
  const [root, state] = [folder(), folder()];
  try {
    for (let n = 0; n < count; n++) {
      const dir = join(root, `d${n % 100}`);
      if (n < 100) mkdirSync(dir);
      writeFileSync(join(dir, `f${n}.yaml`), 'a: 1\n');
    }
    const times = [];
    for (let round = 0; round < 3; round++) {
      const client = await start(airlockCommand(root, state, 0));
      times.push(await timed(() => client.call('config_get', { file: 'd0/f0.yaml' })));
      await client.close();
    }
    return median(times);
  } finally {
    for (const dir of [root, state]) rmSync(dir, { recursive: true, force: true });
  }
}

/** One change in each of many small files, as of a version in all workflows. */
async function bulkPreview(count) {
  const [root, state] = [folder(), folder()];
  try {
    writeWorkflows(root, count);
    const client = await start([...airlockCommand(root, state, 0), '--max-matches', String(count)]);
    const edit = { op: 'set', file: '**/*.yaml', path: '**.uses', from: OLD_ACTION, json: NEW_ACTION };
    const preview = () => client.call('config_edit', { edits: [{ ...edit, expect: count }] });
    const times = [];
    for (let round = 0; round < 3; round++) times.push(await timed(preview));
    await client.close();
    return median(times);
  } finally {
    for (const dir of [root, state]) rmSync(dir, { recursive: true, force: true });
  }
}

/** The median of each job. */
async function inRounds(rounds, work) {
  const results = [];
  for (let round = 0; round < rounds; round++) results.push(await work());
  return Object.fromEntries(
    Object.keys(results[0]).map((job) => [job, median(results.map((result) => result[job]))]),
  );
}

function folder() {
  return mkdtempSync(join(tmpdir(), 'airlock-bench-'));
}
