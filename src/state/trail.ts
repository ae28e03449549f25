// The audit trail, a chain of events: each has a number, and its hash covers the hash of the event before it. The text of an event is
// canonical, so that any changed byte is detected.
import { sha256Hex, shortOf } from './canonical.ts';
import { countIn, type Row, type Rows, StateFault, textIn } from './driver.ts';
import { decodeEvent, type Event, encodeEvent, type RecordedEvent, type TrailPoint } from './event.ts';

/** The start of a trail, before the first event. */
export const GENESIS: TrailPoint = { seq: 0, sha256: '0'.repeat(64) };

/** One row of the trail, as a database keeps it. */
export interface TrailRow extends TrailPoint {
  /** The hash of the row before. */
  readonly prev: string;
  /** The event in canonical JSON. */
  readonly body: string;
  /** The event; undefined if the text is none, or if a column by which it is found differs from it. */
  readonly event: Event | undefined;
}

/** True if the row is unchanged and follows `last`. */
export function isNextRow(row: TrailRow, last: TrailPoint): boolean {
  const { seq, prev, sha256, body, event } = row;
  const isThere = event !== undefined && seq === last.seq + 1 && prev === last.sha256;
  return isThere && sha256 === rowHash(seq, prev, body);
}

function rowHash(seq: number, prev: string, body: string): string {
  return sha256Hex(`${seq}\n${prev}\n${body}`);
}

/** The number of events at the end that a start checks. `audit verify` checks all. */
const CHECKED_AT_START = 100;

/** Returns the end of the trail. Throws StateFault unless the last events form a whole chain that leads to it. */
export async function requireWholeEnd(rows: Rows): Promise<TrailPoint> {
  const end = await headAfter(rows);
  const start = Math.max(0, end.seq - CHECKED_AT_START);
  const found = await rowsAfter(rows, start, CHECKED_AT_START);
  let last = { seq: start, sha256: start === 0 ? GENESIS.sha256 : (found[0]?.prev ?? '') };
  for (const row of found) {
    if (!isNextRow(row, last)) throw new StateFault('damaged');
    last = row;
  }
  if (last.seq !== end.seq) throw new StateFault('damaged');
  return end;
}

const COLUMNS = 'seq, prev, sha256, type, about, notice, body';

/** Returns the events about the previews whose ids begin with these ten characters: mostly one. */
export async function eventsAbout(rows: Rows, short: string): Promise<readonly RecordedEvent[]> {
  const found = await rows(`SELECT ${COLUMNS} FROM trail WHERE about = $1 ORDER BY seq`, short);
  return found.map(recordedIn);
}

export async function eventsOf(rows: Rows, id: string): Promise<readonly RecordedEvent[]> {
  return (await eventsAbout(rows, shortOf(id))).filter(({ event }) => event.about === id);
}

/** Reads the event of a row with all of its columns. */
export function recordedIn(row: Row): RecordedEvent {
  const event = eventIn(row);
  if (event === undefined) throw new StateFault('damaged');
  return { seq: countIn(row, 'seq'), event };
}

function eventIn(row: Row): Event | undefined {
  const event = eventOf(textIn(row, 'body'));
  const isFoundAsItSays =
    event !== undefined &&
    row['type'] === event.type &&
    row['about'] === (event.about === undefined ? null : shortOf(event.about)) &&
    row['notice'] === (event.notice ?? null);
  return isFoundAsItSays ? event : undefined;
}

/** One write asks several times for the same few events, each of which may name thousands of files. */
const MOST_KNOWN = 4;
/** The events that were decoded or written last, by their texts; oldest first. */
const known = new Map<string, Event>();

function eventOf(body: string): Event | undefined {
  const event = known.get(body) ?? decodeEvent(body);
  return event && remember(body, event);
}

function remember(body: string, event: Event): Event {
  known.delete(body);
  known.set(body, event);
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KNOWN) break;
    known.delete(oldest);
  }
  return event;
}

/** Returns the end of the trail. Throws StateFault if the trail has lost or changed the event `seen`. */
export async function headAfter(rows: Rows, seen: TrailPoint = GENESIS): Promise<TrailPoint> {
  const [known, head = known] = await rows(
    'SELECT seq, prev, sha256, body FROM trail WHERE seq = $1 OR seq = (SELECT max(seq) FROM trail) ORDER BY seq',
    seen.seq,
  );
  if (seen.seq > 0 && !isPoint(known, seen)) throw new StateFault('replaced');
  return head === undefined ? GENESIS : { seq: countIn(head, 'seq'), sha256: textIn(head, 'sha256') };
}

/** True if the trail holds exactly this event. */
export async function holds(rows: Rows, point: TrailPoint): Promise<boolean> {
  if (point.seq === 0) return point.sha256 === GENESIS.sha256;
  const [row] = await rows('SELECT seq, prev, sha256, body FROM trail WHERE seq = $1', point.seq);
  return isPoint(row, point);
}

function isPoint(row: Row | undefined, { seq, sha256 }: TrailPoint): boolean {
  if (row === undefined || countIn(row, 'seq') !== seq || textIn(row, 'sha256') !== sha256) return false;
  return sha256 === rowHash(seq, textIn(row, 'prev'), textIn(row, 'body'));
}

/** Returns at most `most` rows after a number, in order. */
export async function rowsAfter(rows: Rows, seq: number, most: number): Promise<readonly TrailRow[]> {
  const found = await rows(`SELECT ${COLUMNS} FROM trail WHERE seq > $1 ORDER BY seq LIMIT $2`, seq, most);
  return found.map((row) => ({
    ...{ seq: countIn(row, 'seq'), prev: textIn(row, 'prev'), sha256: textIn(row, 'sha256') },
    ...{ body: textIn(row, 'body'), event: eventIn(row) },
  }));
}

const ROWS_PER_PAGE = 1_000;

/** Yields the rows of the trail after this number, in order, of which only one page at a time is in memory. */
export async function* trailPages(
  store: { trailAfter(seq: number, most: number): Promise<readonly TrailRow[]> },
  after = 0,
): AsyncGenerator<readonly TrailRow[]> {
  for (let seq = after; ; ) {
    const rows = await store.trailAfter(seq, ROWS_PER_PAGE);
    yield rows;
    if (rows.length < ROWS_PER_PAGE) return;
    seq = rows.at(-1)?.seq ?? seq;
  }
}

/** A database takes some thousand values in a statement. */
const EVENTS_AT_ONCE = 100;

/** Appends events behind the end of the trail, and returns the new end. */
export async function appendTo(rows: Rows, end: TrailPoint, events: readonly Event[]): Promise<TrailPoint> {
  let { seq, sha256 } = end;
  for (let start = 0; start < events.length; start += EVENTS_AT_ONCE) {
    const part = events.slice(start, start + EVENTS_AT_ONCE);
    const values = part.flatMap((event) => {
      const [prev, body] = [sha256, encodeEvent(event)];
      remember(body, event);
      seq += 1;
      sha256 = rowHash(seq, prev, body);
      const about = event.about === undefined ? null : shortOf(event.about);
      return [seq, prev, sha256, event.type, about, event.notice ?? null, body];
    });
    // Such as `($1, $2), ($3, $4)` for two rows of two values.
    const places = part.map(
      (_, row) => `(${Array.from({ length: 7 }, (__, column) => `$${row * 7 + column + 1}`).join(', ')})`,
    );
    await rows(`INSERT INTO trail (${COLUMNS}) VALUES ${places.join(', ')}`, ...values);
  }
  return { seq, sha256 };
}
