// How two texts differ in their data, found with the `yaml` package alone: for tests that do not trust what
// the server reports. Knows mappings with plain keys, lists and scalars; an alias is its own kind of value.
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseAllDocuments,
  type Document as YamlDocument,
} from 'yaml';

/** `op doc path`, with paths as the server prints them for plain keys. */
export function dataDiff(before: string, after: string): string[] {
  const old = documentsOf(before);
  const now = documentsOf(after);
  return now.flatMap((value, doc) => compare(`${doc} `, '', old[doc], value));
}

/** Paths of all leaves whose value differs once aliases and merge keys are followed. */
export function leafDiff(before: string, after: string): string[] {
  const old = leavesOf(before);
  const now = leavesOf(after);
  return [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path));
}

type Value = { readonly is: string } | Map<string, Value> | Value[];

function documentsOf(text: string): Value[] {
  return parsed(text, false).map(({ contents }) => readNode(contents));
}

function parsed(text: string, merge: boolean): YamlDocument[] {
  const documents = parseAllDocuments(text, { merge, uniqueKeys: false, logLevel: 'silent' });
  if (!Array.isArray(documents)) return [];
  for (const { errors } of documents) if (errors[0] !== undefined) throw errors[0];
  return documents;
}

function readNode(node: unknown): Value {
  if (isMap(node)) {
    const pairs = node.items.filter(isPair);
    return new Map(pairs.map(({ key, value }) => [isScalar(key) ? String(key.source) : '', readNode(value)]));
  }
  if (isSeq(node)) return node.items.map(readNode);
  if (isAlias(node)) return { is: `*${node.source}` };
  return { is: isScalar(node) ? `${typeof node.value} ${node.tag} ${node.value}` : 'null' };
}

function compare(doc: string, path: string, old: Value | undefined, now: Value): string[] {
  if (isSame(old, now)) return [];
  if (old instanceof Map && now instanceof Map && old.size > 0 && now.size > 0)
    return compareMaps(doc, path, old, now);
  if (Array.isArray(old) && Array.isArray(now) && old.length > 0 && now.length > 0)
    return compareLists(doc, path, old, now);
  return [`replace ${doc}${path}`];
}

function compareMaps(doc: string, path: string, old: Map<string, Value>, now: Map<string, Value>): string[] {
  const below = (key: string) => (path === '' ? key : `${path}.${key}`);
  const oldKeys = [...old.keys()];
  const newKeys = [...now.keys()];
  const at = oldKeys.length === newKeys.length ? newKeys.findIndex((key, i) => key !== oldKeys[i]) : -1;
  const [from = '', to = ''] = [oldKeys[at], newKeys[at]];
  const isRenamed = at !== -1 && !old.has(to) && !now.has(from);
  return [
    ...newKeys.flatMap((key) => {
      const value = now.get(key) ?? { is: '' };
      const same = old.get(key);
      if (same !== undefined) return compare(doc, below(key), same, value);
      if (!isRenamed || key !== to) return [`add ${doc}${below(key)}`];
      return [`rename ${doc}${below(key)}`, ...compare(doc, below(key), old.get(from), value)];
    }),
    ...oldKeys
      .filter((key) => !now.has(key) && !(isRenamed && key === from))
      .map((key) => `remove ${doc}${below(key)}`),
  ];
}

/** Without what both begin and end with. */
function compareLists(doc: string, path: string, old: readonly Value[], now: readonly Value[]): string[] {
  let from = 0;
  while (from < Math.min(old.length, now.length) && isSame(old[from], now[from])) from += 1;
  let cut = 0;
  while (cut < Math.min(old.length, now.length) - from && isSame(old.at(-1 - cut), now.at(-1 - cut)))
    cut += 1;
  const longer = Math.max(old.length, now.length) - cut;
  return Array.from({ length: longer - from }, (_, n) => from + n).flatMap((i) => {
    const item = `${path}[${i}]`;
    const value = i < now.length - cut ? now[i] : undefined;
    if (i >= old.length - cut) return [`add ${doc}${item}`];
    return value === undefined ? [`remove ${doc}${item}`] : compare(doc, item, old[i], value);
  });
}

function isSame(one: Value | undefined, other: Value | undefined): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}

function plain(value: Value | undefined): unknown {
  if (value instanceof Map) return { map: [...value].map(([key, part]) => [key, plain(part)]) };
  return Array.isArray(value) ? value.map(plain) : value;
}

function leavesOf(text: string): Map<string, string> {
  const leaves = new Map<string, string>();
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const [i, item] of value.entries()) visit(item, `${path}[${i}]`);
    else if (typeof value === 'object' && value !== null)
      for (const [key, part] of Object.entries(value)) visit(part, path === '' ? key : `${path}.${key}`);
    else leaves.set(path, JSON.stringify(value));
  };
  for (const document of parsed(text, true)) visit(document.toJS({ maxAliasCount: -1 }), '');
  return leaves;
}
