// Plain previews and events for the tests of the state, and for the processes that they start: as small as the shapes allow.
import { createHash } from 'node:crypto';

export const ROOTS = 'a'.repeat(64);
export const BOUNDS = { previews: 500, totalBytes: 64e6 };
const CALLER = { name: 'test', version: '1' };

/** The time so many seconds after the first one. */
export function at(seconds) {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
}

/** Without version and nonce, which `encodePreview` adds. */
export function draft({ texts = ['a: 1\n'], time = 0, lasts = 3_600, ...fields } = {}) {
  const files = texts.map((base, index) => ({
    ...{ file: `f${index}.yaml`, base, base_sha256: sha256(base), result_sha256: sha256(`${base}x`) },
    ...{
      edits: [{ start: 0, end: 0, insert: 'x' }],
      changes: [],
      places: [],
      diff: '',
      removed_comments: [],
    },
    also_affects: [],
  }));
  return {
    ...{ caller: CALLER, policy: 'b'.repeat(64), roots: ROOTS, origin: { kind: 'edit' }, files },
    ...{ created_at: at(time), expires_at: at(time + lasts), approval: 'preview', rules: [] },
    ...{ tool: 'config_set', request: { file: 'f0.yaml' }, warnings: [] },
    ...fields,
  };
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

export function event(type, about, fields = {}) {
  const { time = 0, ...others } = fields;
  return { time: at(time), type, ...(about === undefined ? {} : { about }), files: [], ...others };
}

export function begun(about, { texts = ['a: 1\n'], ...fields } = {}) {
  const files = texts.map((_, index) => ({ file: `f${index}.yaml` }));
  return event('begun', about, { files, caller: CALLER, confirmed_by: 'preview', ...fields });
}

export function refused(time = 0) {
  return event('refused', undefined, { time, tool: 'config_set', code: 'READ_ONLY' });
}
