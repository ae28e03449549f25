// A run of the tests draws what the last one drew: what a new seed finds belongs to the change that looks for it, not to
// the next one that happens to run. `SEED=7 npm test` draws others.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) });
