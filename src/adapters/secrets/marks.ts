// What of a mapping says that a value is a secret, beside its key, and what says that it is none.
import type { DocumentSpans } from '../tree/span-tree.ts';
import { type Member, scalarText } from './members.ts';

/** What says that its value is a secret: `sensitive: true` of Terraform, `type: securestring` of Azure. */
export function isMarked(document: DocumentSpans, { name, value }: Member): boolean {
  const text = scalarText(document, value)?.toLowerCase();
  return (name === 'sensitive' && text === 'true') || (name === 'type' && text === 'securestring');
}

/** A number below a name of a secret: `token: 5` counts something. */
export function isLikePin(source: string): boolean {
  return /^\d{4,}$/u.test(source);
}

export const MANY = /(?:passwords|passphrases|keys|secrets)$/iu;
/** What else a mapping of many may say. */
export const PLAIN =
  /^(?:name|type|enabled|create|kind|file|path|mode|length|namespace|user|username|url|host)$/iu;
