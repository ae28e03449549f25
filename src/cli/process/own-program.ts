// Answers the command line that starts this program again, for people and clients that copy it.
import { basename } from 'node:path';
import { ENGINE_PACKAGE } from '../../security/index.ts';

/** Answers the command line for the file that was started. If npx has started it, it names npx, because npm may remove its copy. */
export function ownProgram(script: string): readonly string[] {
  if (/[\\/]_npx[\\/]/u.test(script)) {
    if (ENGINE_PACKAGE === undefined) return ['npx', '-y', 'config-airlock'];
    return ['npx', '-y', '-p', ENGINE_PACKAGE, '-p', 'config-airlock', 'config-airlock'];
  }
  return basename(script) === 'config-airlock' ? ['config-airlock'] : ['node', script];
}
