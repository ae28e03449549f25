// The `--mask-path` option: nodes of files whose values are masked, such as `deploy/*.yaml:spec.license`. Only its syntax is
// read here; whether the pattern and the path can be used is asked when the airlock is opened.
import type { MaskingPolicy } from '../../security/index.ts';
import { bad, list, type Option } from './option.ts';

const SPEC = /^([^:]+):(.+)$/su;

export function maskedPaths(name: string, help: string): Option<MaskingPolicy['paths']> {
  const write = ({ files, path }: MaskingPolicy['paths'][number]): string => `${files}:${path}`;
  return list({ name, argument: 'GLOB:PATH', help, default: [], read, write });
}

function read(text: string): MaskingPolicy['paths'][number] {
  const [, files, path] = SPEC.exec(text) ?? [];
  if (files === undefined || path === undefined) throw bad(text, 'expected GLOB:PATH');
  return { files, path };
}
