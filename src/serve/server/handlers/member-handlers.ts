// Members: browse, read, add, edit, delete.
import { invalid } from '../../../base/errors.ts';
import { createMember, deleteMember, editMember } from '../../admin/members/members.ts';
import { browseMembers, type MemberInclude, readMember } from '../../admin/members/read-members.ts';
import type { MembersContext } from '../../admin/use-case-context.ts';
import type { Call, Handlers } from './handler.ts';

type MemberHandlers = Pick<
  Handlers['members'],
  'GET /' | 'GET /{id}/' | 'POST /' | 'PUT /{id}/' | 'DELETE /{id}/'
>;

export const memberHandlers = (context: MembersContext): MemberHandlers => {
  const saved = (call: Call, id: string) =>
    readMember(context, id, { include: includeOf(call), withAttribution: false });
  return {
    'GET /': (call) => browseMembers(context, call.list, includeOf(call)),
    'GET /{id}/': (call) =>
      readMember(context, call.id, { include: includeOf(call), withAttribution: true }),
    'POST /': async (call) => {
      rejectNewsletterSend(call);
      return saved(call, await createMember(context, call.input, call.keyId));
    },
    'PUT /{id}/': async (call) => {
      await editMember(context, call.id, call.input);
      return saved(call, call.id);
    },
    'DELETE /{id}/': ({ id }) => deleteMember(context, id),
  };
};

/** Ghost mails a link to sign in with. */
const rejectNewsletterSend = ({ value, flag }: Call): void => {
  const property = flag('send_email')
    ? 'send_email'
    : !value('send_email') && value('email_type')
      ? 'email_type'
      : null;
  if (property === null) return;
  throw invalid(
    property,
    `${property} asks for mail to the member, and Prepress sends none: leave it out. Nothing was saved.`,
  );
};

const INCLUDES: readonly MemberInclude[] = ['newsletters', 'labels', 'tiers', 'email_recipients'];
const isInclude = (name: string): name is MemberInclude =>
  (INCLUDES as readonly string[]).includes(name);

/** Unknown names are left out (facts 6.6). */
const includeOf = ({ values }: Call): MemberInclude[] =>
  (values('include') ?? []).filter(isInclude);
