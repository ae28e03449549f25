// `yaml`, by its Document API: what is parsed is changed in place and printed again.
import { isCollection, isMap, parseAllDocuments, parseDocument } from 'yaml';

export function edit({ format, before, operation }) {
  if (format !== 'yaml') return { unsupported: true };
  const operations = [operation].flat();
  const isOne = operations.every(({ document }) => document === undefined);
  const documents = isOne ? [parseDocument(before)] : parseAllDocuments(before);
  for (const one of operations) {
    const document = documents[one.document ?? 0];
    requireSound(document);
    if (OPERATIONS[one.op] === undefined) return { unsupported: true };
    OPERATIONS[one.op](document, one);
  }
  return { after: documents.map((document) => document.toString({ lineWidth: 0 })).join('') };
}

const OPERATIONS = {
  set: (document, one) => {
    if (one.path.length === 0) document.contents = nodeOf(document, one);
    else document.setIn(one.path, dataOf(document, one));
  },
  delete: (document, { path }) => requireDone(document.deleteIn(path)),
  append: (document, one) => document.addIn(one.path, nodeOf(document, one)),
  insert: (document, one) => {
    const { items } = collectionAt(document, one.path);
    const named = items.findIndex(({ key }) => [one.before, one.after].includes(key?.value));
    const index = one.index ?? (named === -1 ? items.length : named + (one.after === undefined ? 0 : 1));
    const isPair = one.key !== undefined;
    if (isPair && document.hasIn([...one.path, one.key])) throw new Error('the key exists');
    items.splice(
      index,
      0,
      isPair ? document.createPair(one.key, nodeOf(document, one)) : nodeOf(document, one),
    );
  },
  rename: (document, { path, new_key: name }) => {
    const parent = collectionAt(document, path.slice(0, -1));
    if (!isMap(parent) || parent.has(name)) throw new Error('no mapping, or the key exists');
    const pair = parent.items.find(({ key }) => key?.value === path.at(-1));
    requireDone(pair !== undefined);
    pair.key.value = name;
  },
  comment: (document, { path, comment, place }) => {
    const node = document.getIn(path, true);
    requireDone(node !== undefined);
    node[place === 'before' ? 'commentBefore' : 'comment'] = ` ${comment}`;
  },
};

/** A scalar is handed over bare, so that the comment and the quotes of the old one stay. */
function dataOf(document, one) {
  return 'value' in one && (one.value === null || typeof one.value !== 'object')
    ? one.value
    : nodeOf(document, one);
}

function nodeOf(document, { value, source }) {
  if (source === undefined) return document.createNode(value);
  const parsed = parseDocument(source);
  requireSound(parsed);
  return parsed.contents;
}

function collectionAt(document, path) {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (!isCollection(node)) throw new Error('no collection');
  return node;
}

function requireSound(document) {
  if (document === undefined || document.errors.length > 0) throw new Error('not readable');
}

function requireDone(isDone) {
  if (!isDone) throw new Error('nothing is there');
}
