// Finding 15.6: what the operator named is used only where nobody else could have changed or exchanged it: the file, and every folder
// and link on the way to it.

import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readReviewers } from '../../src/security/approval/reviewers.ts';
import { checkedLogPath } from '../../src/security/audit/sink.ts';
import { whyUntrusted } from '../../src/security/fs/trusted-file.ts';
import { readOperatorFile } from '../../src/security/policy/operator-file.ts';
import { openStateDir } from '../../src/security/state/state-dir.ts';
import { escapesOf } from '../harness/figures.ts';
import { messageOf } from '../harness/refusals.ts';
import { place } from './fixture.ts';

const IN_FOLDER = /^others can replace what stands in "[^"]+\/open" on the way to it: .+ \(chmod go-w\)$/u;
const SOMEBODY = 4_321;

function opened() {
  const { base, write } = place();
  mkdirSync(join(base, 'open/own'), { recursive: true });
  const file = write('open/own/file', '', 0o644);
  const safe = write('safe/file', '', 0o644);
  chmodSync(join(base, 'open'), 0o777);
  return { base, file, safe, at: (name: string) => join(base, name) };
}

describe.skipIf(process.platform === 'win32')('a file of the operator’s is not trusted', () => {
  it('where a folder above it is open to others, however far above', () => {
    const { file, safe, at } = opened();
    expect(whyUntrusted(safe)).toBe(undefined);
    for (const mode of [0o777, 0o775, 0o757]) {
      chmodSync(at('open'), mode);
      expect(whyUntrusted(file), String(mode)).toMatch(IN_FOLDER);
    }
    for (const mode of [0o755, 0o1777]) {
      chmodSync(at('open'), mode);
      expect(whyUntrusted(file), String(mode)).toBe(undefined);
    }
  });

  it('with itself and all the folders that are open to others, so that all can be closed at once', () => {
    const { file, at } = opened();
    chmodSync(at('open/own'), 0o775);
    expect(whyUntrusted(file)).toContain(`in "${at('open')}" and "${at('open/own')}" on the way to it: `);
    chmodSync(file, 0o664);
    const both =
      /^others may write to it; it needs a mode such as 0644; and others can replace .+\(chmod go-w\)$/u;
    expect(whyUntrusted(file)).toMatch(both);
  });

  it('where one on the way is, though its own is not: a link to a folder below an open one, or out of one', () => {
    const { safe, at } = opened();
    symlinkSync(at('open/own'), at('folder'));
    symlinkSync(at('open/own/file'), at('link'));
    symlinkSync(safe, at('open/own/out'));
    symlinkSync('../open/own/out', at('safe/through'));
    const names = ['folder/file', 'link', 'open/own/out', 'folder/out', 'safe/through'];
    const trusted = names.filter((name) => !IN_FOLDER.test(whyUntrusted(at(name)) ?? ''));
    expect(escapesOf('trusted files', names.length, trusted)).toEqual([]);
    chmodSync(at('open'), 0o755);
    for (const name of names) expect(whyUntrusted(at(name)), name).toBe(undefined);
  });

  it.each([0o664, 0o646, 0o666])('where its mode lets others write: %d', (mode) => {
    const { safe } = opened();
    chmodSync(safe, mode);
    expect(whyUntrusted(safe)).toMatch(/^others may write to it/u);
  });

  it.skipIf(process.geteuid?.() !== 0)(
    'where it, a folder or a link on the way belongs to another user',
    () => {
      const { safe, at } = opened();
      const onTheWay = (name: string) => `"${at(name)}" on the way to it belongs to another user`;
      symlinkSync(safe, at('link'));
      lchownSync(at('link'), SOMEBODY, SOMEBODY);
      expect(whyUntrusted(at('link'))).toBe(onTheWay('link'));
      chownSync(at('safe'), SOMEBODY, SOMEBODY);
      expect(whyUntrusted(safe)).toBe(onTheWay('safe'));
      chownSync(at('safe'), 0, 0);
      chownSync(safe, SOMEBODY, SOMEBODY);
      expect(whyUntrusted(safe)).toBe('it belongs to another user');
    },
  );

  it('by the way to it, where it is not there yet', () => {
    const { at } = opened();
    expect(whyUntrusted(at('safe/none'))).toBe(undefined);
    expect(whyUntrusted(at('open/none/deep'))).toMatch(IN_FOLDER);
  });
});

describe.skipIf(process.platform === 'win32')(
  'one rule holds for all that the operator names [DIS-2]',
  () => {
    it('config, schema, key and reviewers file, log and state directory', () => {
      const { at } = opened();
      writeFileSync(at('open/own/log'), '', { mode: 0o600 });
      const uses = [
        ['a config, schema or key file', () => readOperatorFile(at('open/own/file'))],
        ['the reviewers file', () => readReviewers(at('open/own/file'), [])],
        ['the log', () => checkedLogPath(at('open/own/log'))],
        ['a log that is not there yet', () => checkedLogPath(at('open/own/new'))],
        ['the state directory', () => openStateDir(at('open/own/state'), [])],
      ] as const;
      const trusted = uses.filter(([, use]) => !/others can replace what stands/u.test(messageOf(use)));
      expect(escapesOf('trusted files', uses.length, trusted)).toEqual([]);
    });
  },
);
