// Values for tables of TOML: whether they become lines or sections is chosen where they go.
import type { TablePath } from '../formats/toml/statements.ts';
import type { Located } from '../tree/locate.ts';
import { isSectional, type SpanNode } from '../tree/span-tree.ts';
import { isSpread, modelFor } from './neighbours.ts';
import { keyText } from './print.ts';
import type { Written } from './replace.ts';
import { belowOwnHeader } from './sections.ts';
import { parseSource, type Source, type Target } from './source.ts';
import type { Value } from './step.ts';
import { styleOf } from './style.ts';
import { replaceInTable } from './table-changes.ts';
import { insertInTable } from './tables.ts';
import { pathOf } from './toml-lines.ts';
import { sourceFor } from './value-text.ts';

/** Writes a new part of a table: with a key, or as a table of an array. */
export function intoTable(
  target: Target,
  at: Located,
  index: number,
  key: string | undefined,
  value: Value,
  isClose: boolean,
): Written {
  const { format, stream, document } = target;
  const { node, steps } = at;
  if (!isSectional(node)) throw new Error('only for what stands in sections');
  const model =
    'json' in value ? modelFor(value.json, node, index, (one) => format.isPlainKey(one, true)) : undefined;
  const source = tableSource(target, value, [...pathOf(steps), key ?? index], model);
  const style = styleOf(stream.text, document);
  const name = key === undefined ? undefined : keyText(key, { target, isFlow: false, style }, node);
  return { edits: insertInTable(stream, at, { index, name, source, isClose }), source, name };
}

/** Writes another value for a table, or for a line of one. */
export function inTable(target: Target, at: Located, value: Value): Written {
  const source = tableSource(target, value, pathOf(at.steps), at.node);
  return { edits: replaceInTable(target.stream, at, source), source };
}

function tableSource(target: Target, value: Value, path: TablePath, model: SpanNode | undefined): Source {
  if ('taken' in value) return value.taken;
  if ('text' in value) return belowOwnHeader(parseSource(value.text, target), path);
  const {
    stream: { text },
    document,
  } = target;
  // Readers differ about CRLF within a text, so there it stands on one line.
  const place = { isFlow: text.includes('\r\n'), unit: styleOf(text, document).unit };
  const source = sourceFor(target, value, place, model, model !== undefined && isSpread(text, model));
  return { ...source, form: 'free' };
}
