// Tags, labels, tiers, offers and users: browse and read; add and edit, but users; and delete a tag or a label: tiers and
// offers are archived.
import { createLabel, deleteLabel, editLabel } from '../../admin/members/labels.ts';
import { createOffer, editOffer } from '../../admin/offers/offers.ts';
import {
  READABLES,
  type Readable,
  type ReadableKey,
  readOwner,
} from '../../admin/offers/read-resources.ts';
import { createTier, editTier } from '../../admin/offers/tiers.ts';
import { createTag, deleteTag, editTag } from '../../admin/posts/tags.ts';
import type { UseCaseContext } from '../../admin/use-case-context.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Call, Handlers } from './handler.ts';

type Offerings = Pick<Handlers, 'tags' | 'labels' | 'tiers' | 'offers' | 'users'>;
type Column = ReadableKey['column'];

export const offeringHandlers = ({ context }: ServerDeps): Offerings => {
  const browse = (resource: Readable) => (call: Call) =>
    READABLES[resource].browse(context, call.list, includeOf(call));
  const shown = (resource: Readable, call: Call, [column, value]: readonly [Column, string]) =>
    READABLES[resource].read(context, { column, value, include: includeOf(call) });
  const read =
    (resource: Readable, column: Column = 'id') =>
    (call: Call) =>
      shown(resource, call, [column, column === 'id' ? call.id : call.name]);
  const create =
    <Input>(resource: Readable, use: (context: UseCaseContext, input: Input) => Promise<string>) =>
    async (call: Call<Input>) =>
      shown(resource, call, ['id', await use(context, call.input)]);
  const edit =
    <Input>(
      resource: Readable,
      use: (context: UseCaseContext, id: string, input: Input) => Promise<void>,
    ) =>
    async (call: Call<Input>) => {
      await use(context, call.id, call.input);
      return shown(resource, call, ['id', call.id]);
    };
  return {
    tags: {
      'GET /': browse('tags'),
      'GET /{id}/': read('tags'),
      'GET /slug/{slug}/': read('tags', 'slug'),
      'POST /': create('tags', createTag),
      'PUT /{id}/': edit('tags', editTag),
      'DELETE /{id}/': ({ id }) => deleteTag(context, id),
    },
    labels: {
      'GET /': browse('labels'),
      'GET /{id}/': read('labels'),
      'GET /slug/{slug}/': read('labels', 'slug'),
      'POST /': create('labels', createLabel),
      'PUT /{id}/': edit('labels', editLabel),
      'DELETE /{id}/': ({ id }) => deleteLabel(context, id),
    },
    tiers: {
      'GET /': browse('tiers'),
      'GET /{id}/': read('tiers'),
      'POST /': create('tiers', createTier),
      'PUT /{id}/': edit('tiers', editTier),
    },
    offers: {
      'GET /': browse('offers'),
      'GET /{id}/': read('offers'),
      'POST /': create('offers', createOffer),
      'PUT /{id}/': edit('offers', editOffer),
    },
    users: {
      'GET /': browse('users'),
      'GET /me/': (call) => readOwner(context, includeOf(call)),
      'GET /{id}/': read('users'),
      'GET /slug/{slug}/': read('users', 'slug'),
      'GET /email/{email}/': read('users', 'email'),
    },
  };
};

const includeOf = ({ values }: Call): string[] => values('include') ?? [];
