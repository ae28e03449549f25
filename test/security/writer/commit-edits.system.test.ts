// What may be handed over to be written: proven edits of this sandbox, and a change that is about exactly these.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Approved, commitEdits, Refusal, Verdict, VerifiedEdit } from '../../../src/security/index.ts';
import { draftOf } from '../../harness/change-draft.mjs';
import { judged } from '../../harness/verdict.mjs';
import { codeOfLater, place, rewritten } from '../fixture.ts';

afterEach(() => vi.restoreAllMocks());

function prepared() {
  const here = place();
  for (const name of ['a', 'b']) here.write(`root/${name}.yaml`, 'old\n');
  const sandbox = here.open();
  const edit = (name: string, text = 'new\n', by = sandbox) => rewritten(by, `${name}.yaml`, text);
  const write = (edits: readonly VerifiedEdit[], about = edits, confirmedBy?: string) => {
    const approved =
      confirmedBy === undefined
        ? undefined
        : Object.assign(Object.create(Approved.prototype), { confirmedBy });
    const verdict = judged(Verdict, sandbox, [edit('a'), ...about, ...edits].filter(VerifiedEdit.isGenuine));
    return commitEdits(sandbox, edits, { state: here.state(), draft: draftOf(about), verdict, approved });
  };
  const texts = () => ['a', 'b'].map((name) => readFileSync(join(here.root, `${name}.yaml`), 'utf8').trim());
  return { here, write, edit, texts };
}

describe('a commit', () => {
  it('takes no edit that was only made to look proven, nor one of another sandbox, nor one about other files', async () => {
    const { here, write, edit, texts } = prepared();
    const own = edit('a');
    const forged = () => write([Object.create(own)], [own]);
    await expect(forged()).rejects.toThrow(
      new TypeError('only a VerifiedEdit that was proven can be committed'),
    );
    const foreign = [edit('a', 'new\n', here.open())];
    await expect(write(foreign)).rejects.toThrow(
      new TypeError('the snapshot was read through another sandbox'),
    );
    const OTHER = new TypeError('the change that is kept is about other edits');
    for (const about of [[], [edit('b')], [own, edit('b')], [edit('a', 'newer\n')]])
      await expect(write([own], about)).rejects.toThrow(OTHER);
    expect(texts()).toEqual(['old', 'old']);
  });

  it('is about what changes, whatever else stays as it is', async () => {
    const { write, edit, texts } = prepared();
    const own = edit('b');
    await write([edit('a', 'old\n'), own], [own]);
    expect(texts()).toEqual(['old', 'new']);
  });

  it.each([
    { by: undefined, isAsked: true },
    { by: 'direct', isAsked: true },
    { by: 'preview', isAsked: true },
    { by: 'client', isAsked: false },
    { by: 'human', isAsked: false },
    { by: 'terminal', isAsked: false },
  ])('leaves room in the trail for people, but for what they confirmed: $by', async ({ by, isAsked }) => {
    const { here, write, edit, texts } = prepared();
    vi.spyOn(here.state(), 'requireRoom').mockImplementation(() => {
      throw new Refusal('NO_SPACE', 'full');
    });
    // What only looks like an approval is refused behind it.
    expect(await codeOfLater(() => write([edit('a')], undefined, by))).toBe(
      isAsked ? 'NO_SPACE' : 'TypeError',
    );
    expect(texts()).toEqual(['old', 'old']);
  });
});
