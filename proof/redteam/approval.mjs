// Approval: whether a change can be looked at before it is made, whether exactly that is made, and whether what somebody else has
// changed meanwhile is kept.
const SECOND = 'other: 2\n';

export async function approval({ ground, client, server, ask, report, skip }) {
  const fresh = () => ground.write('root/a.yaml', 'key: inside\nother: 1\n');
  const path = server.path('a.yaml');
  if (server.atOnce === undefined) return;
  fresh();
  await ask(() => server.atOnce(client, path, 'at-once'));
  report(
    'approval',
    'change a file in one call, which nobody has seen before',
    !ground.read('root/a.yaml').includes('at-once'),
    'the agent alone decided, in one call',
  );
  if (server.preview === undefined) {
    for (const what of [
      'apply a preview twice',
      'apply one after the file has changed',
      'apply one that was never made',
    ])
      skip('approval', what, 'the server has no previews that are applied');
  } else await previews({ ground, client, server, ask, report, fresh, path });
  await lostUpdate({ ground, client, server, ask, report, fresh, path });
}

async function previews({ ground, client, server, ask, report, fresh, path }) {
  const made = async () => {
    fresh();
    return server.idIn(await server.preview(client, path, 'previewed'));
  };
  const first = await made();
  report(
    'approval',
    'see a preview, without a write',
    ground.read('root/a.yaml').includes('inside'),
    'the preview has written',
  );
  await ask(() => server.apply(client, first));
  report(
    'approval',
    'apply what was shown',
    ground.read('root/a.yaml') === 'key: previewed\nother: 1\n',
    'something else was written',
  );
  fresh();
  await ask(() => server.apply(client, first));
  report(
    'approval',
    'apply a preview twice',
    ground.read('root/a.yaml').includes('inside'),
    'it was written again',
  );
  const stale = await made();
  ground.write('root/a.yaml', `key: inside\n${SECOND}`);
  await ask(() => server.apply(client, stale));
  report(
    'approval',
    'apply one after the file has changed',
    ground.read('root/a.yaml') === `key: inside\n${SECOND}`,
    'it was applied to another text than it was shown for',
  );
  const real = await made();
  for (const forged of [`${real.slice(0, -1)}${real.endsWith('0') ? 1 : 0}`, '../../state', '', '*'])
    await ask(() => server.apply(client, forged));
  report(
    'approval',
    'apply one that was never made',
    ground.read('root/a.yaml').includes('inside'),
    'a made-up id was taken',
  );
}

/** An agent that has read the file, and changes one line; meanwhile a person changes another one. */
async function lostUpdate({ ground, client, server, ask, report, fresh, path }) {
  fresh();
  await ask(() => server.read(client, path));
  ground.write('root/a.yaml', `key: inside\n${SECOND}`);
  await ask(() => server.change(client, path, 'changed'));
  report(
    'approval',
    'change one line after somebody has changed another',
    ground.read('root/a.yaml').includes(SECOND),
    "the other's change is lost",
  );
}
