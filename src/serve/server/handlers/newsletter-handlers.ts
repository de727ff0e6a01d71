// Newsletters: browse, read, add, edit, and the verification of a sender address.
import type { JsonObject } from '../../../publication/documents/admin/document-context.ts';
import {
  browseNewsletters,
  createNewsletter,
  editNewsletter,
  readNewsletter,
} from '../../admin/newsletters/newsletters.ts';
import { verifySender } from '../../admin/newsletters/verify-sender.ts';
import type { NewslettersContext } from '../../admin/use-case-context.ts';
import type { MemberJobs } from '../member-jobs/member-jobs.ts';
import { ProblemError } from '../problems/problem.ts';
import { TOKEN_ENDED, TOKEN_UNKNOWN } from '../problems/problems.ts';
import type { Handlers, MetaAnswer } from './handler.ts';

export const newsletterHandlers = (
  context: NewslettersContext,
  jobs: Pick<MemberJobs, 'begin'>,
): Handlers['newsletters'] => ({
  'GET /': ({ list }) => browseNewsletters(context, list),
  'GET /{id}/': ({ id }) => readNewsletter(context, id),
  'POST /': async ({ input, keyId, flag }) => {
    const isForAll = flag('opt_in_existing');
    const { id, sent } = await createNewsletter(context, input, keyId);
    const meta = metaOf(sent);
    if (!isForAll) return withMeta(await readNewsletter(context, id), meta);
    const nowMs = context.clock.now();
    const { members_total } = await jobs.begin({ does: 'subscribe', nowMs, newsletterId: id });
    const opted_in_member_count = members_total;
    return withMeta(await readNewsletter(context, id), { ...meta, opted_in_member_count });
  },
  'PUT /{id}/': async ({ id, input, keyId }) => {
    const { sent } = await editNewsletter(context, { id, input }, keyId);
    return withMeta(await readNewsletter(context, id), metaOf(sent));
  },
  'PUT /verifications/': async ({ input }) => {
    const verification = await verifySender(context, input.token);
    if (verification.outcome === 'unknown') throw new ProblemError(TOKEN_UNKNOWN);
    if (verification.outcome === 'ended') throw new ProblemError(TOKEN_ENDED);
    const record = await readNewsletter(context, verification.newsletterId);
    return { record, meta: { email_verified: 'sender_email' } };
  },
});

const withMeta = (record: JsonObject, meta: object): MetaAnswer =>
  Object.keys(meta).length === 0 ? { record } : { record, meta };

const metaOf = (sent: readonly string[]) =>
  sent.length === 0 ? {} : { sent_email_verification: sent };
