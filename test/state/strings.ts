// Texts and names that a database could take for something else, or cannot keep at all.
import { expect, it } from 'vitest';
import { event } from './events.mjs';
import { beginDirect, type Ground, keep, requireWhole } from './ground.ts';

const TEXTS = [
  { what: 'nothing', text: '' },
  { what: 'a NUL', text: 'a\u0000b' },
  { what: 'nothing but NULs', text: '\u0000\u0000' },
  { what: 'what looks like one that is escaped', text: String.raw`a\u0000b \\u0000 \ud800 \x00 %00` },
  { what: 'characters of four bytes', text: '\u{1f511}\u{10ffff}𝒳' },
  { what: 'a byte order mark', text: '\ufeffa: 1\r\n' },
  { what: 'no normal form', text: 'e\u0301 \u00e9' },
  { what: 'quotes and statements', text: `'; DROP TABLE trail; -- " $1 ? \${x} {"a",NULL} \\. \b` },
  { what: 'what only looks like hexadecimal bytes', text: String.raw`\x6869` },
  { what: 'line ends of all kinds', text: '\r\n\n\r\u2028\u2029\u0085' },
  { what: 'more than half a megabyte', text: 'é\u0000x'.repeat(150_000) },
];

export function stringCases(ground: () => Ground): void {
  it('gives back texts as they were, whatever stands in them', async () => {
    const store = await ground().open();
    for (const { what, text } of TEXTS) {
      const fields = { texts: [text, 'a\n', text], reason: text, request: { [text]: [text] } };
      for (const { id, preview } of [await keep(store, fields), await beginDirect(store, fields)])
        expect([what, (await store.find(id))?.preview]).toEqual([what, preview]);
    }
  });

  it('gives back half of a character of two, which no file can hold, in all but the text of a file', async () => {
    const store = await ground().open();
    const half = 'a\ud800b\udc00';
    const { id, preview } = await keep(store, { reason: half, caller: { name: half, version: half } });
    expect((await store.find(id))?.preview).toEqual(preview);
    const approved = event('approved', id, {
      reviewer: half,
      reason: half,
      code: '\u0000',
      signed: { [half]: 1 },
    });
    await store.decide(id, [approved]);
    expect((await store.statusOf(id)).decisions).toEqual([approved]);
    expect((await store.trailAfter(1, 1)).map((row) => row.event)).toEqual([approved]);
    await requireWhole(store);
  });

  it('keeps a preview of very many files', async () => {
    const store = await ground().open();
    const { id, preview, answer } = await keep(store, {
      texts: Array.from({ length: 3_000 }, (_, n) => `n: ${n}\n`),
    });
    expect(answer).toBe('kept');
    expect((await store.find(id))?.preview).toEqual(preview);
  });
}
