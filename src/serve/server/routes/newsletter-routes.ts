// Newsletters of the admin interface: browse, read, add, edit, and the verification of a sender address.
import type { FastifyInstance } from 'fastify';
import type { JsonObject } from '../../../publication/documents/admin/context.ts';
import type { NewslettersContext } from '../../admin/context.ts';
import {
  browseNewsletters,
  createNewsletter,
  editNewsletter,
  readNewsletter,
} from '../../admin/newsletters/newsletters.ts';
import { verifySender } from '../../admin/newsletters/verify-sender.ts';
import {
  newsletterCreateInput,
  newsletterEditInput,
  verificationInput,
} from '../../contract/input/newsletter-input.ts';
import { parseInput } from '../../contract/input/parse-input.ts';
import type { ServerDeps } from '../ports.ts';
import { ProblemError } from '../problems/problem.ts';
import { adminBase } from './admin-base.ts';
import { listParameters, onlyFields } from './list-values.ts';
import { bodyElement, pathId, queryValue } from './request-values.ts';

export const newsletterRoutes = (
  app: FastifyInstance,
  deps: ServerDeps,
  context: NewslettersContext,
): void => {
  const base = `${deps.config.basePath}/admin/newsletters`;
  const does = (action: string) => ({ config: { action } });

  app.get(base, does('list newsletters'), async (request) => {
    const { newsletters, pagination } = await browseNewsletters(context, listParameters(request));
    return { newsletters: onlyFields(request, newsletters), meta: { pagination } };
  });
  app.get(`${base}/:id`, does('read newsletter'), async (request) => ({
    newsletters: onlyFields(request, [await readNewsletter(context, pathId(request))]),
  }));
  app.post(base, does('save newsletter'), async (request, reply) => {
    const input = parseInput(newsletterCreateInput, bodyElement(request, 'newsletters'));
    const optInExisting = queryValue(request, 'opt_in_existing') === 'true';
    const options = { optInExisting, keyId: request.adminKeyId };
    const { id, sent, optedIn } = await createNewsletter(context, input, options);
    if (optedIn !== null) deps.publisher.wake();
    reply.code(201).header('location', `${adminBase(deps, request)}/newsletters/${id}/`);
    const newsletters = [await readNewsletter(context, id)];
    return withMeta(newsletters, {
      ...metaOf(sent),
      ...(optedIn !== null && { opted_in_member_count: optedIn }),
    });
  });
  app.put(`${base}/:id`, does('save newsletter'), async (request) => {
    const id = pathId(request);
    const input = parseInput(newsletterEditInput, bodyElement(request, 'newsletters', id));
    const { sent } = await editNewsletter(context, { id, input }, request.adminKeyId);
    return withMeta([await readNewsletter(context, id)], metaOf(sent));
  });
  app.put(`${base}/verifications`, async (request) => {
    const { token } = parseInput(verificationInput, request.body ?? {});
    const verification = await verifySender(context, token);
    if (verification.outcome === 'unknown')
      throw refused('Invalid token provided', 'INVALID_TOKEN');
    if (verification.outcome === 'ended') throw refused('Token expired', 'TOKEN_EXPIRED');
    const newsletters = [await readNewsletter(context, verification.newsletterId)];
    return { newsletters, meta: { email_verified: 'sender_email' } };
  });
};

/** The stock client takes the record out of an answer that has no `meta`. */
const withMeta = (newsletters: readonly JsonObject[], meta: JsonObject): JsonObject =>
  Object.keys(meta).length === 0 ? { newsletters } : { newsletters, meta };

const metaOf = (sent: readonly string[]) =>
  sent.length === 0 ? {} : { sent_email_verification: sent };

const refused = (message: string, code: string): ProblemError =>
  new ProblemError({ status: 422, type: 'ValidationError', message, code, property: 'token' });
