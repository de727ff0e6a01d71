// API keys: made, shown once, listed without their secrets, revoked, all as the command line may (over the interface:
// keys-by-key.ts). A secret is kept sealed, since an admin secret checks signatures, and found by its SHA-256.
import { createHash, randomBytes } from 'node:crypto';
import { invalid, PrepressError } from '../../../base/errors.ts';
import { createId } from '../../../base/ids.ts';
import { NAME_CHARACTERS_MAX } from '../../../base/limits.ts';
import { toIsoTime } from '../../../base/time.ts';
import {
  insertKey,
  type KeyRow,
  keyTypes,
  listKeyRows,
  revokeKeyRow,
} from '../../../publication/store/access/keys.ts';
import type { Queryable, Transaction } from '../../../publication/store/store.ts';
import type { ShownRecord } from '../../contract/records.ts';
import type { UseCaseContext } from '../use-case-context.ts';

export type KeyType = KeySummary['type'];

export type KeysContext = Pick<UseCaseContext, 'store' | 'clock' | 'secretBox'>;

/** A key as lists show it: never with its secret. Times are ISO 8601 in UTC. */
export type KeySummary = ShownRecord<'Key'>;

/** A key as its maker is shown it, once. */
export type NewKey = ShownRecord<'NewKey'>;

const SECRET_BYTES: Readonly<Record<KeyType, number>> = { content: 13, admin: 32, hook: 24 };

export const isKeyType = (text: string): text is KeyType => Object.hasOwn(SECRET_BYTES, text);

export const hashSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex');

type KeyWish = {
  readonly type: KeyType;
  readonly name: string;
  /** Only an admin key can be an owner's; the first one is in any case. */
  readonly isOwner?: boolean;
};

/** Throws VALIDATION when the name is empty, over 191 characters, or holds control characters. */
export const createKey = async (context: KeysContext, wish: KeyWish): Promise<NewKey> => {
  const made = makeKey(context, wish);
  return context.store.write((tx) => storeKey(tx, made, wish.isOwner));
};

type MadeKey = {
  readonly row: Omit<KeyRow, 'is_owner' | 'type'> & { readonly type: KeyType };
  readonly key: string;
};

const makeKey = (
  { clock, secretBox }: KeysContext,
  { type, name }: Pick<KeyWish, 'type' | 'name'>,
): MadeKey => {
  const label = checkName(name);
  const now = clock.now();
  const id = createId(now);
  const secret = randomBytes(SECRET_BYTES[type]).toString('hex');
  const row = {
    id,
    type,
    name: label,
    secret_sha256: hashSecret(secret),
    secret_sealed: secretBox.seal(secret),
    created_at: now,
    last_seen_at: null,
    revoked_at: null,
  };
  return { row, key: shownKey(type, id, secret) };
};

const storeKey = async (
  tx: Transaction,
  { row, key }: MadeKey,
  isOwner = false,
): Promise<NewKey> => {
  const { id, type, name } = row;
  const is_owner = type === 'admin' && (isOwner || !(await keyTypes(tx)).has('admin'));
  await insertKey(tx, { ...row, is_owner: Number(is_owner) });
  return { id, type, name, is_owner, key };
};

/** Names are printed in terminals. */
const checkName = (name: string): string => {
  const label = name.trim();
  if (label !== '' && label.length <= NAME_CHARACTERS_MAX && !/\p{Cc}/u.test(label)) return label;
  throw invalid(
    'name',
    `A key needs a name of 1 to ${NAME_CHARACTERS_MAX} characters, without control characters.`,
  );
};

const shownKey = (type: KeyType, id: string, secret: string): string =>
  type === 'admin' ? `${id}:${secret}` : secret;

/** Every key, oldest first, revoked ones too. */
export const listKeys = async ({ store }: Pick<KeysContext, 'store'>): Promise<KeySummary[]> =>
  (await listKeyRows(store)).map(toSummary);

const toSummary = (row: KeyRow): KeySummary => ({
  id: row.id,
  type: isKeyType(row.type) ? row.type : 'content',
  name: row.name,
  is_owner: row.is_owner === 1,
  created_at: new Date(row.created_at).toISOString(),
  last_seen_at: toIsoTime(row.last_seen_at),
  revoked_at: toIsoTime(row.revoked_at),
});

/** Takes effect with the next request. Throws NOT_FOUND when no key in force has that id. */
export const revokeKey = async (
  { store, clock }: Pick<KeysContext, 'store' | 'clock'>,
  id: string,
): Promise<void> => {
  const found = await store.write((tx) => revokeKeyRow(tx, id, clock.now()));
  if (!found) throw noKey(id);
};

export const noKey = (id: string): PrepressError =>
  new PrepressError('NOT_FOUND', `There is no key with the id ${id}, or it was revoked.`, {
    hint: '"prepress keys list" lists the ids.',
  });

const DEFAULT_NAMES: Readonly<Record<KeyType, string>> = {
  content: 'Default content key',
  admin: 'Default admin key',
  hook: 'Default build hook',
};

/** Makes one key of each type that has never had one; answers those that were made. */
export const ensureDefaultKeys = async (context: KeysContext): Promise<NewKey[]> => {
  const findLacking = async (from: Queryable): Promise<KeyType[]> => {
    const present = await keyTypes(from);
    return Object.keys(DEFAULT_NAMES)
      .filter(isKeyType)
      .filter((type) => !present.has(type));
  };
  if ((await findLacking(context.store)).length === 0) return [];
  // Servers may start at once.
  return context.store.write(async (tx) => {
    const made: NewKey[] = [];
    for (const type of await findLacking(tx))
      made.push(await storeKey(tx, makeKey(context, { type, name: DEFAULT_NAMES[type] })));
    return made;
  });
};

/** Whether the database has that key, as its clients are configured with it; revoked ones too. */
export const isKnownKey = async (
  { store }: Pick<KeysContext, 'store'>,
  type: KeyType,
  key: string,
): Promise<boolean> => {
  const secret = key.split(':').at(-1) ?? '';
  const sha256 = hashSecret(secret);
  const rows = await listKeyRows(store);
  return rows.some(
    (row) =>
      row.type === type && row.secret_sha256 === sha256 && key === shownKey(type, row.id, secret),
  );
};

/**
 * The oldest key in force of that type as its clients are configured with it, or null. Of admin keys an
 * owner's. Newer ones were given to others.
 */
export const findShownKey = async (
  { store, secretBox }: Pick<KeysContext, 'store' | 'secretBox'>,
  type: KeyType,
): Promise<string | null> => {
  const rows = await listKeyRows(store);
  const row = rows.find(
    ({ type: own, revoked_at, is_owner }) =>
      own === type && revoked_at === null && (own !== 'admin' || is_owner === 1),
  );
  return row === undefined ? null : shownKey(type, row.id, secretBox.open(row.secret_sealed));
};
