// Takes stdout for the protocol alone: the returned stream is the only way to it, and whatever else
// the process prints there goes to stderr. Not proof against native code that writes to descriptor 1.
import { Writable } from 'node:stream';

export function claimStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  // A stray console.log of a dependency between two frames would end the connection, or forge one.
  Object.defineProperty(stdout, 'write', { value: stderr.write.bind(stderr) });
  const frames = new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      write(line, done);
    },
  });
  // EPIPE arrives here too, besides the callback; unheard it would crash the process.
  stdout.on('error', (error) => frames.destroy(error));
  return frames;
}
