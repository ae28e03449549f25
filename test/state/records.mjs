// Plain records for the tests of the state, and for the processes that they start: as small as the shapes allow.
import { createHash } from 'node:crypto';

export const ROOTS = 'a'.repeat(64);
export const POLICY = 'b'.repeat(64);
const CALLER = { name: 'test', version: '1' };

/** The time so many seconds after the first one. */
export function at(seconds) {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
}

/** Without version and nonce: `encode` adds them. */
export function previewDraft({ texts = ['a: 1\n'], time = 0, lasts = 3_600, ...fields } = {}) {
  return {
    ...common(texts),
    ...{ created_at: at(time), expires_at: at(time + lasts), approval: 'preview', rules: [] },
    ...{ tool: 'config_set', request: { file: 'f0.yaml' }, warnings: [] },
    ...fields,
  };
}

export function changeDraft({ texts = ['a: 1\n'], time = 0, ...fields } = {}) {
  return { ...common(texts), at: at(time), confirmed_by: 'preview', ...fields };
}

function common(texts) {
  const files = texts.map((base, index) => ({
    ...{ file: `f${index}.yaml`, base, base_sha256: sha256(base), result_sha256: sha256(`${base}x`) },
    ...{ edits: [{ start: 0, end: 0, insert: 'x' }], changes: [], diff: '', removed_comments: [] },
    also_affects: [],
  }));
  return { caller: CALLER, policy: POLICY, roots: ROOTS, origin: { kind: 'edit' }, files };
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

export function proposed(preview, time = 0) {
  return { time: at(time), action: 'propose', outcome: 'kept', files: [], preview, caller: CALLER };
}

export function replacing(preview, by) {
  return {
    time: at(0),
    action: 'replace',
    outcome: 'kept',
    files: [],
    preview,
    replaced_by: by,
    caller: CALLER,
  };
}

/** `action`: approve, part or reject. */
export function decided(preview, action, time = 0) {
  return { time: at(time), action, outcome: 'kept', files: [], preview, reviewer: 'lin' };
}

export function committed(change, outcome, preview, time = 0) {
  const record = { time: at(time), action: 'commit', outcome, files: [], change_id: change };
  return preview === undefined ? record : { ...record, preview };
}

export function refused(time = 0, fields = {}) {
  return {
    time: at(time),
    action: 'config_set',
    outcome: 'refused',
    files: [],
    code: 'READ_ONLY',
    ...fields,
  };
}
