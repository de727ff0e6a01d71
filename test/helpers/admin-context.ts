// A context of the admin shape for tests: plain addresses, and derived texts that are easy to predict.
import type { AdminContext } from '../../src/documents/admin/context.ts';

export const SITE = 'https://site.example';

export const adminContext = (extras: Partial<AdminContext> = {}): AdminContext => ({
  siteUrl: SITE,
  postUrl: ({ post }) => `${SITE}/${post.slug}/`,
  tagUrl: (slug) => `${SITE}/tag/${slug}/`,
  authorUrl: (slug) => `${SITE}/author/${slug}/`,
  plaintextOf: (html) => html.replace(/<[^>]*>/g, ''),
  readingTimeOf: () => 0,
  tiers: [],
  hasAvatars: true,
  now: Date.parse('2026-01-02T00:00:00Z'),
  ...extras,
});
