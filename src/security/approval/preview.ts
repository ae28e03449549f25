// A preview that was stored: everything that was shown, and everything that is needed to apply exactly that.
// Plain data, read strictly; what it claims is checked in stored-preview.ts.
import type { Change, Edit, FileOp } from '../edits/edit.ts';
import type { ApprovalNeed } from '../policy/change-policy.ts';
import { APPROVALS, type Approval, LEVELS, type Level } from '../policy/levels.ts';
import { PREVIEW_MS } from '../policy/policy.ts';
import { type Caller, readCaller } from '../records/caller.ts';
import { type Fields, Malformed, readFields, SHA256 } from '../records/fields.ts';
import { isContentId } from '../text/canonical-json.ts';

export interface PreviewFile {
  readonly file: string;
  /** The whole text that was read. */
  readonly base: string;
  readonly base_sha256: string;
  readonly result_sha256: string;
  /** What becomes of the file itself; then its base or its result is no file, and an empty text here. */
  readonly file_op?: FileOp;
  /** Permissions of a file that is deleted, or created again. */
  readonly mode?: number;
  /** Those that are made with the file. */
  readonly folders?: readonly string[];
  readonly edits: readonly Edit[];
  readonly changes: readonly Change[];
  readonly diff: string;
  readonly removed_comments: readonly string[];
  readonly also_affects: readonly string[];
}

/** A rule, or the default, and what it says of changes of one file. */
export interface RuleNote {
  /** Its id; `default` for what no rule names. */
  readonly rule: string;
  readonly level: Level;
  readonly file: string;
  /** Of the first of these changes. */
  readonly path: string;
  /** How many there are. */
  readonly count: number;
  /** In the operator's words. */
  readonly say?: string;
}

export type Origin =
  | { readonly kind: 'edit' }
  | { readonly kind: 'revert'; readonly change_id: string }
  /** A reviewer kept some edits (by their index) of another preview. */
  | { readonly kind: 'part'; readonly of: string; readonly kept: readonly number[] };

export interface Preview {
  readonly v: 1;
  /** 128 random bits: nobody can guess the id of a preview from its contents. */
  readonly nonce: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly caller: Caller;
  /** Fingerprint of the policy in force: a preview is worth nothing under another. */
  readonly policy: string;
  /** What it needs: the level of its strictest change. */
  readonly approval: Approval;
  /** Why, in the order of its files. */
  readonly rules: readonly RuleNote[];
  /** Hash of the roots that its files lie in: a server of other roots does not know it. */
  readonly roots: string;
  /** The call that asked for it, for asking again where a file has changed since. */
  readonly tool: string;
  readonly request: unknown;
  readonly origin: Origin;
  /** What it is for, in the agent's words: shown to people as such, and believed by nobody. */
  readonly reason?: string;
  readonly files: readonly PreviewFile[];
  readonly warnings: readonly string[];
  /** Who asked for the preview that it stands in for. */
  readonly proposers?: readonly string[];
  /** Of the rules that ask for several reviewers, or for certain ones; none where any one is enough. */
  readonly needs?: readonly ApprovalNeed[];
}

const FILE_OPS = ['create', 'delete'] as const;
const CHANGE_OPS = ['add', 'replace', 'remove', 'rename', 'comment', 'text', 'create', 'delete'] as const;

/** By the names that are known of them; no approval of theirs counts where a rule asks for several reviewers or certain ones. */
export function proposersOf({
  caller,
  proposers = [],
}: Pick<Preview, 'caller' | 'proposers'>): readonly string[] {
  return [...new Set([...(caller.principal === undefined ? [] : [caller.principal]), ...proposers])];
}

/** Of a preview that is made of another one, beside who asks for it. */
export function withProposers(names: readonly string[]): Pick<Preview, 'proposers'> {
  return names.length === 0 ? {} : { proposers: [...new Set(names)] };
}

export function expiryOf(created: Date, approval: Approval): string {
  const life = approval === 'human' ? PREVIEW_MS.person : PREVIEW_MS.agent;
  return new Date(created.getTime() + life).toISOString();
}

/** Throws Malformed; also for a preview that would hold longer than any. */
export function readPreview(value: unknown): Preview {
  const preview = readFields(
    value,
    (fields): Preview => ({
      v: fields.version(),
      nonce: fields.text('nonce', /^[\w-]{22}$/u),
      created_at: fields.time('created_at'),
      expires_at: fields.time('expires_at'),
      caller: readCaller(fields.raw('caller')),
      policy: fields.text('policy', SHA256),
      approval: fields.oneOf('approval', APPROVALS),
      rules: fields.list('rules', readRuleNote),
      roots: fields.text('roots', SHA256),
      tool: fields.text('tool', /^[a-z_]{1,64}$/u),
      request: fields.raw('request'),
      origin: readOrigin(fields.raw('origin')),
      ...fields.optionalTexts('reason'),
      files: fields.list('files', readPreviewFile),
      warnings: fields.texts('warnings'),
      ...(fields.has('proposers') ? { proposers: fields.texts('proposers') } : {}),
      ...(fields.has('needs') ? { needs: fields.list('needs', readNeed) } : {}),
    }),
  );
  if (preview.expires_at !== expiryOf(new Date(preview.created_at), preview.approval))
    throw new Malformed('expires_at');
  return preview;
}

function readNeed(value: unknown): ApprovalNeed {
  return readFields(value, (fields) => ({
    rule: fields.text('rule'),
    count: fields.count('count'),
    ...(fields.has('approvers') ? { approvers: fields.texts('approvers') } : {}),
  }));
}

function readRuleNote(value: unknown): RuleNote {
  return readFields(value, (fields) => ({
    rule: fields.text('rule'),
    level: fields.oneOf('level', LEVELS),
    file: fields.text('file'),
    path: fields.text('path'),
    count: fields.count('count'),
    ...fields.optionalTexts('say'),
  }));
}

export function readOrigin(value: unknown): Origin {
  return readFields(value, (fields) => {
    const kind = fields.oneOf('kind', ['edit', 'revert', 'part']);
    if (kind === 'edit') return { kind };
    if (kind === 'revert') return { kind, change_id: contentIdIn(fields, 'change_id') };
    return { kind, kept: fields.counts('kept'), of: contentIdIn(fields, 'of') };
  });
}

export function readPreviewFile(value: unknown): PreviewFile {
  return readFields(value, (fields) => ({
    file: fields.text('file'),
    base: fields.text('base'),
    base_sha256: fields.text('base_sha256', SHA256),
    result_sha256: fields.text('result_sha256', SHA256),
    ...(fields.has('file_op') ? { file_op: fields.oneOf('file_op', FILE_OPS) } : {}),
    ...(fields.has('mode') ? { mode: fields.count('mode') } : {}),
    ...(fields.has('folders') ? { folders: fields.texts('folders') } : {}),
    edits: fields.list('edits', readEdit),
    changes: fields.list('changes', readChange),
    diff: fields.text('diff'),
    removed_comments: fields.texts('removed_comments'),
    also_affects: fields.texts('also_affects'),
  }));
}

export function readEdit(value: unknown): Edit {
  return readFields(value, (fields) => ({
    start: fields.count('start'),
    end: fields.count('end'),
    insert: fields.text('insert'),
  }));
}

function readChange(value: unknown): Change {
  return readFields(value, (fields) => ({
    op: fields.oneOf('op', CHANGE_OPS),
    doc: fields.count('doc'),
    path: fields.text('path'),
    ...fields.optionalTexts('from', 'to'),
    line: fields.count('line'),
  }));
}

function contentIdIn(fields: Fields, name: string): string {
  const text = fields.text(name);
  if (!isContentId(text)) throw new Malformed(name);
  return text;
}
