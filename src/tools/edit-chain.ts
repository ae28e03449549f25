// Builds the edit of one file: each operation is carried out on the result of the one before, and all are proven at the end.

import { Edits } from '../adapters/edit/edits.ts';
import { asText, type ConfigFile, readResult } from '../adapters/formats/registry.ts';
import { carryOut, carryOutTogether } from '../adapters/operations/plan-operation.ts';
import type { Operation } from '../adapters/operations/registry.ts';
import { VerifiedEdit } from '../security/edits/verified-edit.ts';
import { Refusal, unlessRefused, type Where } from '../security/errors/refusal.ts';
import type { BaseFile } from './file-operations.ts';
import { locating } from './read-file.ts';
import type { CallContext } from './tool.ts';

/** An operation on one place of the file. */
export interface Asked {
  readonly operation: Operation;
  /** The edit of the call that it comes from. */
  readonly where: Where;
  /** The path of the node whose value it changes, if it changes one. */
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

  /** The file as it is now. Throws VERIFICATION_FAILED if a replaced text broke it. */
  get file(): ConfigFile {
    return this.#blaming(this.#asked.length, () => this.#edits.file);
  }

  /** The text as it is now, as a plain text file. */
  get text(): ConfigFile {
    return asText(this.#read.base, this.#edits.text);
  }

  /** Carries out an operation. Throws its refusals, or those of an earlier one that is at fault. */
  add(asked: Asked): void {
    const { operation, where } = asked;
    // Consecutive replacements of text are proven together.
    this.#blaming(this.#edits.isOpen ? 0 : this.#asked.length, () =>
      locating({ ...where, path: operation.path }, () =>
        carryOut(this.#edits, operation, this.#context.policy.limits),
      ),
    );
    this.#asked.push(asked);
  }

  /** Carries out independent operations on one reading of the file. Returns false, and does nothing, if one could depend on another. */
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

  /** Returns the first operation after which `isAtFault` is true of the edit so far. */
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

  /** Returns the fewest first operations for which `holds` is true, by bisection. It is true for `count` of them. */
  #firstCount(count: number, holds: (chain: EditChain) => boolean): number {
    let [fewer, enough] = [0, count];
    while (enough - fewer > 1) {
      const middle = (fewer + enough) >> 1;
      if (holds(this.#upTo(middle))) enough = middle;
      else fewer = middle;
    }
    return enough;
  }

  /** Returns a chain of the first operations only. */
  #upTo(count: number): EditChain {
    const chain = new EditChain(this.#read, this.#context);
    for (const asked of this.#asked.slice(0, count)) chain.add(asked);
    return chain;
  }

  /** Runs `work`; if it is refused, throws instead what the proof of the first `earlier` operations throws, if anything. */
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
