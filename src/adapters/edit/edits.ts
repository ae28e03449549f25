// Carries out the steps of operations on a text, each on the result of the one before, and proves the end result once.
import { type Change, compose, type Edit, type FileOp, inOrder, splice } from '../../security/edits/edit.ts';
import { unlessRefused } from '../../security/errors/refusal.ts';
import type { Limits, Verify } from '../../security/policy/policy.ts';
import { findChanges } from '../compare/find-changes.ts';
import { type ConfigFile, readerOf, readOrAsText } from '../formats/registry.ts';
import { NO_TEXT } from '../formats/text/text-format.ts';
import { type CommentsOfStep, requireComments } from '../prove/comments-kept.ts';
import { type Documents, difference, differs } from '../prove/expected.ts';
import { requireMergeable, requireSameMeanings } from '../prove/meanings.ts';
import {
  requireClearLines,
  requireNoWorse,
  requireReadable,
  requireSameFrame,
  requireStrict,
  requireValid,
} from '../prove/readable.ts';
import { requireExpansions } from '../prove/template-proof.ts';
import { type Located, locate, locateExisting } from '../tree/locate.ts';
import type { Stream } from '../tree/span-tree.ts';
import type { Target } from './source.ts';
import type { Step } from './step.ts';
import { blameActions, requireKnownVariables, requireSameActions, requireWhole } from './template.ts';
import {
  type AskedStep,
  areApart,
  areIndexed,
  keepsPaths,
  placed,
  type WrittenTogether,
} from './together.ts';
import { writeStep } from './write-step.ts';

/** The file that is edited, and how results are read and proven. */
export interface Beginning {
  readonly base: ConfigFile;
  readonly limits: Limits;
  readonly verify: Verify;
  /** Reads a text of the file, as plain text if its format cannot. */
  readonly read: (text: string) => ConfigFile;
}

export class Edits {
  readonly #beginning: Beginning;
  /** The last proven state, which the expected documents are derived from. */
  #start: Stream;
  #file: ConfigFile;
  #documents: Documents;
  #edits: readonly Edit[] = [];
  /** Replacements of text since `#file` that are not proven yet. */
  #open: { readonly edits: readonly Edit[]; readonly text: string } | undefined;
  #fileOp: FileOp | undefined;
  #hasTextEdits = false;
  /** The edits since `#start`, and what they do to comments. */
  #since: readonly Edit[] = [];
  #comments: CommentsOfStep[] = [];

  constructor(beginning: Beginning) {
    const { base } = beginning;
    this.#beginning = beginning;
    this.#file = base;
    this.#start = base.stream;
    this.#documents = expectedOf(base.stream);
  }

  /** The file as it is now. Throws as `prove` does if text was replaced. */
  get file(): ConfigFile {
    this.#close();
    return this.#file;
  }

  /** The text as it is now. */
  get text(): string {
    return this.#open?.text ?? this.#file.stream.text;
  }

  /** True if text was replaced that is not proven yet. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Replaces parts of the text, whatever they mean. Consecutive replacements are proven together. */
  replaceText(edits: readonly Edit[], fileOp?: FileOp): void {
    const open = this.#open ?? { edits: [], text: this.text };
    this.#fileOp = fileOp ?? this.#fileOp;
    this.#open = {
      edits: compose(this.#file.stream.text.length, open.edits, edits),
      text: splice(open.text, edits),
    };
  }

  #close(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    this.#hasTextEdits = true;
    this.#requireExpected(this.#file.stream.text);
    const result = this.#readText(open.text);
    this.#begin(this.#file);
    this.#since = open.edits;
    this.#begin(result);
  }

  /** Reads a replaced text. Throws VERIFICATION_FAILED if it has more problems than before, VALUE_INVALID if a new file has any. */
  #readText(text: string): ConfigFile {
    const { format } = this.#file;
    if (this.#fileOp === 'delete') return { format, stream: NO_TEXT };
    const { limits, read } = this.#beginning;
    const result = readOrAsText(format, text, limits);
    if (this.#fileOp === 'create') requireValid(result);
    else requireNoWorse(this.#file, result);
    requireReadable(this.#file.stream, result.stream, format);
    return read(text);
  }

  /** Returns the target of steps in a document. */
  targetIn(doc: number): Target {
    const { format, stream } = this.#file;
    const document = stream.documents[doc];
    if (document === undefined) throw new Error('the document exists');
    return { format, stream, document, doc, limits: this.#beginning.limits };
  }

  /** Continues with the same text, read in another way. Throws as `prove` does. */
  readAs(file: ConfigFile): void {
    if (file === this.#file) return;
    this.#requireExpected(this.#file.stream.text);
    this.#begin(file);
  }

  /** Carries out a step. Throws the refusals of its value and of its place. */
  carryOut(step: Step, doc: number): void {
    const target = this.targetIn(step.doc ?? doc);
    const at = locateStep(target, step);
    const { edits: unordered, change, comments, index } = writeStep(target, at, step);
    const edits = inOrder(unordered, target.stream.text.length);
    if (isSame(target.stream.text, edits)) return;
    requireClearLines(target.stream.text, edits);
    requireWhole(target.stream, edits);
    const stream = this.#reread(splice(target.stream.text, edits));
    requireExpansions(
      target.stream,
      [{ target, at, does: step.do, edits, place: index }],
      stream,
      target.limits,
    );
    this.#comments.push(comments);
    this.#documents = change(this.#documents);
    this.#since = this.#since.length === 0 ? edits : compose(this.#start.text.length, this.#since, edits);
    this.#file = { format: this.#file.format, stream };
  }

  /**
   * Carries out independent steps on one reading of the text. Returns false, and does nothing, if one could depend on another: then
   * they have to be carried out one by one.
   */
  carryOutTogether(steps: readonly AskedStep[]): boolean {
    const { format, stream } = this.#file;
    if (this.#open !== undefined || !steps.every(keepsPaths)) return false;
    const written = unlessRefused(() => steps.map((asked) => this.#written(asked)));
    const all = written?.flatMap((one) => one.edits) ?? [];
    if (written === undefined || !areApart(stream.text, written)) return false;
    if ((stream.actions ?? []).length > 0 && !areIndexed(written)) return false;
    const edits = inOrder(all, stream.text.length);
    requireClearLines(stream.text, edits);
    const result = unlessRefused(() => {
      requireWhole(stream, edits);
      const after = this.#reread(splice(stream.text, edits));
      const changing = placed(written).filter((one) => !isSame(stream.text, one.edits));
      requireExpansions(stream, changing, after, this.#beginning.limits);
      return after;
    });
    if (result === undefined) return false;
    // Later places go first, so that the indexes of the others stay valid.
    const later = written.toReversed().sort((a, b) => b.start - a.start);
    this.#documents = later.reduce((documents, { step }) => step.change(documents), this.#documents);
    this.#comments.push(...written.map(({ step }) => step.comments));
    this.#since = this.#since.length === 0 ? edits : compose(this.#start.text.length, this.#since, edits);
    this.#file = { format, stream: result };
    return true;
  }

  #written({ step, doc }: AskedStep): WrittenTogether {
    const target = this.targetIn(step.doc ?? doc);
    const at = locateStep(target, step);
    const isAlone =
      step.do === 'replace' || step.do === 'rename' || (step.do === 'comment' && step.place === 'before');
    const container = step.do === 'insert' ? undefined : at.steps.at(-1)?.container;
    const written = writeStep(target, at, step);
    return {
      asked: step,
      step: written,
      target,
      at,
      does: step.do,
      edits: written.edits,
      place: written.index,
      start: at.node.start,
      end: at.node.end,
      collection: isAlone ? undefined : (container ?? at.node),
    };
  }

  /** Proves what was done so far if there are aliases, whose meaning later steps may change. Throws as `prove` does. */
  settleAliases(): void {
    const { documents } = this.#file.stream;
    if (this.#since.length === 0 || documents.every(({ aliasTargets }) => aliasTargets.size === 0)) return;
    this.#requireExpected(this.#file.stream.text);
    this.#begin(this.#file);
  }

  /** The edits of the original text. */
  get edits(): readonly Edit[] {
    this.#close();
    return this.#all();
  }

  /**
   * Returns every path whose data differs from the base. Throws VERIFICATION_FAILED,
   * ANCHOR_IN_USE and TEMPLATE_ACTION unless `after`, which is read from scratch, is what was intended.
   */
  prove(after: string): readonly Change[] {
    this.#close();
    this.#requireExpected(after);
    return this.#changes();
  }

  #changes(): readonly Change[] {
    const { base, limits } = this.#beginning;
    const { stream, format } = this.#file;
    if (!this.#hasTextEdits || this.#fileOp === 'delete') return findChanges(base.stream, stream);
    const old = base.stream.isAbsent === true ? undefined : base.stream.text;
    const read = readerOf(format, [old, stream.text], limits);
    return findChanges(read(old).stream, read(stream.text).stream);
  }

  /** Throws unless the text is the intended result of the steps. */
  #requireExpected(after: string): void {
    const start = this.#start;
    if (after === start.text && this.#since.length === 0) return;
    const { format } = this.#file;
    const stream = blameActions(start, this.#since, () => {
      const result = this.#reread(after);
      this.#requireData(result);
      this.#requireMeanings(result);
      requireSameFrame(
        start,
        result,
        this.#documents.map(({ origin }) => origin),
      );
      requireSameActions(start, this.#since, result);
      requireKnownVariables(start, this.#since, result);
      requireStrict(start, this.#since, result, format);
      requireReadable(start, result, format);
      requireComments(start, result, this.#comments);
      return result;
    });
    if (this.#beginning.verify === 'full') this.#requireSecondReading(after, stream);
  }

  /** Throws unless the second reader of the format reads the same data. */
  #requireSecondReading(after: string, stream: Stream): void {
    const { reference, name } = this.#file.format;
    if (reference === undefined) return;
    if (reference(after, stream, this.#beginning.limits)) return;
    throw differs(
      stream.unindented === undefined
        ? `a second reader of ${name} finds other data`
        : 'the second reader of --verify full takes no lines within quotes that are not indented',
    );
  }

  #requireData({ text, documents }: Stream): void {
    if (documents.length !== this.#documents.length) throw differs('the number of documents would change');
    for (const [at, { root, aliasTargets }] of documents.entries()) {
      const expected = this.#documents[at];
      if (expected === undefined) throw differs('a document would vanish');
      // The meaning of an alias depends on everything before it.
      const canSkip = this.#beginning.verify !== 'full' && aliasTargets.size === 0;
      const reason = difference(expected.data, { node: root, text }, canSkip);
      if (reason !== undefined) throw differs(reason);
    }
  }

  #requireMeanings({ text, documents }: Stream): void {
    for (const [at, document] of documents.entries()) {
      const { data, origin = -1 } = this.#documents[at] ?? {};
      const before = this.#start.documents[origin];
      if (data !== undefined)
        requireSameMeanings(data, document, before && { stream: this.#start, document: before });
      requireMergeable(before, document, text);
    }
  }

  #reread(text: string): Stream {
    const { format } = this.#file;
    const stream = unlessRefused(
      () => format.parse(text, this.#beginning.limits),
      ['SYNTAX_INVALID', 'UNSUPPORTED_FORMAT'],
    );
    if (stream === undefined) throw differs(`the file would no longer be valid ${format.name}`);
    return stream;
  }

  #all(): readonly Edit[] {
    const { length } = this.#beginning.base.stream.text;
    return this.#edits.length === 0 ? this.#since : compose(length, this.#edits, this.#since);
  }

  /** Takes this file as the proven state, with which later results are compared. */
  #begin(file: ConfigFile): void {
    this.#edits = this.#all();
    this.#since = [];
    this.#comments = [];
    this.#file = file;
    this.#start = file.stream;
    this.#documents = expectedOf(file.stream);
  }
}

/** Locates the node of a step. Throws NODE_NOT_FOUND if there is none: a node above must not be changed instead. */
function locateStep({ document }: Target, step: Step): Located {
  return 'path' in step ? locateExisting(document, step.path, 'edit') : locate(document, []);
}

function isSame(text: string, edits: readonly Edit[]): boolean {
  return edits.every(({ start, end, insert }) => text.slice(start, end) === insert);
}

function expectedOf({ text, documents }: Stream): Documents {
  return documents.map(({ root }, origin) => ({ data: { node: root, text }, origin }));
}
