// Addresses that members had until they were deleted or got another one, as the change log has them.
import * as z from 'zod';
import { parseJson } from '../../../base/text/json-value.ts';
import { db, type Queryable } from '../db.ts';

/** The newest change. */
export const findNewestChange = async (from: Queryable): Promise<number> => {
  const newest = db(from)
    .selectFrom('changes')
    .select((row) => row.fn.max('seq').as('seq'));
  const { seq } = await newest.executeTakeFirstOrThrow();
  return seq ?? 0;
};

const before = z.object({ email: z.string() });

/** Of members that were changed or deleted after it. */
export const listEarlierAddresses = async (from: Queryable, newest: number): Promise<string[]> => {
  const rows = await db(from)
    .selectFrom('changes')
    .select('old')
    .where('seq', '>', newest)
    .where('entity', '=', 'members')
    .where('op', 'in', ['u', 'd'])
    .execute();
  return rows.flatMap(({ old }) => {
    const read = before.safeParse(parseJson(old ?? ''));
    return read.success ? [read.data.email] : [];
  });
};
