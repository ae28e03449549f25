// A review service over a root and a state directory of its own, previews as a server would keep them, and two
// reviewers with their keys.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DEFAULT_ALLOW } from '../../src/adapters/formats/extensions.ts';
import { ReviewService } from '../../src/review/review-service.ts';
import type { PreviewDraft } from '../../src/security/approval/preview.ts';
import { makeReviewerKey, sealReviewerKey } from '../../src/security/approval/reviewer-key.ts';
import { createLog } from '../../src/security/audit/log.ts';
import { recordedEvent } from '../../src/security/audit/recorded-event.ts';
import { type Edit, splice } from '../../src/security/edits/edit.ts';
import { fileWriteOf, VerifiedEdit } from '../../src/security/edits/verified-edit.ts';
import type { Sandbox } from '../../src/security/sandbox/sandbox.ts';
import { backendOf } from '../../src/security/state/backend.ts';
import { closeStore } from '../../src/security/state/open-store.ts';
import { openState } from '../../src/security/state/state.ts';
import { type AirlockOptions, openAirlock } from '../../src/server.ts';
import type { Event } from '../../src/state/event.ts';
import type { PreviewFile } from '../../src/state/preview.ts';
import { lookBy } from '../harness/look.ts';
import { sha256 } from '../harness/sha256.ts';
import { eventNow, withDatabase } from '../harness/state.ts';
import { type Place, place } from '../security/fixture.ts';

export const BASE = 'name: shop # ours\nreplicas: 2\nimage: web:1\n';

/** `time`: of its own clock. A command beside it goes by the real one. */
export async function reviewFixture(time = new Date('2026-11-21T12:00:00.000Z')) {
  const here = place();
  here.write('root/a.yaml', BASE);
  const policy = here.policy({ approval: 'human', allow: DEFAULT_ALLOW });
  const sandbox = here.open(undefined, { approval: 'human', allow: DEFAULT_ALLOW });
  const log = createLog({ level: 'info', format: 'json', file: join(here.base, 'log.jsonl') });
  const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((name) => makeReviewerKey(name));
  if (ann === undefined || bob === undefined || eve === undefined) throw new Error('three keys were made');
  const reviewers = here.write('reviewers', `${ann.line}\n${bob.line}\n`, 0o600);
  let current = time;
  const now = () => current;
  const state = await openState(
    { location: { directory: join(here.base, 'state') }, reviewers },
    policy,
    log,
    now,
  );
  onTestFinished(() => closeStore(state));
  const backend = backendOf(state, sandbox);
  const look = lookBy((name) => sandbox.parse(name), policy.limits);
  const dir = join(here.base, 'state');
  const keys = { ann: ann.key, bob: bob.key, eve: eve.key };
  return {
    ...{ here, sandbox, state, keys, now, sealedAnn: () => sealReviewerKey(ann.key, 'secret') },
    previews: {
      save: (draft: PreviewDraft) => backend.keep({ draft }),
      load: (name: string) => backend.load({ name }),
    },
    service: new ReviewService({ policy, sandbox, state, now }),
    look,
    /** As config_apply asks for it; what stands in the file is the base of the preview. */
    askToApply: async (id: string) => {
      const { record } = await backend.load({ name: id });
      const writes = record.files.map(({ edits, changes }) => {
        const snapshot = sandbox.open(sandbox.parse('a.yaml')).read();
        return fileWriteOf(VerifiedEdit.prove(snapshot, edits, () => changes));
      });
      const verdict = { level: 'human', needs: [] } as const;
      const asked = { id, writes, verdict, needs: record.needs ?? [], confirmed: undefined };
      return backend.apply({ ...asked, caller: record.caller, requestId: 'apply' });
    },
    propose: async (edits: readonly Edit[], more: Partial<PreviewDraft> = {}, base = BASE) => {
      const files = [previewFile(here, sandbox, 'a.yaml', base, edits)];
      const draft = previewDraft(files, { policy: sandbox.policyFingerprint, ...more });
      const saved = await backend.keep({ draft });
      if (saved === undefined) throw new Error('the preview was too large');
      return saved.id;
    },
    file: (name: string, base: string, edits: readonly Edit[]) =>
      previewFile(here, sandbox, name, base, edits),
    draft: (files: readonly PreviewFile[], more: Partial<PreviewDraft> = {}) =>
      previewDraft(files, { policy: sandbox.policyFingerprint, ...more }),
    /** The preview counts as used from here on: it is in the middle of being applied. */
    apply: async (about: string, by: Partial<Event> = { confirmed_by: 'human', reviewer: 'ann' }) => {
      const { preview, status } = (await state.store.find(about)) ?? {};
      if (preview === undefined || status === undefined) throw new Error('it is kept');
      const { caller, reason, origin, files } = preview;
      const said = { caller, origin, ...(reason === undefined ? {} : { reason }) };
      const audited = recordedEvent({ type: 'begun', files }, now()).files;
      const begun = eventNow({ type: 'begun', about, ...said, files: audited, ...by });
      await state.store.begin(begun, { decidedAt: status.decidedAt });
      return about;
    },
    finish: (about: string) => state.store.end(eventNow({ type: 'applied', about })),
    /** As somebody can who writes to the state directory. */
    tamper: (preview: string) =>
      withDatabase(dir, (database) =>
        database.run(
          "UPDATE previews SET body = replace(body, 'config_set', 'config_get') WHERE id = ?",
          preview,
        ),
      ),
    pass: (minutes: number) => {
      current = new Date(current.getTime() + minutes * 60_000);
    },
  };
}

/** What a reviewer sees of the state that a server keeps; ends with the test. */
export async function serviceOf(options: AirlockOptions): Promise<ReviewService> {
  const log = createLog({ level: 'error', format: 'json', isSilent: true });
  const { policy, sandbox, state } = await openAirlock({ log, ...options });
  if (state === undefined) throw new Error('it keeps a state');
  onTestFinished(() => closeStore(state));
  return new ReviewService({ policy, sandbox, state });
}

/** The edit that puts `to` where `from` stands. */
export function swap(from: string, to: string, base = BASE): Edit {
  const start = base.indexOf(from);
  return { start, end: start + from.length, insert: to };
}

function previewFile(
  here: Place,
  sandbox: Sandbox,
  file: string,
  base: string,
  edits: readonly Edit[],
): PreviewFile {
  const look = lookBy((name) => sandbox.parse(name), here.policy().limits);
  const after = splice(base, edits);
  return {
    ...{ file, base, edits, base_sha256: sha256(base), result_sha256: sha256(after) },
    ...look(file, base, after, edits),
  };
}

function previewDraft(
  files: readonly PreviewFile[],
  more: Partial<PreviewDraft> & Pick<PreviewDraft, 'policy'>,
): PreviewDraft {
  return {
    caller: { name: 'an agent', version: '1.2' },
    rules: [],
    approval: 'human',
    tool: 'config_set',
    request: {},
    origin: { kind: 'edit' },
    files,
    warnings: [],
    ...more,
  };
}
