// Reads a list or an object that a model has sent as text in an argument. It needs nothing of the SDK, so that the worker
// thread does not load it.
import { MESSAGE_LIMITS, scanMessage } from './scan-message.ts';

const NESTED_LIMITS = { ...MESSAGE_LIMITS, envelopeTokens: MESSAGE_LIMITS.tokens };

/** Parses the text; undefined for any other text, and for one beyond the limits of a message. */
export function readNestedJson(text: string): unknown {
  if (!/^\s*[[{]/u.test(text) || scanMessage(text, NESTED_LIMITS).problem !== undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
