// What `status`, the desk and `GET /admin/state/` say of the servers of a publication in PostgreSQL.
import type { KnownServer, Store } from '../../publication/store/store.ts';

/** Webhooks do not wait for one that is silent for longer. */
const SILENT_MS = 10_000;

export type ShownServer = Omit<KnownServer, 'settings' | 'seq'> & {
  readonly position: number;
  readonly isSilent: boolean;
  /** Names of settings of which the leader has another value; without one, the first server. */
  readonly settingsDiffer: readonly string[];
};

/** None for a SQLite file; null while PostgreSQL does not answer. */
export const describeServers = async ({
  servers,
}: Pick<Store, 'servers'>): Promise<readonly ShownServer[] | null> => {
  const known = await servers.list();
  const model = known?.find(({ role }) => role === 'leader') ?? known?.[0];
  if (known === null || model === undefined) return known && [];
  return known.map(({ settings, seq, ...server }) => ({
    ...server,
    position: seq,
    isSilent: server.silentMs > SILENT_MS,
    settingsDiffer: namesThatDiffer(model.settings, settings),
  }));
};

const namesThatDiffer = (
  one: KnownServer['settings'],
  other: KnownServer['settings'],
): readonly string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]))
    .sort();
