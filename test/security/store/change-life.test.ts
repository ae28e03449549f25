// A change from its intent to its end, and what shows that somebody has been at it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AuditIndex, ChangeStore } from '../../../src/security/index.ts';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { AT, draft, opened } from './ground.ts';

describe('a change', () => {
  it('is open until it is known how it ended, and tells when it was tampered with', () => {
    const { state, dir, log } = opened();
    const auditIndex = new AuditIndex(state.audit);
    const kept = { folder: state.changes, auditIndex, log, now: () => new Date(AT) };
    const changes = new ChangeStore({ ...kept, roots: '0'.repeat(64) });
    const { caller, policy, origin, files } = draft();
    const change = changes.draft({ caller, policy, origin, files, confirmed_by: 'direct' });
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
