// Claims deliveries in PostgreSQL, by its clock: of several servers one gets each. The lock of saves is held, so that no save
// runs again for it; rows that another program has locked are left to it.
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import type { Claim, Store } from '../store.ts';
import { claimable, LEASE_MS } from '../webhooks/deliveries.ts';
import { findPosition } from './fill.ts';
import type { ReadModel } from './read-model.ts';
import { NOW_MS } from './servers.ts';
import type { Session } from './session.ts';
import { BEGIN } from './write-through.ts';

/** Makes PostgreSQL's text of what both databases are asked. */
const compiler = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

type Picked = Claim['picks'][number];
type Given = Omit<Claim, 'picks'> & { readonly now: number; readonly leaseNow: number };

export const createClaim =
  (model: ReadModel): NonNullable<Store['claim']> =>
  ({ picks, ...claim }, ownNow) =>
    model.alone(async (session, writer) => {
      await findPosition(session);
      const claimed = await writer.transaction(`${BEGIN}; SELECT ${NOW_MS}`, async (begun) => {
        const leaseNow = Number(begun.at(-1)?.[0]?.[0]);
        // What is due was said by one server's clock or another's: by none it is early.
        const given = { ...claim, leaseNow, now: Math.min(ownNow, leaseNow) };
        const ids: string[] = [];
        for (const pick of picks) ids.push(...(await claimOf(writer, pick, given)));
        return ids;
      });
      // The caller reads them from the file.
      if (claimed.length > 0) await model.catchUp(session);
      return claimed;
    });

/** An array: a limit within IN may be run again for each row. */
const claimOf = async (
  session: Session,
  { webhookId, limit }: Picked,
  { owner, now, leaseNow, except }: Given,
): Promise<string[]> => {
  const query = sql`UPDATE deliveries SET lease_owner = ${owner}, lease_until = ${leaseNow + LEASE_MS}
    WHERE id = ANY(ARRAY(SELECT d.id FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
      WHERE d.webhook_id = ${webhookId} AND ${claimable(now, leaseNow)} AND d.id <> ALL(${except}::text[])
      ORDER BY d.due_at, d.id LIMIT ${limit} FOR UPDATE OF d SKIP LOCKED)) RETURNING id`;
  const { sql: text, parameters } = query.compile(compiler);
  return (await session.query<{ id: string }>(text, parameters)).map(({ id }) => id);
};
