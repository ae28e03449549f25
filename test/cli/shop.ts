// A shop with a file, a state directory, two reviewers and one stranger: what the commands of a review need.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { PreviewDraft } from '../../src/security/approval/preview.ts';
import { makeReviewerKey, sealReviewerKey } from '../../src/security/approval/reviewer-key.ts';
import { createLog } from '../../src/security/audit/log.ts';
import { type Edit, splice } from '../../src/security/edits/edit.ts';
import { backendOf } from '../../src/security/state/backend.ts';
import { closeStore } from '../../src/security/state/open-store.ts';
import { openAirlock } from '../../src/server.ts';
import { sha256Hex } from '../../src/state/canonical.ts';
import { lookBy } from '../harness/look.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { atTerminal, type Screen, type Window } from '../harness/terminal.ts';

/** Sealing takes a third of a second: the same keys for every shop of a test file. */
const KEYS = new Map<string, { readonly sealed: string; readonly line: string }>();

function keyOf(name: string) {
  const known = KEYS.get(name);
  if (known !== undefined) return known;
  const { key, line } = makeReviewerKey(name);
  const made = { sealed: sealReviewerKey(key, PASSPHRASE), line };
  KEYS.set(name, made);
  return made;
}

const BASE = 'name: shop # ours\nreplicas: 2\nimage: web:1\n';
export const PASSPHRASE = 'correct horse battery';

export interface Shop {
  readonly root: string;
  readonly stateDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** The options of the server, and of every command. */
  readonly flags: readonly string[];
  /** The file of a reviewer's key. */
  key(name: 'ann' | 'bob' | 'eve'): string;
  /** A preview that waits, as an agent would leave it. Answers its id. */
  propose(edits: readonly Edit[], client?: string, base?: string): Promise<string>;
  at(command: readonly string[], window?: Window): Screen;
}

/** ann and bob are on the list, eve is not. ann's key is where keys usually are. */
export function shop(
  approval: 'human' | 'client' | 'preview' | 'direct' = 'human',
  base = BASE,
  isReviewed = true,
): Shop {
  const temp = tempRoot({ 'root/a.yaml': base });
  onTestFinished(() => temp.remove());
  const [root, stateDir, home] = ['root', 'state', 'home'].map((name) => join(temp.dir, name));
  if (root === undefined || stateDir === undefined || home === undefined) throw new Error('three folders');
  const key = (name: string): string =>
    name === 'ann' ? join(home, '.config/config-airlock/reviewer.key') : join(home, `${name}.key`);
  mkdirSync(join(home, '.config/config-airlock'), { recursive: true });
  const lines = ['ann', 'bob', 'eve'].map((name) => {
    const { sealed, line } = keyOf(name);
    writeFileSync(key(name), sealed, { mode: 0o600 });
    return line;
  });
  const reviewers = join(temp.dir, 'reviewers');
  writeFileSync(reviewers, `${lines.slice(0, 2).join('\n')}\n`, { mode: 0o600 });
  const env = { HOME: home };
  const flags = ['--root', root, '--state-dir', stateDir, '--approval', approval];
  if (isReviewed) flags.push('--reviewers', reviewers);
  return {
    ...{ root, stateDir, env, flags, key },
    propose: async (edits, client = 'an agent', text = base) => {
      const log = createLog({ level: 'error', format: 'json', file: join(temp.dir, 'log') });
      const { state, sandbox, policy } = await openAirlock({
        roots: [root],
        stateDir,
        approval,
        reviewers,
        log,
      });
      if (state === undefined) throw new Error('it can write');
      const after = splice(text, edits);
      const shown = lookBy((name) => sandbox.parse(name), policy.limits)('a.yaml', text, after, edits);
      const hashes = { base_sha256: sha256Hex(text), result_sha256: sha256Hex(after) };
      const draft: PreviewDraft = {
        ...{
          caller: { name: client, version: '1' },
          policy: sandbox.policyFingerprint,
          approval,
          rules: [],
          tool: 'config_edit',
        },
        ...{ request: {}, origin: { kind: 'edit' }, warnings: [] },
        files: [{ file: 'a.yaml', base: text, ...hashes, edits, ...shown }],
      };
      const saved = await backendOf(state, sandbox).keep({ draft });
      await closeStore(state);
      sandbox.close();
      if (saved === undefined) throw new Error('it is small');
      return saved.id;
    },
    at: (command, window = {}) =>
      atTerminal([...command, ...flags], { ...window, env: { ...env, ...window.env } }),
  };
}

/** The edit that puts `to` where `from` stands. */
export function swap(from: string, to: string, base = BASE): Edit {
  const start = base.indexOf(from);
  return { start, end: start + from.length, insert: to };
}
