// The content key of a request (facts 4.1): which of the ways it can be wrong, or that it is right. Keys in
// force are remembered for as long as the database has no newer commit, and never over a second.
import { GUARDED_FOLDERS } from '../../../content/paths/files.ts';
import {
  findKey,
  KEY_MISSING,
  KEY_OF_ADMIN,
  KEY_UNKNOWN,
  type StatusProblem,
} from '../../../content/paths/problems.ts';
import { listKeyRows } from '../../../publication/store/access/keys.ts';
import type { Store } from '../../../publication/store/store.ts';
import { hashSecret } from '../../admin/keys/keys.ts';
import { ProblemError } from '../problems/problem.ts';
import { oncePerTick } from './once-per-tick.ts';

export type KeyCheck = {
  /** Throws a ProblemError unless the query carries a content key in force. */
  readonly check: (rawQuery: string) => Promise<void>;
};

const FOLDERS: ReadonlySet<string> = new Set(GUARDED_FOLDERS);

/** Whether a path in the content folder leads to documents: their files ask for the key like their addresses. */
export const isDocument = (path: string): boolean => FOLDERS.has(path.split(/[/\\]/)[0] ?? '');

const AGE_MAX_MS = 1_000;

/** Keys in force by the SHA-256 of their secrets. */
type Keyring = ReadonlyMap<string, { readonly id: string; readonly type: string }>;

/** `onSeen` takes the id of each content key that was good. */
export const createKeyCheck = (store: Store, onSeen: (id: string) => void): KeyCheck => {
  let keyring: Keyring = new Map();
  let version = -1;
  const newestVersion = oncePerTick(store.dataVersion);
  let readAt = Number.NEGATIVE_INFINITY;
  const current = async (): Promise<Keyring> => {
    const seen = newestVersion();
    if (seen !== version || performance.now() - readAt > AGE_MAX_MS) {
      readAt = performance.now();
      keyring = await readKeyring(store);
      version = seen;
    }
    return keyring;
  };
  return {
    check: async (rawQuery) => {
      const key = findKey(rawQuery);
      if (typeof key !== 'string') throw new ProblemError(withNextStep(key));
      const known = (await current()).get(hashSecret(key));
      if (known?.type === 'admin') throw new ProblemError(KEY_OF_ADMIN);
      if (known?.type !== 'content') throw new ProblemError(KEY_UNKNOWN);
      onSeen(known.id);
    },
  };
};

const readKeyring = async (store: Store): Promise<Keyring> => {
  const rows = await listKeyRows(store);
  return new Map(
    rows
      .filter(({ revoked_at }) => revoked_at === null)
      .map(({ secret_sha256, id, type }) => [secret_sha256, { id, type }]),
  );
};

/** Workers have no room for these sentences. */
const withNextStep = (problem: StatusProblem): StatusProblem => ({
  ...problem,
  context:
    problem === KEY_MISSING
      ? 'The content key is missing: add it to the address as ?key=.'
      : 'The content key is there more than once: send ?key= once.',
});
