// What is masked of a text, to the letter: the shapes of tokens, the names of keys, what lines and manifests tell, and what is no
// secret. The rows of test/tables/masked-texts.yaml are files of a server, and read through a real client.
import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { startServer } from '../../harness/start-server.ts';
import { tempRoot } from '../../harness/temp-root.ts';

const Section = z.strictObject({
  name: z.string(),
  file: z.string(),
  flags: z.array(z.string()).default([]),
  around: z.string().default('§'),
  texts: z.array(z.string()),
});

const long = (text: string, count: number) => text.repeat(count);

/** Texts about the bounds of lengths. */
const LONG: z.infer<typeof Section> = {
  name: 'what is long',
  file: 'a.txt',
  flags: [],
  around: '§',
  texts: [
    `token: «${long('ab', 3_000)}»`,
    `x "«gh¬p_${long('aB3', 85)}»" y`,
    `x "«ey¬J${long('aB3', 1_365)}.${long('aB3', 2_730)}.${long('aB3', 2_730)}»" y`,
    `+ + token="«${long('a', 4_096)}»"`,
    `${long('a ', 2_000)}Bearer «${long('aB3', 700)}» x`,
  ],
};

const TABLE = z
  .array(Section)
  .parse(parse(readFileSync(new URL('../../tables/masked-texts.yaml', import.meta.url), 'utf8')));

/** As it is shown: the first line of a secret is its fingerprint, each other one a bare placeholder. */
function hidden(text: string): string {
  return text.replaceAll(/«([^»]*)»/gu, (_, secret: string) => {
    const [, ...more] = secret.split('\n');
    return ['***', ...more.map((line) => line.replace(/\S.*$/u, '*more*'))].join('\n');
  });
}

/** Without the numbers of the lines and their breaks, which other tests hold. */
function shownIn(reply: string): string {
  return reply
    .replaceAll(/^\d+\t/gmu, '')
    .replaceAll('<secret:more>', '*more*')
    .replaceAll(/<secret:\w{8}>/gu, '***');
}

it.each([...TABLE, LONG])('of a text this is masked, and nothing else: $name [DIS-9]', async (section) => {
  const { file, flags, around, texts } = section;
  const rows = texts.map((text, at) => {
    const marked = around.replace('§', () => text).replaceAll('¬', '');
    return { name: `${at}/${file}`, text: marked.replaceAll(/[«»]/gu, ''), shown: hidden(marked) };
  });
  const root = tempRoot(Object.fromEntries(rows.map(({ name, text }) => [name, text])), memoryDisk());
  const server = await startServer({ root: root.dir, flags: ['--allow', '**', ...flags] });
  onTestFinished(async () => {
    await server.close();
    root.remove();
  });
  const wrong: unknown[] = [];
  for (const { name, text, shown } of rows) {
    const { text: reply } = await server.callTool('config_get', { file: name, view: 'raw' });
    const is = shownIn(reply).trimEnd();
    const wanted = shown.replaceAll('\r', '').trimEnd();
    if (is !== wanted) wrong.push({ text, wanted, is });
  }
  expect(wrong).toEqual([]);
});

it('the table has texts in which something is masked, and others', () => {
  const texts = TABLE.flatMap((section) => section.texts);
  const secret = texts.filter((text) => text.includes('«')).length;
  expect(secret).toBeGreaterThan(700);
  expect(texts.length - secret).toBeGreaterThan(500);
});
