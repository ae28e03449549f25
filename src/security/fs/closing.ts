// What was opened for one use is closed after it, whatever happens in between.
import { closeFd } from './ambient-fs.ts';

export function closing<Resource extends { close(): void }, Result>(
  resource: Resource,
  use: (resource: Resource) => Result,
): Result {
  try {
    return use(resource);
  } finally {
    resource.close();
  }
}

/** The same for a file descriptor. */
export function closingFd<Result>(fd: number, use: (fd: number) => Result): Result {
  return closing({ close: () => closeFd(fd) }, () => use(fd));
}
