// What a reviewer is told of files that a pattern matched and that a batch has left out.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ReviewService } from '../../src/review/index.ts';
import { openAirlock } from '../../src/server.ts';
import { humanFlags, person, stage } from '../harness/previews.ts';

test('a reviewer is shown all of them', async () => {
  const at = stage();
  writeFileSync(join(at.root, 'good.yaml'), 'replicas: 2\n');
  writeFileSync(join(at.root, 'broken.yaml'), 'x: [1\n');
  writeFileSync(join(at.root, 'cut.yaml'), 'replicas: "1\n');
  const edits = [{ op: 'set', file: '**/*.yaml', path: '**.replicas', value: '7' }];
  const flags = humanFlags(at, [person('ann')]);
  const server = await at.start(flags);
  const { data } = await server.ok('config_edit', { edits });
  const { policy, sandbox, state } = await openAirlock({
    ...{ roots: [at.root], stateDir: at.state, approval: 'human', reviewers: flags.at(-1) },
  });
  if (state === undefined) throw new Error('there is a state directory');
  const view = await new ReviewService({ policy, sandbox, state }).open(String(data['preview_id']));
  expect(view.skipped).toEqual(['broken.yaml (SYNTAX_INVALID)', 'cut.yaml (SYNTAX_INVALID)']);
});
