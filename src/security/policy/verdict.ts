// The judge's answer about certain edits, as a value that nobody else can make. Writing, and keeping a preview, need one about
// exactly these edits. It does not say that anybody has agreed.
import type { ApprovalNeed } from './change-policy.ts';
import type { Finding, Judgement } from './judge.ts';
import { type Level, strictest } from './levels.ts';
import { needsOf } from './needs.ts';

const KEY: unique symbol = Symbol('Verdict');

/** One edit of a file, as its preview and its record name it. */
export interface Judged {
  readonly file: string;
  readonly base_sha256: string;
  readonly result_sha256: string;
  readonly file_op?: string | undefined;
}

export interface FileFinding extends Finding {
  readonly file: string;
}

export class Verdict {
  readonly #about: readonly Judged[];
  readonly level: Level;
  /** The needs of all findings, each rule once. */
  readonly needs: readonly ApprovalNeed[];
  #findings: readonly FileFinding[] | (() => readonly FileFinding[]);

  /** @internal Made by the functions below only. The findings are computed when somebody asks for them. */
  constructor(
    key: typeof KEY,
    about: readonly Judged[],
    { level, needs }: Pick<Verdict, 'level' | 'needs'>,
    findings: () => readonly FileFinding[],
  ) {
    if (key !== KEY) throw new TypeError('a Verdict is made by the judge only');
    this.#about = about;
    this.level = level;
    this.needs = needs;
    this.#findings = findings;
    Object.freeze(this);
  }

  /** One finding for each change of each file. */
  get findings(): readonly FileFinding[] {
    if (typeof this.#findings === 'function') this.#findings = this.#findings();
    return this.#findings;
  }

  /** True only for an object that this module made; a look-alike answers false. */
  static isGenuine(value: unknown): value is Verdict {
    return typeof value === 'object' && value !== null && #about in value;
  }

  /** True if each of these edits was judged. */
  isAbout(edits: readonly Judged[]): boolean {
    return edits.every((edit) => this.#about.some((judged) => isSame(judged, edit)));
  }

  /** Combines the verdicts on all edits of a call; the strictest level counts. Throws a TypeError for none. */
  static all(verdicts: readonly Verdict[]): Verdict {
    const [first, ...others] = verdicts;
    if (first === undefined) throw new TypeError('there is nothing to judge');
    return new Verdict(
      KEY,
      verdicts.flatMap((verdict) => verdict.#about),
      { level: strictest(first.level, ...others.map(({ level }) => level)), needs: needsOf(verdicts) },
      () => verdicts.flatMap(({ findings }) => findings),
    );
  }
}

/** For this layer only: makes the verdict on one edit. */
export function verdictOn(edit: Judged, { level, findings }: Judgement): Verdict {
  return verdictAt(edit, { level, needs: needsOf(findings) }, () => findings);
}

/** For this layer only: the same at a level that no rule can change. The findings are computed when somebody asks for them. */
export function verdictAt(
  { file, base_sha256, result_sha256, file_op }: Judged,
  decided: Pick<Verdict, 'level' | 'needs'>,
  findings: () => readonly Finding[],
): Verdict {
  const own = Object.freeze({ file, base_sha256, result_sha256, file_op });
  return new Verdict(KEY, [own], decided, () => findings().map((finding) => ({ ...finding, file })));
}

function isSame(a: Judged, b: Judged): boolean {
  return (
    a.file === b.file &&
    a.base_sha256 === b.base_sha256 &&
    a.result_sha256 === b.result_sha256 &&
    a.file_op === b.file_op
  );
}
