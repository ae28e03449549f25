// Recognises what marks a value in a mapping as secret, beside its key, and what marks it as none.
import { isReference } from '../../security/index.ts';
import type { DocumentSpans } from '../tree/span-tree.ts';
import { type Member, scalarText } from './members.ts';

/** True for a member that marks its mapping's value as secret: `sensitive: true` of Terraform, `type: securestring` of Azure. */
export function isMarked(document: DocumentSpans, { name, value }: Member): boolean {
  const text = scalarText(document, value)?.toLowerCase();
  return (name === 'sensitive' && text === 'true') || (name === 'type' && text === 'securestring');
}

/** True for a tag that reads the value from elsewhere: `!secret name` of Home Assistant, `!Env NAME` of authentik. */
export function isFetched(tag: string): boolean {
  return isReference(tag);
}

export const MANY = /(?:passwords|passphrases|keys|secrets)$/iu;
/** Keys of ordinary members in a mapping of several secrets. */
export const PLAIN =
  /^(?:name|type|enabled|create|kind|file|path|mode|length|namespace|user|username|url|host|description|items|properties|required|format|title|pattern)$/iu;
