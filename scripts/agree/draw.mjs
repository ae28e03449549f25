// Random edits of a file, as agree/plan.json weighs them: each row of its operations names a kind of place, and fields, of which
// those with `?` are drawn.
import { createHash } from 'node:crypto';

/** A generator of its own for each name (mulberry32). */
export function randomOf(...names) {
  let state = createHash('sha256').update(names.join('\n')).digest().readUInt32LE();
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound) => Math.floor(next() * bound);
  return { below, pick: (items) => items[below(items.length)], chance: (share) => next() < share };
}

/** Where the nodes of a file are, from lines of config_search: `file:1  doc 0  a.b = 1`. */
export function placesIn(matches) {
  const places = [{ path: '', kind: 'root', parent: '', count: 1 }];
  for (const match of matches) {
    const found = /^.*?:\d+ {2}(?:(doc \d+|[A-Z]\w*\/.*?) {2})?(\S.*?) = (.*)$/s.exec(match);
    if (found === null) continue;
    const [, document, path, value] = found;
    const doc = document?.startsWith('doc ') ? Number(document.slice(4)) : document;
    const kind = /^\{(?!\{)/.test(value) ? 'map' : value.startsWith('[') ? 'list' : 'scalar';
    const count = Number(/^.(\d+)/.exec(value)?.[1] ?? 1);
    const parent = path.replace(/(?:\.?[^.[\]]+|\[[^[\]]*\])$/, '');
    places.push({ path, doc, kind, parent, count, value, name: /(?:^|\.)([\w-]+)$/.exec(path)?.[1] });
    for (const index of kind === 'list' ? [0, count - 1] : [])
      places.push({ path: `${path}[${index}]`, doc, kind: 'item', parent: path, count: 1 });
  }
  return places;
}

/** Edits to be made at once. `given` is the file, its text and places, other files, and how the data of a place are read. */
export async function drawEdits(random, plan, given) {
  const edits = [];
  const howMany = random.chance(plan.batches) ? 2 + random.below(3) : 1;
  while (edits.length < howMany) edits.push(await drawEdit(random, plan, given));
  return edits;
}

async function drawEdit(random, { operations, values }, given) {
  let left = random.below(operations.reduce((sum, { weight }) => sum + 10 * weight, 0));
  const row = operations.find(({ weight }) => {
    left -= 10 * weight;
    return left < 0;
  });
  const place = placeFor(random, row.at, given.places);
  const edit = { op: row.op, file: given.file, ...(row.at === 'file' ? {} : located(random, place, row)) };
  for (const [field, value] of Object.entries(row.fields ?? {})) {
    const name = typeof value === 'string' && value.startsWith('?') ? value.slice(1) : undefined;
    if (name === undefined) edit[field] = value;
    else if (name in DRAWN) edit[field] = await DRAWN[name](random, place, given, values);
    else edit[field] = random.pick(values[name]);
  }
  for (const [field, share] of Object.entries(row.maybe ?? {}))
    if (random.chance(share)) edit[field] = ['expect', 'index'].includes(field) ? 1 + random.below(2) : true;
  return JSON.parse(JSON.stringify(edit));
}

function placeFor(random, kinds, places) {
  const [root] = places;
  if (kinds === 'root' || kinds === 'file') return root;
  const fitting = places.filter(({ kind }) => kinds === 'any' || kinds.split(' ').includes(kind));
  // Now and then what does not fit, and what is not there.
  if (fitting.length === 0 || random.chance(0.05)) return random.pick(places);
  const place = random.pick(fitting);
  return random.chance(0.02) ? { ...place, path: `${place.path}x` } : place;
}

/** The place, or a pattern that it matches, and conditions. */
function located(random, { path, doc, kind, name, parent, value = '' }, { at, pattern = false }) {
  if (at === 'document') return { doc: doc ?? random.below(2) };
  const isPattern = pattern && random.chance(0.15);
  const patterns = [path.replace(/\[[^[\]]*\]/, '[*]'), ...(name ? [`**.${name}`, below(parent, '*')] : [])];
  const from = random.pick([value, value, value, '*', `${value.slice(0, 2)}*`, 'else']);
  return {
    path: isPattern ? random.pick(patterns) : path,
    doc,
    from: pattern && kind === 'scalar' && random.chance(isPattern ? 0.4 : 0.06) ? from : undefined,
    expect: pattern && random.chance(isPattern ? 0.3 : 0.03) ? 1 + random.below(2) : undefined,
  };
}

const below = (path, key) => (path === '' ? key : `${path}.${key}`);
const pathOf = (random, kind, places) => random.pick(places.filter((one) => one.kind === kind))?.path ?? '';
const wordIn = (random, text = '') => random.pick(text.match(/[\w./:-]{3,}/g) ?? ['none']);

const DRAWN = {
  child: (random, { path }, _, { path: keys }) => below(path, random.pick(keys)),
  parent: (_, { parent }) => parent,
  sibling(random, { path, doc }, { places }) {
    return random.pick(places.filter((one) => one.doc === doc && one.parent === path && one.name))?.name;
  },
  index: (random, { count }) => random.below(count + 1),
  item: (random, { count }) => `[${random.below(count)}]`,
  map: (random, _, { places }) => pathOf(random, 'map', places),
  list: (random, _, { places }) => pathOf(random, 'list', places),
  other: (random, _, { others }) => random.pick(others),
  word: (random, _, { text }) => wordIn(random, text),
  part: (random, { value }) => wordIn(random, value),
  new: (_, _place, { file }) => file.replace(/[^/]*$/, (name) => `new-${name}`),
  whole: (random, _, { text }) => text.slice(0, random.pick([0, 200, 2000])),
  changed: async (random, place, { dataAt }, values) => changed(random, await dataAt(place), values),
};

/** The data with one thing changed. */
function changed(random, data, { scalar, value, key }) {
  if (typeof data !== 'object' || data === null) return random.pick(scalar);
  const entries = Object.entries(data);
  const where = random.below(entries.length + 1);
  const way = where === entries.length ? 0 : random.below(10);
  if (way < 3) entries.splice(where, 0, [random.pick(key), random.pick(value)]);
  else if (way < 5) entries.splice(where, 1);
  else if (way < 6) entries.reverse();
  else entries[where] = [entries[where][0], changed(random, entries[where][1], { scalar, value, key })];
  return Array.isArray(data) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}
