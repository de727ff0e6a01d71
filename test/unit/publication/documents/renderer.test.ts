// Fragments against their contract: every variant, the order of keys, and the rules of each field.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RECORD_SCHEMAS } from '../../../../src/content/contract/documents.ts';
import type { AuthorRow, PostRow, TagRow } from '../../../../src/publication/tables/rows.ts';
import { createFragmentRenderer, type RenderSettings } from './fragments.ts';
import { type JsonRecord, parseRecord } from './json.ts';
import { createAuthor, createPost, createSource, createTag, SITE_URL } from './sources.ts';

const SETTINGS: RenderSettings = {
  siteUrl: SITE_URL,
  timezone: 'Europe/Berlin',
  outboundLinkTagging: true,
  permalinks: '/{slug}/',
};
const renderer = createFragmentRenderer(SETTINGS);

const renderIndex = (changes: Partial<PostRow>): JsonRecord =>
  parseRecord(renderer.post(createSource(changes))[0]);

/** Every key of a schema in its order, those of embedded records included. */
const expectExactRecord = (resource: string, fragments: readonly Buffer[]): JsonRecord[] => {
  const schemas = Object.values(RECORD_SCHEMAS[resource] ?? {});
  expect(fragments).toHaveLength(schemas.length);
  return schemas.map((schema, variant) => {
    const record = parseRecord(fragments[variant]);
    expect(schema.parse(record)).toEqual(record);
    expect(Object.keys(record)).toEqual(Object.keys(schema.shape));
    return record;
  });
};

describe('post', () => {
  it('gives the four variants of the contract, related data last', () => {
    const [index, authors, tags, both] = expectExactRecord('posts', renderer.post(createSource()));
    const own = Object.keys(index ?? {}).length;
    const last = (record: JsonRecord | undefined) => Object.keys(record ?? {}).slice(own);
    expect(last(authors)).toEqual(['authors', 'primary_author']);
    expect(last(tags)).toEqual(['tags', 'primary_tag']);
    expect(last(both)).toEqual(['authors', 'tags', 'primary_author', 'primary_tag']);
    expect(both).toMatchObject({ ...index, ...authors, ...tags });
  });

  it('embeds tags and authors in order with the keys of the embedded shapes', () => {
    const tags = [createTag(), createTag({ id: 't2', slug: 'b', visibility: 'internal' })];
    const authors = [createAuthor({ id: 'a1' }), createAuthor({ id: 'a2', threads: 'x' })];
    const record = parseRecord(renderer.post({ post: createPost(), tags, authors })[3]);
    const embedded = record as { tags: JsonRecord[]; authors: JsonRecord[] };
    expect(embedded.tags.map(({ id }) => id)).toEqual([createTag().id, 't2']);
    expect(embedded.authors.map(({ id }) => id)).toEqual(['a1', 'a2']);
    expect(Object.keys(embedded.tags[0] ?? {}).join(' ')).toBe(
      'id name slug description feature_image visibility meta_title meta_description url',
    );
    expect(Object.keys(embedded.authors[1] ?? {}).join(' ')).toBe(
      'id slug name profile_image cover_image bio website location facebook twitter' +
        ' meta_title meta_description url',
    );
    expect(record.primary_tag).toEqual(embedded.tags[0]);
    expect(record.primary_author).toEqual(embedded.authors[0]);
  });

  it('has no primary tag when the first is internal, and null without any', () => {
    const internal = createTag({ visibility: 'internal' });
    const source = { ...createSource(), tags: [internal, createTag()] };
    expect(parseRecord(renderer.post(source)[2]).primary_tag).toBe(null);
    const alone = { ...createSource(), tags: [], authors: [] };
    const [, , , both] = expectExactRecord('posts', renderer.post(alone));
    const empty = { tags: [], primary_tag: null, authors: [], primary_author: null };
    expect(both).toMatchObject(empty);
  });

  it.each<[string, Partial<PostRow>, JsonRecord]>([
    ['no body', { html: null, plaintext: null }, { html: null, excerpt: '', reading_time: 0 }],
    ['an empty body', { html: '', plaintext: '' }, { html: null, excerpt: '', reading_time: 0 }],
    ['no body but an image', { html: null, feature_image: '/a.png' }, { reading_time: 0 }],
    ['plaintext as it is stored', { plaintext: ' stored\n' }, { excerpt: ' stored\n' }],
    ['plaintext that is missing', { plaintext: null }, { excerpt: 'Some text' }],
    ['a custom excerpt', { custom_excerpt: 'Mine' }, { excerpt: 'Mine', custom_excerpt: 'Mine' }],
    ['an empty one', { custom_excerpt: '' }, { excerpt: 'Some text', custom_excerpt: null }],
    ['no comment id', { comment_id: null }, { comment_id: createPost().id }],
    ['an old comment id', { comment_id: '17' }, { comment_id: '17' }],
    ['featured', { featured: 1 }, { featured: true }],
    ['not featured', { featured: 0 }, { featured: false }],
    ['empty texts', { meta_title: '', og_image: '' }, { meta_title: null, og_image: null }],
    ['an empty title', { title: '' }, { title: '' }],
    ['never updated', { updated_at: null }, { updated_at: '2026-01-01T11:00:00.000+01:00' }],
    [
      'times of other writers',
      { created_at: '2026-07-01 10:00:00', published_at: String(Date.UTC(2026, 0, 1)) },
      {
        created_at: '2026-07-01T12:00:00.000+02:00',
        published_at: '2026-01-01T01:00:00.000+01:00',
      },
    ],
    ['a public post', {}, { access: true, visibility: 'public' }],
    [
      'a members post',
      { visibility: 'members', custom_excerpt: 'Mine' },
      { access: false, visibility: 'members', html: '', excerpt: '', custom_excerpt: 'Mine' },
    ],
    ['an old visibility', { visibility: 'status:free' }, { access: false, visibility: 'tiers' }],
    ['a members post without a body', { visibility: 'paid', html: null }, { html: '' }],
    [
      'a paywall',
      { visibility: 'paid', html: '<p>a</p><!--members-only--><p>SECRET</p>', plaintext: 'SECRET' },
      { access: false, html: '<p>a</p>', excerpt: 'a' },
    ],
    [
      'a paywall and a custom excerpt',
      { visibility: 'paid', html: '<!--members-only-->x', custom_excerpt: 'Mine' },
      { html: '', excerpt: 'Mine', custom_excerpt: 'Mine' },
    ],
    [
      'the full length of a gated text',
      { visibility: 'paid', html: `<p>${'word '.repeat(300)}</p>` },
      { html: '', reading_time: 1 },
    ],
    [
      'an outbound link behind the gate',
      { visibility: 'paid', html: '<a href="https://e.test/">a</a><!--members-only-->' },
      { html: '<a href="https://e.test/?ref=press.test">a</a>' },
    ],
  ])('shows %s', (_, changes, expected) => {
    const [index] = expectExactRecord('posts', renderer.post(createSource(changes)));
    expect(index).toMatchObject(expected);
  });

  it('puts the address of the site into every field that may hold its placeholder', () => {
    const text = '__GHOST_URL__/a';
    const record = renderIndex({
      html: text,
      plaintext: text,
      feature_image: text,
      feature_image_caption: text,
      codeinjection_head: text,
      codeinjection_foot: text,
      canonical_url: text,
      og_image: text,
      twitter_image: text,
    });
    expect(JSON.stringify(record)).not.toContain('__GHOST_URL__');
    expect(JSON.stringify(record).split(`${SITE_URL}/a"`)).toHaveLength(9 + 1);
    expect(renderIndex({ custom_excerpt: text }).custom_excerpt).toBe(`${SITE_URL}/a`);
  });

  it('leaves links alone when tagging is off', () => {
    const { post } = createFragmentRenderer({ ...SETTINGS, outboundLinkTagging: false });
    const html = '<a href="https://e.test/">a</a>';
    expect(parseRecord(post(createSource({ html }))[0]).html).toBe(html);
  });

  it('reports every time that cannot be read, at once', () => {
    const broken = createSource({ created_at: 'soon', updated_at: 'x', published_at: null });
    const id = createPost().id;
    expect(() => renderer.post(broken)).toThrowError(
      expect.objectContaining({
        code: 'BUILD_INPUT_INVALID',
        details: [
          { table: 'posts', id, field: 'created_at', reason: 'is not a time that can be read' },
          { table: 'posts', id, field: 'updated_at', reason: 'is not a time that can be read' },
          { table: 'posts', id, field: 'published_at', reason: 'is empty' },
        ],
      }),
    );
    for (const published_at of [8e15, -8e15, '99999999999999999999']) {
      expect(() => renderer.post(createSource({ published_at }))).toThrowError(
        expect.objectContaining({ code: 'BUILD_INPUT_INVALID' }),
      );
    }
  });

  it('gives valid UTF-8 and exact records for any text in any column', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('\ud800', 'a\udfff', '\u2028', '"\\\u0000', '__GHOST_URL__', '', null),
    );
    const columns = [
      ...['html', 'plaintext', 'comment_id', 'custom_excerpt', 'codeinjection_head'],
      ...['custom_template', 'canonical_url', 'feature_image_alt', 'feature_image_caption'],
      ...['meta_title', 'email_subject'],
    ] as const;
    const changes = fc.record(Object.fromEntries(columns.map((column) => [column, text])));
    fc.assert(
      fc.property(changes, fc.constantFrom('public', 'members', 'x'), (values, visibility) => {
        const source = createSource({ ...values, visibility });
        expectExactRecord('posts', renderer.post(source));
        expect(renderer.post(source)).toEqual(renderer.post(source));
      }),
      { numRuns: 60 },
    );
  });
});

describe('tag and author', () => {
  it('give the two variants of the contract, the count last', () => {
    const tag = createTag({ description: '', feature_image: '__GHOST_URL__/t.png' });
    const [, tagged] = expectExactRecord('tags', renderer.tag({ tag, posts: 7 }));
    expect(tagged).toMatchObject({
      count: { posts: 7 },
      description: null,
      feature_image: `${SITE_URL}/t.png`,
      url: `${SITE_URL}/tag/alpha/`,
    });
    const author = createAuthor({ bio: '', threads: '@t', cover_image: '__GHOST_URL__/c.png' });
    const [, counted] = expectExactRecord('authors', renderer.author({ author, posts: 0 }));
    expect(counted).toMatchObject({
      count: { posts: 0 },
      bio: null,
      threads: '@t',
      cover_image: `${SITE_URL}/c.png`,
    });
  });

  it('keeps the address, role and state of a user to itself', () => {
    const author = createAuthor({ accessibility: 'PRIVATE', last_seen: '2026-02-02T00:00:00Z' });
    const fragments = [
      ...renderer.author({ author, posts: 1 }),
      ...renderer.post({ post: createPost(), tags: [], authors: [author] }),
    ];
    for (const fragment of fragments) {
      expect(fragment.toString()).not.toMatch(/private|@|"role"|last_seen|2026-02-02/i);
    }
  });

  it('never show one row in the place of another', () => {
    const first = createTag({ name: 'First' });
    const second = createTag({ name: 'Second' });
    const names = [first, second, first].map((tag) => {
      const [, , fragment] = renderer.post({ ...createSource(), tags: [tag] });
      return (parseRecord(fragment).primary_tag as JsonRecord).name;
    });
    expect(names).toEqual(['First', 'Second', 'First']);
  });
});

it('renders tags and authors whatever their columns hold', () => {
  const odd = [null, '', 0, -1.5, Number.POSITIVE_INFINITY, '\ud800\0', Buffer.from([0xff]), '%'];
  const rowOf = <Row extends object>(row: Row) =>
    fc.record(Object.fromEntries(Object.keys(row).map((name) => [name, fc.constantFrom(...odd)])));
  fc.assert(
    fc.property(rowOf(createTag()), rowOf(createAuthor()), (tag, author) => {
      const related = { tags: [tag as TagRow], authors: [author as AuthorRow] };
      renderer.tag({ tag: tag as TagRow, posts: 1 });
      renderer.author({ author: author as AuthorRow, posts: 1 });
      renderer.post({ ...createSource(), ...related });
    }),
  );
});
