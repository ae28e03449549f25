// What the judge is told of an edit: how the file differs, what was changed of it before, and what people have said no to.
import {
  type ConfigFile,
  factsOf,
  type PastOfFile,
  pastReader,
  readEvenIfInvalid,
  readVersions,
} from '../adapters/index.ts';
import {
  type FileFacts,
  lastChange,
  type Preview,
  pastOfFile,
  type RefusedNodes,
  recordedVersions,
  type SafePath,
  type State,
  touchedNodes,
  unlessRefused,
} from '../security/index.ts';
import type { CallContext } from './tool.ts';

type FactsContext = Pick<CallContext, 'policy'> & Partial<Pick<CallContext, 'state'>>;

/** As of this moment: the commit asks whether it still is so. `except`: a change that does not count as one made before. */
export function changeFacts(
  path: SafePath,
  base: ConfigFile,
  result: ConfigFile,
  { policy, state }: FactsContext,
  except?: string,
): FileFacts {
  if (state === undefined) return factsOf(base, result, undefined, isFilledIn(path));
  const { trail, reviewersFile } = state;
  const file = path.toString();
  const isCounted = policy.changes.rules.some(({ change }) => change?.windowMs !== undefined);
  // Before the rest is asked: what comes meanwhile must be noticed.
  const asOf = { no: trail.mark.no, ...(isCounted ? { change: lastChange(trail.changesOf(file)) } : {}) };
  const asks = reviewersFile === undefined ? 'client' : 'human';
  return {
    ...factsOf(
      base,
      result,
      isCounted ? readPast(path, { state, except }, policy) : undefined,
      isFilledIn(path),
    ),
    refused: { asks, noes: trail.standDownsOn(file) },
    asOf,
  };
}

/** Helm fills in each file of `templates`; these endings say it of themselves. */
export function isFilledIn({ components }: SafePath): boolean {
  return (
    components.slice(0, -1).includes('templates') ||
    /\.(?:j2|jinja2?|tmpl|gotmpl|tpl)$/iu.test(`${components.at(-1)}`)
  );
}

interface AskedPast {
  readonly state: State;
  readonly except: string | undefined;
}

/** Nothing is read before a rule asks. */
function readPast(path: SafePath, asked: AskedPast, { limits }: CallContext['policy']): PastOfFile {
  let past: PastOfFile | undefined;
  return (present, document) => {
    past ??= pastReader(pastVersions(path, asked), (text) =>
      unlessRefused(() => readEvenIfInvalid(path, text, limits)),
    );
    return past(present, document);
  };
}

function pastVersions(path: SafePath, { state, except }: AskedPast): Parameters<typeof pastReader>[0] {
  const { now, knownSince, changes } = pastOfFile(state, path.toString(), except);
  const versions = changes.map(({ at, file }) => {
    const [before, after] = recordedVersions(file);
    return { at: Date.parse(at), before, after };
  });
  return { now: Date.parse(now), knownSince: knownSince === '' ? 0 : Date.parse(knownSince), versions };
}

/** What a no to a preview is about, for the record of it: by its files, in order. */
export function refusedNodes(
  { files, expires_at: until }: Pick<Preview, 'files' | 'expires_at'>,
  { policy, sandbox }: Pick<CallContext, 'policy' | 'sandbox'>,
): readonly RefusedNodes[] {
  return files.map((stored) => {
    const versions = readVersions(sandbox.parse(stored.file), recordedVersions(stored), policy.limits);
    return { until, touched: touchedNodes(factsOf(...versions)) };
  });
}
