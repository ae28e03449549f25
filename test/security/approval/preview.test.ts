// What a stored preview may say, field by field: a preview that says anything else is none.

import { describe, expect, it } from 'vitest';
import {
  expiryOf,
  readOrigin,
  readPreview,
  readPreviewFile,
} from '../../../src/security/approval/preview.ts';
import { readCaller } from '../../../src/security/records/caller.ts';
import { Malformed } from '../../../src/security/records/fields.ts';
import { messageOf } from '../../harness/refusals.ts';
import { AT, draft } from '../store/ground.ts';

const HASH = '0'.repeat(64);
const ID = 'A'.repeat(43);
const [FILE] = draft().files;

const PLAN = {
  v: 1,
  nonce: 'n'.repeat(22),
  created_at: AT,
  expires_at: '2026-11-28T12:00:00.000Z',
  ...draft({ warnings: ['careful'] }),
  roots: HASH,
};

/** What it says is malformed: the name of the field. */
function fault(read: () => unknown): string {
  return messageOf(read, Malformed);
}

const without = (value: object, name: string) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));

describe('a preview', () => {
  it('is read as it was written, with every field that it may have', () => {
    expect(readPreview(PLAN)).toEqual(PLAN);
    const agents = { ...PLAN, approval: 'preview', expires_at: '2026-11-21T12:15:00.000Z' };
    expect(readPreview(agents)).toEqual(agents);
  });

  it.each(Object.keys(PLAN).filter((name) => name !== 'request'))('is none without its %s', (name) => {
    const names: Record<string, string> = { caller: 'no object', origin: 'no object' };
    expect(fault(() => readPreview(without(PLAN, name)))).toBe(names[name] ?? name);
  });

  it.each([
    { field: 'v', value: 2 },
    { field: 'nonce', value: 'n'.repeat(21) },
    { field: 'nonce', value: 'n'.repeat(23) },
    { field: 'nonce', value: `!${'n'.repeat(22)}` },
    { field: 'nonce', value: `${'n'.repeat(22)}!` },
    { field: 'nonce', value: `${'n'.repeat(21)}.` },
    { field: 'created_at', value: '21 November 2026' },
    { field: 'expires_at', value: '2026-11-28T12:00:00.001Z' },
    { field: 'expires_at', value: '2026-11-21T12:15:00.000Z' },
    { field: 'policy', value: HASH.slice(1) },
    { field: 'approval', value: 'nobody' },
    { field: 'roots', value: `${HASH}0` },
    { field: 'tool', value: '' },
    { field: 'tool', value: 'a'.repeat(65) },
    { field: 'tool', value: 'config set' },
    { field: 'tool', value: '!config_set' },
    { field: 'tool', value: 'config_set!' },
    { field: 'files', value: {} },
    { field: 'warnings', value: [1] },
  ])('is none whose $field is $value', ({ field, value }) => {
    expect(fault(() => readPreview({ ...PLAN, [field]: value }))).toBe(field);
  });

  it('may name the longest tool and the shortest', () => {
    for (const tool of ['a', 'a'.repeat(64)]) expect(readPreview({ ...PLAN, tool }).tool).toBe(tool);
  });

  it('is none with a field that no preview has', () => {
    for (const [value, read] of [
      [PLAN, readPreview],
      [PLAN.caller, readCaller],
      [PLAN.origin, readOrigin],
      [FILE, readPreviewFile],
    ] as const) {
      expect(fault(() => read({ ...value, approved: true }))).toBe('an unknown field');
      expect(fault(() => read([]))).toBe('no object');
    }
  });

  it('holds 15 minutes where an agent may apply it, and a week where a person decides', () => {
    const until = (approval: 'direct' | 'preview' | 'client' | 'human') => expiryOf(new Date(AT), approval);
    expect([until('direct'), until('preview'), until('client')]).toEqual(
      Array.from({ length: 3 }, () => '2026-11-21T12:15:00.000Z'),
    );
    expect(until('human')).toBe('2026-11-28T12:00:00.000Z');
  });
});

describe('who called', () => {
  it.each(['name', 'version'])('is nobody without %s', (name) => {
    expect(readCaller({ name: 'c', version: '1' })).toEqual({ name: 'c', version: '1' });
    expect(fault(() => readCaller(without({ name: 'c', version: '1' }, name)))).toBe(name);
  });

  it('may have a principal and scopes that were verified', () => {
    const caller = { name: 'c', version: '1', principal: 'ann', scopes: ['config:read'] };
    expect(readCaller(caller)).toEqual(caller);
    expect(fault(() => readCaller({ ...caller, principal: 1 }))).toBe('principal');
    expect(fault(() => readCaller({ ...caller, scopes: 'config:read' }))).toBe('scopes');
  });
});

describe('where it comes from', () => {
  it.each([
    { value: { kind: 'edit' } },
    { value: { kind: 'revert', change_id: ID } },
    { value: { kind: 'part', of: ID, kept: [] } },
    { value: { kind: 'part', of: ID, kept: [0, 2] } },
  ])('is $value', ({ value }) => {
    expect(readOrigin(value)).toEqual(value);
  });

  it('is no more than its kind says', () => {
    for (const value of [
      { kind: 'edit', change_id: ID },
      { kind: 'revert', change_id: ID, of: ID },
    ])
      expect(fault(() => readOrigin(value))).toBe('an unknown field');
  });

  it.each([
    { value: { kind: 'else' }, says: 'kind' },
    { value: { kind: 'revert' }, says: 'change_id' },
    { value: { kind: 'revert', change_id: 'short' }, says: 'change_id' },
    { value: { kind: 'part', of: 'short', kept: [0] }, says: 'of' },
    { value: { kind: 'part', of: ID }, says: 'kept' },
    { value: { kind: 'part', of: ID, kept: ['0'] }, says: 'kept' },
    { value: { kind: 'part', of: ID, kept: [0.5] }, says: 'kept' },
    { value: { kind: 'part', of: ID, kept: [-1] }, says: 'kept' },
    { value: { kind: 'part', of: ID, kept: [null] }, says: 'kept' },
  ])('is not $value', ({ value, says }) => {
    expect(fault(() => readOrigin(value))).toBe(says);
  });
});

describe('a file of it', () => {
  it.each(Object.keys(FILE ?? {}))('is none without its %s', (name) => {
    expect(fault(() => readPreviewFile(without(FILE ?? {}, name)))).toBe(name);
  });

  it.each([
    { field: 'file', value: 1 },
    { field: 'base', value: null },
    { field: 'base_sha256', value: HASH.slice(1) },
    { field: 'result_sha256', value: HASH.slice(1) },
    { field: 'diff', value: 1 },
    { field: 'removed_comments', value: [1] },
    { field: 'also_affects', value: [1] },
  ])('is none whose $field is $value', ({ field, value }) => {
    expect(fault(() => readPreviewFile({ ...FILE, [field]: value }))).toBe(field);
  });

  it.each([
    { edit: { end: 1, insert: '' }, says: 'start' },
    { edit: { start: -1, end: 1, insert: '' }, says: 'start' },
    { edit: { start: 0, insert: '' }, says: 'end' },
    { edit: { start: 0, end: 1 }, says: 'insert' },
    { edit: { start: 0, end: 1, insert: '', more: 1 }, says: 'an unknown field' },
  ])('has no edit like $edit', ({ edit, says }) => {
    expect(fault(() => readPreviewFile({ ...FILE, edits: [edit] }))).toBe(says);
  });

  const change = { op: 'replace', doc: 0, path: 'a', line: 1 };
  it.each(['add', 'replace', 'remove', 'rename', 'comment'])('may show what it does: %s', (op) => {
    for (const values of [{}, { from: '1' }, { to: '2' }, { from: '1', to: '2' }]) {
      const changes = [{ ...change, op, ...values }];
      expect(Object.keys(readPreviewFile({ ...FILE, changes }).changes[0] ?? {}).sort()).toEqual(
        Object.keys(changes[0] ?? {}).sort(),
      );
      expect(readPreviewFile({ ...FILE, changes }).changes).toEqual(changes);
    }
  });

  it.each([
    { value: { ...change, op: 'else' }, says: 'op' },
    { value: { ...change, doc: -1 }, says: 'doc' },
    { value: { ...change, path: 1 }, says: 'path' },
    { value: { ...change, from: 1 }, says: 'from' },
    { value: { ...change, to: 1 }, says: 'to' },
    { value: { ...change, line: '1' }, says: 'line' },
    { value: { ...change, more: 1 }, says: 'an unknown field' },
  ])('shows no change like $value', ({ value, says }) => {
    expect(fault(() => readPreviewFile({ ...FILE, changes: [value] }))).toBe(says);
  });
});
