// Members of the admin interface: browse, read, add, edit, delete.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PrepressError } from '../../../base/errors.ts';
import type { MembersContext } from '../../admin/context.ts';
import { createMember, deleteMember, editMember } from '../../admin/members/members.ts';
import { browseMembers, type MemberInclude, readMember } from '../../admin/members/read-members.ts';
import { memberCreateInput, memberEditInput } from '../../contract/input/member-input.ts';
import { parseInput } from '../../contract/input/parse-input.ts';
import type { ServerDeps } from '../ports.ts';
import { adminBase } from './admin-base.ts';
import { listParameters } from './list-values.ts';
import { bodyElement, pathId, queryList, queryValue } from './request-values.ts';

export const memberRoutes = (
  app: FastifyInstance,
  deps: ServerDeps,
  context: MembersContext,
): void => {
  const base = `${deps.config.basePath}/admin/members`;
  const does = (action: string) => ({ config: { action } });

  app.get(base, does('list members'), async (request) => {
    const { members, pagination } = await browseMembers(
      context,
      listParameters(request),
      includeOf(request),
    );
    return { members, meta: { pagination } };
  });
  app.get(`${base}/:id`, does('read member'), async (request) => {
    const options = { include: includeOf(request), withAttribution: true };
    return { members: [await readMember(context, pathId(request), options)] };
  });
  app.post(base, does('save member'), async (request, reply) => {
    refuseMail(request);
    const input = parseInput(memberCreateInput, withTiers(bodyElement(request, 'members')));
    const id = await createMember(context, input, request.adminKeyId);
    deps.publisher.wake();
    reply.code(201).header('location', `${adminBase(deps, request)}/members/${id}/`);
    return { members: [await readMember(context, id, savedOptions(request))] };
  });
  app.put(`${base}/:id`, does('save member'), async (request) => {
    const id = pathId(request);
    const input = parseInput(memberEditInput, withTiers(bodyElement(request, 'members', id)));
    await editMember(context, id, input);
    deps.publisher.wake();
    return { members: [await readMember(context, id, savedOptions(request))] };
  });
  app.delete(`${base}/:id`, does('delete member'), async (request, reply) => {
    await deleteMember(context, pathId(request));
    deps.publisher.wake();
    return reply.code(204).send();
  });
};

/** Ghost mails a link to sign in with. */
const refuseMail = (request: FastifyRequest): void => {
  const isAsked = queryValue(request, 'send_email') ?? '';
  const property = ['true', '1'].includes(isAsked)
    ? 'send_email'
    : isAsked === '' && queryValue(request, 'email_type')
      ? 'email_type'
      : null;
  if (property === null) return;
  throw new PrepressError(
    'VALIDATION',
    `${property} asks for mail to the member, and Prepress sends none: leave it out. Nothing was saved.`,
    { property },
  );
};

const savedOptions = (request: FastifyRequest) => ({
  include: includeOf(request),
  withAttribution: false,
});

const INCLUDES: readonly MemberInclude[] = ['newsletters', 'labels', 'tiers', 'email_recipients'];
const isInclude = (name: string): name is MemberInclude =>
  (INCLUDES as readonly string[]).includes(name);

/** Unknown names are left out (facts 6.6). */
const includeOf = (request: FastifyRequest): MemberInclude[] =>
  (queryList(request, 'include') ?? []).filter(isInclude);

/** Older clients call the tiers `products` (facts 6.7). */
const withTiers = ({ products, ...element }: Record<string, unknown>): Record<string, unknown> =>
  products === undefined || element.tiers !== undefined ? element : { ...element, tiers: products };
