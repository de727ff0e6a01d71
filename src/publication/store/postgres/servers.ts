// The servers of a publication: each notes which commit its tree shows, so that webhooks wait until all that were seen lately
// show what they tell of. A server that may not write the note, or is silent, is not waited for.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Servers } from '../store.ts';
import type { ReadModel } from './read-model.ts';
import { openSession, type Session } from './session.ts';

const NOTE_MS = 2_000;
/** A server that was silent for longer is left out. */
const SEEN = "seen_at > clock_timestamp() - interval '10 s'";

const NOTE = `INSERT INTO servers (id, name, seq, seen_at) VALUES ($1, $2, $3, clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, seen_at = excluded.seen_at`;

type Options = {
  readonly address: string;
  readonly model: Pick<ReadModel, 'seen' | 'becomeCurrent'>;
};

/** Nothing is noted before the first tree of this program. */
export const joinServers = ({
  address,
  model,
}: Options): Servers & { readonly close: () => Promise<void> } => {
  const id = randomBytes(12).toString('hex');
  const name = `${hostname()} ${process.pid}`;
  let session: Session | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let placed: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  const ask = <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const done = last.then(async () => {
      if (!session?.isOpen()) session = await openSession(address);
      return work(session);
    });
    last = done.catch(() => undefined);
    return done;
  };
  const note = (): void => {
    // PostgreSQL is away, or gives no right to: then nobody waits for this server.
    void ask((open) => open.query(NOTE, [id, name, placed])).catch(() => undefined);
  };
  return {
    seen: model.seen,
    becomeCurrent: () => model.becomeCurrent(),
    placed: (seq) => {
      if (seq === placed) return;
      placed = seq;
      timer ??= setInterval(note, NOTE_MS).unref();
      note();
    },
    lacking: (seq) =>
      ask(async (open) => {
        const sql = `SELECT name FROM servers WHERE seq < $1 AND id <> $2 AND ${SEEN} ORDER BY name`;
        return (await open.query<{ name: string }>(sql, [seq, id])).map((row) => row.name);
      }),
    close: async () => {
      clearInterval(timer);
      const left =
        "DELETE FROM servers WHERE id = $1 OR seen_at < clock_timestamp() - interval '1 day'";
      if (placed !== null) await ask((open) => open.query(left, [id])).catch(() => undefined);
      await last;
      await session?.close();
    },
  };
};
