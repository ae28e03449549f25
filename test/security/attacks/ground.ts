// The ground of an attack: a root, a tree of sentinels around it, and a look at every byte and time of both.
import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { visibleLine } from '../../../src/security/text/visible.ts';
import type { Outcome } from '../../harness/clients.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';

/** Stands in every file outside of the root and in every file that is denied; must never come out. */
export const CANARY = 'c4n4ry';

export interface Ground {
  readonly base: string;
  readonly root: string;
  /** Writes below `base`, making folders. */
  write(file: string, contents: string | Uint8Array, mode?: number): string;
  /** The root as it was made. */
  refill(): void;
  /** Everything outside of the root: names, kinds, modes, sizes, owners, times, link targets, contents. */
  sentinels(): readonly string[];
  /** Everything inside of the root but for the times of its folders. */
  inside(): readonly string[];
  remove(): void;
}

/** Names that a check by prefix or by `includes` takes for the root, or for something inside of it. */
const NEIGHBOURS = ['outside', 'root-evil', 'rootx', 'root.bak', 'ROOT', 'root root', 'roo', 'outside/root'];

/** `parent`: where to make it, if not among the temporary files. */
export function makeGround(parent: string = tmpdir()): Ground {
  const base = mkdtempSync(join(realpathSync(parent), 'airlock-'));
  const root = join(base, 'root');
  const write = (file: string, contents: string | Uint8Array, mode = 0o644): string => {
    const path = join(base, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents, { mode });
    return path;
  };
  const refill = (): void => {
    // The root itself stays: the server holds it.
    for (const name of existsSync(root) ? readdirSync(root) : [])
      rmSync(join(root, name), { recursive: true, force: true });
    write('root/ok.yaml', 'a: 1\n');
    write('root/a/b/deep.yaml', 'a: 1\n');
  };
  refill();
  const { ino: served } = lstatSync(root, { bigint: true });
  // The served folder is its own also under another name.
  const isServed = (path: string): boolean =>
    path === root || lstatSync(path, { bigint: true }).ino === served;
  for (const name of NEIGHBOURS) {
    write(`${name}/s.yaml`, `a: ${CANARY}-${name.length}\n`);
    write(`${name}/ok.yaml`, `a: ${CANARY}\n`);
  }
  return {
    base,
    root,
    write,
    refill,
    sentinels: () => look(base, isServed).map((entry) => `${entry.text} ${entry.times}`),
    inside: () => look(root, () => false).map((entry) => entry.text),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

interface Seen {
  readonly text: string;
  readonly times: string;
}

function look(folder: string, isLeftOut: (path: string) => boolean): Seen[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name): Seen[] => {
      const path = join(folder, name);
      if (isLeftOut(path)) return [];
      const stat = lstatSync(path, { bigint: true });
      const text = `${JSON.stringify(name)} ${stat.mode} ${stat.uid} ${stat.nlink} ${contentsOf(path, stat)}`;
      const below = stat.isDirectory() ? look(path, isLeftOut) : [];
      return [{ text, times: `${stat.mtimeNs} ${stat.ctimeNs}` }, ...below];
    });
}

function contentsOf(path: string, stat: BigIntStats): string {
  if (stat.isSymbolicLink()) return readlinkSync(path);
  // A sparse file of 10 GB is told by its size.
  if (!stat.isFile() || stat.size > 20_000_000n) return `${stat.size}`;
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800]/u;

/** What a reply says that it must not: the machine's paths, or what stands in a sentinel. */
export function leaksOf(outcome: Outcome, ground: Ground, sent: readonly string[] = []): readonly string[] {
  // What the agent wrote itself comes back in quotes, cut.
  const own = sent.flatMap((text) => [
    text,
    visibleLine(text),
    visibleLine(text).slice(0, 79),
    text.slice(0, 200),
  ]);
  const said = own
    .filter((text) => text.length > 1)
    .sort((a, b) => b.length - a.length)
    .reduce(
      (rest, text) => rest.replaceAll(text, '…').replaceAll(JSON.stringify(text).slice(1, -1), '…'),
      `${outcome.text}\n${JSON.stringify(outcome.data)}`,
    );
  const secrets = [
    ground.base,
    dirname(ground.base),
    // Where the state directory is.
    memoryDisk(),
    CANARY,
    process.cwd(),
    '/proc/',
    'node:internal',
    'at Object.',
    'file://',
  ];
  const leaks = secrets.filter((secret) => said.includes(secret));
  // A read answers with the bytes of the file; an error never shows what cannot be seen.
  const hidden = outcome.isError ? HIDDEN.exec(outcome.text)?.[0] : undefined;
  return hidden === undefined ? leaks : [...leaks, `U+${hidden.codePointAt(0)?.toString(16)}`];
}

/** The code of an error reply; `ok` for any other. Throws where the two halves of a reply disagree. */
export function codeIn({ isError, text, data }: Outcome): string {
  if (data['ok'] !== !isError) throw new Error('isError and ok disagree');
  if (!isError) return 'ok';
  const error = data['error'];
  if (typeof error !== 'object' || error === null || !('code' in error))
    throw new Error('an error has a code');
  const code = String(error.code);
  if (!text.startsWith(`${code}: `)) throw new Error('the text names the code first');
  return code;
}
