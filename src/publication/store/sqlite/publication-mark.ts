// What a cycle of the publisher depends on, in short, so that other commits, such as those of deliveries, do not look
// like changes of the publication.
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import type { PublicationMark } from '../store.ts';

type Row = {
  readonly epoch: string | null;
  readonly newest: string | null;
  readonly pictures: number | null;
  /** How many content keys there are, and how many were revoked: hosts have those in force. */
  readonly keys: string | null;
  readonly generation: number | null;
  readonly announcedMs: number | null;
  readonly isOneSave: number | null;
};

/** A save of one record changes fewer rows; the ids of bulk work and of imports have a colon. */
const SAVED_ROWS_MAX = 200;

/** Never throws: the cycle says what is wrong. */
export const readPublicationMark = (connection: SqliteConnection): PublicationMark => {
  try {
    const schema = connection.pragma('schema_version', { simple: true }) as number;
    const row = connection
      .prepare(
        `SELECT (SELECT epoch FROM log_state WHERE id = 1) AS epoch,
           (SELECT seq || ' ' || hex(nonce) FROM changes ORDER BY seq DESC LIMIT 1) AS newest,
           (SELECT max(number) FROM media) AS pictures,
           (SELECT count(*) || ' ' || count(revoked_at) FROM api_keys WHERE type = 'content') AS keys,
           (SELECT generation FROM published_position WHERE id = 1) AS generation,
           (SELECT finished_at FROM published_position WHERE id = 1) AS announcedMs,
           (SELECT count(DISTINCT coalesce(action, ':')) = 1 AND count(*) < ${SAVED_ROWS_MAX}
              AND min(coalesce(action, ':')) NOT LIKE '%:%'
            FROM (SELECT action FROM changes
              WHERE seq > (SELECT seq FROM published_position WHERE id = 1) LIMIT ${SAVED_ROWS_MAX})
           ) AS isOneSave`,
      )
      .get() as Row;
    const { epoch, newest, pictures, keys, generation, announcedMs, isOneSave } = row;
    return {
      log: `${schema} ${epoch} ${newest} ${pictures} ${keys}`,
      generation: generation ?? 0,
      announcedMs,
      isOneSave: isOneSave === 1,
    };
  } catch {
    return { log: 'unreadable', generation: 0, announcedMs: null, isOneSave: false };
  }
};
