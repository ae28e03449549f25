// explain_error says what a code or a pasted message means, and what to do about it.
import { z } from 'zod';
import { closest, EXPLANATIONS, recogniseForeign } from '../adapters/index.ts';
import { ERROR_CATEGORIES, type ErrorCode, quoted } from '../security/index.ts';
import { runEvenIfInvalid, tool } from './tool.ts';

const CODES = Object.keys(ERROR_CATEGORIES).filter((code): code is ErrorCode => code in ERROR_CATEGORIES);

export const explainError = tool({
  name: 'explain_error',
  title: 'Explain an error',
  description: 'Explains an error code or message of this server, and how to recover.',
  input: z
    .strictObject({
      code: z.string().max(200).optional().describe('Such as NODE_NOT_FOUND'),
      message: z.string().max(20_000).optional().describe('The text of an error reply'),
    })
    .refine(({ code, message }) => code !== undefined || message !== undefined, {
      message: 'give code or message',
      path: ['code'],
      ...runEvenIfInvalid,
    }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run({ code, message }) {
    const own = findCode((code ?? '').toUpperCase()) ?? findCode(message ?? '');
    const foreign = own === undefined ? recogniseForeign(message ?? '') : undefined;
    const found = own ?? foreign?.code;
    if (found === undefined) {
      const nearest = closest((code ?? '').toUpperCase(), CODES);
      const suggestions = nearest.length > 0 ? nearest : CODES;
      const asked =
        code === undefined
          ? 'No code of this server stands in the message.'
          : `${quoted(code)} is no code of this server.`;
      return {
        text: `${asked} ${nearest.length > 0 ? 'Nearest' : 'The codes are'}: ${suggestions.join(', ')}`,
        data: { ok: true, known: false, suggestions },
      };
    }
    const { advice } = EXPLANATIONS[found];
    const meaning = foreign?.cause ?? EXPLANATIONS[found].meaning;
    const category = ERROR_CATEGORIES[found];
    return {
      text: [`${found} (${category}): ${meaning}`, ...advice.map((line) => `- ${line}`)].join('\n'),
      data: { ok: true, known: true, code: found, category, explanation: meaning, suggestions: advice },
    };
  },
});

/** Returns the first code that is a whole word of the text, because keys and files in a message may have names that contain a code. */
function findCode(text: string): ErrorCode | undefined {
  const words = text.match(/[A-Z][A-Z0-9_]+/g) ?? [];
  return words.flatMap((word) => CODES.find((code) => code === word) ?? [])[0];
}
