// The one-click address of each member (interface: unsubscribe_url). It is signed, so that nobody can
// unsubscribe others by guessing, and it reveals nothing: with a wrong key, known and unknown members
// look alike.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { PrepressError } from '../../../base/errors.ts';
import { toStoredTime } from '../../../base/time.ts';
import type { SecretBox } from '../../../publication/store/access/secrets.ts';
import {
  newsletterIdsOf,
  replaceNewsletters,
} from '../../../publication/store/members/member-links.ts';
import { findMemberByUuid, updateMember } from '../../../publication/store/members/members.ts';
import { listNewsletters } from '../../../publication/store/members/newsletters.ts';
import { timeOfSave } from '../../../publication/store/members/time-of-save.ts';
import { saveContent } from '../save-content.ts';
import type { MembersContext, UseCaseContext } from '../use-case-context.ts';

const keyOf = (secretBox: SecretBox, uuid: string): string =>
  createHmac('sha256', secretBox.derive('unsubscribe')).update(uuid).digest('hex');

export const unsubscribeUrl = (
  { secretBox, publicUrl }: Pick<MembersContext, 'secretBox' | 'publicUrl'>,
  uuid: string,
): string => {
  const query = new URLSearchParams({ uuid, key: keyOf(secretBox, uuid) });
  return `${publicUrl()}/unsubscribe/?${query}`;
};

type Request = { readonly uuid: string; readonly key: string };

type Context = Pick<UseCaseContext, 'store' | 'clock' | 'secretBox'>;

/** What keeps the address from being used: a wrong key, or a member who was deleted and may be here again as another one. */
export const findFault = async (
  { store, secretBox }: Pick<Context, 'store' | 'secretBox'>,
  { uuid, key }: Request,
): Promise<'key' | 'member' | null> => {
  if (!isSame(key, keyOf(secretBox, uuid))) return 'key';
  if ((await findMemberByUuid(store, uuid)) !== undefined) return null;
  if (store.postgres === null) return 'member';
  // This server's copy may lack who was just added at another one; a write has it, or throws that PostgreSQL is away.
  const member = await store.write((tx) => findMemberByUuid(tx, uuid));
  return member === undefined ? 'member' : null;
};

const isSame = (givenKey: string, rightKey: string): boolean => {
  const given = Buffer.from(givenKey, 'utf8');
  const right = Buffer.from(rightKey, 'utf8');
  return given.length === right.length && timingSafeEqual(given, right);
};

const checkSame = (givenKey: string, rightKey: string): void => {
  if (isSame(givenKey, rightKey)) return;
  throw new PrepressError('BAD_REQUEST', 'This address to unsubscribe is not valid.');
};

export type Unsubscribed = {
  /** Of the newsletters that ended, archived ones too. */
  readonly names: readonly string[];
  /** What `undoUnsubscribe` takes; null when nothing ended. */
  readonly undo: string | null;
};

/** Ends every subscription of the member, archived newsletters too. Throws BAD_REQUEST. */
export const unsubscribe = async (context: Context, request: Request): Promise<Unsubscribed> => {
  const ended = await change(context, request, () => []);
  if (ended.before.length === 0) return { names: [], undo: null };
  const ids = ended.before.toSorted().join(',');
  const undo = `${ids}.${undoKey(context, request.uuid, ids)}`;
  return { names: await namesOf(context, ended.before), undo };
};

/**
 * Subscribes the member again to the newsletters that `unsubscribe` ended and that are still active, beside those of
 * today; returns their names. Throws BAD_REQUEST for what `unsubscribe` did not give.
 */
export const undoUnsubscribe = async (
  context: Context,
  request: Request,
  undo: string,
): Promise<readonly string[]> => {
  const [ids = '', key = ''] = undo.split('.');
  checkSame(key, undoKey(context, request.uuid, ids));
  const active = (await listNewsletters(context.store)).filter(
    ({ id, status }) => status === 'active' && ids.split(',').includes(id),
  );
  const wanted = active.map(({ id }) => id);
  await change(context, request, (before) => [...new Set([...before, ...wanted])]);
  return active.map(({ name }) => name);
};

const undoKey = ({ secretBox }: Pick<Context, 'secretBox'>, uuid: string, ids: string): string =>
  createHmac('sha256', secretBox.derive('unsubscribe')).update(`${uuid} undo ${ids}`).digest('hex');

const namesOf = async ({ store }: Context, ids: readonly string[]): Promise<string[]> =>
  (await listNewsletters(store)).filter(({ id }) => ids.includes(id)).map(({ name }) => name);

/** Gives the member the newsletters that `wantedOf` makes of those so far. An unknown member has none. */
const change = async (
  context: Context,
  request: Request,
  wantedOf: (before: readonly string[]) => readonly string[],
): Promise<{ readonly before: readonly string[] }> => {
  checkSame(request.key, keyOf(context.secretBox, request.uuid));
  const nowMs = await timeOfSave(context.store, context.clock.now());
  return saveContent(context, nowMs, async (tx) => {
    const member = await findMemberByUuid(tx, request.uuid);
    if (member === undefined) return { before: [] };
    const before = await newsletterIdsOf(tx, member.id);
    const target = { memberId: member.id, nowMs, source: 'member' } as const;
    const hasChanged = await replaceNewsletters(tx, target, wantedOf(before));
    const at = toStoredTime(nowMs);
    await updateMember(tx, member.id, {
      last_seen_at: at,
      ...(hasChanged && { updated_at: at }),
    });
    return { before };
  });
};
