// What a person or a client copies starts the same program again.
import { expect, it } from 'vitest';
import { ownProgram } from '../../../src/cli/process/own-program.ts';
import { ENGINE_PACKAGE } from '../../../src/security/index.ts';

const packages = ENGINE_PACKAGE === undefined ? [] : ['-p', ENGINE_PACKAGE, '-p', 'config-airlock'];

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
