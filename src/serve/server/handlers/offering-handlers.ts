// Tags, labels, tiers, offers and users: browse and read; add and edit, but users; and delete a tag or a label: tiers and
// offers are archived.
import { createLabel, deleteLabel, editLabel } from '../../admin/members/labels.ts';
import { createOffer, editOffer } from '../../admin/offers/offers.ts';
import {
  browseReadable,
  type Readable,
  type ReadableKey,
  readOwner,
  readReadable,
} from '../../admin/offers/read-resources.ts';
import { createTier, editTier } from '../../admin/offers/tiers.ts';
import { browseTags, createTag, deleteTag, editTag, readTag } from '../../admin/posts/tags.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Call, Handlers } from './handler.ts';

type Offerings = Pick<Handlers, 'tags' | 'labels' | 'tiers' | 'offers' | 'users'>;

export const offeringHandlers = (deps: ServerDeps): Offerings => {
  const { context } = deps;
  const browse = (resource: Readable) => (call: Call) =>
    browseReadable(context, { resource, include: includeOf(call) }, call.list);
  const read = (resource: Readable, column: ReadableKey['column']) => (call: Call) => {
    const value = column === 'id' ? call.id : call.name;
    return readReadable(context, { resource, column, value, include: includeOf(call) });
  };
  const saved = (resource: Readable, id: string) =>
    readReadable(context, { resource, column: 'id', value: id, include: [] });
  return {
    tags: tagHandlers(deps),
    labels: {
      'GET /': browse('labels'),
      'GET /{id}/': read('labels', 'id'),
      'GET /slug/{slug}/': read('labels', 'slug'),
      'POST /': async ({ input }) => saved('labels', await createLabel(context, input)),
      'PUT /{id}/': async ({ id, input }) => {
        await editLabel(context, id, input);
        return saved('labels', id);
      },
      'DELETE /{id}/': ({ id }) => deleteLabel(context, id),
    },
    tiers: {
      'GET /': browse('tiers'),
      'GET /{id}/': read('tiers', 'id'),
      'POST /': async ({ input }) => saved('tiers', await createTier(context, input)),
      'PUT /{id}/': async ({ id, input }) => {
        await editTier(context, id, input);
        return saved('tiers', id);
      },
    },
    offers: {
      'GET /': browse('offers'),
      'GET /{id}/': read('offers', 'id'),
      'POST /': async ({ input }) => saved('offers', await createOffer(context, input)),
      'PUT /{id}/': async ({ id, input }) => {
        await editOffer(context, id, input);
        return saved('offers', id);
      },
    },
    users: {
      'GET /': browse('users'),
      'GET /me/': (call) => readOwner(context, includeOf(call)),
      'GET /{id}/': read('users', 'id'),
      'GET /slug/{slug}/': read('users', 'slug'),
      'GET /email/{email}/': read('users', 'email'),
    },
  };
};

const includeOf = ({ values }: Call): string[] => values('include') ?? [];

const tagHandlers = ({ context }: ServerDeps): Handlers['tags'] => ({
  'GET /': (call) => browseTags(context, call.list, countOf(call)),
  'GET /{id}/': (call) => readTag(context, { id: call.id }, countOf(call)),
  'GET /slug/{slug}/': (call) => readTag(context, { slug: call.name }, countOf(call)),
  'POST /': async (call) =>
    readTag(context, { id: await createTag(context, call.input) }, countOf(call)),
  'PUT /{id}/': async (call) => {
    await editTag(context, call.id, call.input);
    return readTag(context, { id: call.id }, countOf(call));
  },
  'DELETE /{id}/': (call) => deleteTag(context, call.id),
});

const countOf = (call: Call): { withCount: boolean } => ({
  withCount: includeOf(call).includes('count.posts'),
});
