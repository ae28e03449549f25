// Turns the rows of both engines into the types of the store.
import { z } from 'zod';
import { parsedJson } from './canonical-json.ts';
import type { TrailRow } from './chain.ts';
import { StateFault } from './fault.ts';
import { changeShape } from './records/change.ts';
import { type Decision, signedDecisionShape } from './records/trail-record.ts';
import { APPROVALS, type TrailPoint } from './records/values.ts';
import { countIn, optionalTextIn, type Row, textIn } from './rows.ts';
import type {
  ChangeState,
  KeptChange,
  ListedChange,
  OpenChange,
  PreviewStatus,
  RecordedDecision,
  WaitingPreview,
} from './store.ts';

export function trailPointIn(row: Row): TrailPoint {
  return { seq: countIn(row, 'seq'), sha256: textIn(row, 'sha256') };
}

export function trailRowIn(row: Row): TrailRow {
  return { ...trailPointIn(row), prev: textIn(row, 'prev'), record: textIn(row, 'record') };
}

const ACTIONS: readonly Decision['decision'][] = ['approve', 'part', 'reject'];

/** Reads a decision as far as possible. A forged record counts as a decision that nobody has signed. */
function decisionIn(row: Row): RecordedDecision {
  const record: { readonly reviewer?: unknown; readonly signed?: unknown } = Object(
    parsedJson(textIn(row, 'record')),
  );
  const action = ACTIONS.find((one) => one === row['action']);
  if (action === undefined) throw new StateFault('damaged');
  return {
    action,
    reviewer: typeof record.reviewer === 'string' ? record.reviewer : '',
    isSigned: record.signed !== undefined,
    signed: signedDecisionShape.safeParse(record.signed).data,
  };
}

/** Reads the status of a preview from the rows of the trail about it, in their order. `facts` holds the rest of the status. */
export function previewStatusIn(
  rows: readonly Row[],
  facts: Pick<PreviewStatus, 'decidedAt' | 'changeId'>,
): PreviewStatus {
  const isReplacement = (row: Row): boolean => row['action'] === 'replace';
  const replacement = rows.find(isReplacement);
  const { replaced_by: by }: { readonly replaced_by?: unknown } = Object(
    replacement && parsedJson(textIn(replacement, 'record')),
  );
  return {
    ...facts,
    decisions: rows.filter((row) => !isReplacement(row)).map(decisionIn),
    replacedBy: typeof by === 'string' ? by : undefined,
  };
}

/** Reads a waiting preview; empty for a record that cannot be read. */
export function waitingPreviewIn(row: Row): readonly WaitingPreview[] {
  const approval = APPROVALS.find((level) => level === row['approval']);
  if (approval === undefined) return [];
  return [
    {
      id: textIn(row, 'id'),
      roots: textIn(row, 'roots'),
      policy: textIn(row, 'policy'),
      approval,
      createdAt: textIn(row, 'created_at'),
      expiresAt: textIn(row, 'expires_at'),
      isDecided: Boolean(row['is_decided']),
    },
  ];
}

/** Reads a change for a list; empty for a record that cannot be read. */
export function listedChangeIn(row: Row): readonly ListedChange[] {
  const change = changeShape.safeParse(parsedJson(textIn(row, 'record'))).data;
  return change
    ? [{ ...change, ...changeStateIn(row), id: textIn(row, 'id'), order: countIn(row, 'position') }]
    : [];
}

export function changeStateIn(row: Row): Pick<KeptChange, 'state' | 'undoneBy'> {
  return {
    state: stateByOutcome(optionalTextIn(row, 'outcome')),
    undoneBy: optionalTextIn(row, 'undone_by'),
  };
}

function stateByOutcome(outcome: string | undefined): ChangeState {
  if (outcome === undefined) return 'open';
  if (outcome === 'applied' || outcome === 'unknown') return outcome;
  throw new StateFault('damaged');
}

export function openChangeIn(row: Row): OpenChange {
  const files = z.array(z.string()).safeParse(parsedJson(textIn(row, 'files'))).data;
  if (files === undefined) throw new StateFault('damaged');
  return { id: textIn(row, 'id'), roots: textIn(row, 'roots'), files };
}
