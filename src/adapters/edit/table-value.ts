// Writes values into tables of TOML, as lines or as sections as their place requires.
import type { TablePath } from '../formats/toml/statements.ts';
import type { Located } from '../tree/locate.ts';
import { isSectional, type MappingNode, type SpanNode } from '../tree/span-tree.ts';
import { insertDotted, replaceDotted } from './dotted-braces.ts';
import { isSpread, modelFor } from './neighbours.ts';
import { printKey } from './print.ts';
import type { Written } from './replace.ts';
import { belowOwnHeader, withinBrackets } from './sections.ts';
import type { Source, Target } from './source.ts';
import type { Value } from './step.ts';
import { styleOf } from './style.ts';
import { replaceInTable } from './table-changes.ts';
import { insertInTable } from './tables.ts';
import { pathOf } from './toml-lines.ts';
import { sourceFor } from './value-text.ts';

/** Writes a new part of a table: with a key, or as a table of an array. */
export function insertTableValue(
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
  const name = key === undefined ? undefined : printKey(key, { target, isFlow: false, style }, node);
  return { edits: insertInTable(stream, at, { index, name, source, isClose }), source, name };
}

/** Replaces a table, or the value on a line of one. */
export function replaceTableValue(target: Target, at: Located, value: Value): Written {
  const source = tableSource(target, value, pathOf(at.steps), at.node);
  return { edits: replaceInTable(target.stream, at, source), source };
}

/** Writes a new part of a mapping that dotted keys in braces make. */
export function insertDottedValue(
  target: Target,
  { steps }: Located,
  mapping: MappingNode,
  index: number,
  key: string,
  value: Value,
): Written {
  const { stream, document } = target;
  const style = styleOf(stream.text, document);
  const source = sourceFor(target, value, { isFlow: true, unit: style.unit }, undefined);
  const name = printKey(key, { target, isFlow: true, style }, mapping);
  const line = `${name} = ${withinBrackets(source.text, source.node)}`;
  return { edits: insertDotted(stream, mapping, steps, index, line), source, name };
}

/** Replaces a mapping that dotted keys in braces make. */
export function replaceDottedValue(target: Target, at: Located, value: Value): Written {
  const { unit } = styleOf(target.stream.text, target.document);
  const source = sourceFor(target, value, { isFlow: true, unit }, undefined);
  return { edits: replaceDotted(at, withinBrackets(source.text, source.node)), source };
}

function tableSource(target: Target, value: Value, path: TablePath, model: SpanNode | undefined): Source {
  if ('taken' in value) return value.taken;
  const {
    stream: { text },
    document,
  } = target;
  // Readers differ about CRLF in a string, so it is written on one line.
  const place = { isFlow: text.includes('\r\n'), unit: styleOf(text, document).unit };
  const source = sourceFor(target, value, place, model, model !== undefined && isSpread(text, model));
  return 'json' in value ? { ...source, form: 'free' } : belowOwnHeader(source, path);
}
