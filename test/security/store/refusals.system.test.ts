// What is said where a preview cannot be kept or used, and where the state directory fails: word for word, for an agent
// and its user have nothing else to go by.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stateRefusal } from '../../../src/security/audit/state-refusal.ts';
import { stateGone } from '../../../src/security/errors/io-refusal.ts';
import { createLog, type Preview, Refusal } from '../../../src/security/index.ts';
import { expired, notFound, tooMany, used } from '../../../src/security/store/preview-errors.ts';
import { shortId } from '../../../src/security/text/short-id.ts';
import { jsonLines } from '../../harness/json-lines.ts';
import { place } from '../fixture.ts';
import { AT, CHANGE_ID, draft } from './ground.ts';

const partsOf = ({ code, message, where, clues }: Refusal) => ({ code, message, where, clues });
const GONE =
  ': the state directory, or a part of it, was removed while it was in use. The operator should look at it, and restart the server.';
const NO_CALL = { advice: ['Tell the operator: no call can mend this'], isRetryable: false };

describe('there is no preview', () => {
  it('for there is no room for it', () => {
    expect(partsOf(tooMany(false))).toStrictEqual({
      code: 'NO_SPACE',
      message: 'Cannot keep this preview: there is no room for it.',
      where: {},
      clues: {},
    });
    expect(partsOf(tooMany(true))).toStrictEqual({
      code: 'APPROVAL_UNAVAILABLE',
      message:
        'Cannot keep this preview: too many wait for a person already, and none of them is dropped for it.',
      where: {},
      clues: {
        advice: [
          'Have a person decide about those that wait, or apply what was approved; then preview again',
        ],
      },
    });
  });

  it('for nobody knows the id', () => {
    expect(partsOf(notFound())).toStrictEqual({
      code: 'PREVIEW_NOT_FOUND',
      message:
        'Cannot use this preview: there is none with this id. One that is too old is dropped, and so is the oldest where there are too many. Preview the change again, and apply what that answers.',
      where: {},
      clues: {},
    });
  });

  it('for it is gone, and the call that asks again is named where it is known', () => {
    const plain = {
      code: 'PREVIEW_EXPIRED',
      message: 'Cannot use this preview: it is too old. Preview the change again.',
      where: {},
    };
    expect(partsOf(expired('it is too old'))).toStrictEqual({ ...plain, clues: {} });
    const preview: Preview = {
      ...{ v: 1, nonce: '', created_at: AT, expires_at: AT, roots: '' },
      ...draft({ request: { file: 'a.yaml', dry_run: false } }),
    };
    expect(partsOf(expired('it is too old', preview))).toStrictEqual({
      ...plain,
      clues: { again: { tool: 'config_set', arguments: { file: 'a.yaml', dry_run: true } } },
    });
  });

  it('for it was used, and what it became is named', () => {
    expect(used(CHANGE_ID).message).toBe(
      `Cannot use this preview: it has been applied already, and works once. It became change ${shortId('ch', CHANGE_ID)}`,
    );
  });
});

describe('a failure of the state directory', () => {
  function told(error: unknown) {
    const here = place();
    const log = createLog({ level: 'info', format: 'json', file: `${here.base}/log.jsonl` });
    const refusal = stateRefusal('keep the preview', error, log);
    return { refusal, lines: jsonLines(readFileSync(`${here.base}/log.jsonl`, 'utf8')) };
  }
  const failing = (code: string) => Object.assign(new Error('in the words of Node'), { code, errno: -1 });

  it.each([
    { why: 'a full disk', error: failing('ENOSPC'), code: 'NO_SPACE', says: 'the disk is full' },
    { why: 'a lack of rights', error: failing('EACCES'), code: 'PERMISSION_DENIED', says: 'does not permit' },
    { why: 'a broken disk', error: failing('EIO'), code: 'IO_ERROR', says: 'reported an error' },
  ])('is told to the log and to the agent: $why', ({ error, code, says }) => {
    const { refusal, lines } = told(error);
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(says);
    expect(refusal.message).toMatch(/^Cannot keep the preview: /u);
    expect(refusal.cause).toBe(error);
    expect(lines).toMatchObject([{ level: 'error', event: 'state_unusable', code }]);
  });

  it.each([
    { why: 'a file', error: failing('ENOENT') },
    { why: 'a folder', error: new Refusal('FILE_CHANGED', 'Cannot: it was removed.') },
  ])('is a removed state directory where $why of it is gone', ({ error }) => {
    const { refusal, lines } = told(error);
    expect(partsOf(refusal)).toStrictEqual({
      code: 'IO_ERROR',
      message: `Cannot keep the preview${GONE}`,
      where: {},
      clues: NO_CALL,
    });
    expect(refusal.cause).toBe(error);
    expect(lines).toMatchObject([{ level: 'error', event: 'state_unusable', code: 'IO_ERROR' }]);
  });

  it.each([
    { why: 'a refusal of the stores', error: notFound(), code: 'PREVIEW_NOT_FOUND' },
    { why: 'somebody else at work', error: new Refusal('BUSY', 'Cannot: busy.'), code: 'BUSY' },
    { why: 'too many open files', error: failing('EMFILE'), code: 'BUSY' },
  ])('is not $why, which the log need not know', ({ error, code }) => {
    const { refusal, lines } = told(error);
    expect(refusal.code).toBe(code);
    if (error instanceof Refusal) expect(refusal).toBe(error);
    expect(lines).toEqual([]);
  });

  it('is not a bug of ours, which is thrown on as it is', () => {
    const bug = new Error('a bug');
    expect(() => told(bug)).toThrow(bug);
  });

  it('is named by whoever finds it out by itself', () => {
    expect(partsOf(stateGone('serve this call'))).toStrictEqual({
      code: 'IO_ERROR',
      message: `Cannot serve this call${GONE}`,
      where: {},
      clues: NO_CALL,
    });
    expect(stateGone('serve this call').cause).toBeUndefined();
  });
});
