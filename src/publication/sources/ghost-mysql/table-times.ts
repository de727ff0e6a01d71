// When the server last saw a commit change each table. It has whole seconds, so only a time that is some seconds old
// tells that nothing was committed since. Absent where the server does not know (after its start, until a table is
// changed again), or where the time may lack something.
import type { MysqlSession } from './session.ts';

/** Longer than any commit takes from getting its time to being seen, and than a second. */
const SETTLED_S = 5;

/** Times by table, of those that were left alone for a while. */
export const readTableTimes = async (
  session: MysqlSession,
): Promise<ReadonlyMap<string, string>> => {
  const rows = await session.query({
    sql: `SELECT table_name AS t, concat_ws(' ', create_time, update_time) AS times
          FROM information_schema.tables
          WHERE table_schema = database() AND engine = 'InnoDB' AND create_options NOT LIKE '%partitioned%'
            AND update_time < now() - INTERVAL ${SETTLED_S} SECOND`,
  });
  return new Map(rows.map(({ t, times }) => [String(t), String(times)]));
};
