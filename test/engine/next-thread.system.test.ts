// The thread after one that ended serves the same roots, wherever they are by now. Needs Linux and `npm run build`.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ISOLATED } from '../harness/start-process.ts';
import { startToolProcess, type ToolServer } from '../harness/tool-server.ts';

describe.skipIf(process.platform !== 'linux')('the thread after one that ended', () => {
  let server: ToolServer;
  beforeEach(async () => {
    server = await startToolProcess({ program: ISOLATED, files: { 'a.yaml': 'a: old\n' } });
  });
  afterEach(() => server.close());

  it('serves the folder that the server was started on, though it was renamed and another has its name [SRV-8]', async () => {
    const moved = `${server.root}-moved`;
    renameSync(server.root, moved);
    try {
      mkdirSync(server.root);
      writeFileSync(join(server.root, 'a.yaml'), 'a: another folder\n');
      await server.refused('exit');
      expect((await server.ok('config_get', { file: 'a.yaml', path: 'a' })).data['source']).toBe('old');
      const edit = { file: 'a.yaml', path: 'a', value: 'new', dry_run: false };
      await server.ok('config_set', edit);
      expect(readFileSync(join(moved, 'a.yaml'), 'utf8')).toBe('a: new\n');
      expect(readFileSync(join(server.root, 'a.yaml'), 'utf8')).toBe('a: another folder\n');
    } finally {
      rmSync(server.root, { recursive: true });
      renameSync(moved, server.root);
    }
  });
});
