// Where the command's code comes from once the process is locked down. In the published package
// scripts/bundle/scripts.mjs stands in for it.
export function loadMain(): Promise<{ readonly main: () => Promise<void> }> {
  return import('./main.ts');
}
