// `npm run bench:lossless`: what each contestant does to files that people wrote, when one value is set, one entry is deleted
// or one item is appended. README.md says what is counted.
//   --corpus DIR     your own files instead of those in files/
//   --peer COMMAND   one more server; {root} stands for the folder, which is its working directory as well
//   --adapter NAME   how it is spoken to: a name from adapters/, or a file
//   --edits N        of each file, 12 unless said otherwise; --files N of a corpus, 200; --seed N
//   --write FILE     the table as a page
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Client, commandOf } from '../client.mjs';
import { editsOf, seeded, shuffled } from './edits.mjs';
import { judge } from './judge.mjs';
import { LIBRARIES } from './libraries.mjs';
import { page, summary } from './table.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const HOME = resolve(HERE, '..');
const MOST_BYTES = 200_000;

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string', default: join(HERE, 'files') },
    peer: { type: 'string' },
    adapter: { type: 'string' },
    edits: { type: 'string', default: '12' },
    files: { type: 'string', default: '200' },
    seed: { type: 'string', default: '34' },
    write: { type: 'string' },
  },
});

const random = seeded(Number(options.seed));
const cases = casesIn(options.corpus);
if (cases.length === 0) throw new Error('no file of the corpus has an edit to ask for');
const fileCount = new Set(cases.map(({ name }) => name)).size;
process.stderr.write(`${cases.length} edits in ${fileCount} files\n`);

const results = [];
for (const adapter of await adapters()) results.push(await withServer(adapter));
for (const { title, isMissing, edit } of LIBRARIES)
  results.push(
    isMissing ? { title, isMissing } : await tried(title, async (text, asked) => edit(text, asked)),
  );
process.stdout.write(summary(results));
if (options.write !== undefined)
  writeFileSync(
    options.write,
    page(results, { fileCount, ...options, isOwn: options.corpus === join(HERE, 'files') }),
  );

function casesIn(corpus) {
  const names = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.ya?ml$/.test(name),
  );
  const chosen = shuffled(names.sort(), random).slice(0, Number(options.files));
  return chosen.flatMap((name) => {
    const text = textOf(join(corpus, name));
    if (text === undefined) return [];
    return editsOf(text, Number(options.edits), random).map((edit) => ({ name, text, edit }));
  });
}

/** Undefined for what is no text that a person wrote. */
function textOf(file) {
  try {
    const bytes = readFileSync(file);
    const text = bytes.toString('utf8');
    return bytes.length <= MOST_BYTES && Buffer.from(text).equals(bytes) ? text : undefined;
  } catch {
    return undefined;
  }
}

async function adapters() {
  const named = async (name) => import(`./adapters/${name}.mjs`);
  const own = [await named('config-airlock'), await named('filesystem')];
  if (options.peer === undefined) return own;
  if (options.adapter === undefined)
    throw new Error('--peer needs --adapter: a name from adapters/, or a file');
  const isFile = extname(options.adapter) === '.mjs';
  const peer = isFile ? await import(pathToFileURL(resolve(options.adapter))) : await named(options.adapter);
  const command = (root, { state }) => commandOf(options.peer, { root, state });
  return [...own, { ...peer, command }];
}

async function withServer({ title, command, edit }) {
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'lossless-'));
  const [root, state] = ['root', 'state'].map((name) => join(base, name));
  mkdirSync(root);
  const started = command(root, { home: HOME, state });
  if (started === undefined) return { title, isMissing: true };
  const client = new Client(started, { cwd: root, env: { XDG_STATE_HOME: state } });
  try {
    await client.initialize();
    return await tried(title, async (text, asked, at) => {
      // A name of its own for each, so that nothing is remembered of the one before.
      const file = `${at}${extname(asked.name)}`;
      const absolute = join(root, file);
      mkdirSync(dirname(absolute), { recursive: true });
      writeFileSync(absolute, text);
      await edit(client, { ...asked, file: relative(root, absolute), absolute });
      return readFileSync(absolute, 'utf8');
    });
  } finally {
    await client.close();
    rmSync(base, { recursive: true, force: true });
  }
}

async function tried(title, act) {
  const counts = { exact: 0, more: 0, wrong: 0, refused: 0 };
  const kinds = { set: { ...counts }, delete: { ...counts }, append: { ...counts } };
  for (const [at, { name, text, edit }] of cases.entries()) {
    let outcome = 'refused';
    let why = '';
    try {
      outcome = judge(text, await act(text, { ...edit, name }, `case-${at}`), edit);
    } catch (error) {
      why = error instanceof Error ? error.message : '';
    }
    kinds[edit.kind][outcome]++;
    if (process.env.VERBOSE === '1' && outcome !== 'exact')
      process.stderr.write(
        `${title}: ${outcome}: ${name} ${edit.kind} ${JSON.stringify(edit.path)} ${why.slice(0, 200)}\n`,
      );
  }
  return { title, kinds };
}
