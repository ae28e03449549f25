// Plans an operation, and makes its proof: the way from the operation of a call to its planner, and on to what proves it.
import {
  type Change,
  type Edit,
  type FileOp,
  type Limits,
  parsePath,
  unlessRefused,
  type Verify,
} from '../../security/index.ts';
import type { Cut } from '../edit/copied-part.ts';
import type { Plan, PlanContext } from '../edit/intent.ts';
import { type ConfigFile, forActions } from '../formats/registry.ts';
import { withoutKeys } from '../formats/text/text-format.ts';
import { chooseDocument } from '../tree/choose-document.ts';
import { nodeAt } from '../tree/locate.ts';
import { type Place, resolvePath } from '../tree/resolve-path.ts';
import { type Proof, proofOf } from '../verify/prove.ts';
import { textProofOf } from '../verify/prove-text.ts';
import { append } from './append.ts';
import { OpenPlaces, type Target, targetOf } from './open-places.ts';
import { type Operation, operationNamed, taken } from './registry.ts';
import { replaceText } from './replace-text.ts';
import { set } from './set.ts';
import { cutOut } from './transfer.ts';
import { translating } from './translated-value.ts';

/** The state of a batch: the file as it was read, and as earlier operations left it. */
export interface Progress {
  readonly base: ConfigFile;
  readonly current: ConfigFile;
  readonly earlierChanges: readonly Change[];
  /** True if others follow: then only changes of comments are answered, because the last operation finds all that differs from the base. */
  readonly isStep?: boolean;
}

/** Returns the operations of which this one consists. They are planned in order, each on what the one before has left. Throws as `planOperation`. */
export function stepsOf(current: ConfigFile, operation: Operation, limits: Limits): readonly Operation[] {
  const { steps } = operationNamed(operation.op);
  if (steps === undefined) return [operation];
  const context = contextOf(current, operation, limits);
  const { documentIndex: doc } = context;
  const planned = steps(context, aimOf(context, operation).path, operation).map((step) => ({ doc, ...step }));
  return planned.length === 0 ? [operation] : planned;
}

/** Returns whole sentences that the caller should know before it is carried out. Throws as `planOperation` does. */
export function notesOf(current: ConfigFile, operation: Operation, limits: Limits): readonly string[] {
  const { notes } = operationNamed(operation.op);
  if (notes === undefined) return [];
  const context = contextOf(current, operation, limits);
  return notes(context, aimOf(context, operation).path, operation);
}

/** Returns what an operation with `to_file` takes to the other file. Throws as `planOperation` does. */
export function cutFor(current: ConfigFile, operation: Operation, limits: Limits): Cut {
  const context = contextOf(current, operation, limits);
  return cutOut(context, aimOf(context, operation).path, operation.op);
}

/** Makes the context. Throws UNSUPPORTED_FORMAT and SYNTAX_INVALID for a file without nodes. */
function contextOf(
  { format, stream, unreadable }: ConfigFile,
  { op, doc, path = '', cut }: Operation,
  limits: Limits,
): PlanContext {
  if (stream.hasStructure === false) throw unreadable ?? withoutKeys(op);
  const isArriving = cut !== undefined && 'document' in cut.copied && path === '';
  const isOfFile =
    doc === undefined && (isArriving || operationNamed(op).isOfFile?.(parsePath(path)) === true);
  const documentIndex = isOfFile ? 0 : chooseDocument(stream, doc, path);
  const document = stream.documents[documentIndex];
  if (document === undefined) throw new Error('the chosen document exists');
  return { stream, documentIndex, document, format, limits };
}

/** Returns the operation and its node. The end of a list in a JSON pointer, `/list/-`, is where `append` works. */
function aimOf(place: Place, { op, path: text = '', create }: Operation) {
  const kind = operationNamed(op);
  // For an operation that takes something elsewhere, `create` is about the new place.
  const creates = create !== false && taken(kind).includes('value');
  const path = resolvePath(place, text, creates);
  const list = path.slice(0, -1);
  const isEnd = text.endsWith('/-') && nodeAt(place.document.root, list)?.kind !== 'mapping';
  if (!isEnd || !taken(kind).includes('value') || (!creates && kind === set)) return { kind, path };
  return { kind: kind === set ? append : kind, path: list };
}

/** An operation on a node that is planned, and not carried out yet. */
export interface Planned {
  /** The file on which it was planned. */
  readonly file: ConfigFile;
  readonly plan: Plan;
  /** Undefined where its path leads to no clear node. */
  readonly target: Target | undefined;
}

/** Returns the plan of an operation on a node; undefined for one on the file or its text. Throws the refusals of path and value. */
export function planOn(current: ConfigFile, operation: Operation, limits: Limits): Planned | undefined {
  const { planFile } = operationNamed(operation.op);
  if (planFile !== undefined && (operation.path ?? '') === '') return undefined;
  const file = forActions(current, operation.value ?? operation.new_key, limits);
  const context = contextOf(file, operation, limits);
  const { kind, path } = aimOf(context, operation);
  const { plan } = kind;
  if (plan === undefined) throw new Error('an operation on a node was asked for');
  return {
    file,
    plan: translating(operation.value, () => plan(context, path, operation)),
    target: unlessRefused(() => targetOf(context, path, operation.path ?? '')),
  };
}

/** Plans that were made on one file, to be proven together. */
export class OpenPlans {
  readonly planned: Planned[] = [];
  readonly #file: ConfigFile;
  readonly #limits: Limits;
  readonly #places: OpenPlaces;

  constructor(first: Planned, limits: Limits) {
    this.#file = first.file;
    this.#limits = limits;
    this.#places = new OpenPlaces(first.file.stream);
    this.#places.add(first.plan, first.target);
    this.planned.push(first);
  }

  /** True if the operation finds the same on this file as on what the plans leave. */
  isFree(operation: Operation): boolean {
    const target = unlessRefused(() => {
      const context = contextOf(this.#file, operation, this.#limits);
      return targetOf(context, aimOf(context, operation).path, operation.path ?? '');
    });
    return this.#isFree(operation, target);
  }

  /** Plans the operation; returns false, and adds nothing, where it has to be planned on what the plans leave. */
  add(operation: Operation): boolean {
    const planned = unlessRefused(() => planOn(this.#file, operation, this.#limits));
    // With an action in its value, a file may become a template.
    if (planned === undefined || planned.file !== this.#file) return false;
    const isAdded = this.#isFree(operation, planned.target) && this.#places.add(planned.plan, planned.target);
    if (isAdded) this.planned.push(planned);
    return isAdded;
  }

  #isFree({ op, path = '', doc, cut }: Operation, target: Target | undefined): boolean {
    const kind = operationNamed(op);
    const isOfOnePlace = kind.plan !== undefined && kind.takesPath !== false && !taken(kind).includes('to');
    return (
      isOfOnePlace && cut === undefined && target !== undefined && this.#places.isFree(target, path, doc)
    );
  }
}

/** Returns the edits for one operation on `current`, with the check that proves them. */
export function planOperation(
  progress: Progress,
  operation: Operation,
  limits: Limits,
  verify: Verify = 'fast',
): Proof {
  const { planFile, fileOp } = operationNamed(operation.op);
  const planned = planOn(progress.current, operation, limits);
  if (planned !== undefined) return proofOfPlans(progress, [planned], limits, verify);
  return proofOfText(progress, planFile?.(progress.current.stream.text, operation) ?? [], limits, fileOp);
}

/** Returns the edits of plans that were made on one file, and are apart, with the check that proves them all. */
export function proofOfPlans(
  { base, current, earlierChanges, isStep = false }: Progress,
  planned: readonly Planned[],
  limits: Limits,
  verify: Verify = 'fast',
): Proof {
  const { format, stream } = planned[0]?.file ?? current;
  const earlierCommentChanges = commentChanges(earlierChanges);
  const subject = { base: base.stream, stream, format, limits, verify, earlierCommentChanges, isStep };
  return proofOf(
    subject,
    planned.map(({ plan }) => plan),
  );
}

/** Returns the edits of the text itself, as one, with the check that proves them. */
export function proofOfText(
  { base, current, earlierChanges, isStep = false }: Progress,
  edits: readonly Edit[],
  limits: Limits,
  fileOp?: FileOp,
): Proof {
  const earlierCommentChanges = commentChanges(earlierChanges);
  return textProofOf({ base: base.stream, current, earlierCommentChanges, isStep, limits }, edits, fileOp);
}

function commentChanges(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ op }) => op === 'comment');
}

/** Returns what `replace_text` without a path does to a text. Throws TEXT_NOT_FOUND, TEXT_AMBIGUOUS, VALUE_INVALID. */
export function replacedText(text: string, operation: Operation): readonly Edit[] {
  return replaceText.planFile(text, operation);
}
