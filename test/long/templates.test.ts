// Random edits of templates by the thousand; and where Go is installed, what its text/template makes of them before and
// after: the same text but for the edit.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { HELPERS } from '../adapters/formats/template/charts.ts';
import { type EditedTemplate, editRandomly } from '../adapters/formats/template/random-edits.ts';

/** Some make no sense where they are tried. */
const TRIED = 8_500;
const edited = editRandomly(10_000, TRIED);

test('5,000 random edits of templates leave every action that is not meant as it is', () => {
  const { done, refused, faults } = edited;
  process.stdout.write(`templates: ${done.length} edits, refused ${JSON.stringify(refused)}\n`);
  expect(faults.join('\n\n')).toBe('');
  expect(done.length).toBeGreaterThanOrEqual(5_000);
});

const hasGo = spawnSync('go', ['version']).status === 0;

test.skipIf(!hasGo)(
  'filled in by Go (skipped where it is not installed), they give the same text but for the edit',
  () => {
    const jobs = edited.done.flatMap(({ before, edits, after }) => [
      before,
      after,
      ...marked({ before, edits }),
    ]);
    const replies = fillIn(jobs.map((text) => ({ helpers: HELPERS, text })));
    let [compared, moved] = [0, 0];
    for (const [i, { op, before, after }] of edited.done.entries()) {
      const [old, next, oldMarked, nextMarked] = replies.slice(i * 4, i * 4 + 4);
      // An edit may name what is not there; what could be filled in before and after is compared.
      if (old?.out === undefined || next?.out === undefined) continue;
      if (oldMarked?.out === undefined || nextMarked?.out === undefined)
        throw new Error(`marks broke it\n${before}`);
      const shown = `${before}\n=>\n${after}`;
      expect(outside(nextMarked.out), shown).toBe(outside(oldMarked.out));
      // The marks themselves change nothing but how far blanks are trimmed.
      expect(bare(oldMarked.out), shown).toBe(bare(old.out));
      expect(bare(nextMarked.out), shown).toBe(bare(next.out));
      const [gone, come] = [inside(oldMarked.out), inside(nextMarked.out)];
      // What moves is filled in as it was, where both places are written.
      if (op === 'move' && gone.length > 0 && come.length > 0) {
        expect(come, shown).toEqual(gone);
        moved += 1;
      }
      compared += 1;
    }
    process.stdout.write(`templates: ${compared} of them filled in by Go before and after, ${moved} moves\n`);
    expect(compared).toBeGreaterThanOrEqual(1_000);
    expect(moved).toBeGreaterThan(0);
  },
);

const [OPEN, CLOSE] = ['⟦', '⟧'];

/** The text with a mark on either side of what goes, and of what comes. */
function marked({ before, edits }: Pick<EditedTemplate, 'before' | 'edits'>): readonly [string, string] {
  let [old, next] = ['', ''];
  let from = 0;
  for (const { start, end, insert } of [...edits].sort((a, b) => a.start - b.start)) {
    const same = before.slice(from, start);
    old += `${same}${OPEN}${before.slice(start, end)}${CLOSE}`;
    next += `${same}${OPEN}${insert}${CLOSE}`;
    from = end;
  }
  return [old + before.slice(from), next + before.slice(from)];
}

function outside(text: string): string {
  return text.replaceAll(/⟦[^⟧]*⟧/g, '');
}

/** What the marks hold, without blanks and without its dash or first key; each once. Empty brackets stand for what has left them. */
function inside(text: string): readonly string[] {
  const pieces = Array.from(text.matchAll(/⟦([^⟧]*)⟧/g), ([, piece = '']) =>
    bare(piece).replace(/^,?(?:-|[^:,]*:)?|,$/g, ''),
  );
  return [...new Set(pieces)].filter((piece) => !['', '{}', '[]'].includes(piece)).sort();
}

function bare(text: string): string {
  return text.replaceAll(/[\s⟦⟧]+/g, '');
}

const REPLY = z.object({ out: z.string().optional(), error: z.string().optional() });

function fillIn(jobs: readonly { readonly helpers: string; readonly text: string }[]) {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-go-'));
  try {
    writeFileSync(join(folder, 'go.mod'), 'module render\n\ngo 1.19\n');
    const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOCACHE: join(folder, 'cache') };
    const binary = join(folder, 'render');
    execFileSync('go', ['build', '-o', binary, join(import.meta.dirname, 'render', 'main.go')], {
      cwd: folder,
      env,
    });
    const input = jobs.map((job) => JSON.stringify(job)).join('\n');
    const output = execFileSync(binary, { input, maxBuffer: 2 ** 30 }).toString();
    return output
      .trimEnd()
      .split('\n')
      .map((line) => REPLY.parse(JSON.parse(line)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
