// What tests of previews share: a server over a root and a state directory that outlive it, the reply's preview,
// and a genuine preview or decision put where a server would have put it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { z } from 'zod';
import { makeReviewerKey } from '../../src/security/approval/reviewer-key.ts';
import type { SignedDecision } from '../../src/security/approval/statement.ts';
import {
  RECORDED_AS,
  type StatedChange,
  signDecision,
  statedChange,
} from '../../src/security/approval/statement.ts';
import { canonicalJson, contentId } from '../../src/state/canonical.ts';
import type { Decision, TrailPoint } from '../../src/state/event.ts';
import { memoryDisk } from './memory-disk.ts';
import { STATED } from './signed.ts';
import type { RunningProcess } from './start-process.ts';
import type { StartOptions } from './start-server.ts';
import { bodyIn, eventNow, fullIdIn, record, withStore } from './state.ts';
import { tempRoot } from './temp-root.ts';
import { startToolProcess, startToolServer, type ToolServer } from './tool-server.ts';

const Preview = z.looseObject({ preview_id: z.string(), expires_at: z.string() });

export const FILES = { 'a.yaml': 'a: 1 # one\nb: 2\n', 'b.yaml': 'x: 1\n' };

type Files = Readonly<Record<string, string>>;

export interface Stage {
  readonly root: string;
  readonly state: string;
  /** Beside the root: for what an operator keeps. */
  readonly place: string;
  /** A server on this root and this state directory; ends with the test. */
  start(flags?: readonly string[]): Promise<ToolServer>;
  /** The same in a process of its own. */
  startProcess(flags?: readonly string[]): Promise<ToolServer & RunningProcess>;
  disk(file: string): string;
  write(file: string, text: string): void;
}

export function stage(files: Files = FILES): Stage {
  const { at, remove } = laidOut(files);
  onTestFinished(remove);
  return at;
}

export interface Staged {
  readonly at: Stage;
  readonly server: ToolServer;
}

/**
 * One server for those tests of a group that need none of their own. Each of them gets the files as they were, and
 * a log without what came before. The state directory grows: what one test keeps there has names of its own.
 */
export function sharedStage(
  flags: readonly string[] | ((at: Stage) => readonly string[]) = [],
  files: Files = FILES,
  client: Pick<StartOptions, 'client' | 'person'> = {},
): () => Promise<Staged> {
  let opened: Promise<Staged & Pick<ReturnType<typeof laidOut>, 'refill' | 'remove'>> | undefined;
  const open = async () => {
    const { at, ...ground } = laidOut(files, memoryDisk());
    const { root, state } = at;
    const all = typeof flags === 'function' ? flags(at) : flags;
    return { at, ...ground, server: await startToolServer({ root, state, flags: all, ...client }) };
  };
  afterAll(async () => {
    const shared = await opened;
    await shared?.server.close();
    shared?.remove();
  });
  return async () => {
    opened ??= open();
    const { at, server, refill } = await opened;
    refill();
    const { length } = server.log();
    return { at, server: { ...server, log: () => server.log().slice(length) } };
  };
}

function laidOut(files: Files, parent?: string) {
  const place = tempRoot({}, parent);
  const [root, state] = [join(place.dir, 'root'), join(place.dir, 'state')];
  const write = (file: string, text: string): void => writeFileSync(join(root, file), text);
  const refill = (): void => {
    mkdirSync(root, { recursive: true });
    // The root itself stays: the server holds it.
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
    for (const [name, text] of Object.entries(files)) write(name, text);
  };
  refill();
  const ended = <Server extends ToolServer>(server: Server): Server => {
    onTestFinished(() => server.close());
    return server;
  };
  const at: Stage = {
    ...{ root, state, place: place.dir },
    start: async (flags = []) => ended(await startToolServer({ root, state, flags })),
    startProcess: async (flags = []) => ended(await startToolProcess({ root, state, flags })),
    disk: (file) => readFileSync(join(root, file), 'utf8'),
    write,
  };
  return { at, refill, remove: () => place.remove() };
}

type Arguments = Readonly<Record<string, unknown>>;

export const SET: Arguments = { file: 'a.yaml', path: 'a', json: 7 };
export const SET_TEXT = 'a: 7 # one\nb: 2\n';

/** The full id of a fresh preview. */
export async function preview(
  server: ToolServer,
  args: Arguments = SET,
  tool = 'config_set',
): Promise<string> {
  const { data } = await server.ok(tool, args);
  return fullIdIn(server.state, Preview.parse(data).preview_id);
}

/** Keeps a preview as a server would have, but for `changes`: with its own id, so that nothing is wrong with it but that. */
export async function rewritePreview(
  { state }: Pick<Stage, 'state'>,
  name: string,
  changes: Arguments,
): Promise<string> {
  const body = canonicalJson({ ...JSON.parse(bodyIn(state, name) ?? ''), ...changes });
  const id = contentId(body);
  await withStore(state, async (store) => {
    const { preview } = (await store.find(name)) ?? {};
    if (preview === undefined) throw new Error('no preview to rewrite');
    const bounds = { previews: 500, totalBytes: 256e6 };
    const encoded = { id, body, preview, sizeBytes: body.length };
    await store.keep(encoded, eventNow({ type: 'previewed', about: id }), { bounds });
  });
  return id;
}

export interface Person {
  readonly name: string;
  /** Of the reviewers file. */
  readonly line: string;
  /** Their signature over a decision, whatever it says; `approve` in their own name where nothing else is said. */
  sign(
    said: Partial<Decision> & Pick<Decision, 'preview'>,
    trail: TrailPoint,
    change?: StatedChange,
  ): SignedDecision;
  /** Leaves a signed decision in the trail, as the reviewer's side does. */
  decide(
    at: Pick<Stage, 'state'>,
    preview: string,
    decision: 'approve' | 'reject',
    more?: { note?: string },
  ): Promise<void>;
}

export function person(name: string): Person {
  const { key, line } = makeReviewerKey(name);
  const sign: Person['sign'] = (said, trail, change = STATED) => {
    const usual = { v: 1, decision: 'approve', reviewer: name, at: new Date().toISOString(), trail } as const;
    return signDecision({ ...usual, ...said }, change, key);
  };
  return {
    ...{ name, line, sign },
    decide: async (at, id, decision, note = {}) => {
      const [preview, change] = [fullIdIn(at.state, id), await statedIn(at.state, id)];
      await record(at.state, (trail) => {
        const signed = sign({ preview, decision, ...note }, trail, change);
        return eventNow({ type: RECORDED_AS[decision], about: preview, reviewer: name, signed });
      });
    },
  };
}

/** What a reviewer signs about a preview. */
export function statedIn(state: string, id: string): Promise<StatedChange> {
  return withStore(state, async (store) => {
    const { preview: kept } = (await store.find(id)) ?? {};
    return kept === undefined ? STATED : statedChange(kept);
  });
}

/** The flags of a server that asks these people. */
export function humanFlags({ place }: Pick<Stage, 'place'>, people: readonly Person[]): readonly string[] {
  const file = join(place, 'reviewers');
  writeFileSync(file, people.map(({ line }) => `${line}\n`).join(''), { mode: 0o600 });
  return ['--approval', 'human', '--reviewers', file];
}
