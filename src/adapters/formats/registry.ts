// The formats that can be read and edited, and a file as one of them has read it. A format is a folder, a line here, and the
// names of its files in `extensions.ts`.

import { type Problem, Refusal } from '../../security/errors/refusal.ts';
import type { SafePath } from '../../security/paths/safe-path.ts';
import type { Limits } from '../../security/policy/policy.ts';
import type { Snapshot } from '../../security/sandbox/snapshot.ts';
import { type DocumentSelector, selectDocument } from '../tree/document.ts';
import type { Format } from '../tree/format.ts';
import { findDuplicateKeys } from '../tree/keys.ts';
import { withPlaces } from '../tree/lines.ts';
import type { Stream } from '../tree/span-tree.ts';
import { FORMAT_NAMES, type FormatName, formatNameOf } from './extensions.ts';
import { JSON_FORMAT } from './json/json-format.ts';
import { JSONC_FORMAT } from './jsonc/jsonc-format.ts';
import { lexActions, mayHoldActions } from './template/lex-actions.ts';
import { CHART_FORMAT, isYamlAsWell, TEMPLATE_FORMAT } from './template/template-format.ts';
import { NO_TEXT, parseText, TEXT_FORMAT } from './text/text-format.ts';
import { TOML_FORMAT } from './toml/toml-format.ts';
import { withCache } from './tree-cache.ts';
import { UNDER_INDENTED } from './yaml/syntax-problems.ts';
import { YAML_FORMAT } from './yaml/yaml-format.ts';

export const FORMATS = {
  yaml: withCache(YAML_FORMAT),
  json: withCache(JSON_FORMAT),
  jsonc: withCache(JSONC_FORMAT),
  toml: withCache(TOML_FORMAT),
  template: withCache(TEMPLATE_FORMAT),
  text: TEXT_FORMAT,
} as const satisfies Record<FormatName, Format>;

const CHART = withCache(CHART_FORMAT);

function formatOf(path: SafePath): Format {
  const name = FORMAT_NAMES.find((one) => one === path.format) ?? formatNameOf(path.components);
  return name === 'yaml' && path.components.slice(0, -1).includes('templates') ? CHART : FORMATS[name];
}

function isYaml(format: Format): boolean {
  return format === FORMATS.yaml || format === CHART;
}

/** True for valid YAML of a kind that is so rare that it is read as text only. */
export function isTextOnly(file: ConfigFile): file is ConfigFile & { readonly unreadable: Refusal } {
  return file.unreadable?.code === 'UNSUPPORTED_FORMAT';
}

/** True if files of this name are plain text, without keys, whatever they hold. */
export function isPlainText(path: SafePath): boolean {
  return formatOf(path) === FORMATS.text;
}

/** A file that has been read. Nothing here can reach the disk. */
export interface ConfigFile {
  readonly format: Format;
  readonly stream: Stream;
  /** The reason why it was read as plain text, where its own format could not read it. */
  readonly unreadable?: Refusal;
  /** What JSON5 that is read as plain text is not, and where: `not JSONC at line 3`. */
  readonly isNot?: `not JSONC at line ${number}`;
}

/** Reads the text of a snapshot, or what earlier operations of a batch made of it; without a path as YAML. Throws SYNTAX_INVALID, LIMIT_EXCEEDED. */
export function readConfigFile(path: Snapshot['path'] | undefined, text: string, limits: Limits): ConfigFile {
  return path === undefined ? readIn(FORMATS.yaml, text, limits) : readAt(path, text, limits);
}

/** Reads a file in the format of its name. JSON5 is read as JSONC, and as text where it holds more than that. */
function readAt(path: SafePath, text: string, limits: Limits): ConfigFile {
  const format = formatOf(path);
  if (path.extension !== 'json5') return readIn(format, text, limits);
  const file = readOrAsText(format, text, toKnowWhether(limits));
  if (file.unreadable === undefined) return file;
  const line = file.unreadable.clues.problems?.[0]?.line ?? 1;
  return { format: FORMATS.text, stream: file.stream, isNot: `not JSONC at line ${line}` };
}

/** Reads a text in this format, or in a wider one: JSON with comments, and templates of YAML. */
function readIn(format: Format, text: string, limits: Limits): ConfigFile {
  if (isYaml(format) && mayHoldActions(text)) return readYaml(format, text, limits);
  if (format !== FORMATS.json) return { format, stream: format.parse(text, limits) };
  const strict = readOrAsText(format, text, limits);
  if (strict.unreadable === undefined) return strict;
  const file = readOrAsText(FORMATS.jsonc, text, limits);
  // Unlike a comma, a comment is never written by mistake, so the readers of this file accept comments.
  if (file.unreadable === undefined && file.stream.comments.length > 0) return file;
  // Where the wider format reads further, its error is the real one.
  const isLater = file.unreadable !== undefined && placeOf(file.unreadable) > placeOf(strict.unreadable);
  throw isLater ? file.unreadable : strict.unreadable;
}

/** Returns whole sentences about how a valid file was read, where its name suggests another format. */
export function notesOnReading(file: ConfigFile, path: SafePath): readonly string[] {
  const { format } = file;
  if (isTextOnly(file)) return [`Only the syntax was checked. ${file.unreadable.message}.`];
  if (format === FORMATS.text && path.extension === 'tpl')
    return ['What it makes is no YAML by itself: only its actions were checked.'];
  return format === FORMATS.jsonc && formatOf(path) === FORMATS.json
    ? ['The comments make this file JSON with comments (JSONC): readers of strict JSON refuse it.']
    : [];
}

function placeOf({ where: { line = 0, column = 0 } }: Refusal): number {
  return line * 1e9 + column;
}

/** Returns limits for a caller that only needs to know whether a text can be read, and no list of its errors. */
export function toKnowWhether(limits: Limits): Limits {
  return { ...limits, syntaxProblems: 1 };
}

/**
 * Returns limits for a caller that looks at many files one after the other: their trees are not remembered, because that would
 * drop those that are needed again.
 */
export function forOneOfMany(limits: Limits): Limits {
  return { ...limits, isOneOfMany: true };
}

/** Reads YAML; as a template where YAML cannot read it, or would read an action as structure. */
function readYaml(format: Format, text: string, limits: Limits): ConfigFile {
  const read = (one: Format, within = limits) =>
    orAsText(one, text, () => ({ format: one, stream: one.parse(text, within) }));
  const template = read(FORMATS.template);
  if (template.unreadable === undefined && !isYamlAsWell(template.stream)) return template;
  const yaml = read(format, toKnowWhether(limits));
  if (yaml.unreadable === undefined) return yaml;
  if (template.unreadable === undefined) return template;
  throw isTextOnly(yaml) ? yaml.unreadable : template.unreadable;
}

/** Reads the file as a template, where it is YAML and the new value has actions that would be structure. */
export function forActions(file: ConfigFile, value: string | undefined, limits: Limits): ConfigFile {
  if (!isYaml(file.format) || value === undefined || !mayHoldActions(value)) return file;
  const isOfTemplate = readOrAsText(FORMATS.yaml, value, limits).format === FORMATS.template;
  const template = isOfTemplate ? readOrAsText(FORMATS.template, file.stream.text, limits) : file;
  return template.unreadable === undefined ? template : file;
}

/** Reads a file; as plain text where it has syntax errors. Throws LIMIT_EXCEEDED. */
export function readEvenIfInvalid(path: Snapshot['path'], text: string, limits: Limits): ConfigFile {
  const format = formatOf(path);
  return orAsText(format, text, () => readAt(path, text, limits));
}

/** Returns another text of the file as nothing but lines, for callers that need no nodes. */
export function asText({ format }: ConfigFile, text: string): ConfigFile {
  return { format, stream: parseText(text) };
}

/** Reads the result of an edit in the format in which the file was read, if that can read it. Throws LIMIT_EXCEEDED. */
export function readResult(
  { format }: ConfigFile,
  path: Snapshot['path'],
  text: string,
  limits: Limits,
): ConfigFile {
  const file = readOrAsText(format, text, limits);
  return file.unreadable === undefined ? file : readEvenIfInvalid(path, text, limits);
}

/** Reads a text in this format and no wider one, except that YAML may become a template. */
export function readOrAsText(format: Format, text: string, limits: Limits): ConfigFile {
  return orAsText(format, text, () =>
    isYaml(format) ? readIn(format, text, limits) : { format, stream: format.parse(text, limits) },
  );
}

function orAsText(format: Format, text: string, read: () => ConfigFile): ConfigFile {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal) || !['SYNTAX_INVALID', 'UNSUPPORTED_FORMAT'].includes(error.code))
      throw error;
    return { format, stream: parseText(text), unreadable: error };
  }
}

/**
 * Returns a reader for texts of one file that are compared: in its format where that can read all of them, or else as plain
 * text. An undefined text stands for no file. Throws LIMIT_EXCEEDED.
 */
export function commonReader(
  path: Snapshot['path'],
  texts: readonly (string | undefined)[],
  limits: Limits,
): (text: string | undefined) => ConfigFile {
  return readerOf(formatOf(path), texts, limits);
}

/** Reads two versions of one file; an undefined text stands for no file. See `commonReader`. */
export function readVersions(
  path: Snapshot['path'],
  [before, after]: readonly [string | undefined, string | undefined],
  limits: Limits,
): readonly [ConfigFile, ConfigFile] {
  const read = commonReader(path, [before, after], limits);
  return [read(before), read(after)];
}

/** Does the same as `commonReader` for this format. */
export function readerOf(
  format: Format,
  texts: readonly (string | undefined)[],
  limits: Limits,
): (text: string | undefined) => ConfigFile {
  const absent: ConfigFile = { format, stream: NO_TEXT };
  const read = (text: string): ConfigFile => orAsText(format, text, () => readIn(format, text, limits));
  const files = new Map(texts.map((text) => [text, text === undefined ? absent : read(text)]));
  const isReadable = [...files.values()].every(({ unreadable }) => unreadable === undefined);
  return (text) => {
    if (text === undefined) return absent;
    if (!isReadable) return { format, stream: parseText(text) };
    return files.get(text) ?? readIn(format, text, limits);
  };
}

/** Returns the empty file at a path where one will be created. */
export function absentFile(path: Snapshot['path']): ConfigFile {
  return { format: formatOf(path), stream: NO_TEXT };
}

/** Returns the file, or every syntax error of a text that cannot be read. Throws LIMIT_EXCEEDED. */
export function readOrProblems(
  path: Snapshot['path'] | undefined,
  text: string,
  limits: Limits,
): ConfigFile | readonly Problem[] {
  try {
    return readConfigFile(path, text, limits);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'UNSUPPORTED_FORMAT')
      return {
        format: path === undefined ? FORMATS.yaml : formatOf(path),
        stream: parseText(text),
        unreadable: error,
      };
    const problems = error instanceof Refusal && error.code === 'SYNTAX_INVALID' ? error.clues.problems : [];
    // What a helper defines may be any text.
    if (problems !== undefined && path?.extension === 'tpl' && !('message' in lexActions(text)))
      return { format: FORMATS.text, stream: parseText(text) };
    // A file that cannot be read but has no problems would count as valid.
    if (problems === undefined || problems.length === 0) throw error;
    return problems;
  }
}

/** Finds the problems of a file with valid syntax. */
export function findProblems({ stream }: ConfigFile, doc?: DocumentSelector): readonly Problem[] {
  const chosen = doc === undefined ? undefined : selectDocument(stream, doc);
  const repeated = findDuplicateKeys(stream, chosen);
  const unindented = unindentedLines(stream, chosen);
  return unindented.length === 0
    ? repeated
    : [...unindented, ...repeated].sort((a, b) => a.line - b.line || a.column - b.column);
}

function unindentedLines({ text, documents, unindented = [] }: Stream, chosen?: number): readonly Problem[] {
  const { start = 0, end = text.length } = (chosen === undefined ? undefined : documents[chosen]) ?? {};
  const found = unindented.filter((offset) => offset >= start && offset < end);
  return withPlaces(
    text,
    found.map((offset) => ({ offset, code: 'SYNTAX_INVALID', message: UNDER_INDENTED }) as const),
  );
}
