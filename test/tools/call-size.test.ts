// How much the files of one call may have in all: what is beyond it is refused before anything is written, and the server lives on.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/security/index.ts';
import { CallSize } from '../../src/tools/call-size.ts';
import { sharedStage } from '../harness/previews.ts';
import { refusalOf } from '../security/fixture.ts';

const NAMES = ['a.json', 'b.json', 'c.json'];
const SMALL = Object.fromEntries(NAMES.map((name) => [name, '{"x": 1, "y": 1}\n']));
const LARGE = `{"x": 1, "y": 1,\n"pad": "${'y'.repeat(1_400_000)}"}\n`;
const EDITS = NAMES.map((file) => ({ file, op: 'set', path: 'x', json: 2 }));

const direct = sharedStage([], SMALL);
const strict = sharedStage(['--approval', 'preview'], SMALL);

describe('files that are too large together', () => {
  it('are refused by a preview, a write and a revert, and one of them is not', async () => {
    const { server, at } = await direct();
    const { data } = await server.ok('config_edit', { edits: EDITS, dry_run: false });
    for (const name of NAMES) writeFileSync(join(at.root, name), LARGE);
    for (const [tool, args] of [
      ['config_edit', { edits: EDITS }],
      ['config_edit', { edits: EDITS, dry_run: false }],
      ['config_revert', { change_id: data['change_id'], dry_run: false }],
    ] as const) {
      const error = await server.refused(tool, args);
      expect(error).toMatchObject({ code: 'FILE_TOO_LARGE' });
      expect(JSON.stringify(error)).toContain('Send fewer files at a time');
    }
    for (const name of NAMES) expect(readFileSync(join(at.root, name), 'utf8')).toBe(LARGE);
    await server.ok('config_edit', { edits: EDITS.slice(0, 2), dry_run: false });
  });

  it('are refused by an apply where they have grown since the preview', async () => {
    const { server, at } = await strict();
    const { data } = await server.ok('config_edit', { edits: EDITS });
    for (const name of NAMES) writeFileSync(join(at.root, name), LARGE);
    const error = await server.refused('config_apply', { preview_id: data['preview_id'] });
    expect(error).toMatchObject({ code: 'FILE_TOO_LARGE' });
  });
});

describe('the size of a call', () => {
  it('counts a third of the characters of all paths, and is twice what is parsed where that is more', () => {
    const added = (parsedSizeBytes: number, chars: number) =>
      refusalOf(() => {
        const size = new CallSize({ ...DEFAULT_LIMITS, parsedSizeBytes });
        size.addFile(3_000_000);
        size.addPaths([{ path: 'p'.repeat(chars - 1) }, { path: 'p' }]);
      })?.clues.limit;
    expect(added(1_000, 3_000_000)).toBeUndefined();
    expect(added(1_000, 3_000_001)).toMatchObject({ name: 'call_size', allowed: 4e6, actual: 4_000_001 });
    expect(added(2_000_001, 3_000_001)).toBeUndefined();
  });

  it('counts a quarter of a small file, whose tree takes no room', () => {
    const added = (files: number, sizeBytes: number) =>
      refusalOf(() => {
        const size = new CallSize(DEFAULT_LIMITS);
        for (let file = 0; file < files; file++) size.addFile(sizeBytes);
      })?.clues.limit;
    expect(added(2_000, 8_000)).toBeUndefined();
    expect(added(160, 100_000)).toBeUndefined();
    expect(added(161, 100_000)).toMatchObject({ name: 'call_size', allowed: 4e6, actual: 4_025_000 });
    expect(added(40, 100_001)).toMatchObject({ actual: 4_000_040 });
  });
});
