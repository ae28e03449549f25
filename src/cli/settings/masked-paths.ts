// The options `--mask-path` and `--show-path`: nodes of files, such as `deploy/*.yaml:spec.license`. Only their syntax is
// read here, and whether the path can be used when the airlock is opened.
import { type MaskingPolicy, quoted, Refusal } from '../../security/index.ts';
import { bad, list, type Option } from './option.ts';
import { UsageError } from './usage-error.ts';

const SPEC = /^([^:]+):(.+)$/su;

export function maskedPaths(name: string, help: string): Option<MaskingPolicy['paths']> {
  const write = ({ files, path }: MaskingPolicy['paths'][number]): string => `${files}:${path}`;
  return list({ name, argument: 'GLOB:PATH', help, default: [], read, write });
}

/** Throws UsageError for a path that is none. */
export async function usable(
  { name }: Pick<Option<unknown>, 'name'>,
  paths: MaskingPolicy['paths'],
): Promise<MaskingPolicy['paths']> {
  if (paths.length === 0) return paths;
  // Most servers start without one, and should not wait for what reads it.
  const { isBulk } = await import('../../adapters/index.ts');
  for (const { files, path } of paths)
    try {
      isBulk({ op: 'delete', path });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new UsageError(`--${name}: cannot use ${quoted(`${files}:${path}`)}: ${error.message}`);
    }
  return paths;
}

function read(text: string): MaskingPolicy['paths'][number] {
  const [, files, path] = SPEC.exec(text) ?? [];
  if (files === undefined || path === undefined) throw bad(text, 'expected GLOB:PATH');
  return { files, path };
}
