// The rows of the audit trail.
import { parsedJson } from './canonical-json.ts';
import { chainedRows, GENESIS, rowHash, type TrailRow } from './chain.ts';
import { SHORT_LENGTH } from './content-id.ts';
import type { Rows } from './driver.ts';
import { decodeEvent, type Event, encodeEvent } from './event.ts';
import { StateFault } from './fault.ts';
import { countIn, type Row, textIn } from './rows.ts';
import type { RecordedEvent } from './status.ts';
import type { TrailPoint } from './values.ts';

/** The condition that an event is about this preview, by which an index finds it; `id` is SQL. */
export const isAbout = (id: string) =>
  `substr(about, 1, ${SHORT_LENGTH}) = substr(${id}, 1, ${SHORT_LENGTH}) AND about = ${id}`;

export async function eventsAbout(rows: Rows, id: string): Promise<readonly RecordedEvent[]> {
  const found = await rows(`SELECT seq, body FROM trail WHERE ${isAbout('$1')} ORDER BY seq`, id);
  return found.map(recordedIn);
}

function recordedIn(row: Row): RecordedEvent {
  return { seq: countIn(row, 'seq'), event: eventIn(row) };
}

export function eventIn(row: Row): Event {
  const event = decodeEvent(textIn(row, 'body'));
  if (event === undefined) throw new StateFault('damaged');
  return event;
}

export async function headOf(rows: Rows): Promise<TrailPoint> {
  const [row] = await rows('SELECT seq, sha256 FROM trail ORDER BY seq DESC LIMIT 1');
  return row === undefined ? GENESIS : { seq: countIn(row, 'seq'), sha256: textIn(row, 'sha256') };
}

export async function holds(rows: Rows, { seq, sha256 }: TrailPoint): Promise<boolean> {
  if (seq === 0) return sha256 === GENESIS.sha256;
  const [row] = await rowsAfter(rows, seq - 1, 1);
  return row?.seq === seq && row.sha256 === sha256 && rowHash(row) === sha256;
}

export async function rowsAfter(rows: Rows, seq: number, most: number): Promise<readonly TrailRow[]> {
  const found = await rows(
    'SELECT seq, prev, sha256, type, about, notice, body FROM trail WHERE seq > $1 ORDER BY seq LIMIT $2',
    seq,
    most,
  );
  return found.map((row) => ({
    ...{ seq: countIn(row, 'seq'), prev: textIn(row, 'prev') },
    ...{ sha256: textIn(row, 'sha256'), body: isFoundAsItSays(row) ? textIn(row, 'body') : '' },
  }));
}

/** False where the columns by which an event is found differ from its text, which alone the hash covers. */
function isFoundAsItSays(row: Row): boolean {
  const event: Readonly<Record<string, unknown>> = Object(parsedJson(textIn(row, 'body')));
  return ['type', 'about', 'notice'].every((name) => (row[name] ?? undefined) === event[name]);
}

export async function appendTo(rows: Rows, events: readonly Event[]): Promise<TrailPoint> {
  const head = await headOf(rows);
  const chained = chainedRows(head, events.map(encodeEvent));
  for (const [index, { seq, prev, sha256, body }] of chained.entries()) {
    const { type, about = null, notice = null } = events[index] ?? {};
    await rows(
      'INSERT INTO trail (seq, prev, sha256, type, about, notice, body) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      ...[seq, prev, sha256, type ?? '', about, notice, body],
    );
  }
  const { seq, sha256 } = chained.at(-1) ?? head;
  return { seq, sha256 };
}
