// `npm run agree -- TREE…`: makes the edits of the case tables, and random ones of files of these trees, on the engine of a commit and
// on the present one, as previews, and compares what comes out. Trees, seed, mix of operations, aims and the differences that have an
// explanation stand in agree/plan.json. --base COMMIT, --edits N and --seed S take others; --format F takes one format, or `tables`,
// alone; --out FILE gets every difference, one a line. Exits with 1 where an aim is missed.
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { drawEdits, placesIn, randomOf } from './agree/draw.mjs';
import { built, present, serve } from './agree/sides.mjs';
import { moved, tableEdits } from './agree/tables.mjs';

const PLAN = JSON.parse(readFileSync(new URL('agree/plan.json', import.meta.url), 'utf8'));
const NAMES = ['base', 'edits', 'seed', 'format', 'out'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }])),
});
const seed = values.seed ?? `${PLAN.seed}`;
const wanted = Number(values.edits ?? PLAN.edits);
const isAsked = (format) => [undefined, format].includes(values.format);
const AT_ONCE = 4;
const MOST_TRIES = 150;

const say = (line = '') => process.stdout.write(`${line}\n`);
const base = built(values.base ?? PLAN.base);
const now = present();
const root = mkdtempSync(join(tmpdir(), 'config-airlock-agree-root-'));
const counts = new Map();
const groups = new Map();
let sides = [];
try {
  const cases = isAsked('tables') ? tableEdits(root, put) : [];
  const draws = drawFiles();
  sides = await Promise.all([base.cli, now.cli].map((cli) => serve(cli, root, ['--no-mask'])));
  const start = performance.now();
  await pool(cases, (edits, order) => judge('tables', edits, order));
  const files = draws.map(({ file }) => file);
  await pool(draws, (draw, index) => editFile(draw, cases.length + index, files));
  const seconds = (performance.now() - start) / 1000;
  const edits = [...counts.values()].reduce((sum, { all }) => sum + all, 0);
  say(`base ${base.name}, present ${now.name}; seed ${seed}`);
  say(`${edits} calls in ${seconds.toFixed(0)} s, on ${draws.length} draws of files, ${digestOf(files)}`);
  process.exitCode = (await report()) ? 0 : 1;
} finally {
  await Promise.all(sides.map((side) => side.close()));
  rmSync(root, { recursive: true, force: true });
}

function put(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

async function pool(items, work) {
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) await work(item, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** The files to edit, copied: of each format as many as its share, each from a tree by chance. */
function drawFiles() {
  const trees = positionals.map((path) => {
    const parts = resolve(path).split('/');
    const name = basename(path).includes('+') ? basename(path).replace('+', '/') : parts.slice(-2).join('/');
    if (PLAN.trees[name] === undefined) throw new Error(`${name} is not among the trees of agree/plan.json`);
    return { name, path: resolve(path), files: filesBelow(resolve(path)) };
  });
  const missing = Object.keys(PLAN.trees).filter((name) => trees.every((tree) => tree.name !== name));
  if (missing.length > 0) say(`not given, so the figures are not those of the plan: ${missing.join(', ')}`);
  const formats = Object.entries(PLAN.formats).filter(([format]) => isAsked(format));
  const shares = formats.reduce((sum, [, { share }]) => sum + share, 0);
  return formats.flatMap(([format, { share, names }]) => {
    const ofFormat = (files) => files.filter((file) => new RegExp(names).test(file));
    const having = trees
      .map((tree) => ({ ...tree, files: ofFormat(tree.files) }))
      .filter(({ files }) => files.length > 0);
    const draws = [];
    const most = Math.round((wanted * share) / shares / PLAN.editsOfAFile);
    for (let tries = 0; having.length > 0 && draws.length < most && tries < 20 * most; tries += 1) {
      const random = randomOf(seed, format, tries);
      const tree = random.pick(having);
      const name = random.pick(tree.files);
      const text = readFileSync(join(tree.path, name), 'utf8');
      if (text.length > PLAN.mostBytes || !isIn(format, text)) continue;
      // Real JSON5 is rare.
      const named = format === 'json5' ? name.replace(/\.jsonc?$/, '.json5') : name;
      const file = `${tree.name}/${named}`.replaceAll(/[^\w./+-]|(?<=\/)\./g, '_');
      put(file, text);
      draws.push({ format, file, random: randomOf(seed, format, tries, file) });
    }
    return draws;
  });
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|tpl|j2|gotmpl|json[c5]?|toml)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

function isIn(format, text) {
  // Actions of GitHub (`${{ }}`) do not make a template.
  const isTemplate = /(?<!\$)\{\{/.test(text);
  return text !== '' && (format === 'template' ? isTemplate : format !== 'yaml' || !isTemplate);
}

async function editFile({ format, file, random }, order, others) {
  const text = readFileSync(join(root, file), 'utf8');
  const [{ call }] = sides;
  const { matches = [] } = await call('config_search', { pattern: file, key: '**', limit: 500 });
  const dataAt = async ({ path, doc }) =>
    (await call('config_get', { file, path, doc, view: 'value' })).value ?? null;
  const given = { file, text, places: placesIn(matches), others, dataAt };
  for (let edit = 0; edit < PLAN.editsOfAFile; edit += 1)
    await judge(format, await drawEdits(random, PLAN, given), order + edit / 10);
}

function outcomeOf([old, next]) {
  if (old.code !== undefined && next.code !== undefined)
    return old.code === next.code ? undefined : `other code, ${old.code} → ${next.code}`;
  if (old.code !== undefined) return `newly accepted, ${old.code}`;
  if (next.code !== undefined) return `newly refused, ${next.code}`;
  return old.result === next.result ? undefined : 'other diff';
}

function answersTo(edits) {
  return Promise.all(sides.map((side) => side.edit(edits)));
}

async function judge(format, edits, order) {
  const answers = await answersTo(edits);
  const outcome = outcomeOf(answers);
  const count = counts.get(format) ?? { all: 0, same: 0, accepted: 0 };
  counts.set(format, count);
  count.all += 1;
  if (answers[0].code === undefined) count.accepted += 1;
  if (outcome === undefined) {
    count.same += 1;
    return;
  }
  const name = `${format}: ${edits.map(({ op }) => op).join(' + ')}: ${outcome}`;
  const [old, next] = answers;
  if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify({ name, edits, old, next })}\n`);
  const files = filesOf(edits);
  // A pattern has no text that could be made smaller.
  const size = Object.keys(files).length === 0 ? 1e9 : JSON.stringify({ files, edits }).length;
  const { smallest, ...group } = groups.get(name) ?? { name, outcome, count: 0 };
  const isSmaller = smallest === undefined || (size - smallest.size || order - smallest.order) < 0;
  const kept = isSmaller ? { edits, files, size, order } : smallest;
  groups.set(name, { ...group, count: group.count + 1, smallest: kept });
}

function filesOf(edits) {
  const names = new Set(edits.flatMap(({ file, to_file: toFile }) => [file, toFile ?? file]));
  const there = [...names].filter((name) => existsSync(join(root, name)));
  return Object.fromEntries(there.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}

/** The same difference with fewer edits and lines. */
async function shrunk({ outcome, smallest }) {
  let [tries, best] = [0, { ...smallest, edits: moved(smallest.edits, 'small/') }];
  const differs = async (candidate) => {
    tries += 1;
    for (const [name, text] of Object.entries(candidate.files)) put(`small/${name}`, text);
    const isStill = outcomeOf(await answersTo(candidate.edits)) === outcome;
    if (isStill) best = candidate;
    return isStill;
  };
  if (!(await differs(best))) return smallest;
  for (let index = best.edits.length - 1; index >= 0 && best.edits.length > 1; index -= 1)
    await differs({ ...best, edits: best.edits.toSpliced(index, 1) });
  for (const name of Object.keys(best.files)) {
    let lines = best.files[name].match(/[^\n]*\n|[^\n]+$/g) ?? [];
    for (let step = lines.length / 2; step > 0.5; step /= 2)
      for (let from = 0; from < lines.length && tries < MOST_TRIES; ) {
        const fewer = lines.toSpliced(from, Math.ceil(step));
        if (await differs({ ...best, files: { ...best.files, [name]: fewer.join('') } })) lines = fewer;
        else from += Math.ceil(step);
      }
  }
  await differs(best);
  return best;
}

async function report() {
  const missed = [];
  const percent = (share) => `${(100 * share).toFixed(2)} %`;
  for (const [format, { all, same, accepted }] of counts) {
    const aim = PLAN.formats[format]?.aim ?? 0;
    const aimed = aim === 0 ? '' : ` (aim ${percent(aim)})`;
    say(
      `${format}: ${all} calls, ${percent(same / all)} the same${aimed}; the base accepts ${percent(accepted / all)}`,
    );
    if (same / all < aim) missed.push(`${format} is below its aim`);
  }
  const byCount = (a, b) => b.count - a.count || (a.name < b.name ? -1 : 1);
  for (const group of [...groups.values()].sort(byCount)) {
    const { why } = PLAN.explained.find(({ group: names }) => new RegExp(names).test(group.name)) ?? {};
    if (why === undefined && group.outcome.startsWith('newly accepted')) missed.push(group.name);
    say(`\n${group.count} × ${group.name}: ${why ?? 'not explained'}`);
    for (const edit of group.smallest.edits) say(`  ${JSON.stringify(edit)}`);
    const small = await shrunk(group);
    say(`  with less: ${small.edits.map((edit) => JSON.stringify(edit)).join(', ')}`);
    for (const [name, text] of Object.entries(small.files)) say(indented(`${name}\n${text}`));
    const [old, next] = await answersTo(small.edits);
    say(indented(`base: ${old.code ?? old.result}\npresent: ${next.code ?? next.result}`));
  }
  for (const line of missed) say(`missed: ${line}`);
  return missed.length === 0;
}

function indented(text) {
  return text.trimEnd().replaceAll(/^/gm, '  | ');
}

function digestOf(files) {
  const digest = createHash('sha256');
  for (const file of files) digest.update(`${file}\n${readFileSync(join(root, file), 'utf8')}`);
  return digest.digest('hex').slice(0, 12);
}
