// The edit of one file as it grows: each step is planned on what the one before has left, and proven before the next one. Texts
// that are replaced one after the other are one step: what they make together is proven.
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
  readonly edit: VerifiedEdit;
}

/** Text that is being replaced, and not proven yet. */
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

  /** Undefined before the first step. */
  get edit(): VerifiedEdit | undefined {
    return this.steps.at(-1)?.edit;
  }

  /** The proof of the step before has parsed the same text. */
  current(): ConfigFile {
    const { edit } = this;
    const { base, snapshot } = this.#read;
    return edit === undefined
      ? base
      : readResult(base, snapshot.path, edit.after, this.#context.policy.limits);
  }

  /** As far as it has come, read as nothing but lines. */
  text(): ConfigFile {
    const { base, snapshot } = this.#read;
    return asText(base, this.#open?.after ?? this.edit?.after ?? snapshot.text);
  }

  /** One replacement of text, to be proven with those that follow. */
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

  /** Proves what the replacements since the last step have made. */
  async closeText(where: Where, isStep: boolean): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    await this.#prove(where, where, (progress) =>
      proofOfText({ ...progress, isStep }, open.edits, this.#context.policy.limits),
    );
  }

  /** `whole`: where the operation of the call stands that the step comes from. */
  async add(whole: Where, step: Operation, isStep: boolean): Promise<void> {
    const { limits, verify } = this.#context.policy;
    await this.#prove(whole, { ...whole, path: step.path }, (progress) =>
      planOperation({ ...progress, isStep }, step, limits, verify),
    );
  }

  async #prove(whole: Where, where: Where, plan: (progress: Progress) => Proof): Promise<void> {
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
    this.steps.push({ where: whole, edit });
  }
}
