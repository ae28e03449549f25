// Two servers that differ in nothing but the secrets of their files, which differ in letters and in length. Whatever is asked,
// also with the secret of one of them as a guess, both say the same: so no answer depends on a secret.
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../harness/clients.ts';
import { sharedStage } from '../../harness/previews.ts';
import { FLAGS, PLACES } from './places.ts';

const [RIGHT, WRONG] = ['Hunter2secretGuess', 'anotherValueOfMoreLetters7'] as const;
const files = (secret: string) =>
  Object.fromEntries(
    PLACES.map(({ file, text }, index): [string, string] => [named(file, index), text(secret)]),
  );
/** Those of the operator's path keep their name. */
const named = (file: string, index: number) => (file === 'asked.yaml' ? file : `p${index}-${file}`);

const right = sharedStage(FLAGS, files(RIGHT));
const wrong = sharedStage(FLAGS, files(WRONG));

/** Fingerprints, hashes, ids and times differ. Those that are equal within one answer stay equal. */
function withoutKeys(outcome: Outcome): string {
  const names = new Map<string, string>();
  return JSON.stringify(outcome)
    .replaceAll(/<secret:[0-9a-z]{8}>/gu, (found) => {
      const known = names.get(found) ?? `<${names.size}>`;
      names.set(found, known);
      return known;
    })
    .replaceAll(/\b(?:pv|ch)_[0-9a-z]{10}\b/gu, 'id')
    .replaceAll(/\b[0-9a-f]{12,64}\b/gu, 'hash')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, 'time');
}

describe.each(PLACES.map((place, index) => ({ ...place, name: named(place.file, index) })))(
  'nothing that is said depends on a secret: $why [DIS-10]',
  ({ name: file, path = 'x', text }) => {
    const edit = (more: object) => ['config_edit', { edits: [{ file, ...more }] }] as const;
    const parent = path.replace(/[.[][^.[]*$/u, '');
    const guesses = [RIGHT, RIGHT.slice(0, 4), `${RIGHT.slice(0, 3)}*`, '?'.repeat(RIGHT.length)];
    const CALLS: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[] = [
      ['config_get', { file }],
      ['config_get', { file, view: 'raw' }],
      ['config_get', { file, view: 'outline' }],
      ['config_get', { file, path: `${parent}[value=${RIGHT}]` }],
      ['config_list', { pattern: file }],
      ['config_validate', { file }],
      ...guesses.flatMap(
        (guess) =>
          [
            ['config_search', { pattern: file, value: guess }],
            ['config_search', { pattern: file, text: guess }],
            ['config_search', { pattern: file, where: `=${guess}` }],
            ['config_search', { pattern: file, where: `!=${guess}` }],
          ] as const,
      ),
      ['config_search', { pattern: file, where: '>1' }],
      ['config_set', { file, path, value: RIGHT }],
      ['config_set', { file, path, json: RIGHT }],
      ['config_set', { file, path, value: RIGHT, dry_run: false }],
      ['config_set', { file, path, value: '1', expected_sha256: '0123456789abcdef' }],
      edit({ op: 'set', path, value: '1', from: RIGHT }),
      edit({ op: 'delete', path: '**', from: RIGHT, expect: 1 }),
      edit({ op: 'delete', path: `${parent}[value=${RIGHT}]` }),
      edit({ op: 'replace_text', old_text: RIGHT, new_text: RIGHT }),
      edit({ op: 'replace_text', old_text: RIGHT.slice(0, 5), new_text: 'x' }),
      edit({ op: 'replace_text', path, old_text: RIGHT, new_text: 'x' }),
      edit({ op: 'append', path: '', value: `copy: ${RIGHT}` }),
      edit({ op: 'merge', path: '', json: { guess: RIGHT, password: RIGHT } }),
      edit({ op: 'comment', path: '', comment: `password: ${RIGHT}` }),
      edit({ op: 'create_file', content: text(RIGHT) }),
      edit({ op: 'insert', path: parent, before: RIGHT, value: 'x' }),
      edit({ op: 'insert', path: parent, after: `[value=${RIGHT}]`, value: 'x' }),
      edit({ op: 'copy', path, to: parent, after: RIGHT }),
      edit({ op: 'delete', path }),
      [
        'config_edit',
        {
          edits: [
            { op: 'delete', file, path },
            { op: 'set', file, path, value: RIGHT, create: true },
          ],
        },
      ],
      ['config_edit', { edits: [{ op: 'create_file', file: `new-${file}`, content: text(RIGHT) }] }],
      ['config_diff', { a: { file }, b: { file, path } }],
    ];

    it('also not with a right guess', async () => {
      const [one, other] = [(await right()).server, (await wrong()).server];
      for (const [tool, args] of CALLS) {
        const [said, alike] = [await one.callTool(tool, args), await other.callTool(tool, args)];
        expect(withoutKeys(said), `${tool} ${JSON.stringify(args)}`).toBe(withoutKeys(alike));
      }
    });
  },
);
