// Which edits are asked of a file: values that are set, entries that are deleted, items that are appended, each with the lines
// that it may change, what the data are afterwards, and how somebody would write it by hand. Chosen by a seed.
import { isMap, isScalar, isSeq, LineCounter, parseAllDocuments, visit } from 'yaml';

export const PARSE = { uniqueKeys: false, intAsBigInt: true, logLevel: 'silent' };

/** Up to `most` edits of a text; none where it does not parse, or where it is not one that people write. */
export function editsOf(text, most, random) {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { ...PARSE, lineCounter });
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return [];
  try {
    for (const document of documents) document.toJS();
  } catch {
    // An alias without an anchor, or too many of them.
    return [];
  }
  const lines = text.split('\n');
  const lineOf = (offset) => lineCounter.linePos(offset).line - 1;
  const found = documents.flatMap((document, index) => {
    const some = [];
    const add = (edit) =>
      edit !== undefined && some.push({ document: index, documents: documents.length, ...edit });
    visit(document, {
      Alias: () => visit.SKIP,
      Node: (_, node) => (node.anchor === undefined ? undefined : visit.SKIP),
      Pair: (_, pair, parents) => {
        add(setting(pair.value, pathOf(parents, pair), text, lineOf, lines));
        add(deleting(pair, pathOf(parents, pair), parents.at(-1), text, lineOf, lines));
        add(appending(pair.value, pathOf(parents, pair), lineOf, lines));
      },
    });
    return some.filter(({ path }) => path?.every((key) => key !== '<<'));
  });
  const kinds = ['set', 'delete', 'append'].map((kind) =>
    shuffled(
      found.filter((one) => one.kind === kind),
      random,
    ),
  );
  // Half of them set a value, which is what agents do most.
  const [set, remove, append] = kinds;
  const rest = [...remove.slice(0, Math.ceil(most / 4)), ...append.slice(0, Math.ceil(most / 4))];
  return [...set.slice(0, Math.max(Math.ceil(most / 2), most - rest.length)), ...rest].slice(0, most);
}

/** Undefined where a key on the way is no plain text. */
function pathOf(parents, pair) {
  const keys = [];
  const chain = [...parents, pair];
  for (const [at, node] of chain.entries()) {
    const container = chain[at - 1];
    if (isSeq(container)) keys.push(container.items.indexOf(node));
    else if (node?.key !== undefined) {
      if (!isScalar(node.key) || typeof node.key.value !== 'string') return undefined;
      keys.push(node.key.value);
    }
  }
  return keys;
}

function setting(node, path, text, lineOf, lines) {
  if (!isScalar(node) || node.anchor !== undefined || node.tag !== undefined || !node.range) return undefined;
  const [start, end] = node.range;
  const source = text.slice(start, end);
  const line = lineOf(start);
  if (source === '' || source.includes('\n') || lineOf(end) !== line) return undefined;
  const next = another(node, source);
  if (next === undefined) return undefined;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const asked = lines[line].slice(0, start - from) + next.source + lines[line].slice(end - from);
  return { kind: 'set', path, value: next.value, line, before: lines[line], after: [asked] };
}

function another({ value, type }, source) {
  if (typeof value === 'bigint') {
    const next = Number(value) + 1;
    return /^-?\d+$/.test(source) && Number.isSafeInteger(next)
      ? { value: next, source: String(next) }
      : undefined;
  }
  if (typeof value === 'boolean')
    return /^(true|false)$/.test(source) ? { value: !value, source: String(!value) } : undefined;
  if (typeof value !== 'string' || !/^[\w./:@ -]{1,60}$/.test(value)) return undefined;
  const next = `${value}-x`;
  const quote = { QUOTE_DOUBLE: '"', QUOTE_SINGLE: "'", PLAIN: '' }[type];
  if (quote === undefined || source !== `${quote}${value}${quote}`) return undefined;
  return { value: next, source: `${quote}${next}${quote}` };
}

/** An entry of one line that stands alone on it, in a block mapping that keeps others. */
function deleting(pair, path, parent, text, lineOf, lines) {
  const { key, value } = pair;
  if (!isMap(parent) || parent.flow || parent.items.length < 2 || parent.anchor !== undefined)
    return undefined;
  if (!isScalar(value) || value.anchor !== undefined || !value.range || !key.range) return undefined;
  const line = lineOf(key.range[0]);
  const from = text.lastIndexOf('\n', key.range[0] - 1) + 1;
  if (lineOf(value.range[1]) !== line || text.slice(from, key.range[0]).trim() !== '') return undefined;
  return { kind: 'delete', path, line, before: lines[line], after: [] };
}

/** Texts in a block sequence, each on a line of its own. */
function appending(node, path, lineOf, lines) {
  if (!isSeq(node) || node.flow || node.anchor !== undefined || node.items.length === 0) return undefined;
  if (!node.items.every((item) => isScalar(item) && typeof item.value === 'string' && item.range))
    return undefined;
  const at = node.items.map(({ range }) => lineOf(range[0]));
  if (!node.items.every(({ range }, index) => lineOf(range[1]) === at[index])) return undefined;
  const line = at.at(-1);
  const [, lead] = /^(\s*- +)\S/.exec(lines[line]) ?? [];
  if (lead === undefined) return undefined;
  const ending = lines[line].endsWith('\r') ? '\r' : '';
  return {
    ...{ kind: 'append', path, value: 'added-item', line },
    ...{ before: lines[line], after: [lines[line], `${lead}added-item${ending}`] },
  };
}

export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffled(items, random) {
  return items
    .map((item) => [random(), item])
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
