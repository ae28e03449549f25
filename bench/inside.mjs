// The parser alone, in this process and without a protocol, against the library that does the same.
import { parseDocument } from 'yaml';
import { readConfigFile } from '../dist/adapters/formats/registry.js';
import { DEFAULT_LIMITS } from '../dist/security/policy/policy.js';
import { race } from './measure.mjs';

const LIMITS = { ...DEFAULT_LIMITS, parsedSizeBytes: 20_000_000, parseMs: 60_000 };
const OPTIONS = { keepSourceTokens: true, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' };

export async function parsing(sample, isQuick) {
  // A new text every round, as a read from the disk gives it: nothing may answer from a cache.
  const text = (round) => Buffer.from(`${sample.text}# ${round}\n`).toString();
  return race(
    {
      airlock: { run: (round) => readConfigFile(undefined, text(round), LIMITS) },
      yaml: { run: (round) => parseDocument(text(round), OPTIONS) },
    },
    isQuick ? 15 : 40,
    20,
  );
}
