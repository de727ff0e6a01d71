// The bodies of events: stored once each, compressed, and dropped when nobody needs them any more. An event keeps
// its text with one character in the place of the body.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { sql } from 'kysely';
import { KEPT_BODIES_BYTES_MAX } from '../../../base/limits.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import type { Store } from '../store.ts';

export type PackedBody = { readonly sha256: Buffer; readonly packed: Buffer };

/** Stands for the body in an event's text: JSON has no such character. */
export const BODY_MARK = '\u001a';

const pack = promisify(deflateRaw);

export const packBody = async (body: string): Promise<PackedBody> => ({
  sha256: createHash('sha256').update(body).digest(),
  packed: await pack(body),
});

/** The id under which the body is stored; one that stands is left as it is. */
export const storeBody = async (
  tx: Transaction,
  { sha256, packed }: PackedBody,
): Promise<number> => {
  await db(tx)
    .insertInto('event_bodies')
    .values({ sha256, body: packed })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
  const query = db(tx).selectFrom('event_bodies').select('id').where('sha256', '=', sha256);
  return (await query.executeTakeFirstOrThrow()).id;
};

/** The whole text of an event; null when its body is no longer kept, or is damaged. */
export const unpackPayload = (payload: string, packed: Buffer | null): string | null => {
  if (!payload.includes(BODY_MARK)) return payload;
  if (packed === null) return null;
  try {
    return payload.replace(BODY_MARK, () => inflateRawSync(packed).toString());
  } catch {
    return null;
  }
};

type ForgetOptions = {
  readonly now: number;
  /** How long the body of a delivery that arrived is kept, to be sent again. */
  readonly keptMs: number;
  readonly bytesMax?: number;
};

/** Bodies that one transaction looks at. */
const PART = 500;

/** Drops bodies of which every delivery arrived long enough ago, and beyond the bound those of which all ended. */
export const forgetBodies = async (
  store: Store,
  { now, keptMs, bytesMax = KEPT_BODIES_BYTES_MAX }: ForgetOptions,
): Promise<void> => {
  const isNeeded = sql`d.state <> 'done' OR d.finished_at > ${now - keptMs}`;
  for await (const part of listUnneeded(store, isNeeded)) await drop(store, part);
  let excess = (await countBodies(store)).bytes - bytesMax;
  if (excess <= 0) return;
  for await (const part of listUnneeded(store, sql`d.state = 'pending'`)) {
    const bytesBefore = part.map((_, at) => sumOf(part.slice(0, at)));
    const dropped = part.filter((_, at) => (bytesBefore[at] ?? 0) < excess);
    await drop(store, dropped);
    excess -= sumOf(dropped);
    if (excess <= 0) return;
  }
};

type StoredBody = { readonly id: number; readonly bytes: number };

const sumOf = (bodies: readonly StoredBody[]): number =>
  bodies.reduce((sum, { bytes }) => sum + bytes, 0);

/** The oldest first, in parts. */
async function* listUnneeded(
  from: Queryable,
  isNeeded: ReturnType<typeof sql>,
): AsyncGenerator<readonly StoredBody[]> {
  for (let after = 0; ; ) {
    const { rows } = await sql<StoredBody & { isNeeded: number }>`
      SELECT b.id, length(b.body) AS bytes, EXISTS (SELECT 1 FROM events e
        JOIN deliveries d ON d.event_id = e.id WHERE e.body_id = b.id AND (${isNeeded})) AS isNeeded
      FROM event_bodies b WHERE b.id > ${after} ORDER BY b.id LIMIT ${PART}`.execute(db(from));
    if (rows.length === 0) return;
    yield rows.filter((row) => row.isNeeded === 0);
    after = rows.at(-1)?.id ?? 0;
  }
}

/** A body that an event took up meanwhile stays. */
const drop = async (store: Store, bodies: readonly StoredBody[]): Promise<void> => {
  if (bodies.length === 0) return;
  const ids = JSON.stringify(bodies.map(({ id }) => id));
  await store.write((tx) =>
    sql`DELETE FROM event_bodies WHERE id IN (SELECT value FROM json_each(${ids}))
      AND NOT EXISTS (SELECT 1 FROM events e JOIN deliveries d ON d.event_id = e.id
        WHERE e.body_id = event_bodies.id AND d.state = 'pending')`.execute(db(tx)),
  );
};

export const countBodies = async (
  from: Queryable,
): Promise<{ readonly bodies: number; readonly bytes: number }> => {
  const { rows } = await sql<{ bodies: number; bytes: number }>`
    SELECT count(*) AS bodies, coalesce(sum(length(body)), 0) AS bytes FROM event_bodies`.execute(
    db(from),
  );
  return rows[0] ?? { bodies: 0, bytes: 0 };
};
