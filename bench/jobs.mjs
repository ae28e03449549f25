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
import { dirname, join } from 'node:path';
import { YAML_NAMES } from './corpus.mjs';
import { race, roundsFor } from './measure.mjs';
import { airlockCommand, echoCommand, filesystemCommand, plainCommand, start, WORDS } from './servers.mjs';

/** A folder with the sample, and every contestant started on it. */
export async function openField(sample) {
  const root = mkdtempSync(join(tmpdir(), 'airlock-bench-'));
  const state = mkdtempSync(join(tmpdir(), 'airlock-bench-state-'));
  writeFileSync(join(root, sample.name), sample.text);
  const commands = {
    airlock: airlockCommand(root, state, sample.text.length),
    echo: echoCommand(),
    // It reads YAML.
    plain: YAML_NAMES.includes(sample.kind) ? plainCommand(root) : undefined,
    filesystem: filesystemCommand(root),
  };
  const clients = {};
  for (const [name, command] of Object.entries(commands)) {
    if (command !== undefined) clients[name] = await start(command);
  }
  return {
    root,
    state,
    sample,
    clients,
    words: WORDS,
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
  const spoil = (round) => writeFileSync(target.absolute, `${sample.text}${sample.comment} round ${round}\n`);
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

/** What only the airlock does. */
export async function writeAndMore(field, isQuick) {
  const { clients, target, sample } = field;
  const { airlock } = clients;
  const [rounds, warmUps] = roundsFor(sample.text.length, isQuick);
  const { file, path } = target;
  const ten = (round) => sample.paths.map((each) => ({ op: 'set', file, path: each, json: 200 + round }));
  return race(
    {
      apply: {
        run: (round) => airlock.call('config_set', { file, path, json: 300 + round, dry_run: false }),
      },
      'a bare durable write': { run: (round) => writeDurably(target.absolute, sample.text, round) },
      'ten-edit batch, dry run': { run: (round) => airlock.call('config_edit', { edits: ten(round) }) },
      search: { run: () => airlock.call('config_search', { key: 'replicaCount', limit: 20 }) },
      validate: { run: () => airlock.call('config_validate', { file }) },
    },
    rounds,
    warmUps,
  );
}

/** The least that keeps a file whole over a power cut: new contents and their name, each flushed. It leaves the file as it was. */
function writeDurably(file, text, round) {
  const fresh = `${file}.${round}`;
  const fd = openSync(fresh, 'wx');
  writeSync(fd, text);
  fsyncSync(fd);
  closeSync(fd);
  renameSync(fresh, file);
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Resident memory, in bytes, of servers that have served nothing but so many calls that read and preview in turns. */
export async function memoryAfterCalls({ sample, root, state, words, target }, calls) {
  const airlock = await start(airlockCommand(root, state, sample.text.length));
  const echo = await start(echoCommand());
  for (let n = 0; n < calls; n++) {
    await echo.call('echo', { text: 'replicas' });
    if (n % 2 === 0) await words.airlock.get(airlock, target);
    else await words.airlock.set(airlock, target, 400 + n);
  }
  const found = { airlock: airlock.rssBytes(), echo: echo.rssBytes() };
  await Promise.all([airlock.close(), echo.close()]);
  return found;
}

function targetOf(root, sample) {
  const path = sample.paths[5];
  const absolute = join(root, sample.name);
  const oldText = sample.landmarks[5];
  return { file: sample.name, absolute, path, oldText, newText: (json) => `${oldText}# ${json}` };
}
