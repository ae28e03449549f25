import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineOf } from '../../../src/security/audit/record.ts';
import { thisProcess } from '../../../src/security/commit/lock-owner.ts';
import {
  Approved,
  approvedAtTerminal,
  approvedByClient,
  approvedByPreview,
  approvedByReviewer,
  ChangeStore,
  ClaimedPlan,
  canonicalJson,
  contentId,
  Ledger,
  makeReviewerKey,
  openReviewerKey,
  openStateDir,
  type Plan,
  readReviewers,
  reviewerOf,
  StateDir,
  StoredPlan,
  signDecision,
} from '../../../src/security/index.ts';
import { codeOf, place, refusalOf, rewritten } from '../fixture.ts';
import { AT, BASE, CHANGE_ID, draft, idOf, look, opened } from './ground.ts';

function openToAll(dir: string): void {
  mkdirSync(dir);
  chmodSync(dir, 0o777);
}

describe('the state directory', () => {
  it('is made for its owner alone', () => {
    const { dir } = opened();
    for (const folder of ['', 'plans', 'decisions', 'changes', 'audit'])
      expect(statSync(join(dir, folder)).mode & 0o777).toBe(0o700);
  });

  it.each([
    { why: 'a symbolic link', make: (dir: string) => symlinkSync(join(dir, '..', 'outside'), dir) },
    { why: 'open to others', make: openToAll },
    { why: 'a file', make: (dir: string) => writeFileSync(dir, '') },
    {
      why: 'one whose plans are a link',
      make: (dir: string) => {
        mkdirSync(dir, { mode: 0o700 });
        symlinkSync(join(dir, '..', 'outside'), join(dir, 'plans'));
      },
    },
  ])('stops the start where it is $why', ({ make }) => {
    const here = place();
    const dir = join(here.base, 'state');
    make(dir);
    expect(codeOf(() => openStateDir(dir, [{ name: undefined, dir: here.root }]))).toBe('StartError');
  });

  it('stops the start inside a root or around one, before anything is made', () => {
    const here = place();
    for (const dir of [join(here.root, 'x/state'), here.base, here.root])
      expect(codeOf(() => openStateDir(dir, [{ name: undefined, dir: here.root }]))).toBe('StartError');
    expect(readdirSync(here.root)).toEqual([]);
  });
});

describe('a stored plan', () => {
  it('is loaded as it was saved, also by another process, and its file is private', () => {
    const { plans, dir } = opened();
    const id = idOf(plans());
    expect(plans().load(id, look).plan).toMatchObject(draft());
    expect(statSync(join(dir, 'plans', `${id}.json`)).mode & 0o777).toBe(0o600);
  });

  it.each<{ why: string; change: (plan: Plan) => unknown; texts?: string }>([
    {
      why: 'the diff',
      change: (plan) => ({ ...plan, files: plan.files.map((f) => ({ ...f, diff: 'harmless' })) }),
    },
    { why: 'the base', change: (plan) => plan, texts: 'a: 9\n' },
    { why: 'the length of the base', change: (plan) => plan, texts: `${BASE}b` },
    {
      why: 'the place of the base',
      change: (plan) => ({ ...plan, files: plan.files.map((f) => ({ ...f, base: BASE })) }),
    },
    {
      why: 'the edits',
      change: (plan) => ({
        ...plan,
        files: plan.files.map((f) => ({ ...f, edits: [{ start: 3, end: 4, insert: '9' }] })),
      }),
    },
    {
      why: 'the changes',
      change: (plan) => ({ ...plan, files: plan.files.map((f) => ({ ...f, changes: [] })) }),
    },
    { why: 'an unknown field', change: (plan) => ({ ...plan, approved: true }) },
    { why: 'the level of approval', change: (plan) => ({ ...plan, approval: 'nobody' }) },
    { why: 'the expiry', change: (plan) => ({ ...plan, expires_at: '2099-01-01T00:00:00.000Z' }) },
    { why: 'the roots', change: (plan) => ({ ...plan, roots: 'none' }) },
  ])(
    'is not found once somebody has changed $why, under the old id and under a new one',
    ({ change, texts = BASE }) => {
      const { plans, dir, here } = opened();
      const id = idOf(plans());
      const file = join(dir, 'plans', `${id}.json`);
      const [stored = ''] = readFileSync(file, 'utf8').split('\n');
      const line = canonicalJson(change(JSON.parse(stored)));
      const text = `${line}\n${texts}`;
      writeFileSync(file, text);
      expect(codeOf(() => plans().load(id, look))).toBe('PREVIEW_NOT_FOUND');
      expect(here.logged().at(-1)).toMatchObject({ event: 'plan_tampered' });
      writeFileSync(join(dir, 'plans', `${contentId(line)}.json`), text, { mode: 0o600 });
      expect(codeOf(() => plans().load(contentId(line), look))).toBe('PREVIEW_NOT_FOUND');
    },
  );

  it('cannot be named by anything but its id', () => {
    const { plans } = opened();
    for (const id of ['', '../audit/head', 'x'.repeat(43), '\0'])
      expect(codeOf(() => plans().load(id, look))).toBe('PREVIEW_NOT_FOUND');
  });

  // WORK-021.
  it('expires: minutes for an agent, days for a person, and at once where the clock was set back', () => {
    const { plans, pass } = opened();
    const [agent, person] = [idOf(plans(), { approval: 'preview' }), idOf(plans())];
    pass(16);
    expect(codeOf(() => plans().load(agent, look))).toBe('PREVIEW_EXPIRED');
    expect(plans().load(person, look).id).toBe(person);
    pass(-60);
    expect(codeOf(() => plans().load(person, look))).toBe('PREVIEW_EXPIRED');
    pass(8 * 24 * 60);
    plans().tidy();
    expect(codeOf(() => plans().load(person, look))).toBe('PREVIEW_EXPIRED');
    expect(plans().waiting()).toEqual([]);
  });

  // WORK-020.
  it('is one of a bounded number: what was used goes first, then what has expired, then the oldest', () => {
    const { plans, pass, state } = opened();
    const store = plans({ plans: 4, totalBytes: 1e6, planBytes: 1e5 });
    const agent = { approval: 'preview' } as const;
    const late = idOf(store, agent);
    pass(16);
    const [oldest, used, next] = [idOf(store, agent), idOf(store, agent), idOf(store, agent)];
    store.claim(approvedByPreview(store.load(used, look), 'preview'), CHANGE_ID);
    const why = (id: string) => refusalOf(() => store.load(id, look))?.message;
    idOf(store, agent);
    expect(why(used)).toContain('applied already');
    expect(why(late)).toContain('too old');
    expect(state.plans.names().filter((name) => name.endsWith('.gone'))).toHaveLength(2);
    expect([oldest, next].map(why)).toEqual([undefined, undefined]);
    for (let more = 0; more < 2; more += 1) idOf(store, agent);
    expect(why(oldest)).toContain('dropped to make room');
    expect(codeOf(() => store.load(oldest, look))).toBe('PREVIEW_EXPIRED');
    expect(store.save(draft({ warnings: ['x'.repeat(1e5)] }))).toBeUndefined();
    // Whoever serves other roots is told nothing of all that.
    for (const id of [oldest, used, late, next])
      expect(codeOf(() => plans(undefined, '1'.repeat(64)).load(id, look))).toBe('PREVIEW_NOT_FOUND');
  });

  // WORK-020.
  it('is not pushed out by a flood while it waits for a person: not by previews, other roots or other proposals', () => {
    const { plans, decide, ann } = opened();
    const bounds = { plans: 3, totalBytes: 1e6, planBytes: 1e5 };
    const [store, others] = [plans(bounds), plans(bounds, '1'.repeat(64))];
    const ids = [idOf(store), idOf(store), idOf(store)];
    for (let more = 0; more < 5; more += 1) {
      idOf(store, { approval: 'preview' });
      if (more < 3) idOf(others);
      expect(codeOf(() => store.save(draft()))).toBe('APPROVAL_UNAVAILABLE');
    }
    for (const id of ids) expect(store.load(id, look).id).toBe(id);
    expect([store.waitingCount, others.waitingCount]).toEqual([6, 3]);
    // A person's own part has room; and each rejection makes room.
    const [first = '', second = ''] = ids;
    expect(idOf(store, { origin: { kind: 'part', of: second, kept: [0] } })).not.toBe('');
    for (const plan of [first, second])
      decide(signDecision({ v: 1, plan, decision: 'reject', reviewer: 'ann', at: AT }, ann));
    idOf(store);
    expect(codeOf(() => store.load(first, look))).toBe('APPROVAL_DECLINED');
  });

  it('is claimed once, and can be tried again where nothing came of it', () => {
    const { plans } = opened();
    const id = idOf(plans(), { approval: 'preview' });
    const approved = approvedByPreview(plans().load(id, look), 'preview');
    const claim = plans().claim(approved, CHANGE_ID);
    expect(codeOf(() => plans().claim(approved, CHANGE_ID))).toBe('PREVIEW_USED');
    expect(codeOf(() => plans().load(id, look))).toBe('PREVIEW_USED');
    expect(claim.changeId).toBe(CHANGE_ID);
    plans().release(id, 'B'.repeat(43));
    expect(codeOf(() => plans().load(id, look))).toBe('PREVIEW_USED');
    plans().release(id, CHANGE_ID);
    expect(plans().load(id, look).id).toBe(id);
  });

  it('covers exactly its own edits', () => {
    const { plans, here } = opened();
    here.write('root/a.yaml', BASE);
    const sandbox = here.open();
    const whole = [{ start: 0, end: 5, insert: 'a: 2\n' }];
    const files = draft().files.map((file) => ({ ...file, edits: whole }));
    const id = idOf(plans(), { approval: 'preview', files });
    const claim = plans().claim(approvedByPreview(plans().load(id, look), 'preview'), CHANGE_ID);
    expect(claim.covers([rewritten(sandbox, 'a.yaml', 'a: 2\n')])).toBe(true);
    expect(claim.covers([rewritten(sandbox, 'a.yaml', 'a: 3\n')])).toBe(false);
    expect(claim.covers([])).toBe(false);
  });
});

describe('an approval by a reviewer', () => {
  // WORK-011, WORK-015.
  it('is a signature over this very plan', () => {
    const { plans, decisions, decide, ann, reviewers } = opened();
    const plan = plans().load(idOf(plans()), look);
    expect(codeOf(() => approvedByReviewer(plan, decisions))).toBe('APPROVAL_REQUIRED');
    expect(reviewerOf(ann, reviewers)?.name).toBe('ann');
    decide(signDecision({ v: 1, plan: plan.id, decision: 'approve', reviewer: 'ann', at: AT }, ann));
    const approved = approvedByReviewer(plan, decisions);
    expect([approved.confirmedBy, approved.reviewer]).toEqual(['human', 'ann']);
  });

  it('does not come from a key that is not listed, another plan, another name or a changed word', () => {
    const { plans, decisions, ann, dir } = opened();
    const [one, two] = [idOf(plans()), idOf(plans())];
    const plan = plans().load(one, look);
    const eve = openReviewerKey(makeReviewerKey('eve', 'x').privatePem, 'x');
    const yes = (id: string, reviewer = 'ann') =>
      ({ v: 1, plan: id, decision: 'approve', reviewer, at: AT }) as const;
    const put = (key: string, signed: unknown) =>
      writeFileSync(join(dir, 'decisions', `${one}.${key}.json`), canonicalJson(signed), { mode: 0o600 });
    put(eve.id, signDecision(yes(one), eve));
    put(ann.id, { ...signDecision(yes(one), eve), key: ann.id });
    expect(codeOf(() => approvedByReviewer(plan, decisions))).toBe('APPROVAL_REQUIRED');
    put(ann.id, signDecision(yes(two), ann));
    expect(codeOf(() => approvedByReviewer(plan, decisions))).toBe('APPROVAL_REQUIRED');
    put(ann.id, signDecision(yes(one, 'bob'), ann));
    expect(codeOf(() => approvedByReviewer(plan, decisions))).toBe('APPROVAL_REQUIRED');
    const no = signDecision({ ...yes(one), decision: 'reject' }, ann);
    put(ann.id, { ...no, decision: { ...no.decision, decision: 'approve' } });
    expect(codeOf(() => approvedByReviewer(plan, decisions))).toBe('APPROVAL_REQUIRED');
    expect(() => decisions.save(signDecision(yes(one), eve))).toThrow(TypeError);
  });

  it('is none where it was rejected, or given for a part', () => {
    const { plans, decisions, decide, ann } = opened();
    const [id, part] = [idOf(plans()), idOf(plans())];
    const plan = plans().load(id, look);
    const by = { v: 1, plan: id, reviewer: 'ann', at: AT } as const;
    decide(signDecision({ ...by, decision: 'part', part }, ann));
    expect(refusalOf(() => approvedByReviewer(plan, decisions))).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      clues: { previewId: part },
    });
    decide(signDecision({ ...by, decision: 'reject', note: 'not \u001b[2J today' }, ann));
    const refusal = refusalOf(() => approvedByReviewer(plan, decisions));
    expect(refusal?.code).toBe('APPROVAL_DECLINED');
    expect(refusal?.message).toContain('not <U+001B>[2J today');
  });

  it('is not an older one that was put back, not even with a record that somebody added to the trail', () => {
    const { plans, decide, decisions, trail, ann, pass, dir } = opened();
    const [id, part] = [idOf(plans()), idOf(plans())];
    const plan = plans().load(id, look);
    const by = { v: 1, plan: id, reviewer: 'ann' } as const;
    const older = signDecision({ ...by, decision: 'approve', at: AT }, ann);
    decide(older);
    expect(approvedByReviewer(plan, decisions).reviewer).toBe('ann');
    pass(5);
    decide(signDecision({ ...by, decision: 'part', part, at: '2026-11-21T12:05:00.000Z' }, ann));
    decisions.save(older);
    expect(codeOf(() => approvedByReviewer(plan, decisions))).toBe('APPROVAL_REQUIRED');
    trail.append({ action: 'approve', outcome: 'kept', plan: id, reviewer: 'ann' });
    expect(codeOf(() => approvedByReviewer(plan, decisions))).toBe('APPROVAL_REQUIRED');
    // Not even with one that makes the later word look older.
    const { seq, sha256 } = trail.append({ action: 'undo' })[0] ?? { seq: 0, sha256: '' };
    const forged = lineOf({ seq: seq + 1, prev: sha256 }, '1970-01-01T00:00:00.000Z', {
      ...{ action: 'part', outcome: 'kept', plan: id, reviewer: 'ann' },
    });
    appendFileSync(join(dir, 'audit/audit-000001.jsonl'), `${forged.line}\n`);
    trail.append({ action: 'approve', outcome: 'kept', plan: id, reviewer: 'ann' });
    expect(codeOf(() => approvedByReviewer(plan, decisions))).toBe('APPROVAL_REQUIRED');
    // Nor does a record undo a use or a no.
    trail.append({ action: 'commit', outcome: 'applied', plan: part, change_id: CHANGE_ID });
    for (const outcome of ['rolled_back', 'refused', 'failed'])
      trail.append({ action: 'recover', outcome, plan: part, change_id: CHANGE_ID, code: 'BUSY' });
    expect(codeOf(() => plans().load(part, look))).toBe('PREVIEW_USED');
    trail.append({ action: 'reject', outcome: 'kept', plan: id, reviewer: 'eve' });
    trail.append({ action: 'approve', outcome: 'kept', plan: id, reviewer: 'eve' });
    decide(signDecision({ ...by, decision: 'approve', at: '2026-11-21T12:06:00.000Z' }, ann));
    expect(codeOf(() => approvedByReviewer(plan, decisions))).toBe('APPROVAL_DECLINED');
  });

  it('is not forgotten, nor a no or a use, behind however many records of others', () => {
    const { state, trail } = opened();
    const few = new Ledger(state.audit, 3);
    const say = (action: string, plan: string, more: object = {}) =>
      trail.append({ action, outcome: 'kept', plan, reviewer: 'ann', ...more });
    say('reject', 'no');
    say('commit', 'used', { outcome: 'applied', change_id: 'c' });
    const flood = () => {
      for (let n = 0; n < 5; n += 1) say('commit', `other ${n}`, { outcome: 'applied', change_id: `o${n}` });
    };
    flood();
    expect(few.fateOf('no').rejectedBy).toBe('ann');
    flood();
    expect(few.fateOf('used').changeId).toBe('c');
    flood();
    for (const plan of ['no', 'used']) say('approve', plan, { reviewer: 'bob' });
    expect(few.fateOf('no').rejectedBy).toBe('ann');
    expect(few.fateOf('used').changeId).toBe('c');
    expect(few.fateOf('nobody').said.size).toBe(0);
  });

  it('cannot be made in another way', () => {
    const { plans } = opened();
    const plan = plans().load(idOf(plans()), look);
    expect(() => approvedByPreview(plan, 'human')).toThrow(TypeError);
    expect(() => approvedByPreview(plan, 'client')).toThrow(TypeError);
    expect(() => approvedAtTerminal(plan, 'human')).toThrow(TypeError);
    for (const approval of ['direct', 'preview', 'human'] as const)
      expect(() => approvedByClient(plan, approval)).toThrow(TypeError);
    expect(approvedByClient(plan, 'client').confirmedBy).toBe('client');
    expect(approvedAtTerminal(plan, 'direct').confirmedBy).toBe('terminal');
    for (const made of [Approved, ClaimedPlan, StoredPlan, StateDir])
      expect(() => Reflect.construct(made, [Symbol('x'), plan, 'human'])).toThrow(TypeError);
    const lookAlike = Object.create(Approved.prototype);
    expect(() => plans().claim(lookAlike, CHANGE_ID)).toThrow(TypeError);
    expect(Approved.isGenuine(lookAlike) || ClaimedPlan.isGenuine({})).toBe(false);
  });
});

describe('the reviewers file', () => {
  it.each([
    { why: 'others may write to it', text: '', mode: 0o666 },
    { why: 'it names nobody', text: '# nobody\n', mode: 0o600 },
    { why: 'a line is none', text: 'ann ed25519:short\n', mode: 0o600 },
  ])('stops the start where $why', ({ text, mode }) => {
    const here = place();
    const file = here.write('reviewers', text === '' ? makeReviewerKey('ann', 'x').line : text);
    chmodSync(file, mode);
    expect(codeOf(() => readReviewers(file, [here.root]))).toBe('StartError');
  });

  it('stops the start inside a root, and where one key has two names', () => {
    const here = place();
    const { line } = makeReviewerKey('ann', 'x');
    const inside = here.write('root/reviewers', line, 0o600);
    const twice = here.write('reviewers', `${line}\n${line.replace('ann', 'bob')}\n`, 0o600);
    for (const file of [inside, twice])
      expect(codeOf(() => readReviewers(file, [here.root]))).toBe('StartError');
  });

  it.skipIf(process.platform === 'win32')(
    'stops the start where everybody can replace it, also behind a link',
    () => {
      const here = place();
      const { line } = makeReviewerKey('ann', 'x');
      const open = join(here.base, 'open');
      mkdirSync(join(open, 'own'), { recursive: true, mode: 0o755 });
      const files = ['open/reviewers', 'open/own/reviewers'].map((name) => here.write(name, line, 0o600));
      symlinkSync(join(open, 'own/reviewers'), join(here.base, 'link'));
      const good = here.write('good', line, 0o600);
      symlinkSync(good, join(open, 'own/there'));
      symlinkSync(join(open, 'own/there'), join(here.base, 'far'));
      const all = [...files, join(here.base, 'link'), join(open, 'own/there'), join(here.base, 'far')];
      for (const file of all)
        expect(
          codeOf(() => readReviewers(file, [here.root])),
          file,
        ).toBe('no error');
      chmodSync(open, 0o777);
      for (const file of all)
        expect(
          codeOf(() => readReviewers(file, [here.root])),
          file,
        ).toBe('StartError');
      chmodSync(open, 0o1777);
      for (const file of all)
        expect(
          codeOf(() => readReviewers(file, [here.root])),
          file,
        ).toBe('no error');
    },
  );

  it.each([
    '00'.repeat(32),
    `${'00'.repeat(31)}80`,
    `01${'00'.repeat(31)}`,
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    `ee${'ff'.repeat(31)}`,
  ])('holds no key that anybody can sign for: %s', (hex) => {
    const here = place();
    const file = here.write(
      'reviewers',
      `ann ed25519:${Buffer.from(hex, 'hex').toString('base64')}\n`,
      0o600,
    );
    expect(codeOf(() => readReviewers(file, [here.root]))).toBe('StartError');
  });

  it('goes with a key that only its passphrase opens', () => {
    const { privatePem } = makeReviewerKey('ann', 'right');
    expect(privatePem).toContain('ENCRYPTED');
    expect(codeOf(() => openReviewerKey(privatePem, 'wrong'))).toBe('StartError');
    expect(codeOf(() => makeReviewerKey('an n', 'x'))).toBe('StartError');
  });
});

describe('a change', () => {
  it('is open until it is known how it ended, and tells when it was tampered with', () => {
    const { state, dir, log } = opened();
    const ledger = new Ledger(state.audit);
    const kept = { folder: state.changes, ledger, log, now: () => new Date(AT) };
    const changes = new ChangeStore({ ...kept, roots: '0'.repeat(64) });
    const { asked_by, policy, origin, files } = draft();
    const change = changes.draft({ asked_by, policy, origin, files, confirmed_by: 'direct' });
    changes.begin(change);
    expect(changes.find(change.id)?.isOpen).toBe(true);
    // This process lives: its change is nobody else's to settle.
    expect(changes.orphans()).toEqual([]);
    writeFileSync(join(dir, 'changes', `${change.id}.open`), DEAD, { mode: 0o600 });
    // Nor is it that of a server of other roots, whose files say nothing about it.
    const others = new ChangeStore({ ...kept, roots: '1'.repeat(64) });
    expect([others.find(change.id), others.orphans()]).toEqual([undefined, []]);
    expect(changes.orphans()).toEqual([change.id]);
    changes.finish(change.id);
    expect(changes.find(change.id)).toMatchObject({ isOpen: false, confirmed_by: 'direct', files });
    changes.tidy();
    expect(changes.ids()).toEqual([change.id]);
    writeFileSync(join(dir, 'changes', `${change.id}.json`), change.text.replace('test', 'eve'));
    expect(changes.find(change.id)).toBeUndefined();
    changes.abandon(change.id);
    expect(changes.ids()).toEqual([]);
  });
});

// Above the largest pid that Linux gives out.
const DEAD = JSON.stringify({ ...thisProcess(), pid: 4_194_304 });
