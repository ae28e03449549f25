// Builds the edit of one file: each operation is carried out on what the one before has left, and all are proven at the end.
import {
  asText,
  type ConfigFile,
  carryOut,
  carryOutTogether,
  Edits,
  type Operation,
  readResult,
} from '../adapters/index.ts';
import { Refusal, unlessRefused, VerifiedEdit, type Where } from '../security/index.ts';
import type { BaseFile } from './file-operations.ts';
import { locating } from './read-file.ts';
import type { CallContext } from './tool.ts';

/** An operation on one place of the file. */
export interface Asked {
  readonly operation: Operation;
  /** The place of the operation of the call that it comes from. */
  readonly where: Where;
  /** The path of the node whose value it changes, where that is one. */
  readonly node?: string | undefined;
}

export class EditChain {
  readonly #read: BaseFile;
  readonly #context: CallContext;
  readonly #edits: Edits;
  readonly #asked: Asked[] = [];

  constructor(read: BaseFile, context: CallContext) {
    const { base, snapshot } = read;
    const { limits, verify } = context.policy;
    this.#read = read;
    this.#context = context;
    const readText = (text: string) => readResult(base, snapshot.path, text, limits);
    this.#edits = new Edits({ base, limits, verify, read: readText });
  }

  /** The file as it is now. Throws VERIFICATION_FAILED where text was replaced that breaks it. */
  get file(): ConfigFile {
    return this.#blaming(this.#asked.length, () => this.#edits.file);
  }

  /** The text as it is now, as nothing but lines. */
  get text(): ConfigFile {
    return asText(this.#read.base, this.#edits.text);
  }

  /** Carries out an operation. Throws its refusals, or that of an earlier one that is at fault. */
  add(asked: Asked): void {
    const { operation, where } = asked;
    // Texts that are replaced one after the other are proven together.
    this.#blaming(this.#edits.isOpen ? 0 : this.#asked.length, () =>
      locating({ ...where, path: operation.path }, () =>
        carryOut(this.#edits, operation, this.#context.policy.limits),
      ),
    );
    this.#asked.push(asked);
  }

  /** Carries out what one pattern names, on one reading of the file; false, with nothing done, where one could depend on another. */
  addTogether(asked: readonly Asked[]): boolean {
    const operations = asked.map(({ operation }) => operation);
    const isDone = this.#blaming(this.#asked.length, () =>
      carryOutTogether(this.#edits, operations, this.#context.policy.limits),
    );
    if (isDone) this.#asked.push(...asked);
    return isDone;
  }

  /** Returns the proven edit; undefined if there was no operation. Throws the refusal of the first operation that is at fault. */
  prove(): VerifiedEdit | undefined {
    return this.#blaming(this.#asked.length - 1, () => this.#proven());
  }

  /** Returns the first operation after which `isAtFault` holds for the edit so far. */
  firstAtFault(isAtFault: (edit: VerifiedEdit) => boolean): readonly [Asked, VerifiedEdit] | undefined {
    const count = this.#firstCount(this.#asked.length, (chain) => {
      const edit = chain.#proven();
      return edit !== undefined && isAtFault(edit);
    });
    const [edit, asked] = [this.#upTo(count).prove(), this.#asked[count - 1]];
    return edit === undefined || asked === undefined ? undefined : [asked, edit];
  }

  #proven(): VerifiedEdit | undefined {
    const last = this.#asked.at(-1);
    if (last === undefined) return undefined;
    const { snapshot, fileOp } = this.#read;
    const { where, operation } = last;
    const place = this.#asked.length === 1 ? { ...where, path: operation.path } : where;
    return locating(place, () =>
      VerifiedEdit.prove(snapshot, this.#edits.edits, (after) => this.#edits.prove(after), { fileOp }),
    );
  }

  /** Returns the fewest first operations for which this holds, by halving. It holds for `count` of them. */
  #firstCount(count: number, holds: (chain: EditChain) => boolean): number {
    let [fewer, enough] = [0, count];
    while (enough - fewer > 1) {
      const middle = (fewer + enough) >> 1;
      if (holds(this.#upTo(middle))) enough = middle;
      else fewer = middle;
    }
    return enough;
  }

  /** The same with the first operations only. */
  #upTo(count: number): EditChain {
    const chain = new EditChain(this.#read, this.#context);
    for (const asked of this.#asked.slice(0, count)) chain.add(asked);
    return chain;
  }

  /** Does some work; where it is refused, the proof of one of so many earlier operations may name the cause. */
  #blaming<Result>(earlier: number, work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Refusal) || earlier < 1) throw error;
      const isRefused = (chain: EditChain) => unlessRefused(() => [chain.#proven()]) === undefined;
      if (isRefused(this.#upTo(earlier))) this.#upTo(this.#firstCount(earlier, isRefused)).#proven();
      throw error;
    }
  }
}
