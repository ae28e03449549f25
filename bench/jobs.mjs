// The jobs over stdio, on one folder that all contestants share. Each answers medians in milliseconds by job.
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { race, roundsFor } from './measure.mjs';
import {
  airlockCommand,
  echoCommand,
  filesystemCommand,
  peerWords,
  plainCommand,
  start,
  WORDS,
} from './servers.mjs';

/** A folder with the sample, and every contestant started on it. */
export async function openField(sample, peer) {
  const root = mkdtempSync(join(tmpdir(), 'airlock-bench-'));
  const state = mkdtempSync(join(tmpdir(), 'airlock-bench-state-'));
  writeFileSync(join(root, sample.name), sample.text);
  const commands = {
    airlock: airlockCommand(root, state, sample.text.length),
    echo: echoCommand(),
    plain: plainCommand(root),
    filesystem: filesystemCommand(root),
    peer: peer === undefined ? undefined : [...peer.split(' '), root],
  };
  const clients = {};
  for (const [name, command] of Object.entries(commands)) {
    if (command !== undefined) clients[name] = await start(command);
  }
  const words = { ...WORDS, ...(clients.peer === undefined ? {} : { peer: await peerWords(clients.peer) }) };
  return {
    root,
    state,
    sample,
    clients,
    words,
    target: targetOf(root, sample),
    async close() {
      await Promise.all(Object.values(clients).map((client) => client.close()));
      rmSync(root, { recursive: true, force: true });
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** get and dry-run set of one scalar in the middle, cached and not. */
export async function readAndPreview(field, isQuick) {
  const { clients, words, target, sample } = field;
  const [rounds, warmUps] = roundsFor(sample.text.length, isQuick);
  const asked = Object.entries(words).filter(([name]) => clients[name] !== undefined);
  const contest = (job) =>
    Object.fromEntries(
      asked.map(([name, word]) => [name, { run: (round) => job(word, clients[name], round) }]),
    );
  const echo = { echo: { run: () => clients.echo.call('echo', { text: 'replicas' }) } };
  const spoil = (round) => writeFileSync(target.absolute, `${sample.text}# round ${round}\n`);
  const cached = await race(
    { ...echo, ...contest((word, client) => word.get(client, target)) },
    rounds,
    warmUps,
  );
  const fresh = await race(
    { airlock: { before: spoil, run: () => words.airlock.get(clients.airlock, target) } },
    rounds,
    warmUps,
  );
  const set = await race(
    contest((word, client, round) => word.set(client, target, 100 + round)),
    rounds,
    warmUps,
  );
  return { get: cached, 'get, not cached': fresh, 'dry-run set': set };
}

/** What only the airlock does, beside the bare durable write of the same bytes. */
export async function writeAndMore(field, isQuick) {
  const { clients, target, sample, root } = field;
  const { airlock } = clients;
  const [rounds, warmUps] = roundsFor(sample.text.length, isQuick);
  const { file, path } = target;
  const ten = (round) => sample.paths.map((each) => ({ op: 'set', file, path: each, json: 200 + round }));
  return race(
    {
      apply: {
        run: (round) => airlock.call('config_set', { file, path, json: 300 + round, dry_run: false }),
      },
      'durable write': { run: () => durableWrite(root, sample) },
      'ten-edit batch, dry run': { run: (round) => airlock.call('config_edit', { edits: ten(round) }) },
      search: { run: () => airlock.call('config_search', { key: 'replicaCount', limit: 20 }) },
      validate: { run: () => airlock.call('config_validate', { file }) },
    },
    rounds,
    warmUps,
  );
}

/** A hundred small files in one batch, against a hundred calls. */
export async function manyFiles(isQuick) {
  const root = mkdtempSync(join(tmpdir(), 'airlock-bench-'));
  const state = mkdtempSync(join(tmpdir(), 'airlock-bench-state-'));
  const names = Array.from({ length: 100 }, (_, n) => `service-${n}.yaml`);
  for (const name of names) writeFileSync(join(root, name), `# ${name}\nreplicas: 1\nimage: shop\n`);
  const airlock = await start(airlockCommand(root, state, 0));
  const set = (file, json) => ({ file, path: 'replicas', json });
  try {
    return await race(
      {
        'hundred-file batch': {
          run: (round) => {
            const edits = names.map((file) => ({ op: 'set', ...set(file, 1000 + round) }));
            return airlock.call('config_edit', { edits, dry_run: false });
          },
        },
        'hundred single applies': {
          run: async (round) => {
            for (const file of names)
              await airlock.call('config_set', { ...set(file, 5000 + round), dry_run: false });
          },
        },
      },
      isQuick ? 3 : 10,
      1,
    );
  } finally {
    await airlock.close();
    rmSync(root, { recursive: true, force: true });
    rmSync(state, { recursive: true, force: true });
  }
}

/**
 * Resident memory, in bytes, after so many calls that read and preview by turns: of servers that have done nothing else,
 * and of those that have done all jobs before, so that a second thread has written and is still there.
 */
export async function memoryAfterCalls(field, calls) {
  const { sample, root, state } = field;
  const fresh = {
    airlock: await start(airlockCommand(root, state, sample.text.length)),
    echo: await start(echoCommand()),
  };
  const alone = await memoryOf(fresh, field, calls);
  await Promise.all(Object.values(fresh).map((client) => client.close()));
  return { ...alone, afterAll: await memoryOf(field.clients, field, calls) };
}

async function memoryOf({ airlock, echo }, { words, target }, calls) {
  for (let n = 0; n < calls; n++) {
    await echo.call('echo', { text: 'replicas' });
    if (n % 2 === 0) await words.airlock.get(airlock, target);
    else await words.airlock.set(airlock, target, 400 + n);
  }
  return { airlock: airlock.rssBytes(), echo: echo.rssBytes() };
}

function targetOf(root, sample) {
  const path = sample.paths[5];
  const absolute = join(root, sample.name);
  const oldText = sample.landmarks[5];
  return { file: sample.name, absolute, path, oldText, newText: (json) => `${oldText}# ${json}` };
}

function durableWrite(root, sample) {
  const temp = join(root, 'floor.tmp');
  const fd = openSync(temp, 'w');
  writeSync(fd, sample.text);
  fsyncSync(fd);
  closeSync(fd);
  renameSync(temp, join(root, 'floor.bin'));
  const folder = openSync(root, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
