// Addresses that members had until they were deleted or got another one, as the change log has them.
import * as z from 'zod';
import { mailboxOf } from '../../../base/text/email.ts';
import { parseJson } from '../../../base/text/json-value.ts';
import { db, type Queryable } from '../db.ts';

export type EarlierAddresses = {
  /**
   * Whether a member had the address, as of the last look, or has it (`isTaken`); false where work deletes that member which
   * was asked for before.
   */
  readonly wasTaken: (email: string, isTaken: boolean) => boolean;
  /** Often: a build takes changes out of the log. */
  readonly look: () => Promise<void>;
};

const before = z.object({ email: z.string() });

/** Of members that are changed or deleted from now on. */
export const watchEarlierAddresses = async (from: Queryable): Promise<EarlierAddresses> => {
  const leaving = new Set((await listLeaving(from)).map(({ email }) => mailboxOf(email)));
  const newest = db(from)
    .selectFrom('changes')
    .select((row) => row.fn.max('seq').as('seq'));
  let seen = (await newest.executeTakeFirstOrThrow()).seq ?? 0;
  const mailboxes = new Set<string>();
  return {
    wasTaken: (email, isTaken) =>
      !leaving.has(mailboxOf(email)) && (isTaken || mailboxes.has(mailboxOf(email))),
    look: async () => {
      const rows = await db(from)
        .selectFrom('changes')
        .select(['seq', 'old'])
        .where('seq', '>', seen)
        .where('entity', '=', 'members')
        .where('op', 'in', ['u', 'd'])
        .execute();
      for (const { seq, old } of rows) {
        seen = Math.max(seen, seq);
        const read = before.safeParse(parseJson(old ?? ''));
        if (read.success) mailboxes.add(mailboxOf(read.data.email));
      }
    },
  };
};

const listLeaving = (from: Queryable): Promise<{ readonly email: string }[]> =>
  db(from)
    .selectFrom('bulk_lines as line')
    .innerJoin('bulk_jobs as job', 'job.id', 'line.job_id')
    .innerJoin('members as member', 'member.id', 'line.text')
    .select('member.email')
    .where('job.kind', '=', 'delete')
    .where('job.state', '=', 'running')
    .execute();
