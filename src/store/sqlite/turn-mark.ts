// What a turn of the publisher depends on, in short, so that other commits, such as those of deliveries, do not look
// like changes of the publication.
import type { SqliteConnection } from './driver.ts';

export type TurnMark = {
  /** Another text once a change was logged, and when the log or the schema is another one. */
  readonly log: string;
  /** The announced one; another program's build moves it too. */
  readonly generation: number;
};

/** Never throws: what is wrong is said by the turn. */
export const readTurnMark = (connection: SqliteConnection): TurnMark => {
  try {
    const schema = connection.pragma('schema_version', { simple: true }) as number;
    const row = connection
      .prepare(
        `SELECT (SELECT epoch FROM log_state WHERE id = 1) AS epoch,
           (SELECT seq || ' ' || hex(nonce) FROM changes ORDER BY seq DESC LIMIT 1) AS newest,
           (SELECT generation FROM published_position WHERE id = 1) AS generation`,
      )
      .get() as { epoch: string | null; newest: string | null; generation: number | null };
    const { epoch, newest, generation } = row;
    return { log: `${schema} ${epoch} ${newest}`, generation: generation ?? 0 };
  } catch {
    return { log: 'unreadable', generation: 0 };
  }
};
