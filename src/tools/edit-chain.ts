// Builds the edit of one file, step by step. Operations that are independent of each other are planned on one tree, and their common
// result is proven once; so are texts that are replaced one after the other. Any other operation is planned on what is proven.
import {
  asText,
  type ConfigFile,
  OpenPlans,
  type Operation,
  type Progress,
  type Proof,
  planOn,
  planOperation,
  proofOfPlans,
  proofOfText,
  readResult,
  replacedText,
} from '../adapters/index.ts';
import { compose, type Edit, Refusal, splice, VerifiedEdit, type Where } from '../security/index.ts';
import type { BaseFile } from './read-base.ts';
import { locating } from './read-file.ts';
import type { CallContext } from './tool.ts';

/** An operation, or a step of one. */
export interface AskedStep {
  readonly operation: Operation;
  /** The place of the operation of the call that it comes from. */
  readonly whole: Where;
  /** The path of the node whose value it changes, where that is one. */
  readonly node?: string | undefined;
}

/** The edit so far, with what this step has added. */
export interface ProvenStep {
  readonly asked: readonly AskedStep[];
  readonly where: Where;
  readonly node?: string | undefined;
  readonly edit: VerifiedEdit;
}

/** Steps that are not proven yet; without `plans` it is one operation on the file itself. */
interface OpenSteps {
  readonly asked: AskedStep[];
  readonly plans: OpenPlans | undefined;
}

/** Text replacements that are not proven yet. */
interface OpenText {
  readonly from: string;
  readonly edits: readonly Edit[];
  readonly after: string;
  readonly whole: Where;
}

export class EditChain {
  readonly #read: BaseFile;
  readonly #context: CallContext;
  #text: OpenText | undefined;
  #open: OpenSteps | undefined;
  readonly steps: ProvenStep[] = [];

  constructor(read: BaseFile, context: CallContext) {
    this.#read = read;
    this.#context = context;
  }

  /** The edit that is proven so far; undefined before the first step. */
  get edit(): VerifiedEdit | undefined {
    return this.steps.at(-1)?.edit;
  }

  /** Returns the file on which the operation can be planned: as it is now, or before open steps that do not concern it. */
  async fileFor(operation: Operation): Promise<ConfigFile> {
    const isFree = this.#open === undefined || this.#open.plans?.isFree(operation) === true;
    if (this.#text !== undefined || !isFree) await this.close(true);
    return this.#current();
  }

  /** Returns the text as it is now, read as nothing but lines. `isStep` is for the proof of what is open, as in `close`. */
  async text(isStep: boolean): Promise<ConfigFile> {
    if (this.#text === undefined) await this.close(isStep);
    const { base, snapshot } = this.#read;
    return asText(base, this.#text?.after ?? this.edit?.after ?? snapshot.text);
  }

  /** Adds one replacement of text, to be proven with those that follow. */
  replace(whole: Where, operation: Operation): void {
    const from = this.#text?.after ?? this.edit?.after ?? this.#read.snapshot.text;
    const edits = replacedText(from, operation);
    const open = this.#text ?? { from, edits: [] };
    this.#text = {
      from: open.from,
      edits: compose(open.from.length, open.edits, edits),
      after: splice(from, edits),
      whole,
    };
  }

  /** Adds a step, to be proven with those that follow and are independent of it. */
  async add(asked: AskedStep): Promise<void> {
    if (this.#open?.plans?.add(asked.operation) === true) {
      this.#open.asked.push(asked);
      return;
    }
    await this.close(true);
    this.#open = this.#opened(asked);
  }

  /** Proves what is open. With `isStep` others follow; see `Progress`. */
  async close(isStep: boolean): Promise<void> {
    const text = this.#text;
    this.#text = undefined;
    if (text !== undefined)
      await this.#prove([], { where: text.whole }, (progress) =>
        proofOfText({ ...progress, isStep }, text.edits, this.#context.policy.limits),
      );
    await this.closePlans(isStep);
  }

  /** Proves the open plans alone. */
  async closePlans(isStep: boolean): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    try {
      await this.#proveTogether(open, isStep);
    } catch (error) {
      if (open.asked.length === 1 || !(error instanceof Refusal)) throw error;
      // The refusal has to name the operation at fault, and the operations may pass when each is proven before the next.
      await this.#proveEach(open.asked, isStep);
    }
  }

  /** Returns a step as several: each operation in it is proven by itself. */
  async apart(step: ProvenStep): Promise<readonly ProvenStep[]> {
    if (step.asked.length < 2) return [step];
    const chain = new EditChain(this.#read, this.#context);
    chain.steps.push(...this.steps.slice(0, this.steps.indexOf(step)));
    const before = chain.steps.length;
    await chain.#proveEach(step.asked, true);
    return chain.steps.slice(before);
  }

  #current(): ConfigFile {
    const { edit } = this;
    const { base, snapshot } = this.#read;
    return edit === undefined
      ? base
      : readResult(base, snapshot.path, edit.after, this.#context.policy.limits);
  }

  #opened(asked: AskedStep): OpenSteps {
    const { operation, whole } = asked;
    const { limits } = this.#context.policy;
    const first = locating({ ...whole, path: operation.path }, () =>
      planOn(this.#current(), operation, limits),
    );
    return { asked: [asked], plans: first && new OpenPlans(first, limits) };
  }

  async #proveTogether({ asked, plans }: OpenSteps, isStep: boolean): Promise<void> {
    const { limits, verify } = this.#context.policy;
    const [first] = asked;
    if (first === undefined) return;
    const { whole, operation, node } = first;
    const place = asked.length === 1 ? { where: { ...whole, path: operation.path }, node } : { where: whole };
    await this.#prove(asked, place, (progress) =>
      plans === undefined
        ? planOperation({ ...progress, isStep }, operation, limits, verify)
        : proofOfPlans({ ...progress, isStep }, plans.planned, limits, verify),
    );
  }

  async #proveEach(asked: readonly AskedStep[], isStep: boolean): Promise<void> {
    for (const [at, one] of asked.entries())
      await this.#proveTogether(this.#opened(one), isStep || at + 1 < asked.length);
  }

  async #prove(
    asked: readonly AskedStep[],
    { where, node }: Pick<ProvenStep, 'where' | 'node'>,
    plan: (progress: Progress) => Proof,
  ): Promise<void> {
    const { base, snapshot, fileOp } = this.#read;
    const previous = this.edit;
    const { edits, check } = locating(where, () =>
      plan({ base, current: this.#current(), earlierChanges: previous?.changes ?? [] }),
    );
    // Planning and proving each take a while the first time, so that the call pauses between them.
    await this.#context.pause();
    const edit = locating(where, () =>
      previous === undefined
        ? VerifiedEdit.prove(snapshot, edits, check, { fileOp })
        : previous.and(edits, check),
    );
    this.steps.push({ asked, where: asked[0]?.whole ?? where, node, edit });
  }
}
