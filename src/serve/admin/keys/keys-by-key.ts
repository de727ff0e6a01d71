// What an admin key may do with keys over the interface. Owner keys are made by the command line, which also revokes the last
// one, so that nobody is locked out of the interface by it.
import { invalid, PrepressError } from '../../../base/errors.ts';
import { isOwnerKey, listKeyRows, revokeKeyRow } from '../../../publication/store/access/keys.ts';
import type { Transaction } from '../../../publication/store/store.ts';
import { type KeySummary, type KeysContext, listKeys, noKey } from './keys.ts';

/** Oldest first, revoked ones too. */
export const listKeysBy = async (
  { store }: Pick<KeysContext, 'store'>,
  keyId: string,
): Promise<KeySummary[]> => {
  const isOwner = await isOwnerKey(store, keyId);
  return (await listKeys({ store })).filter(({ id }) => isOwner || id === keyId);
};

/** Throws NOT_FOUND; NO_PERMISSION, which does not say whether there is such a key; VALIDATION. */
export const revokeKeyBy = (
  { store, clock }: Pick<KeysContext, 'store' | 'clock'>,
  id: string,
  keyId: string,
): Promise<void> =>
  store.write(async (tx) => {
    if (id !== keyId && !(await isOwnerKey(tx, keyId))) {
      throw new PrepressError('NO_PERMISSION', 'Only an owner key may revoke another key.');
    }
    if (await isLastOwner(tx, id)) {
      throw invalid(
        'id',
        `The last owner key cannot be revoked here: run "prepress keys revoke ${id}", or create another one first with "prepress keys create --type admin --owner --name NAME".`,
      );
    }
    const found = await revokeKeyRow(tx, id, clock.now());
    if (!found) throw noKey(id);
  });

const isLastOwner = async (tx: Transaction, id: string): Promise<boolean> => {
  const owners = (await listKeyRows(tx)).filter(
    ({ is_owner, revoked_at }) => is_owner === 1 && revoked_at === null,
  );
  return owners.length === 1 && owners[0]?.id === id;
};
