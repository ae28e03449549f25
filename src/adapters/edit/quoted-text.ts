// JSON's double-quoted strings, which are YAML's as well, with everything escaped that would deceive a reader.
import type { Syntax } from '../syntax.ts';

const DECEPTIVE = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{NChar}]/gu;

/** `json`: what JSON.stringify made of a value, one line or several. Means the same afterwards. */
export function escapeDeceptive(json: string, language: Syntax['name']): string {
  return json.replaceAll(DECEPTIVE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (language === 'YAML' && code > 0xffff) return `\\U${code.toString(16).padStart(8, '0')}`;
    return Array.from({ length: character.length }, (_, i) => {
      return `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
    }).join('');
  });
}

export function quotedText(text: string, language: Syntax['name']): string {
  return escapeDeceptive(JSON.stringify(text), language);
}

/** In single quotes, which can escape nothing; undefined where that could not be read or would deceive. */
export function singleQuoted(text: string): string | undefined {
  return isPrintable(text) && !/[\n\t]/.test(text) ? `'${text.replaceAll("'", "''")}'` : undefined;
}

/** Whether each character may stand as it is, between single quotes or in a block scalar. */
export function isPrintable(text: string): boolean {
  return !/[^\t\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|[\p{Cf}\p{Zl}\p{Zp}]/u.test(
    text,
  );
}
