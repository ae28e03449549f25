// Where the serving thread's code comes from once it is locked down. In the published package
// scripts/bundle/scripts.mjs stands in for it.
export function loadThread(): Promise<{ readonly serveTools: () => void }> {
  return import('./thread.ts');
}
