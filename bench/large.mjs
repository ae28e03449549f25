// What grows with a repository and not with its configuration, and a template that is larger than most: over stdio, each server
// started for its first call.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sample } from './corpus.mjs';
import { median, timed } from './measure.mjs';
import { airlockCommand, start } from './servers.mjs';

const FOLDERS = 3_000;
/** Source code for the most part, as in repositories of programs. */
const NAMES = ['a.ts', 'b.ts', 'c.ts', 'd.rs', 'e.md', 'f.css', 'g.json', 'h.yaml', 'i.toml'];
const TEMPLATE_BYTES = 1.4e6;

/** @returns {Promise<{ files: number, jobs: Record<string, Record<string, number>> }>} milliseconds */
export async function largeTree(isQuick) {
  const root = mkdtempSync(join(tmpdir(), 'airlock-bench-'));
  try {
    const files = writeTree(root, isQuick ? FOLDERS / 10 : FOLDERS);
    const [find, grep] = [(args) => ['find', [root, ...args]], (text) => ['grep', ['-r', text, root]]];
    const jobs = {};
    for (const [job, tool, args, other] of [
      ['a missing file', 'config_get', { file: 'g1/p1/missing.yaml' }],
      ['a literal pattern', 'config_list', { pattern: 'g1/p1/h.yaml' }],
      ['`**/Cargo.toml`', 'config_list', { pattern: '**/Cargo.toml' }, find(['-name', 'Cargo.toml'])],
      ['list everything', 'config_list', { pattern: '**/no-such-name' }, find([])],
      ['search of a text', 'config_search', { text: 'no such text' }, grep('no such text')],
      ['search of a key', 'config_search', { key: 'noSuchKey' }, grep('noSuchKey')],
    ]) {
      const [first, again] = await firstAndAgain(root, tool, args, isQuick ? 1 : 3);
      jobs[`${job}, first call`] = { airlock: first };
      jobs[`${job}, again`] = { airlock: again };
      if (other !== undefined)
        jobs[`${job}, again`]['find or grep'] = await timed(() => quietly(() => execFileSync(...other)));
    }
    return { files, jobs };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** A template of 1.4 MB. @returns {Promise<Record<string, Record<string, number>>>} milliseconds by job */
export async function largeTemplate(isQuick) {
  const root = mkdtempSync(join(tmpdir(), 'airlock-bench-'));
  const file = 'large.yaml';
  try {
    const { text } = sample('template', isQuick ? TEMPLATE_BYTES / 10 : TEMPLATE_BYTES);
    writeFileSync(join(root, file), `first: 1\n${text}`);
    const jobs = {};
    for (const [job, tool, args] of [
      ['get', 'config_get', { file, path: 'first' }],
      ['set, in preview', 'config_set', { file, path: 'first', value: '2' }],
      ['search of a key', 'config_search', { key: 'first' }],
      ['validate', 'config_validate', { file }],
    ]) {
      const [first, again] = await firstAndAgain(root, tool, args, isQuick ? 1 : 3);
      jobs[job] = { 'first call': first, again };
    }
    return jobs;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The medians of the first call of a server, and of the same call after it. */
async function firstAndAgain(root, tool, args, rounds) {
  const times = [[], []];
  for (let round = 0; round < rounds; round++) {
    const state = mkdtempSync(join(tmpdir(), 'airlock-bench-'));
    const client = await start(airlockCommand(root, state, 0));
    try {
      for (const list of times) list.push(await timed(() => quietly(() => client.call(tool, args))));
    } finally {
      await client.close();
      rmSync(state, { recursive: true, force: true });
    }
  }
  return times.map(median);
}

/** A missing file is refused, and `grep` fails where it finds nothing; both take their time before. */
async function quietly(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

/** Writes the tree; answers how many files it has. */
function writeTree(root, folders) {
  for (let at = 0; at < folders; at++) {
    const folder = join(root, `g${at % 60}`, `p${Math.floor(at / 60)}`);
    mkdirSync(folder, { recursive: true });
    const names = at % 3 === 0 ? [...NAMES, 'Cargo.toml'] : NAMES;
    for (const name of names) {
      const text = name.endsWith('.json')
        ? `{ "a": ${at} }\n`
        : name.endsWith('.yaml')
          ? `a: ${at}\n`
          : `a = ${at}\n`;
      writeFileSync(join(folder, name), text);
    }
  }
  return folders * NAMES.length + Math.ceil(folders / 3);
}
