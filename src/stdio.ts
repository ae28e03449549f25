// Serves an airlock to one client over this process's stdin and stdout. Says when the connection has
// ended and everything written has left; it ends no process and handles no signal.
import type { Airlock } from './server.ts';
import { claimStdout } from './stdio/claim-stdout.ts';
import { type Connection, connect } from './stdio/connect.ts';
import { PREPARED } from './stdio/prepared.ts';

export function serveOverStdio(airlock: Airlock): Connection {
  // Tools that somebody else brings are not those for which it was prepared.
  const prepared = airlock.tools === undefined ? PREPARED : undefined;
  return connect(airlock, { input: process.stdin, output: claimStdout() }, prepared);
}
