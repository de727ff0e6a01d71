// What all links to previews are signed over: while it stays, they hold until each one's own end.
import { db, type Queryable, type Transaction } from '../db.ts';

/** Empty until links are first revoked. */
export const findPreviewEpoch = async (from: Queryable): Promise<string> =>
  (await db(from).selectFrom('preview_links').select('epoch').executeTakeFirst())?.epoch ?? '';

export const savePreviewEpoch = async (tx: Transaction, epoch: string): Promise<void> => {
  await db(tx)
    .insertInto('preview_links')
    .values({ id: 1, epoch })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ epoch }))
    .execute();
};
