// Returns the command line that starts this program again, for people and clients that copy it.
import { basename, resolve } from 'node:path';
import { ignoring } from '../../security/errors/refusal.ts';
import { readOperatorFile } from '../../security/policy/operator-file.ts';
import { ENGINE_PACKAGE } from '../../state/sqlite.ts';

/** Returns the command line for the file that was started. If npx has started it, it names npx, because npm may remove its copy. */
export function ownProgram(script: string): readonly string[] {
  const [copy] = /^.*[\\/]_npx[\\/][^\\/]+/u.exec(script) ?? [];
  if (copy !== undefined) {
    const own = tarballOf(copy) ?? 'config-airlock';
    if (ENGINE_PACKAGE === undefined) return ['npx', '-y', own];
    return ['npx', '-y', '-p', ENGINE_PACKAGE, '-p', own, 'config-airlock'];
  }
  return basename(script) === 'config-airlock' ? ['config-airlock'] : ['node', script];
}

/** Returns the file of which npx has made its copy; undefined if that came from a registry. */
function tarballOf(copy: string): string | undefined {
  const text = ignoring('all', () => readOperatorFile(resolve(copy, 'package.json'))) ?? '{}';
  const { dependencies }: { readonly dependencies?: unknown } = Object(JSON.parse(text));
  const { 'config-airlock': spec }: { readonly 'config-airlock'?: unknown } = Object(dependencies);
  const [, file] = typeof spec === 'string' ? (/^file:(.+)$/su.exec(spec) ?? []) : [];
  return file === undefined ? undefined : resolve(copy, file);
}
