// What the use cases of the admin interface need, over a fresh publication: a clock that tests move, an
// owner, and the shape of records for one site.
import { join } from 'node:path';
import { openSecretBox } from '../../../../src/publication/store/access/secrets.ts';
import type { UseCaseContext } from '../../../../src/serve/admin/use-case-context.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';

export const SITE = 'https://news.example';
export const START = Date.parse('2026-03-01T12:00:00.000Z');

export type Harness = Publication & {
  readonly context: UseCaseContext;
  readonly owner: string;
  readonly passTime: (ms: number) => void;
};

export const createHarness = async (siteUrl = SITE): Promise<Harness> => {
  const publication = await createPublication();
  const owner = publication.insert('users', { name: 'Owner', slug: 'owner', role: 'Owner' });
  let now = START;
  const context: UseCaseContext = {
    store: publication.store,
    clock: { now: () => now },
    secretBox: openSecretBox(join(publication.folder, 'secret.key')),
    site: () => ({ siteUrl }),
    vetTarget: async (url) => (url.includes('10.0.0.') ? 'The address is private.' : null),
    webhookEvents: ['site.changed', 'post.published'],
    reservedSlugs: ['health'],
  };
  return {
    ...publication,
    context,
    owner,
    passTime: (ms) => {
      now += ms;
    },
  };
};
