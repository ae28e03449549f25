// Writes one step as edits of the text, together with its change of the data and of the comments.
import type { Edit } from '../../security/edits/edit.ts';
import {
  type CommentsOfStep,
  freeWithDocument,
  freeWithPart,
  freeWithValue,
  wordsIn,
} from '../prove/comments-kept.ts';
import {
  changed,
  type Data,
  type Documents,
  differs,
  indexIn,
  nodeHeader,
  partsIn,
} from '../prove/expected.ts';
import { commentLines, linesOfComment } from '../tree/comments.ts';
import { columnOf } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import {
  isBlockCollection,
  isCollection,
  isSectional,
  partsOf,
  type ScalarNode,
  type SpanNode,
} from '../tree/span-tree.ts';
import { wordsOf, writeComment } from './comment.ts';
import { addDocument, removeDocument } from './documents.ts';
import { requireOneRun } from './dotted-braces.ts';
import { writeInsert } from './insert.ts';
import { usualIndex } from './neighbours.ts';
import { writeRemove, writtenBeside } from './remove.ts';
import { writeRename } from './rename.ts';
import { writeReplace } from './replace.ts';
import { replaceInScalar } from './scalar-text.ts';
import { invalid, parseSource, type Source, type Target } from './source.ts';
import type { CommentStep, Insert, Remove, Step } from './step.ts';
import { requireSameScope } from './template-scope.ts';

/** A step as edits of the text. */
export interface WrittenStep {
  readonly edits: readonly Edit[];
  readonly comments: CommentsOfStep;
  /** Applies the step to the data of the documents. */
  readonly change: (documents: Documents) => Documents;
  /** The index of a new part in its collection; undefined if the collection itself is new. */
  readonly index?: number;
}

const NOTHING: WrittenStep = { edits: [], comments: { given: [] }, change: (documents) => documents };

export function writeStep(target: Target, at: Located, step: Step): WrittenStep {
  requireOneRun(target, at, step.do);
  switch (step.do) {
    case 'replace':
      return replace(target, at, step);
    case 'insert':
      return insert(target, at, step);
    case 'remove':
      return remove(target, at, step);
    case 'rename':
      return rename(target, at, step.key);
    case 'comment':
      return comment(target, at, step);
    case 'replace text':
      return replaceTextIn(target, at, step);
    case 'add document': {
      const { edits, source } = addDocument(target, step);
      const added = { data: dataOf(source), origin: undefined };
      const comments = { given: givenBy(source) };
      return { edits, comments, change: (documents) => documents.toSpliced(step.index, 0, added) };
    }
    case 'remove document':
      return {
        edits: removeDocument(target),
        comments: { given: [], free: freeWithDocument(target.stream, target.doc) },
        change: (documents) => documents.toSpliced(target.doc, 1),
      };
  }
}

/** Returns a change of the node that the steps lead to. */
function changeAt(
  { doc }: Target,
  steps: Located['steps'],
  change: (data: Data) => Data,
): WrittenStep['change'] {
  return (documents) =>
    documents.map((one, at) => (at === doc ? { ...one, data: changed(one.data, steps, change) } : one));
}

function dataOf({ text, node, deeperBy }: Source): Data {
  return { node, text, deeperBy, isNew: true };
}

/** Returns the words of all comments that a source brings. */
function givenBy({ text, comments, above, behind, given }: Source): readonly string[] {
  const isAmong = comments.some(({ start, end }) => text.slice(start, end) === behind);
  return (
    given ?? [
      ...linesOfComment(above.join('\n')),
      ...commentLines(text, comments),
      ...(isAmong ? [] : linesOfComment(behind)),
    ]
  );
}

function replace(target: Target, at: Located, { value }: Extract<Step, { do: 'replace' }>): WrittenStep {
  const { edits, source } = writeReplace(target, at, value);
  const given = givenBy(source);
  return {
    edits,
    comments: { given, free: freeWithValue(target.stream, at, given.length > 0) },
    change: changeAt(target, at.steps, (data) => replacedBy(data, source)),
  };
}

/** Returns new data in the place of old data, whose anchor stays unless the new data has one. */
function replacedBy({ node, keeps, replaced = [] }: Data, source: Source): Data {
  const anchor =
    source.node.properties?.anchor === undefined
      ? (keeps?.anchor ?? node.properties?.anchor?.name)
      : undefined;
  return { ...dataOf(source), keeps: { anchor }, replaced: [...replaced, node] };
}

function insert(target: Target, at: Located, step: Insert): WrittenStep {
  const { stream } = target;
  const { node, steps } = at;
  const { isClose = false } = step;
  const index = indexOf(target, node, step);
  const written = writeInsert(target, at, index, step.key, step.value, isClose);
  const { edits } = written;
  const taken = 'taken' in step.value ? step.value.taken : undefined;
  requireSameScope(stream, taken?.template, edits);
  const moved = taken && movedAsItIs(node, step.key, taken);
  if (moved === undefined) taken?.template?.requireRewritable(edits);
  const source =
    moved === undefined ? written.source : { ...written.source, deeperBy: deeperIn(target, node, moved) };
  const name = moved !== undefined && moved.part?.name === step.key ? moved.part?.key : written.name;
  const comments = { given: taken?.given ?? givenBy(source) };
  const isWithin = edits.every(({ start, end }) => start > node.start && end < node.end);
  const isPart = isCollection(node) && (partsOf(node).length > 0 || isSectional(node) || isWithin);
  if (!isPart)
    return { edits, comments, change: changeAt(target, steps, (data) => replacedBy(data, source)) };
  const key = name === undefined ? undefined : keyData(target, name, step.key ?? '');
  const part = { key, value: dataOf(source) };
  return {
    edits,
    comments,
    index,
    change: changeAt(target, steps, (data) => ({ ...data, parts: partsIn(data).toSpliced(index, 0, part) })),
  };
}

/** Returns the part if its lines can stay as they are, because it stays an entry or an item; otherwise undefined. */
function movedAsItIs(node: SpanNode, key: string | undefined, taken: Source): Source | undefined {
  const isOnLines = isBlockCollection(node) && partsOf(node).length > 0 && taken.part?.lines !== undefined;
  return isOnLines && taken.part.isItem === (key === undefined) ? taken : undefined;
}

function deeperIn({ stream: { text } }: Target, node: SpanNode, { template }: Source): number {
  return template === undefined ? 0 : columnOf(text, node.start) - template.column;
}

function indexOf({ format, stream }: Target, node: SpanNode, { key, index }: Insert): number {
  if (index !== undefined) return index;
  if (node.kind !== 'mapping' || key === undefined) return isCollection(node) ? partsOf(node).length : 0;
  return key === format.mergeKey ? 0 : usualIndex(stream.text, node, key);
}

function remove(target: Target, at: Located, { comments }: Remove): WrittenStep {
  const last = at.steps.at(-1);
  if (last === undefined) throw new Error('a part is removed');
  const edits = writeRemove(target, at, comments !== undefined);
  const left = writtenBeside(target, at);
  return {
    edits,
    comments: {
      given: [],
      ...(comments === undefined ? { free: freeWithPart(target.stream, at) } : { gone: comments }),
    },
    change: changeAt(target, at.steps.slice(0, -1), (data) =>
      left === undefined
        ? { ...data, parts: partsIn(data).toSpliced(indexIn(data, last), 1) }
        : { ...dataOf(left), keeps: data.keeps ?? {}, replaced: [data.node] },
    ),
  };
}

function rename(target: Target, at: Located, key: string): WrittenStep {
  const last = at.steps.at(-1);
  if (last?.kind !== 'entry') throw new Error('a key is renamed');
  const { edits, name } = writeRename(target, at, key);
  const renamed = keyData(target, name, key);
  return {
    edits,
    comments: { given: [] },
    change: changeAt(target, at.steps.slice(0, -1), (data) => {
      const own = indexIn(data, last);
      const parts = partsIn(data).map((part, index) =>
        index === own
          ? { key: { ...renamed, keeps: part.key && nodeHeader(part.key) }, value: part.value }
          : part,
      );
      return { ...data, parts };
    }),
  };
}

/** Parses a new key as data. Throws VERIFICATION_FAILED unless it reads as the key that was asked for. */
function keyData(target: Target, name: string, wanted: string): Data {
  const { layout } = target.format;
  const probe = layout === 'sections' ? `{ ${name} = 1 }` : layout === 'flow' ? `{${name}: 1}` : `${name}: 1`;
  const source = parseSource(probe, target);
  const entry = source.node.kind === 'mapping' ? source.node.entries[0] : undefined;
  if (entry === undefined) throw invalid('it is no key');
  if (entry.name !== wanted) throw differs('another key would come out');
  return dataOf({ ...source, node: entry.key });
}

function comment(target: Target, at: Located, step: CommentStep): WrittenStep {
  const edit = writeComment(target, at, step);
  if (edit === undefined) return NOTHING;
  return {
    edits: [edit],
    comments: { given: linesOfComment(wordsOf(edit.insert)), free: wordsIn(target.stream, [edit]) },
    change: (documents) => documents,
  };
}

function replaceTextIn(
  target: Target,
  at: Located,
  step: Extract<Step, { do: 'replace text' }>,
): WrittenStep {
  const done = replaceInScalar(target, at, step);
  if ('value' in done) return replace(target, at, { do: 'replace', path: step.path, value: done.value });
  const value = (node: ScalarNode): SpanNode => ({ ...node, value: done.text });
  return {
    edits: done.edits,
    comments: { given: [] },
    change: changeAt(target, at.steps, (data) =>
      data.node.kind === 'scalar'
        ? { ...data, node: value(data.node), replaced: [...(data.replaced ?? []), data.node] }
        : data,
    ),
  };
}
