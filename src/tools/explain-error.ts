// explain_error explains an error code, and what to do about it.
import { z } from 'zod';
import { closest } from '../adapters/tree/closest.ts';
import { type ErrorCode, meaningOf, REFUSALS } from '../security/errors/refusals.ts';
import { quoted } from '../security/text/visible.ts';
import { runEvenIfInvalid, tool } from './tool.ts';

const CODES = Object.keys(REFUSALS).filter((code): code is ErrorCode => code in REFUSALS);

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
    const found = findCode((code ?? '').toUpperCase()) ?? findCode(message ?? '');
    if (found !== undefined) {
      const { means, way } = meaningOf(found);
      return { text: `${found}: ${means}\n${way}`, data: { ok: true, known: true, code: found, means, way } };
    }
    const nearest = closest((code ?? '').toUpperCase(), CODES);
    const codes = nearest.length > 0 ? nearest : CODES;
    const asked =
      code === undefined
        ? 'There is no code of this server in the message.'
        : `${quoted(code)} is no code of this server.`;
    return {
      text: `${asked} ${nearest.length > 0 ? 'Nearest' : 'The codes are'}: ${codes.join(', ')}`,
      data: { ok: true, known: false, codes },
    };
  },
});

/** Returns the first code that is a whole word of the text: names of keys and files in a message may contain one. */
function findCode(text: string): ErrorCode | undefined {
  const words = text.match(/[A-Z][A-Z0-9_]+/g) ?? [];
  return words.flatMap((word) => CODES.find((code) => code === word) ?? [])[0];
}
