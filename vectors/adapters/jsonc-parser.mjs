// `jsonc-parser`, by modify and applyEdits, with the indentation and the line break that the file begins with.
import { applyEdits, findNodeAtLocation, modify, parse, parseTree } from 'jsonc-parser';

export function edit({ format, before, operation }) {
  if (format !== 'json' && format !== 'jsonc') return { unsupported: true };
  read(before, format);
  let text = before;
  for (const one of [operation].flat()) {
    if (OPERATIONS[one.op] === undefined) return { unsupported: true };
    text = OPERATIONS[one.op](text, one, format);
  }
  return { after: text };
}

const OPERATIONS = {
  set: (text, one, format) => changed(text, one.path, dataOf(one, format)),
  delete: (text, { path }) => {
    if (nodeAt(text, path) === undefined) throw new Error('nothing is there');
    return changed(text, path, undefined);
  },
  append: (text, one, format) => {
    const index = nodeAt(text, one.path)?.children?.length ?? 0;
    return changed(text, [...one.path, index], dataOf(one, format), { isArrayInsertion: true });
  },
  insert: (text, one, format) => {
    if (one.key === undefined)
      return changed(text, [...one.path, one.index], dataOf(one, format), { isArrayInsertion: true });
    const place = one.before ?? one.after;
    const getInsertionIndex = (names) =>
      place === undefined ? names.length : names.indexOf(place) + (one.before === undefined ? 1 : 0);
    return changed(text, [...one.path, one.key], dataOf(one, format), { getInsertionIndex });
  },
};

function changed(text, path, value, options = {}) {
  const [, step = '  '] = /\n([ \t]+)/.exec(text) ?? [];
  const formattingOptions = {
    insertSpaces: !step.startsWith('\t'),
    tabSize: step.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, path, value, { formattingOptions, ...options }));
}

function nodeAt(text, path) {
  return findNodeAtLocation(parseTree(text), path);
}

function dataOf({ value, source }, format) {
  return source === undefined ? value : read(source, format);
}

function read(text, format) {
  const errors = [];
  const value = parse(text, errors, {
    disallowComments: format === 'json',
    allowTrailingComma: format === 'jsonc',
  });
  if (errors.length > 0) throw new Error('not readable');
  return value;
}
