// Labels, tiers and offers of the admin interface: add, edit, and delete a label; tiers and offers are archived. They are
// read by readable-routes.ts.
import type { FastifyInstance } from 'fastify';
import { createLabel, deleteLabel, editLabel } from '../../admin/members/labels.ts';
import { readReadable } from '../../admin/offers/offerings.ts';
import { createOffer, editOffer } from '../../admin/offers/offers.ts';
import { createTier, editTier } from '../../admin/offers/tiers.ts';
import { labelCreateInput, labelEditInput } from '../../contract/input/label-input.ts';
import { offerCreateInput, offerEditInput } from '../../contract/input/offer-input.ts';
import { parseInput } from '../../contract/input/parse-input.ts';
import { tierCreateInput, tierEditInput } from '../../contract/input/tier-input.ts';
import type { ServerDeps } from '../ports.ts';
import { adminBase } from './admin-base.ts';
import { bodyElement, pathId } from './request-values.ts';

type Offering = 'labels' | 'tiers' | 'offers';
type Element = Record<string, unknown>;

type Saves = {
  readonly resource: Offering;
  /** Answers the new record's id. */
  readonly create: (element: Element) => Promise<string>;
  readonly edit: (id: string, element: Element) => Promise<void>;
};

export const offeringRoutes = (app: FastifyInstance, deps: ServerDeps): void => {
  const { context, publisher, config } = deps;
  savingRoutes(app, deps, {
    resource: 'labels',
    create: (element) => createLabel(context, parseInput(labelCreateInput, element)),
    edit: (id, element) => editLabel(context, id, parseInput(labelEditInput, element)),
  });
  savingRoutes(app, deps, {
    resource: 'tiers',
    create: (element) => createTier(context, parseInput(tierCreateInput, element)),
    edit: (id, element) => editTier(context, id, parseInput(tierEditInput, element)),
  });
  savingRoutes(app, deps, {
    resource: 'offers',
    create: (element) => createOffer(context, parseInput(offerCreateInput, element)),
    edit: (id, element) => editOffer(context, id, parseInput(offerEditInput, element)),
  });
  const label = `${config.basePath}/admin/labels/:id`;
  app.delete(label, { config: { action: 'delete label' } }, async (request, reply) => {
    await deleteLabel(context, pathId(request));
    publisher.wake();
    return reply.code(204).send();
  });
};

const savingRoutes = (
  app: FastifyInstance,
  deps: ServerDeps,
  { resource, create, edit }: Saves,
): void => {
  const { context, publisher } = deps;
  const base = `${deps.config.basePath}/admin/${resource}`;
  const does = { config: { action: `save ${resource.slice(0, -1)}` } };
  const shown = async (id: string) => ({
    [resource]: [await readReadable(context, { resource, column: 'id', value: id, include: [] })],
  });
  app.post(base, does, async (request, reply) => {
    const id = await create(bodyElement(request, resource));
    publisher.wake();
    // Ghost answers a new offer with 200.
    reply.code(resource === 'offers' ? 200 : 201);
    reply.header('location', `${adminBase(deps, request)}/${resource}/${id}/`);
    return shown(id);
  });
  app.put(`${base}/:id`, does, async (request) => {
    const id = pathId(request);
    await edit(id, bodyElement(request, resource, id));
    publisher.wake();
    return shown(id);
  });
};
