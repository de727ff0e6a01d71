// The lines of an import of members until all of them were judged, of each address the last one: a SQLite file in the system's
// temporary folder, removed by `close`. A file of any size needs no memory.
import { openScratch } from '../../../base/sqlite/connection.ts';

export type KeptLine = {
  readonly text: string;
  /** Whether a line of the address says that its reader left, or may say so. */
  readonly leaves: 'left' | 'perhaps' | null;
};

export type MemberLines = {
  /** Keeps a line in place of an earlier one of the same address; returns the number of that one. */
  readonly put: (
    email: string,
    line: { readonly number: number; readonly text: string },
  ) => number | null;
  /** `alone`: what the lines of the address are together where none was put. */
  readonly leave: (email: string, says: 'left' | 'perhaps', alone?: string) => void;
  /** Numbers of lines that another line of their address unsubscribes. */
  readonly overruled: () => Iterable<number>;
  /** Whether a line would make a subscribed member of someone who was none when it was judged. */
  readonly hasNew: () => boolean;
  /** In the order in which the addresses first came. */
  readonly batches: (size: number) => Iterable<readonly KeptLine[]>;
  readonly close: () => void;
};

const SCHEMA = `
  CREATE TABLE lines (seq INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, number INTEGER, text TEXT,
    leaves INTEGER NOT NULL DEFAULT 0, alone TEXT);
`;
/** By the column `leaves`. */
const LEAVES = [null, 'perhaps', 'left'] as const;
const COMMIT_LINES = 2_000;

/** An empty one. */
export const openMemberLines = (): MemberLines => {
  const { connection, close } = openScratch('import', SCHEMA);
  const find = connection.prepare('SELECT number FROM lines WHERE email = ?').pluck();
  const put = connection.prepare(
    `INSERT INTO lines (email, number, text) VALUES (?, ?, ?)
     ON CONFLICT (email) DO UPDATE SET number = excluded.number, text = excluded.text`,
  );
  const leave = connection.prepare(
    `INSERT INTO lines (email, leaves, alone) VALUES (?, ?, ?) ON CONFLICT (email)
     DO UPDATE SET leaves = max(leaves, excluded.leaves), alone = coalesce(excluded.alone, alone)`,
  );
  let written = 0;
  const write = (run: () => void): void => {
    written += 1;
    if (connection.inTransaction && written % COMMIT_LINES === 0) connection.exec('COMMIT');
    if (!connection.inTransaction) connection.exec('BEGIN');
    run();
  };
  return {
    put: (email, { number, text }) => {
      const earlier = (find.get(email) ?? null) as number | null;
      write(() => put.run(email, number, text));
      return earlier;
    },
    leave: (email, says, alone) =>
      write(() => leave.run(email, LEAVES.indexOf(says), alone ?? null)),
    overruled: () =>
      connection
        .prepare(
          `SELECT number FROM lines WHERE leaves > 0 AND text IS NOT NULL
           AND json_extract(text, '$.isSubscribed') IS NOT 0 ORDER BY number`,
        )
        .pluck()
        .iterate() as Iterable<number>,
    hasNew: () =>
      connection
        .prepare(
          `SELECT 1 FROM lines WHERE leaves = 0 AND json_extract(text, '$.wasKnown') IS NOT 1
           AND json_extract(text, '$.isSubscribed') IS NOT 0 AND text IS NOT NULL`,
        )
        .get() !== undefined,
    batches: function* (size) {
      type Stored = { readonly seq: number; readonly text: string; readonly leaves: number };
      const page = connection.prepare(
        `SELECT seq, coalesce(text, alone) AS text, leaves FROM lines
         WHERE seq > ? AND coalesce(text, alone) IS NOT NULL ORDER BY seq LIMIT ?`,
      );
      let after = 0;
      for (;;) {
        const rows = page.all(after, size) as Stored[];
        const last = rows.at(-1);
        if (last === undefined) return;
        after = last.seq;
        yield rows.map(({ text, leaves }): KeptLine => ({ text, leaves: LEAVES[leaves] ?? null }));
      }
    },
    close,
  };
};
