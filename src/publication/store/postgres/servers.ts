// The servers of a publication: each notes which commit its tree shows, so that webhooks wait until all that were seen lately
// show what they tell of. A server that may not write the note, or is silent, is not waited for.
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import packageFacts from '../../../../package.json' with { type: 'json' };
import { systemClock } from '../../../base/clock.ts';
import type { PostgresPlace } from '../../../settings/database-address.ts';
import type { KnownServer, Servers } from '../store.ts';
import type { Ending } from './ending.ts';
import type { ReadModel } from './read-model.ts';
import { openSession, type Session } from './session.ts';

const NOTE_MS = 2_000;
/** A server that was silent for longer is left out. */
const SEEN = "seen_at > clock_timestamp() - interval '10 s'";

/** One that was silent for longer is not listed. */
const LISTED = "s.seen_at > clock_timestamp() - interval '10 min'";
const LIST_MS_MAX = 3_000;

/** By PostgreSQL's clock. */
export const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const NOTE = `INSERT INTO servers (id, name, seq, facts, clock_ms, seen_at)
  VALUES ($1, $2, $3, $4, $5::bigint - ${NOW_MS}, clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, facts = excluded.facts, clock_ms = excluded.clock_ms,
    seen_at = excluded.seen_at`;

const LIST = `SELECT s.name, s.facts, s.seq, s.clock_ms AS "clockMs",
    split_part(l.holder, '/', 1) = s.id AND l.until > clock_timestamp() AS leads,
    (SELECT ${NOW_MS} - (extract(epoch FROM min(at)) * 1000)::bigint FROM commits WHERE last_seq > s.seq) AS "lagMs",
    ${NOW_MS} - (extract(epoch FROM s.seen_at) * 1000)::bigint AS "silentMs"
  FROM servers s CROSS JOIN leader l WHERE ${LISTED} ORDER BY s.name`;

type Facts = Pick<KnownServer, 'version' | 'settings'> & { readonly isReader: boolean };

type Listed = Pick<KnownServer, 'name' | 'seq' | 'lagMs' | 'clockMs' | 'silentMs'> & {
  readonly facts: Partial<Facts>;
  readonly leads: boolean;
};

const roleOf = ({ leads, facts }: Listed): KnownServer['role'] => {
  if (leads) return 'leader';
  return facts.isReader === true ? 'reader' : 'other';
};

const toKnown = ({ leads, facts, ...row }: Listed): KnownServer => ({
  ...row,
  version: facts.version ?? '',
  settings: facts.settings ?? {},
  role: roleOf({ leads, facts, ...row }),
});

type Options = {
  readonly id: string;
  readonly place: PostgresPlace;
  readonly ending: Ending;
  readonly model: Pick<ReadModel, 'seen' | 'becomeCurrent'>;
};

/** Nothing is noted before the first tree of this program. */
export const joinServers = ({
  id,
  place: { address, isReader },
  ending,
  model,
}: Options): Servers & { readonly close: () => Promise<void> } => {
  const { version } = packageFacts;
  const name = `${hostname()} ${process.pid}`;
  let session: Session | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let placed: number | null = null;
  let facts: Facts = { version, isReader, settings: {} };
  let timer: NodeJS.Timeout | undefined;
  const ask = <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const done = last.then(async () => {
      if (!session?.isOpen()) session = await openSession(address, ending);
      return work(session);
    });
    last = done.catch(() => undefined);
    return done;
  };
  const note = (): void => {
    // PostgreSQL is away, or gives no right to: then nobody waits for this server.
    void ask((open) => open.query(NOTE, [id, name, placed, facts, systemClock.now()])).catch(
      () => undefined,
    );
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
    describe: (settings) => {
      facts = { ...facts, settings };
    },
    list: async () => {
      const listed = ask((open) => open.query<Listed>(LIST)).catch(() => null);
      const late = sleep(LIST_MS_MAX, null, { ref: false });
      return (await Promise.race([listed, late]))?.map(toKnown) ?? null;
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
