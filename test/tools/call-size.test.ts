// How much the files of one call may have in all: they are previewed, applied and undone in one call each, one of them in memory
// with its trees at a time.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedStage } from '../harness/previews.ts';

const LARGE = Array.from({ length: 6 }, (_, index) => `large${index}.json`);
const SMALL = Array.from({ length: 314 }, (_, index) => `small${index}.json`);
const FILES = Object.fromEntries(SMALL.map((name) => [name, '{"x": 1, "y": 1}\n']));
const LARGE_TEXT = `{"x": 1, "y": 1,\n"pad": "${'y'.repeat(700_000)}"}\n`;
const EDITS = [{ file: '*.json', op: 'set', path: 'x', json: 2 }];

const strict = sharedStage(['--approval', 'preview'], FILES);

describe('320 files of which six have 700 KB', () => {
  it('are one preview, which is applied, and undone', async () => {
    const { server, at } = await strict();
    for (const name of LARGE) writeFileSync(join(at.root, name), LARGE_TEXT);
    const { data, text } = await server.ok('config_edit', { edits: EDITS });
    expect(text).toContain('320 paths in 320 files');
    const applied = await server.ok('config_apply', { preview_id: data['preview_id'] });
    for (const name of LARGE)
      expect(readFileSync(join(at.root, name), 'utf8')).toBe(LARGE_TEXT.replace('"x": 1', '"x": 2'));
    const undo = await server.ok('config_revert', { change_id: applied.data['change_id'] });
    await server.ok('config_apply', { preview_id: undo.data['preview_id'] });
    for (const name of LARGE) expect(readFileSync(join(at.root, name), 'utf8')).toBe(LARGE_TEXT);
    for (const name of SMALL) expect(readFileSync(join(at.root, name), 'utf8')).toBe(FILES[name]);
  });
});
