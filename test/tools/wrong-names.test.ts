// What is suggested for the name of a file that does not exist: whole paths, best first.
import { expect, test } from 'vitest';
import { toolServer } from '../harness/tool-server.ts';

const APPS = ['plex', 'sonarr', 'radarr'];
const FILES = APPS.flatMap((app) => [`apps/default/${app}/app/release.yaml`, `apps/default/${app}/ks.yaml`]);

const server = toolServer({ files: Object.fromEntries(FILES.map((file) => [file, 'a: 1\n'])) });

test.each([
  { file: 'apps/default/plx/app/release.yaml', first: 'apps/default/plex/app/release.yaml', why: 'a folder' },
  {
    file: 'aps/default/plex/app/release.yaml',
    first: 'apps/default/plex/app/release.yaml',
    why: 'the first',
  },
  { file: 'apps/default/plex/app/relese.yaml', first: 'apps/default/plex/app/release.yaml', why: 'a name' },
  { file: 'apps/default/plex/relese.yaml', first: 'apps/default/plex/app/release.yaml', why: 'one below' },
  {
    file: 'apps/plex/app/release.yaml',
    first: 'apps/default/plex/app/release.yaml',
    why: 'a folder too few',
  },
  { file: 'apps/default/sonarr/x/ks.yaml', first: 'apps/default/sonarr/ks.yaml', why: 'a folder too many' },
  { file: 'plex/release.yaml', first: 'apps/default/plex/app/release.yaml', why: 'two of the names' },
  { file: 'ks.yaml', first: 'apps/default/plex/ks.yaml', why: 'the name alone' },
])('$why: for $file', async ({ file, first }) => {
  const { details = '' } = await server.refused('config_get', { file });
  expect(`${details},`).toContain(`Files that may be meant: ${first},`);
});

test('a folder as file: the reply says that it is one, and gives its pattern', async () => {
  const { message, again } = await server.refused('config_edit', {
    edits: [{ op: 'set', file: 'apps/default', path: 'a', json: 2 }],
  });
  expect(message).toBe('Cannot use "apps/default": it is a folder, not a file');
  expect(again).toMatchObject({ tool: 'config_list', arguments: { pattern: 'apps/default/**' } });
});
