// Reads the options `--mask-path` and `--show-path`, which name nodes of files, such as `deploy/*.yaml:spec.license`.
import type { MaskingPolicy } from '../../security/policy/policy.ts';
import { badValue, list, type Option } from './option.ts';

const SPEC = /^([^:]+):(.+)$/su;

export function maskedPaths(name: string, help: string): Option<MaskingPolicy['paths']> {
  const write = ({ files, path }: MaskingPolicy['paths'][number]): string => `${files}:${path}`;
  return list({ name, argument: 'GLOB:PATH', help, default: [], read, write });
}

/** Returns the same masking. Throws StartError for a node path that cannot be used. */
export async function requireUsablePaths(masking: MaskingPolicy): Promise<MaskingPolicy> {
  // The module is loaded on demand, because most servers start without such a path.
  if (masking.paths.length + masking.shown.paths.length > 0)
    await import('../../adapters/secrets/masking-rules.ts').then(({ requireMaskingPaths }) =>
      requireMaskingPaths(masking),
    );
  return masking;
}

function read(text: string): MaskingPolicy['paths'][number] {
  const [, files, path] = SPEC.exec(text) ?? [];
  if (files === undefined || path === undefined) throw badValue(text, 'expected GLOB:PATH');
  return { files, path };
}
