// `@decimalturn/toml-patch`: the file is parsed, its data changed, and the difference patched into the text.
import { parse, patch } from '@decimalturn/toml-patch';

export function edit({ format, before, operation }) {
  if (format !== 'toml') return { unsupported: true };
  const data = parse(before);
  for (const one of [operation].flat()) {
    if (OPERATIONS[one.op] === undefined) return { unsupported: true };
    OPERATIONS[one.op](data, one);
  }
  return { after: patch(before, data) };
}

const OPERATIONS = {
  set: (data, one) => {
    const last = one.path.at(-1);
    parentOf(data, one.path)[last] = dataOf(one);
  },
  delete: (data, { path }) => {
    const parent = parentOf(data, path);
    if (!Object.hasOwn(parent, path.at(-1))) throw new Error('nothing is there');
    if (Array.isArray(parent)) parent.splice(path.at(-1), 1);
    else delete parent[path.at(-1)];
  },
  append: (data, one) => {
    const parent = parentOf(data, one.path);
    parent[one.path.at(-1)] = [...(parent[one.path.at(-1)] ?? []), dataOf(one)];
  },
  insert: (data, one) => {
    const holder = [...one.path].reduce((node, key) => node[key], data);
    if (Array.isArray(holder)) holder.splice(one.index, 0, dataOf(one));
    else reorder(holder, (entries) => entries.splice(placeIn(entries, one), 0, [one.key, dataOf(one)]));
  },
  rename: (data, { path, new_key: name }) => {
    const parent = parentOf(data, path);
    if (Object.hasOwn(parent, name)) throw new Error('the key exists');
    reorder(parent, (entries) => {
      entries.find(([key]) => key === path.at(-1))[0] = name;
    });
  },
};

function placeIn(entries, { before, after }) {
  const at = entries.findIndex(([key]) => key === (before ?? after));
  return at === -1 ? entries.length : at + (before === undefined ? 1 : 0);
}

function reorder(holder, change) {
  const entries = Object.entries(holder);
  for (const [key] of entries) delete holder[key];
  change(entries);
  for (const [key, value] of entries) holder[key] = value;
}

function parentOf(data, path) {
  return path.slice(0, -1).reduce((node, key) => {
    if (!Object.hasOwn(node, key)) node[key] = {};
    return node[key];
  }, data);
}

/** A part of a file is read as the value of a key, or as the lines of a table. */
function dataOf({ value, source }) {
  if (source === undefined) return value;
  try {
    return parse(`value = ${source}`).value;
  } catch {
    return parse(source);
  }
}
