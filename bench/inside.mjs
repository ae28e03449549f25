// Two pieces measured in this process, without a protocol: the parser and the diff, each against the library
// that does the same.
import { createTwoFilesPatch } from 'diff';
import { parseDocument } from 'yaml';
import { linesOf, readConfigFile, unifiedDiff } from '../dist/adapters/index.js';
import { DEFAULT_LIMITS } from '../dist/security/index.js';
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

export async function diffing(sample, isQuick) {
  const at = sample.text.indexOf('\n', sample.text.length >> 1) + 1;
  const edits = [{ start: at, end: at, insert: 'changed: true\n' }];
  // As where a change is shown: the file has been read, and its lines are counted once for all changes of it.
  const { stream } = readConfigFile(undefined, sample.text, LIMITS);
  const after = `${sample.text.slice(0, at)}changed: true\n${sample.text.slice(at)}`;
  return race(
    {
      airlock: { run: () => unifiedDiff(sample.name, sample.text, after, edits, linesOf(stream)) },
      diff: { run: () => createTwoFilesPatch(sample.name, sample.name, sample.text, after) },
    },
    isQuick ? 50 : 200,
    100,
  );
}
