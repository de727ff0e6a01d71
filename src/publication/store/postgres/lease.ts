// Which server leads: a row with a time, by the clock of the database. It is renewed in time, or taken by another server. The
// fence makes a transaction of the leader fail when another one leads by then, and a take-over wait for its commit.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrepressError } from '../../../base/errors.ts';
import { NEWEST_MIGRATION } from '../sqlite/migrations.ts';
import type { Ending } from './ending.ts';
import { openSession, type Session } from './session.ts';

const LEASE_MS = 6_000;
const RENEW_MS = 1_500;
const STAND_MS = 500;
/** The lease is over here before it is over there. */
const MARGIN_MS = 1_000;
/** A leader that is frozen behind the fence would keep the lease from others for as long as a save may take. */
const FENCED_MS = 2_000;

export type Lease = {
  readonly leads: () => boolean;
  /** The last act of a transaction before its commit. Throws DATABASE_BUSY when another server leads. */
  readonly fence: (session: Session) => Promise<void>;
  /** Lets another server lead at once. */
  readonly close: () => Promise<void>;
};

type Options = { readonly address: string; readonly server: string; readonly ending: Ending };

/** Resolves after the first try; `server` is this one's id. Throws DATABASE_NO_PERMISSION. */
export const standForLease = async ({ address, server, ending }: Options): Promise<Lease> => {
  // Random for each time: after a failover a number might repeat.
  const newHolder = (): string => `${server}/${randomBytes(12).toString('hex')}`;
  let holder = newHolder();
  let endsAt = 0;
  let session: Session | null = null;
  const leaving = new AbortController();
  const leads = (): boolean => performance.now() < endsAt;
  const attempt = async (): Promise<void> => {
    if (!leads()) holder = newHolder();
    const asked = performance.now();
    session = session?.isOpen() ? session : await openSession(address, ending);
    const rows = await session.query(
      `UPDATE leader SET holder = $1, until = clock_timestamp() + interval '${LEASE_MS} ms'
       WHERE (holder = $1 OR until < clock_timestamp())
         AND NOT EXISTS (SELECT FROM migrations WHERE number > ${NEWEST_MIGRATION} AND NOT is_additive)
       RETURNING holder`,
      [holder],
    );
    endsAt = rows.length === 0 ? 0 : asked + LEASE_MS - MARGIN_MS;
  };
  const run = async (): Promise<void> => {
    for (;;) {
      const waitMs = leads() ? RENEW_MS : STAND_MS;
      await sleep(waitMs, undefined, { signal: leaving.signal, ref: false }).catch(() => undefined);
      if (leaving.signal.aborted) return;
      // Nobody leads while PostgreSQL is away; the read model says so.
      await attempt().catch(() => undefined);
    }
  };
  await attempt().catch(async (error: unknown) => {
    const isRefused = error instanceof PrepressError && error.code === 'DATABASE_NO_PERMISSION';
    if (!isRefused) return;
    await session?.close();
    throw error;
  });
  const running = run();
  return {
    leads,
    fence: async (writer) => {
      const limit = `set_config('idle_in_transaction_session_timeout', '${FENCED_MS}', true)`;
      const rows = await writer.query(`SELECT ${limit} FROM leader WHERE holder = $1 FOR SHARE`, [
        holder,
      ]);
      if (rows.length === 0 || !leads())
        throw new PrepressError('DATABASE_BUSY', 'Another server leads now.');
    },
    close: async () => {
      leaving.abort();
      await running;
      endsAt = 0;
      const left = "UPDATE leader SET until = '-infinity' WHERE holder = $1";
      if (session?.isOpen()) await session.query(left, [holder]).catch(() => undefined);
      await session?.close();
    },
  };
};
