// Matches the patterns of a batch: the files that they name, and the nodes in all of these. If an edit matches nothing, or another
// number of nodes than expected, the whole batch is refused.

import { maskedAdvice } from '../adapters/edit/scalar-text.ts';
import type { ConfigFile } from '../adapters/formats/registry.ts';
import { findMatches, isOnlyActions, type NamedNode } from '../adapters/operations/expand.ts';
import { fileOpOf, type Operation } from '../adapters/operations/registry.ts';
import { counted } from '../adapters/tree/wording.ts';
import { Refusal } from '../security/errors/refusal.ts';
import type { Limits } from '../security/policy/policy.ts';
import { quoted, visibleLine } from '../security/text/visible.ts';
import type { SkippedFile } from '../state/preview.ts';
import { type Bulk, type FileEdit, isFilePattern } from './bulk.ts';
import { namedWithReason } from './named-files.ts';
import {
  addSome,
  exactNote,
  isOfText,
  lackingNote,
  literalNote,
  MAX_PLACES,
  type Matches,
  neighbourOf,
  noteNear,
  notWanted,
  parentNote,
  templatedNote,
} from './not-wanted.ts';
import type { CallContext } from './tool.ts';

type Found = Matches & { readonly edit: FileEdit & { readonly bulk: Bulk } };

const MAX_FILES = 2_000;

/** Finds the files that the edits of a batch name; each pattern is looked up once. */
export class FilesNamed {
  readonly #context: CallContext;
  readonly #byPattern = new Map<string, readonly string[]>();

  constructor(context: CallContext) {
    this.#context = context;
  }

  /** Returns the files. Throws ARGUMENT_INVALID for a bad pattern or one for a new file, FILE_NOT_FOUND for no match, LIMIT_EXCEEDED for too many. */
  by({ file, op }: { readonly file: string; readonly op: Operation['op'] }): readonly string[] {
    if (!isFilePattern(file)) return [file];
    if (fileOpOf(op) === 'create')
      throw new Refusal(
        'ARGUMENT_INVALID',
        `Cannot create ${quoted(file)}: it is a pattern, and a new file needs a name`,
      );
    const known = this.#byPattern.get(file) ?? filesLike(file, this.#context);
    this.#byPattern.set(file, known);
    return known;
  }
}

function filesLike(pattern: string, { sandbox }: CallContext): readonly string[] {
  const { files, next, truncated } = sandbox.list({ pattern, limit: MAX_FILES });
  if (next !== undefined || truncated) throw tooMany('files', MAX_FILES, pattern);
  if (files.length > 0) return files.map(({ path }) => path.toString());
  throw new Refusal(
    'FILE_NOT_FOUND',
    `Cannot edit ${quoted(pattern)}: no file matches it`,
    { file: pattern },
    { advice: ['* stays within one folder; ** crosses folders: **/*.yaml'] },
  );
}

export class MatchedNodes {
  readonly #found = new Map<number, Found>();
  readonly #skipped = new Map<string, string>();
  readonly #withoutKeys = new Map<string, string>();
  readonly #most: number;
  readonly #exact: ReadonlySet<number>;
  #count = 0;

  /** `exact` comes from `findExact`. */
  constructor({ matches }: Pick<Limits, 'matches'>, exact: ReadonlySet<number>) {
    this.#most = matches;
    this.#exact = exact;
  }

  /** The files of patterns that could not be read, each with the reason. */
  get skipped(): readonly SkippedFile[] {
    return [...this.#skipped].map(([file, reason]) => ({ file, reason }));
  }

  /** Skips an unreadable file of a pattern: it has no match for any of these edits. */
  skip(file: string, why: string, edits: readonly FileEdit[]): void {
    this.#skipped.set(file, why);
    this.#withoutMatch(edits);
  }

  #withoutMatch(edits: readonly FileEdit[]): void {
    for (const edit of edits) if (edit.bulk !== undefined) this.#foundOf({ ...edit, bulk: edit.bulk });
  }

  /** Returns the operations for all matches, last to first, so that none moves the node of a later one. */
  expand(file: string, config: ConfigFile, edit: FileEdit): readonly Operation[] {
    const { operation, bulk } = edit;
    if (bulk === undefined) return [operation];
    const { from, isMany, isFound, expect } = bulk;
    if (isFound && operation.path !== undefined && isOnlyActions(config)) {
      this.#withoutKeys.set(file, 'nothing but template actions');
      this.#withoutMatch([edit]);
      return [];
    }
    // For a single file, the refusal of the edit says that it has no keys.
    if (!isFound && operation.path !== undefined && config.stream.hasStructure === false) return [operation];
    // If a text is ambiguous in one of several files, the refusal counts its places in all of them.
    const isCounted = expect !== undefined || (isFound && isOfText(operation));
    const isExact = this.#exact.has(edit.editIndex ?? 0);
    const wanted = { operation, from, isExact, isMany, isCounted, most: this.#most };
    const { matches, near, lists, lacking, isElsewhere } = findMatches(config, wanted);
    // If a text is missing in a single file, the refusal of the edit shows the most similar line.
    if (matches.length === 0 && isOfText(operation) && !isFound) return [operation];
    const found = this.#foundOf({ ...edit, bulk });
    if (isOfText(operation)) for (const note of maskedAdvice(config.stream.text)) found.masked.add(note);
    this.#count += matches.length;
    if (this.#count > this.#most) throw tooMany('matches', this.#most, bulk.file);
    found.count += matches.length;
    if (matches.length > 0) found.files.add(file);
    if (bulk.isFound && matches.some(({ lacksParent }) => lacksParent)) found.parentless.add(file);
    found.templated.count += matches.filter(({ isTemplated }) => isTemplated).length;
    for (const match of matches.slice(0, MAX_PLACES - found.places.length))
      found.places.push(`${placeOf(file, match)}${foundIn(match)}`);
    found.lacking.count += lacking.length;
    for (const place of lacking.slice(0, MAX_PLACES - found.lacking.places.length))
      found.lacking.places.push(placeOf(file, place));
    for (const value of near) addSome(found.values, value);
    for (const path of lists) addSome(found.lists, path);
    const isBesideNone = neighbourOf(operation) !== undefined && lacking.length > 0;
    if (!isBesideNone && matches.length + near.length + lists.length === 0)
      noteNear(found, config, isElsewhere);
    // One operation may replace several places of a text.
    return [...new Set(matches.map((match) => match.operation))].reverse();
  }

  /** Returns notes on skipped files. Throws NODE_NOT_FOUND or NODE_AMBIGUOUS for an unexpected number of matches. */
  requireWanted(): readonly string[] {
    for (const found of this.#found.values()) {
      const { expect } = found.edit.bulk;
      const isUnclear = isOfText(found.edit.operation) && found.count > found.files.size;
      if (found.count === 0 || (expect === undefined ? isUnclear : found.count !== expect))
        throw notWanted(found, [
          ...this.#note(),
          ...found.masked,
          ...(neighbourOf(found.edit.operation) === undefined ? [] : lackingNote(found)),
        ]);
    }
    const found = [...this.#found];
    const exact = found.flatMap(([index, { edit }]) => (this.#exact.has(index) ? exactNote(edit) : []));
    const others = found.flatMap(([index, one]) => [
      ...literalNote(one.edit, this.#exact.has(index)),
      ...lackingNote(one),
      ...templatedNote(one),
      ...parentNote(one),
    ]);
    const masked = new Set(found.flatMap(([, one]) => [...one.masked]));
    return [...this.#note(), ...exact, ...others, ...masked];
  }

  #foundOf(edit: Found['edit']): Found {
    const { editIndex = 0 } = edit;
    const none = () => new Set<string>();
    const sets = {
      files: none(),
      parentless: none(),
      values: none(),
      paths: none(),
      lists: none(),
      documents: none(),
      masked: none(),
    };
    const more = { lacking: { count: 0, places: [] }, templated: { count: 0 }, reach: { at: undefined } };
    const found = this.#found.get(editIndex) ?? { edit, places: [], ...sets, ...more, count: 0 };
    this.#found.set(editIndex, found);
    return found;
  }

  #note(): readonly string[] {
    const [skipped, withoutKeys] = [[...this.#skipped], [...this.#withoutKeys]];
    return [
      ...(skipped.length === 0
        ? []
        : [`${notEdited(skipped)}. Did you mean to leave ${skipped.length === 1 ? 'it' : 'them'} out?`]),
      ...(withoutKeys.length === 0 ? [] : [`${notEdited(withoutKeys)}.`]),
    ];
  }
}

function notEdited(files: readonly (readonly [string, string])[]): string {
  const were = files.length === 1 ? 'was' : 'were';
  return `${counted(files.length, 'file')} could not be read and ${were} not edited: ${namedWithReason(files)}`;
}

function placeOf(file: string, { operation, line }: NamedNode): string {
  return visibleLine(`${file}:${line} ${operation.path ?? ''}`.trimEnd());
}

/** Returns the branch and the value of a match; its place already has the line. */
function foundIn({ describe }: NamedNode): string {
  return describe?.().replace(/^on line \d+/u, '') ?? '';
}

function tooMany(what: string, allowed: number, pattern: string): Refusal {
  return new Refusal(
    'LIMIT_EXCEEDED',
    `Cannot edit ${quoted(pattern)}: there are too many ${what} for one call`,
    {},
    {
      limit: { name: `${what} of a call`, allowed, unit: what },
      advice: [
        'Narrow the pattern, and send several calls',
        ...(what === 'matches'
          ? ['Or ask the operator to start the server with a higher --max-matches']
          : []),
      ],
    },
  );
}
