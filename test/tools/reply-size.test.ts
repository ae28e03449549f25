// What replies cost a model: tokens counted as characters / 4 of the text, on a realistic file of 5,000 lines.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Outcome } from '../harness/start-server.ts';
import { startToolServer, type ToolServer } from '../harness/tool-server.ts';

/** Services as teams write them: comments, anchors, flow and block, lists of variables. */
function platform(): string {
  const lines = [
    '# Platform services',
    'version: 3',
    'defaults: &defaults',
    '  replicas: 2',
    '',
    'services:',
  ];
  for (let i = 0; i < 120; i++) {
    lines.push(`  # Team ${i % 7}`, `  svc-${String(i).padStart(3, '0')}:`, '    <<: *defaults');
    lines.push(`    image: registry.example.com/team-${i % 7}/svc-${i}:1.${i}.0`, '    env:');
    for (let k = 0; k < 10; k++) lines.push(`      - name: VAR_${k}`, `        value: "value-${i}-${k}"`);
    lines.push('    resources:', '      limits:', '        cpu: "2" # cores', `        memory: ${256 + i}Mi`);
    lines.push('      requests:', '        cpu: 100m', '        memory: 128Mi', '    ports:');
    lines.push(`      - containerPort: ${8000 + i}`, '        protocol: TCP', '    probes:');
    lines.push(
      '      liveness: {path: /healthz, port: http}',
      '      readiness: {path: /ready, port: http}',
      '',
    );
  }
  lines.push('ingress:');
  for (let i = 0; i < 120; i++)
    lines.push(`  - host: svc-${i}.example.com`, `    service: svc-${i}`, '    tls: true');
  return `${lines.join('\n')}\n`;
}

const PLATFORM = platform();
const CPU = 'services.svc-077.resources.limits.cpu';

let server: ToolServer;
beforeAll(async () => {
  server = await startToolServer({
    files: {
      'platform.yaml': PLATFORM,
      'flat.yaml': Array.from({ length: 5_000 }, (_, i) => `setting_number_${i}: value ${i}\n`).join(''),
      'list.yaml': Array.from({ length: 1_700 }, (_, i) => `- name: n${i}\n  v: ${i}\n  w: x\n`).join(''),
      'many.yaml': Array.from({ length: 300 }, (_, i) => `kind: K${i}\nspec: {a: ${i}}\n`).join('---\n'),
      'deep.yaml': Array.from({ length: 90 }, (_, i) => `${' '.repeat(i)}level${i}:\n`).join(''),
    },
  });
});
afterAll(() => server.close());

const Outline = z.looseObject({ truncated: z.boolean() });

function tokens({ text }: Outcome): number {
  return text.length / 4;
}

/** The same reply as data, which some hosts show a model as well. */
function dataTokens({ data }: Outcome): number {
  return JSON.stringify(data).length / 4;
}

const outline = (file: string, path?: string) =>
  server.ok('config_get', { file, view: 'outline', ...(path === undefined ? {} : { path }) });

describe('an outline', () => {
  it('of 5,000 lines is understood in under 2,000 tokens', async () => {
    expect(PLATFORM.split('\n').length).toBeGreaterThan(4_900);
    const reply = await outline('platform.yaml');
    expect(tokens(reply)).toBeLessThan(2_000);
    const lines = reply.text.split('\n');
    // Everything at the top, with its size and its lines …
    for (const row of [
      '  version 2',
      '  defaults {1} 3-4',
      /^ {2}services \{120\} 8-\d+$/,
      /^ {2}ingress \[120\] \d+-\d+$/,
    ])
      expect(lines).toContainEqual(typeof row === 'string' ? row : expect.stringMatching(row));
    // … an example of what lies below, how much of it there is, and how to see it.
    for (const part of ['svc-000 {', 'env [10]', 'limits {2}', '… 8 more', '[0] {3}'])
      expect(reply.text).toContain(part);
    expect(lines.filter((line) => /^ {4}… \d+ more$/.test(line)).length).toBe(2);
    expect(lines.at(-1)).toMatch(/^… not all is shown: narrow with "path", such as "(services|ingress)"$/);
  });

  it('leads from the top to any value, each in under 2,000 tokens and with all keys of the level', async () => {
    const services = await outline('platform.yaml', 'services');
    expect(tokens(services)).toBeLessThan(2_000);
    for (const key of Object.keys(parse(PLATFORM, { merge: true, maxAliasCount: -1 }).services))
      expect(services.text).toContain(`  ${key} {`);
    const service = await outline('platform.yaml', 'services.svc-077');
    expect(tokens(service)).toBeLessThan(500);
    expect(Outline.parse(service.data).truncated).toBe(false);
    expect(service.text).toMatch(/^ {6}cpu \d+$/m);
  });

  it.each(['flat.yaml', 'list.yaml', 'many.yaml', 'deep.yaml'])(
    'of %s stays in its bounds, and says that it is cut',
    async (file) => {
      const reply = await outline(file);
      expect(tokens(reply)).toBeLessThan(2_000);
      expect(reply.text).toContain('…');
      expect(reply.text).toMatch(/"path"|"doc"|more/);
    },
  );

  it('of many documents shows the first, and says how many there are', async () => {
    const { data, text } = await outline('many.yaml');
    const { documents, documents_left } = z
      .looseObject({ documents: z.array(z.looseObject({ doc: z.number() })), documents_left: z.number() })
      .parse(data);
    expect(documents.map(({ doc }) => doc)).toEqual(documents.map((_, i) => i));
    expect(documents.length + documents_left).toBe(300);
    expect(text).toContain(`… ${documents_left} more documents: name one in "doc", by its index (0 to 299)`);
  });

  it('says of each line of it what config_get then finds there', async () => {
    const { data } = await outline('platform.yaml');
    const Node = z.object({ path: z.string(), kind: z.string(), line: z.number(), end_line: z.number() });
    const { documents } = z
      .object({ documents: z.tuple([z.looseObject({ nodes: z.array(Node) })]) })
      .parse(data);
    const { nodes } = documents[0];
    expect(nodes.length).toBeGreaterThan(20);
    for (const node of nodes.slice(1)) {
      const found = await server.ok('config_get', {
        file: 'platform.yaml',
        path: node.path,
        view: 'outline',
      });
      expect(found.data).toMatchObject(node);
    }
  });
});

describe('a change of one value in 5,000 lines', () => {
  it('costs under 600 tokens in outline, preview and apply together', async () => {
    const whole = await outline('platform.yaml');
    const near = await outline('platform.yaml', 'services.svc-077');
    const preview = await server.ok('config_edit', {
      edits: [{ file: 'platform.yaml', op: 'set', path: CPU, json: '4' }],
    });
    const { next } = z
      .object({ next: z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }) })
      .parse(preview.data);
    const applied = await server.ok(next.tool, next.arguments);
    const [before, after] = [PLATFORM, server.disk('platform.yaml')].map((text) =>
      parse(text, { merge: true, maxAliasCount: -1 }),
    );
    before.services['svc-077'].resources.limits.cpu = '4';
    expect(after).toEqual(before);
    const steps = { whole, near, preview, applied };
    for (const [name, reply] of Object.entries(steps))
      process.stdout.write(`${name}: ${tokens(reply)} tokens of text, ${dataTokens(reply)} as data\n`);
    expect(tokens(near) + tokens(preview) + tokens(applied)).toBeLessThan(600);
    expect(tokens(whole) + tokens(preview) + tokens(applied)).toBeLessThan(600);
    // What a reviewer needs is all there.
    for (const { text } of [preview, applied])
      expect(text).toMatch(/^- {8}cpu: "2" # cores\n\+ {8}cpu: "4" # cores$/m);
  });
});
