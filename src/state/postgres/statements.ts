// Runs the two kinds of statements of the store: a consistent read, and a call of a function that writes. Both first check that the
// schema and the trail are those that this process has seen before.
import { z } from 'zod';
import { GENESIS } from '../chain.ts';
import type { EncodedRecord } from '../codec.ts';
import { trailPointIn } from '../kept.ts';
import type { TrailPoint } from '../records/values.ts';
import type { Row } from '../rows.ts';
import type { PostgresDatabase, SqlValue } from './driver.ts';
import { VERSION } from './schema.ts';

export class Statements {
  readonly #database: PostgresDatabase;
  readonly schema: string;
  #last: TrailPoint = GENESIS;

  /** Takes the quoted name of the schema. */
  constructor(database: PostgresDatabase, schema: string) {
    this.#database = database;
    this.schema = schema;
  }

  /** Remembers a record of the trail, which must be there from now on. */
  remember(point: TrailPoint): void {
    // Answers of several connections come in any order.
    if (point.seq > this.#last.seq) this.#last = point;
  }

  /** Answers the rows of a query, whose own values begin with $4. */
  async read(query: string, ...values: readonly SqlValue[]): Promise<readonly Row[]> {
    // A query without rows answers one empty row, so that the check is made in any case.
    const rows = await this.#database.rows(
      `SELECT one.*, seen.is_same FROM (SELECT ${this.schema}.require_same(${this.#seen}) AS is_same OFFSET 0) AS seen
       LEFT JOIN LATERAL (SELECT true AS is_row, query.* FROM (${query}) AS query) AS one ON true`,
      [...this.#seenValues, ...values],
    );
    return rows.filter((row) => row['is_row'] === true);
  }

  /** Calls a function and answers the row of its result. The values in `args` begin with $4. */
  async call(name: string, args: string, ...values: readonly SqlValue[]): Promise<Row> {
    const statement = `SELECT * FROM ${this.schema}.${name}(${this.#seen}, ${args})`;
    const all = [...this.#seenValues, ...values];
    // All other functions recognise a record that they have appended before.
    const isRepeatable = name !== 'append' && name !== 'erase_before';
    const [row = {}] = await (isRepeatable
      ? this.#database.rows(statement, all)
      : this.#database.rowsOnce(statement, all));
    return row;
  }

  /** Calls a function that answers a place in the trail, or none. */
  async callForPoint(
    name: string,
    args: string,
    ...values: readonly SqlValue[]
  ): Promise<TrailPoint | undefined> {
    const row = await this.call(name, args, ...values);
    if (row['sha256'] === null) return undefined;
    const point = trailPointIn(row);
    this.remember(point);
    return point;
  }

  get #seen(): string {
    return `ROW($1, $2, $3)::${this.schema}.seen`;
  }

  get #seenValues(): readonly SqlValue[] {
    return [VERSION, this.#last.seq, this.#last.sha256];
  }
}

/** Answers the two values of `texts_of`. */
export function textsOf({ texts }: Pick<EncodedRecord, 'texts'>): readonly [string, string] {
  const encoded = [...texts.values()].map((text) => Buffer.from(text.read()).toString('base64'));
  return [arrayOf([...texts.keys()]), arrayOf(encoded)];
}

/** Answers the texts by their hash. */
export function textsIn(row: Row): ReadonlyMap<string, Uint8Array> {
  const encoded = textsShape.parse(row['texts'] ?? {});
  return new Map(Object.entries(encoded).map(([sha256, base64]) => [sha256, Buffer.from(base64, 'base64')]));
}

const textsShape = z.record(z.string(), z.string());

/** Writes an array of texts as PostgreSQL does. */
export function arrayOf(texts: readonly string[]): string {
  return `{${texts.map((one) => `"${one.replace(/["\\]/gu, '\\$&')}"`).join(',')}}`;
}

export const rowShape = z.record(z.string(), z.unknown());
export const rowsShape = z.array(rowShape);
