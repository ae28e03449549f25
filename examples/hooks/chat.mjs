#!/usr/bin/env node
// Tells a chat by its webhook, with curl: config-airlock watch --on-pending /etc/airlock/hooks/chat.mjs (and the other events)
// WEBHOOK_FILE is a file with the address of the webhook, which is a secret: it stands in no argument and no variable.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { event, change_id, preview_id, files, caller, reason, reviewer, note } = JSON.parse(
  readFileSync(0, 'utf8'),
);
const url = readFileSync(process.env.WEBHOOK_FILE, 'utf8').trim();

const SAYS = {
  pending: `waits for a reviewer: config-airlock review, or approve ${preview_id}`,
  applied: `was applied as ${change_id}`,
  rejected: `was rejected by ${reviewer}${note === undefined ? '' : `: ${note}`}`,
  expired: 'has expired, and nobody has decided',
};
const names = files.map(({ file }) => file);
const who = caller?.principal ?? `${caller?.name ?? 'somebody'} (unverified name)`;
const why = reason === undefined ? '' : `\nThe agent's reason (unverified): ${reason}`;
const text = `A change of ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and more' : ''} by ${who} ${SAYS[event]}.${why}`;

// curl reads its arguments from stdin, so that no list of processes shows the address.
const quoted = (value) => `"${value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
const config = [
  `url = ${quoted(url)}`,
  'header = "Content-Type: application/json"',
  `data-raw = ${quoted(JSON.stringify({ text }))}`,
].join('\n');
execFileSync('curl', ['--silent', '--show-error', '--fail', '--max-time', '20', '--config', '-'], {
  input: config,
});
