// What a rule that counts is told of the past of a file: all that the trail and the records say together, and that it is
// unknown where they do not.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AuditTrail } from '../../../src/security/index.ts';
import { pastOfFile } from '../../../src/security/store/past-of-file.ts';
import { changing } from './changing.ts';
import { fileOf, KEEPS_ALL } from './ground.ts';

const time = (hour: number) => `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`;
const NOW = time(12);

function past() {
  const all = changing();
  const { state, changes, put, at } = all;
  let [clock, kept] = [NOW, KEEPS_ALL.kept()];
  const open = (rotateBytes = 1e6) =>
    new AuditTrail({
      ...{ folder: state.audit, lock: () => state.lock(), now: () => new Date(clock), rotateBytes },
      ...{ isDiskLow: () => false, kept: () => kept },
    });
  let trail = open();
  return {
    ...all,
    /** A change that is kept and recorded, at an hour of the day. */
    made: (hour: number, file = 'a.yaml', outcome = 'applied', base = 'a: 1\n') => {
      clock = time(hour);
      const id = put(undefined, undefined, { files: [fileOf(base, file)] });
      trail.append(() => [{ action: 'commit', outcome, change_id: id, file }]);
      return id;
    },
    record: (hour: number, record: object) => {
      clock = time(hour);
      trail.append(() => [{ ...record }]);
    },
    drop: (id: string) => rmSync(at(`${id}.json`)),
    /** What a process that starts now reads; `ids`: the changes that are kept then. */
    restart: (ids?: readonly string[], rotateBytes?: number) => {
      kept = ids === undefined ? KEEPS_ALL.kept() : { previews: new Set(), changes: new Set(ids), at: '~' };
      trail = open(rotateBytes);
    },
    ask: (file = 'a.yaml') => {
      clock = NOW;
      const { changes: found, knownSince } = pastOfFile({ changes: all.store(), trail, dir: state }, file);
      return { at: found.map(({ at: when, file: one }) => `${when.slice(11, 13)} ${one.file}`), knownSince };
    },
    changes,
  };
}

it('is every change of the file, newest first, in any spelling of its name, and no other', () => {
  const { made, ask } = past();
  made(1);
  made(2, 'b.yaml');
  made(3, 'A.YAML');
  made(4, 'x/a.yaml');
  expect(ask()).toEqual({ at: ['03 A.YAML', '01 a.yaml'], knownSince: '' });
  expect(ask('c.yaml')).toEqual({ at: [], knownSince: '' });
});

it('is the same for a process that starts from a checkpoint', () => {
  const { made, ask, restart } = past();
  made(1);
  restart(undefined, 1);
  made(2);
  made(3);
  restart();
  expect(ask()).toEqual({ at: ['03 a.yaml', '02 a.yaml', '01 a.yaml'], knownSince: '' });
});

it.each([
  {
    why: 'the record of a change was dropped',
    act: ({ drop }: ReturnType<typeof past>, [, two = '']: readonly string[]) => drop(two),
    is: { at: ['03 a.yaml'], knownSince: time(2) },
  },
  {
    why: 'the record of a change was changed',
    act: ({ write }: ReturnType<typeof past>, [, two = '']: readonly string[]) => write(`${two}.json`, '{}'),
    is: { at: ['03 a.yaml'], knownSince: time(2) },
  },
])('is unknown from there on where $why', ({ act, is }) => {
  const ground = past();
  const ids = [ground.made(1), ground.made(2), ground.made(3)];
  act(ground, ids);
  expect(ground.ask()).toEqual(is);
});

it('is unknown until then where a checkpoint has forgotten a change, of whatever file', () => {
  const { made, ask, restart, drop } = past();
  const [one, two] = [made(1, 'b.yaml'), made(2)];
  drop(one);
  restart([two], 1);
  const three = made(3);
  restart([two, three]);
  expect(ask()).toEqual({ at: ['03 a.yaml', '02 a.yaml'], knownSince: time(1) });
});

it('never lies before an earlier change: a clock that was set back makes nothing older', () => {
  const { made, ask, restart } = past();
  made(8);
  made(3);
  expect(ask().at).toEqual(['08 a.yaml', '08 a.yaml']);
  restart(undefined, 1);
  made(4);
  restart();
  expect(ask().at).toEqual(['08 a.yaml', '08 a.yaml', '08 a.yaml']);
});

it('has no change that was rolled back, and has one that was begun', () => {
  const { made, record, ask } = past();
  const undone = made(1, 'a.yaml', 'intent');
  record(1, { action: 'commit', outcome: 'rolled_back', change_id: undone, file: 'a.yaml' });
  made(2, 'a.yaml', 'intent');
  const ended = made(3);
  record(4, { action: 'recover', outcome: 'applied', change_id: ended, file: 'a.yaml' });
  expect(ask().at).toContain('04 a.yaml');
  expect(ask().at.filter((one) => one.startsWith('02'))).toEqual(['02 a.yaml']);
});

it('has what the trail does not know yet, as made now', () => {
  const { put, ask, made } = past();
  made(1);
  put(undefined, undefined, { files: [fileOf('a: 1\n')] });
  expect(ask().at).toEqual(['12 a.yaml', '01 a.yaml']);
});

it('is unknown while a record that the trail does not know cannot be read', () => {
  const { at, ask, made, put } = past();
  made(1);
  const id = put(undefined, undefined, { files: [fileOf('a: 1\n')] });
  renameSync(at(`${id}.json`), at(`${id}.open`));
  writeFileSync(at(`${id}.open`), 'torn');
  expect(ask()).toEqual({ at: [], knownSince: NOW });
});

it('is that of these roots: changes for servers of other roots do not count, nor make it unknown', () => {
  const { put, ask, made, record } = past();
  made(1);
  const other = put(undefined, '1'.repeat(64), { files: [fileOf('a: 1\n')] });
  record(2, { action: 'commit', outcome: 'applied', change_id: other, file: 'a.yaml' });
  expect(ask()).toEqual({ at: ['01 a.yaml'], knownSince: '' });
});

it('is unknown behind as many texts as anybody should read', () => {
  const { made, ask } = past();
  const long = `a: 1\n#${'x'.repeat(2.1e6)}\n`;
  for (const hour of [1, 2, 3, 4]) made(hour, 'a.yaml', 'applied', long);
  expect(ask()).toEqual({ at: ['04 a.yaml', '03 a.yaml'], knownSince: time(2) });
});
