// Switches a mutant on for a test file, and writes down which mutants the file has met.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { afterAll, expect } from 'vitest';

const MOST_TIMES = 2_000_000;
const folder = process.env.MUTATION_FOLDER;
const active = Number(readFileSync(`${folder}/active`, 'utf8'));
const met = new Set();
let times = 0;

globalThis.mutation = (id) => {
  met.add(id);
  if (id !== active) return false;
  times += 1;
  if (times > MOST_TIMES) throw new Error('the mutant goes round for ever');
  return true;
};

afterAll(() => {
  const name = relative(process.cwd(), expect.getState().testPath).replaceAll('/', '+');
  writeFileSync(`${folder}/${basename(name)}.json`, JSON.stringify([...met]));
});
