// How a new key is written: plain where every reader takes it for the same string, quoted otherwise.
import { isPlainSafe } from './plain-safety.ts';

export function writeKey(key: string, isFlow: boolean, syntaxName: 'YAML' | 'JSON'): string {
  if (syntaxName === 'YAML' && isPlainSafe(key, isFlow)) return key;
  return JSON.stringify(key);
}
