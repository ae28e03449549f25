// What a person or a client copies starts the same program again.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ownProgram } from '../../../src/cli/process/own-program.ts';
import { ENGINE_PACKAGE } from '../../../src/security/index.ts';
import { tempRoot } from '../../harness/temp-root.ts';

const packages = ENGINE_PACKAGE === undefined ? [] : ['-p', ENGINE_PACKAGE, '-p', 'config-airlock'];

it('names the tarball of which npx has made its copy', () => {
  const temp = tempRoot({
    'npm/_npx/0a1b/package.json':
      '{"dependencies":{"config-airlock":"file:../../../config-airlock-0.1.0.tgz"}}',
  });
  onTestFinished(() => temp.remove());
  const words = ownProgram(join(temp.dir, 'npm/_npx/0a1b/node_modules/.bin/config-airlock'));
  expect(words).toContain(join(temp.dir, 'config-airlock-0.1.0.tgz'));
  expect(words.slice(0, 2)).toEqual(['npx', '-y']);
});

it.each([
  { script: '/usr/local/bin/config-airlock', words: ['config-airlock'], why: 'it is a command' },
  { script: '/clone/bundle/cli.js', words: ['node', '/clone/bundle/cli.js'], why: 'it is a clone' },
  {
    script: '/home/ann/.npm/_npx/0a1b/node_modules/.bin/config-airlock',
    words: ['npx', '-y', ...packages, 'config-airlock'],
    why: 'npx has run it',
  },
])('$script: $why', ({ script, words }) => {
  expect(ownProgram(script)).toEqual(words);
});
