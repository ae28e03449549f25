import { describe, expect, it, onTestFinished } from 'vitest';
import {
  closeState,
  createLog,
  type PreviewDraft,
  type PreviewFile,
  type StoredPreview,
  sha256Hex,
  splice,
} from '../../src/security/index.ts';
import { openAirlock } from '../../src/server.ts';
import { partOf } from '../../src/tools/index.ts';
import { lookBy } from '../harness/look.ts';
import { codeOf } from '../harness/refusals.ts';
import { tempRoot } from '../harness/temp-root.ts';

const WEB = 'replicas: 2 # two\nimage: a\nports: [80]\n';
const DB = 'host: a\nport: 1\n';

async function ground(schema?: object) {
  const [root, state] = [tempRoot({ 'web.yaml': WEB, 'db.yaml': DB }), tempRoot()];
  const airlock = await openAirlock({
    roots: [root.dir],
    stateDir: state.dir,
    log: createLog({ level: 'error', format: 'json' }),
    schemas: schema === undefined ? [] : [{ pattern: '**', name: 's.json', schema }],
  });
  onTestFinished(async () => {
    airlock.sandbox.close();
    if (airlock.state !== undefined) await closeState(airlock.state);
    root.remove();
    state.remove();
  });
  const { previews } = airlock.state ?? {};
  if (previews === undefined) throw new Error('a server that writes has a state');
  const look = lookBy((file) => airlock.sandbox.parse(file), airlock.policy.limits);
  const fileOf = (
    file: string,
    base: string,
    ...pairs: readonly (readonly [string, string])[]
  ): PreviewFile => {
    const edits = pairs.map(([text, insert]) => {
      const start = base.indexOf(text);
      return { start, end: start + text.length, insert };
    });
    const after = splice(base, edits);
    const shas = { base_sha256: sha256Hex(base), result_sha256: sha256Hex(after) };
    return { file, base, ...shas, edits, ...look(file, base, after, edits) };
  };
  const stored = async (...files: readonly PreviewFile[]): Promise<StoredPreview> => {
    const saved = await previews.save({
      caller: { name: 'test', version: '1' },
      policy: '0'.repeat(64),
      rules: [],
      approval: 'human',
      tool: 'config_edit',
      request: { edits: [] },
      origin: { kind: 'edit' },
      files,
      warnings: [],
    });
    return previews.load(saved?.id ?? '');
  };
  const kept = async (draft: PreviewDraft): Promise<StoredPreview> =>
    previews.load((await previews.save(draft))?.id ?? '');
  return { airlock, fileOf, stored, kept };
}

describe('a part of a preview', () => {
  it('is a preview of its own, which does what was kept and no more [EDT-9]', async () => {
    const { airlock, fileOf, stored, kept } = await ground();
    const preview = await stored(
      fileOf('web.yaml', WEB, ['2 #', '3 #'], ['image: a\n', '']),
      fileOf('db.yaml', DB, ['port: 1', 'port: 2']),
    );
    const part = await kept(partOf(preview, [2, 0], airlock));
    expect(part.record.origin).toEqual({ kind: 'part', of: preview.id, kept: [0, 2] });
    expect(part.record.files.map(({ file, base, edits }) => [file, splice(base, edits)])).toEqual([
      ['web.yaml', WEB.replace('2 #', '3 #')],
      ['db.yaml', DB.replace('1', '2')],
    ]);
    expect(part.record).toMatchObject({ approval: 'human', tool: 'config_edit', caller: { name: 'test' } });
  });

  it('leaves out the files of which nothing was kept', async () => {
    const { airlock, fileOf, stored, kept } = await ground();
    const preview = await stored(
      fileOf('web.yaml', WEB, ['2 #', '3 #']),
      fileOf('db.yaml', DB, ['port: 1', 'port: 2']),
    );
    expect((await kept(partOf(preview, [1], airlock))).record.files.map(({ file }) => file)).toEqual([
      'db.yaml',
    ]);
  });

  it.each([
    { why: 'nothing', kept: [] },
    { why: 'all', kept: [1, 0] },
    { why: 'all, one of them twice', kept: [0, 1, 1] },
    { why: 'an edit that there is not', kept: [2] },
    { why: 'what is no number of an edit', kept: [0.5] },
  ])('is not $why', async ({ kept }) => {
    const { airlock, fileOf, stored } = await ground();
    const preview = await stored(fileOf('web.yaml', WEB, ['2 #', '3 #'], ['image: a\n', '']));
    expect(codeOf(() => partOf(preview, kept, airlock))).toBe('ARGUMENT_INVALID');
  });

  it('is refused where it breaks a schema of the operator', async () => {
    const { airlock, fileOf, stored } = await ground({
      if: { properties: { replicas: { const: 3 } }, required: ['replicas'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { image: { const: 'b' } } },
    });
    const preview = await stored(fileOf('web.yaml', WEB, ['2 #', '3 #'], ['image: a', 'image: b']));
    expect(codeOf(() => partOf(preview, [0], airlock))).toBe('SCHEMA_VIOLATION');
    expect(partOf(preview, [1], airlock).files).toHaveLength(1);
  });
});
