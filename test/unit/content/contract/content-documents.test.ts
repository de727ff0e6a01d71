// The schemas of content documents: which there are, and that they refuse what the interface has not.

import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { RECORD_SCHEMAS } from '../../../../src/content/contract/documents.ts';
import { errorDocumentSchema } from '../../../../src/content/contract/error.ts';
import { postSchema } from '../../../../src/content/contract/post.ts';
import { NULLABLE } from '../../../../src/content/tree/tree.ts';
import { adminPostSchema } from '../../../../src/serve/contract/content-records.ts';
import { postEditInput } from '../../../../src/serve/contract/input/post-input.ts';
import {
  type DocumentShape,
  findDocumentSchema,
  notFoundDocumentSchema,
} from '../../../helpers/document-schema.ts';

const INTERFACE = readFileSync('docs/interface.md', 'utf8');

const pagination = { page: 1, limit: 1_000, pages: 1, total: 1, next: null, prev: null };

const nulls = (names: string) => Object.fromEntries(names.split(/\s+/).map((name) => [name, null]));

const tag = {
  ...{ id: 'a', slug: 'alpha', name: 'Alpha', visibility: 'public' },
  ...nulls(`description feature_image meta_title meta_description og_image og_title og_description
    twitter_image twitter_title twitter_description codeinjection_head codeinjection_foot
    canonical_url accent_color`),
  url: 'https://press.test/tag/alpha/',
};

const isTagDocument = (document: unknown, variant = 'index', shape: DocumentShape = 'single') =>
  findDocumentSchema('tags', variant, shape)?.safeParse(document).success;

describe('findDocumentSchema', () => {
  it.each<[DocumentShape, string, boolean]>([
    ['list', 'posts/index posts/page-2 posts/page-12-authors-tags pages/tags', true],
    ['list', 'tags/public tags/public-count-posts tags/page-2-public-count-posts', true],
    ['single', 'posts/authors-tags authors/count-posts settings/index', true],
    ['list', 'posts/tags-authors posts/count-posts authors/public members/index', false],
    ['single', 'posts/page-2 tags/public settings/authors', false],
  ])('%s: %s: %j', (shape, documents, exists) => {
    for (const document of documents.split(' ')) {
      const [resource = '', variant = ''] = document.split('/');
      expect(findDocumentSchema(resource, variant, shape) !== null, document).toBe(exists);
    }
  });
});

describe('the schemas', () => {
  it('ask for meta on lists, and for one record without it otherwise', () => {
    expect(isTagDocument({ tags: [tag] })).toBe(true);
    expect(isTagDocument({ tags: [tag], meta: { pagination } })).toBe(false);
    expect(isTagDocument({ tags: [] })).toBe(false);
    expect(isTagDocument({ tags: [tag, tag] })).toBe(false);
    expect(isTagDocument({ tags: [tag], meta: { pagination } }, 'index', 'list')).toBe(true);
    expect(isTagDocument({ tags: [] }, 'index', 'list')).toBe(false);
    const extra = { ...pagination, extra: 1 };
    expect(isTagDocument({ tags: [], meta: { pagination: extra } }, 'index', 'list')).toBe(false);
  });

  it.each([
    ['a further key', { ...tag, count: { posts: 1 } }],
    ['a missing key', { ...tag, accent_color: undefined }],
    ['an empty text for null', { ...tag, description: '' }],
    ['a relative address', { ...tag, url: '/tag/alpha/' }],
  ])('refuse %s', (_, record) => {
    expect(isTagDocument({ tags: [record] })).toBe(false);
  });

  it('ask for a whole number as count', () => {
    const counted = (count: unknown) => ({ tags: [{ ...tag, count }] });
    expect(isTagDocument(counted({ posts: 0 }), 'count-posts')).toBe(true);
    expect(isTagDocument(counted({ posts: 1.5 }), 'count-posts')).toBe(false);
    expect(isTagDocument(counted(1), 'count-posts')).toBe(false);
  });

  it.each([
    ['2026-01-01T11:00:00.000+01:00', true],
    ['2026-01-01T10:00:00.000Z', false],
    ['2026-01-01T11:00:00+01:00', false],
    ['2026-13-01T11:00:00.000+01:00', false],
    [null, false],
  ])('take %j for a timestamp: %j', (value, isTaken) => {
    const timestamp = RECORD_SCHEMAS.posts?.index?.shape.published_at;
    expect(timestamp?.safeParse(value).success).toBe(isTaken);
  });

  it('ask for the nine keys of an error, without id where the body is a file', () => {
    const error = {
      message: 'Resource not found error, cannot read post.',
      context: 'Post not found.',
      type: 'NotFoundError',
      ...nulls('details property help code id ghostErrorCode'),
    };
    const id = '86b40a1f-98b3-4b8f-a54a-3a7a3a29de85';
    expect(notFoundDocumentSchema.safeParse({ errors: [error] }).success).toBe(true);
    expect(notFoundDocumentSchema.safeParse({ errors: [{ ...error, id }] }).success).toBe(false);
    expect(errorDocumentSchema.safeParse({ errors: [{ ...error, id }] }).success).toBe(true);
    const { details: _, ...eight }: Record<string, unknown> = error;
    expect(errorDocumentSchema.safeParse({ errors: [eight] }).success).toBe(false);
  });
});

/** Names in the first table of the section of docs/interface.md about a resource. */
const documentedFields = (resource: string): string[] => {
  const section = INTERFACE.split(`(content resource key \`${resource}\``)[1] ?? '';
  const [table = ''] = /(?:^\|.*\n)+/m.exec(section) ?? [];
  const names = table.split('\n').map((line) => line.split('|')[1]?.trim() ?? '');
  return names.slice(2, -1).flatMap((cell) => cell.split(', '));
};

test.each(['posts', 'authors', 'tags'])(
  'docs/interface.md lists the fields of %s, in the order of documents',
  (resource) => {
    const schema = RECORD_SCHEMAS[resource]?.index;
    expect(documentedFields(resource)).toEqual(Object.keys(schema?.shape ?? {}));
  },
);

test('a field of posts stands in every table of fields', () => {
  const fields = Object.entries(postSchema.shape);
  const nullable = fields
    .filter(([, schema]) => schema.safeParse(null).success)
    .map(([name]) => name);
  expect([...NULLABLE].sort(), 'content/tree/tree.ts').toEqual(nullable.sort());
  const hidden = fields.map(([name]) => name).filter((name) => !(name in adminPostSchema.shape));
  expect(hidden, 'serve/contract/content-records.ts').toEqual(['access']);
  const fixed = nullable.filter((name) => !(name in postEditInput.shape));
  expect(fixed, 'serve/contract/input/post-input.ts').toEqual([]);
});
