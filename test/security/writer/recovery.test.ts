// What becomes of a batch that died, told by what somebody did to its files in between; and what the log says of it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecoveryContext } from '../../../src/security/writer/recovery.ts';
import { sha256 } from '../../harness/sha256.ts';
import {
  committing,
  died,
  dying,
  type Ground,
  ground,
  logIn,
  own,
  ownNamed,
  plain,
  tidying,
  told,
} from './mortal.ts';

const FILES = ['d/a.yaml', 'd/b.yaml'];
/** Died in the middle of going back: the journal is gone, the first file is new. */
function diedGoingBack(): Ground {
  const here = ground(FILES);
  let isRefused = false;
  dying(
    here,
    (heed) =>
      committing(here, (call, name) => {
        heed(call, name);
        if (`${call} ${plain(name)}` !== 'rename .1.new b.yaml') return;
        isRefused = true;
        throw Object.assign(new Error('EIO'), { errno: -1, code: 'EIO' });
      }),
    (_step, call) => isRefused && call === 'look a.yaml',
  );
  return here;
}

function recovered(here: Ground, changes: Partial<RecoveryContext> = {}): readonly string[] {
  tidying(here, undefined, { log: logIn(here, 'recovery'), ...changes });
  return told(here, 'recovery').map(({ event, ...is }) =>
    event === 'audit'
      ? `${is['outcome']} ${is['file']}`
      : [is['level'], event, is['state'] ?? is['reason'], is['count'], is['file']]
          .filter((x) => x !== undefined)
          .join(' '),
  );
}

const textOf = (here: Ground, file: string) => readFileSync(join(here.root, file), 'utf8');
const write = (here: Ground, file: string, text: string) => writeFileSync(join(here.root, file), text);
const INTENTS = ['intent d/a.yaml', 'intent d/b.yaml'];
const FINISHED = [...INTENTS, 'warn recovered finished 2 d', 'applied d/a.yaml', 'applied d/b.yaml'];
const UNDONE = ['warn recovered undone 2 d', 'rolled_back d/a.yaml', 'rolled_back d/b.yaml'];
const AS_NEW = ['new: d/a.yaml\n', 'new: d/b.yaml\n'];
const AS_OLD = ['old\n', 'old\n'];

interface Story {
  readonly why: string;
  readonly begun: () => Ground;
  readonly act?: (here: Ground) => void;
  readonly log: readonly string[];
  readonly texts: readonly string[];
}

const STORIES: readonly Story[] = [
  {
    why: 'before it was decided',
    begun: () => died('undecided', FILES),
    // The journal that was never to be.
    log: [...UNDONE, 'warn leftovers_swept 1'],
    texts: AS_OLD,
  },
  { why: 'once it was decided', begun: () => died('decided', FILES), log: FINISHED, texts: AS_NEW },
  { why: 'between two files', begun: () => died('half', FILES), log: FINISHED, texts: AS_NEW },
  { why: 'after the last', begun: () => died('done', FILES), log: FINISHED, texts: AS_NEW },
  { why: 'going back', begun: diedGoingBack, log: ['intent d/a.yaml', ...UNDONE], texts: AS_OLD },
  {
    why: 'going back, and the file that is still new was edited since',
    begun: diedGoingBack,
    act: (here) => write(here, 'd/a.yaml', 'mine\n'),
    log: ['error recovered conflict 2 d', 'unknown d/a.yaml', 'rolled_back d/b.yaml'],
    texts: ['mine\n', 'old\n'],
  },
  {
    why: 'once it was decided, and its last file was edited before its turn',
    begun: () => died('half', FILES),
    act: (here) => write(here, 'd/b.yaml', 'mine\n'),
    log: [...INTENTS, 'error recovered conflict 2 d', 'rolled_back d/a.yaml', 'unknown d/b.yaml'],
    texts: ['old\n', 'mine\n'],
  },
  {
    why: 'once it was decided, and its first file was edited before its turn',
    begun: () => died('decided', FILES),
    act: (here) => write(here, 'd/a.yaml', 'mine\n'),
    log: [...INTENTS, 'error recovered conflict 2 d', 'unknown d/a.yaml', 'rolled_back d/b.yaml'],
    texts: ['mine\n', 'old\n'],
  },
  {
    why: 'between two files, and the first was edited on top of it',
    begun: () => died('half', FILES),
    act: (here) => write(here, 'd/a.yaml', 'mine\n'),
    log: [...INTENTS, 'error recovered conflict 2 d', 'unknown d/a.yaml', 'applied d/b.yaml'],
    texts: ['mine\n', 'new: d/b.yaml\n'],
  },
  {
    why: 'after the last, and all were edited on top of it',
    begun: () => died('done', FILES),
    act: (here) => {
      for (const file of FILES) write(here, file, 'mine\n');
    },
    log: [...INTENTS, 'error recovered conflict 2 d', 'unknown d/a.yaml', 'unknown d/b.yaml'],
    texts: ['mine\n', 'mine\n'],
  },
  {
    why: 'once it was decided, and the new contents of one are gone',
    begun: () => died('half', FILES),
    act: (here) => rmSync(ownNamed(here, '.1.new')),
    log: [...INTENTS, ...UNDONE],
    texts: AS_OLD,
  },
  {
    why: 'between two files, and somebody deleted the journal',
    begun: () => died('half', FILES),
    act: (here) => rmSync(ownNamed(here, '.journal')),
    log: ['intent d/a.yaml', ...UNDONE],
    texts: AS_OLD,
  },
  {
    why: 'once it was decided, and somebody deleted the lock',
    begun: () => died('half', FILES),
    act: (here) => rmSync(ownNamed(here, '.lock')),
    log: FINISHED,
    texts: AS_NEW,
  },
  {
    why: 'once it was decided, and has more of its own than it said',
    begun: () => died('half', FILES),
    act: (here) => {
      const lock = ownNamed(here, '.lock');
      rmSync(lock);
      writeFileSync(ownNamed(here, '.1.new').replace('.1.new', '.9.new'), 'more\n');
    },
    log: [...FINISHED, 'warn leftovers_swept 1'],
    texts: AS_NEW,
  },
];

describe('a batch that died', () => {
  it.each(STORIES)('$why is brought in order, and the log says how', ({ begun, act, log, texts }) => {
    const here = begun();
    act?.(here);
    expect(recovered(here)).toEqual(log);
    expect(FILES.map((file) => textOf(here, file))).toEqual(texts);
    expect(own(here)).toEqual([]);
  });

  it('has a record of each file with what it was and became', () => {
    const here = died('half', FILES);
    recovered(here);
    const records = told(here, 'recovery');
    const about = (file: string) => ({
      ...{ level: 'info', event: 'audit', action: 'recover', file, base_sha256: sha256('old\n') },
      result_sha256: sha256(`new: ${file}\n`),
    });
    expect(records).toEqual([
      { ...about('d/a.yaml'), outcome: 'intent' },
      { ...about('d/b.yaml'), outcome: 'intent' },
      { level: 'warn', event: 'recovered', state: 'finished', count: 2, file: 'd' },
      { ...about('d/a.yaml'), outcome: 'applied' },
      { ...about('d/b.yaml'), outcome: 'applied' },
    ]);
  });
});
