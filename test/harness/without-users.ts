// For tests of what a system without users gives.
import { onTestFinished } from 'vitest';

/** As on Windows, which knows no users. */
export function withoutUsers(): void {
  const geteuid = Object.getOwnPropertyDescriptor(process, 'geteuid');
  if (geteuid === undefined) return;
  Object.defineProperty(process, 'geteuid', { ...geteuid, value: undefined });
  onTestFinished(() => {
    Object.defineProperty(process, 'geteuid', geteuid);
  });
}
