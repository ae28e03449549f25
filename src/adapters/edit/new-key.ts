// How a new key is written: plain where every reader takes it for the same string, quoted otherwise.
import type { ScalarDatum } from '../proof/datum.ts';
import type { Syntax } from '../syntax.ts';
import { isPlainSafe } from './plain-safety.ts';
import { quotedText } from './quoted-text.ts';

export function writeKey(key: string, isFlow: boolean, language: Syntax['name']): string {
  return isPlainKey(key, isFlow, language) ? key : quotedText(key, language);
}

/** The data of a key that `writeKey` wrote. */
export function newKeyDatum(key: string, isFlow: boolean, { name }: Syntax): ScalarDatum {
  return {
    kind: 'scalar',
    isPlain: isPlainKey(key, isFlow, name),
    value: key,
    tag: undefined,
    anchor: undefined,
  };
}

function isPlainKey(key: string, isFlow: boolean, language: Syntax['name']): boolean {
  return language === 'YAML' && isPlainSafe(key, isFlow);
}
