// The one-click address of each member (interface: unsubscribe_url). It is signed, so that nobody can
// unsubscribe others by guessing, and it reveals nothing: a wrong key and an unknown member look alike.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { PrepressError } from '../base/errors.ts';
import { toStoredTime } from '../base/time.ts';
import { replaceNewsletters } from '../store/member-links.ts';
import { findMemberByUuid, updateMember } from '../store/members.ts';
import type { SecretBox } from '../store/secrets.ts';
import type { MembersContext, UseCaseContext } from './context.ts';
import { saveContent } from './save-content.ts';

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

/** Throws BAD_REQUEST unless the key is that of the uuid. */
export const checkUnsubscribe = (
  { secretBox }: Pick<UseCaseContext, 'secretBox'>,
  { uuid, key }: Request,
): void => {
  const given = Buffer.from(key, 'utf8');
  const right = Buffer.from(keyOf(secretBox, uuid), 'utf8');
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    throw new PrepressError('BAD_REQUEST', 'This address to unsubscribe is not valid.');
  }
};

/** Ends every subscription of the member, archived newsletters too. Throws BAD_REQUEST. */
export const unsubscribe = async (
  context: Pick<UseCaseContext, 'store' | 'clock' | 'secretBox'>,
  request: Request,
): Promise<void> => {
  checkUnsubscribe(context, request);
  if ((await findMemberByUuid(context.store.reader, request.uuid)) === undefined) return;
  const nowMs = context.clock.now();
  await saveContent(context, nowMs, async (writer) => {
    const member = await findMemberByUuid(writer, request.uuid);
    if (member === undefined) return;
    const target = { memberId: member.id, nowMs, source: 'member' } as const;
    const hasChanged = await replaceNewsletters(writer, target, []);
    const at = toStoredTime(nowMs);
    await updateMember(writer, member.id, {
      last_seen_at: at,
      ...(hasChanged && { updated_at: at }),
    });
  });
};
