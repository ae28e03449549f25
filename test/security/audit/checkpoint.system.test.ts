// A start reads the newest sealed checkpoint and what has come since. A checkpoint that is not the sealed one costs time
// and changes no answer, and one that was cut off by a kill or a failing disk stops nobody.
import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/security/index.ts';
import { EACH, NOT_WHOLE, toldBy, trailGround } from './ground.ts';

type Ground = ReturnType<typeof trailGround>;

const reject = (preview: string) => ({ action: 'reject', reviewer: 'ann', preview });
const applied = (preview: string, change_id: string) => ({
  ...{ action: 'commit', outcome: 'applied', preview, change_id },
});
const PREVIEWS = ['a', 'b', 'c', 'd'];

/** Four files: each but the first begins with its seal, and has the "no" to one preview. */
function fourFiles() {
  const ground = trailGround(0, EACH);
  for (const preview of PREVIEWS) ground.append(reject(preview));
  const rejected = () => {
    const trail = ground.again();
    return PREVIEWS.filter((preview) => trail.statusOf(preview).rejectedBy === 'ann');
  };
  return { ...ground, rejected };
}

describe('a start', () => {
  it('reads the newest file and its checkpoint, and no file before that', () => {
    const { again, append, file, rejected, lines } = fourFiles();
    for (const number of [1, 2, 3]) rmSync(file(number));
    expect(rejected()).toEqual(PREVIEWS);
    append(applied('e', 'f'));
    const trail = again();
    trail.append(() => [reject('e')]);
    expect(trail.statusOf('e')).toMatchObject({ rejectedBy: 'ann', changeId: 'f' });
    expect(lines(6)).toHaveLength(2);
    expect(rejected()).toEqual(PREVIEWS);
  });

  it('knows what is said of the previews and changes that are kept, and of no other', () => {
    const kept = () => ({ previews: new Set(['p']), changes: new Set(['c']), at: '~' });
    const { append, fromBoth } = trailGround(0, { kept });
    append(reject('p'), reject('q'), applied('q', 'c'), applied('p', 'd'), applied('r', 'e'));
    append({ action: 'approve', preview: 'q', reviewer: 'bob', signed: {} });
    const [all, start] = fromBoth();
    const known = ['p', 'q', 'r'].flatMap((id) => {
      const { rejectedBy, changeId, decisions } = start?.statusOf(id) ?? {};
      return [rejectedBy, changeId, decisions?.size];
    });
    expect(known).toEqual(['ann', 'd', 0, undefined, 'c', 0, undefined, undefined, 0]);
    expect(['c', 'd', 'e'].map((id) => start?.hasChange(id))).toEqual([true, true, false]);
    // Nor does one that runs on.
    expect(all?.statusOf('r').changeId).toBeUndefined();
  });

  it('finds the last two checkpoints, and no older one', () => {
    const { dir, append } = fourFiles();
    append(reject('e'));
    const names = readdirSync(join(dir, 'audit')).filter((name) => name.startsWith('checkpoint'));
    expect(names).toEqual(['checkpoint-000004.jsonl', 'checkpoint-000005.jsonl']);
  });
});

describe('a checkpoint', () => {
  const change = (to: (text: string) => string) => (file: string) =>
    writeFileSync(file, to(readFileSync(file, 'utf8')), { mode: 0o600 });

  const damages: { why: string; damage: (file: string, ground: Ground) => void }[] = [
    { why: 'is gone', damage: (file) => rmSync(file) },
    { why: 'has lost a "no"', damage: change((text) => text.split('\n').slice(1).join('\n')) },
    { why: 'says another name', damage: change((text) => text.replaceAll('ann', 'eve')) },
    { why: 'was cut by a power cut', damage: change((text) => text.slice(0, -5)) },
    { why: 'is empty', damage: change(() => '') },
    { why: 'has a yes that nobody recorded', damage: change((text) => text.replaceAll('reject', 'approve')) },
    { why: 'goes on', damage: change((text) => `${text}${JSON.stringify(applied('a', 'x'))}\n`) },
    { why: 'is an earlier one', damage: change((text) => `${text.split('\n')[0]}\n`) },
    {
      why: 'is a link',
      damage: (file, { here }) => {
        renameSync(file, join(here.base, 'elsewhere'));
        symlinkSync(join(here.base, 'elsewhere'), file);
      },
    },
    { why: 'could be written by others', damage: (file) => chmodSync(file, 0o666) },
  ];

  it.each(damages)('that $why costs a start the reading of more, and changes no answer [APR-5]', (row) => {
    const ground = fourFiles();
    row.damage(ground.checkpoint(4), ground);
    // The one before it is as good.
    for (const number of [1, 2]) renameSync(ground.file(number), `${ground.file(number)}.away`);
    expect(ground.rejected()).toEqual(PREVIEWS);
    row.damage(ground.checkpoint(3), ground);
    expect(toldBy(() => ground.again().readOn())).toEqual(NOT_WHOLE);
    for (const number of [1, 2]) renameSync(`${ground.file(number)}.away`, ground.file(number));
    expect(ground.rejected()).toEqual(PREVIEWS);
    expect(ground.again().hasChange('x')).toBe(false);
    for (const preview of ['e', 'f']) ground.append(reject(preview));
    expect(ground.rejected()).toEqual(PREVIEWS);
    expect(ground.verify()).toMatchObject({ isWhole: true, records: 11, notes: [] });
  });

  it('that was exchanged together with its seal breaks the chain', () => {
    const { checkpoint, file, rewrite, again } = fourFiles();
    const [text, sealed] = ['', /"checkpoint":"[0-9a-f]{64}"/u];
    for (const number of [3, 4]) {
      writeFileSync(checkpoint(number), text, { mode: 0o600 });
      const seal = `"checkpoint":"${sha256Hex(text)}"`;
      rewrite((lines) => lines.map((line) => line.replace(sealed, seal)), number);
    }
    expect(readFileSync(file(4), 'utf8')).toContain(sha256Hex(text));
    expect(toldBy(() => again().statusOf('a'))).toEqual(NOT_WHOLE);
  });
});

describe('a process that is killed as it begins a file', () => {
  /** The head is behind then, and the file has only that of what was to be written. */
  const leaves = (part: (text: string) => string) => (ground: Ground) => {
    const before = readFileSync(ground.head);
    ground.append(reject('e'));
    writeFileSync(ground.file(5), part(readFileSync(ground.file(5), 'utf8')));
    writeFileSync(ground.head, before);
  };
  const onlyCheckpoint = (ground: Ground) => {
    leaves(() => '')(ground);
    rmSync(ground.file(5));
  };

  it.each([
    { when: 'the checkpoint', kill: onlyCheckpoint },
    { when: 'an empty file', kill: leaves(() => '') },
    { when: 'a part of the seal', kill: leaves((text) => text.slice(0, 40)) },
    { when: 'the seal', kill: leaves((text) => text.slice(0, text.indexOf('\n') + 1)) },
    { when: 'the records, and not the head', kill: leaves((text) => text) },
  ])('once it has written $when stops nobody [AUD-5]', ({ kill }) => {
    const ground = fourFiles();
    kill(ground);
    expect(ground.rejected()).toEqual(PREVIEWS);
    for (const preview of ['f', 'g', 'h']) {
      ground.again().append(() => [reject(preview)]);
      expect(ground.again().statusOf(preview).rejectedBy).toBe('ann');
      expect(ground.verify()).toMatchObject({ isWhole: true, notes: [] });
    }
    expect(ground.rejected()).toEqual(PREVIEWS);
  });
});
