// The edit of one file as it grows: each step is planned on the result of the one before, and proven before the next. Texts
// that are replaced one after the other are one step: their common result is proven.
import {
  asText,
  type ConfigFile,
  type Operation,
  type Progress,
  type Proof,
  planOperation,
  proofOfText,
  readResult,
  replacedText,
} from '../adapters/index.ts';
import { compose, type Edit, splice, VerifiedEdit, type Where } from '../security/index.ts';
import type { BaseFile } from './read-base.ts';
import { locating } from './read-file.ts';
import type { CallContext } from './tool.ts';

/** All steps up to this one, as one edit. */
export interface ProvenStep {
  readonly where: Where;
  /** The path of the node whose value it changes, where that is one. */
  readonly node?: string | undefined;
  readonly edit: VerifiedEdit;
}

/** Text replacements that are not proven yet. */
interface OpenText {
  readonly from: string;
  readonly edits: readonly Edit[];
  readonly after: string;
}

export class EditChain {
  readonly #read: BaseFile;
  readonly #context: CallContext;
  #open: OpenText | undefined;
  readonly steps: ProvenStep[] = [];

  constructor(read: BaseFile, context: CallContext) {
    this.#read = read;
    this.#context = context;
  }

  /** The edit so far; undefined before the first step. */
  get edit(): VerifiedEdit | undefined {
    return this.steps.at(-1)?.edit;
  }

  /** Answers the file as it is now; the proof of the step before has parsed the same text. */
  current(): ConfigFile {
    const { edit } = this;
    const { base, snapshot } = this.#read;
    return edit === undefined
      ? base
      : readResult(base, snapshot.path, edit.after, this.#context.policy.limits);
  }

  /** Answers the text so far, read as nothing but lines. */
  text(): ConfigFile {
    const { base, snapshot } = this.#read;
    return asText(base, this.#open?.after ?? this.edit?.after ?? snapshot.text);
  }

  /** Adds one replacement of text, to be proven with those that follow. */
  replace(operation: Operation): void {
    const { after: from } = this.#open ?? { after: this.text().stream.text };
    const edits = replacedText(from, operation);
    const open = this.#open ?? { from, edits: [], after: from };
    this.#open = {
      from: open.from,
      edits: compose(open.from.length, open.edits, edits),
      after: splice(from, edits),
    };
  }

  /** Proves the result of the replacements since the last step. */
  async closeText(where: Where, isStep: boolean): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    await this.#prove(where, where, (progress) =>
      proofOfText({ ...progress, isStep }, open.edits, this.#context.policy.limits),
    );
  }

  /** Adds a step. `whole` is the place of the operation of the call that the step comes from. */
  async add(
    whole: Where,
    step: Operation,
    { isStep, node }: { readonly isStep: boolean } & Pick<ProvenStep, 'node'>,
  ): Promise<void> {
    const { limits, verify } = this.#context.policy;
    const plan = (progress: Progress) => planOperation({ ...progress, isStep }, step, limits, verify);
    await this.#prove(whole, { ...whole, path: step.path }, plan, node);
  }

  async #prove(
    whole: Where,
    where: Where,
    plan: (progress: Progress) => Proof,
    node?: string,
  ): Promise<void> {
    const { base, snapshot, fileOp } = this.#read;
    const previous = this.edit;
    const { edits, check } = locating(where, () =>
      plan({ base, current: this.current(), earlierChanges: previous?.changes ?? [] }),
    );
    // The first time, either half of it takes a while.
    await this.#context.pause();
    const edit = locating(where, () =>
      previous === undefined
        ? VerifiedEdit.prove(snapshot, edits, check, { fileOp })
        : previous.and(edits, check),
    );
    this.steps.push({ where: whole, node, edit });
  }
}
