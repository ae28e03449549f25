// The words that start this program again, for people and clients that copy them.
import { basename } from 'node:path';
import { ENGINE_PACKAGE } from '../../security/index.ts';

/** Answers the words for the file that was started. Where npx did that, npx has to do it again, because npm's copy may vanish. */
export function ownProgram(script: string): readonly string[] {
  if (/[\\/]_npx[\\/]/u.test(script)) {
    if (ENGINE_PACKAGE === undefined) return ['npx', '-y', 'config-airlock'];
    return ['npx', '-y', '-p', ENGINE_PACKAGE, '-p', 'config-airlock', 'config-airlock'];
  }
  return basename(script) === 'config-airlock' ? ['config-airlock'] : ['node', script];
}
