// n8n's Ghost node against a running server: every operation with every option that its editor offers, and what its
// editor lists. What it cannot have is refused with a sentence that n8n shows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { lexicalOf, mobiledocOf, paragraph, words } from '../unit/serve/editor/documents.ts';
import { loadNode, type N8nNode, n8nFolder, type Values } from './n8n-node.ts';

const reason =
  n8nFolder === undefined
    ? 'set PREPRESS_TEST_N8N to the folder that install_n8n of .ci/run makes'
    : '';

describe.skipIf(reason !== '')(`n8n's Ghost node ${reason}`, () => {
  let serving: Serving;
  let node: N8nNode;
  const content = (parameters: Values) => node.run({ source: 'contentApi', ...parameters });
  const admin = (parameters: Values) => node.run({ source: 'adminApi', ...parameters });
  const create = async (parameters: Values): Promise<Record<string, unknown>> => {
    const [post = {}] = await admin({ operation: 'create', title: 'T', ...parameters });
    return post;
  };
  const read = async (identifier: unknown, formats: readonly string[] = ['html']) => {
    const [post] = await admin({ operation: 'get', identifier, options: { formats } });
    return post;
  };

  beforeAll(async () => {
    const folder = suiteFolder();
    serving = await startServing(folder.path, { args: ['--sample'] });
    const key = readFileSync(join(folder.path, 'data/admin-key'), 'utf8').trim();
    node = loadNode(n8nFolder ?? '', {
      ghostAdminApi: { url: serving.url, apiKey: key },
      ghostContentApi: { url: serving.url, apiKey: serving.contentKey },
    });
    return async () => {
      await serving.end('SIGKILL');
      folder.remove();
    };
  });

  test('the operations that are tried here are all that it has', () => {
    const operations = node.properties
      .filter(({ name }) => name === 'operation')
      .flatMap(({ displayOptions, options = [] }) =>
        options.map(
          (option) => `${displayOptions?.show.source} ${'value' in option && option.value}`,
        ),
      );
    expect(operations.toSorted()).toEqual([
      'adminApi create',
      'adminApi delete',
      'adminApi get',
      'adminApi getAll',
      'adminApi update',
      'contentApi get',
      'contentApi getAll',
    ]);
  });

  test('keys are tested', async () => {
    expect(await node.testCredential('ghostAdminApi')).toHaveProperty('pages');
    expect(await node.testCredential('ghostContentApi')).toHaveProperty('settings');
  });

  test('its editor lists authors and tags', async () => {
    const [authors, tags] = [await node.load('getAuthors'), await node.load('getTags')];
    expect(authors.length).toBeGreaterThan(1);
    expect(tags.length).toBeGreaterThan(1);
  });

  describe('content', () => {
    test('posts, a page and all', async () => {
      const some = await content({ operation: 'getAll', limit: 2 });
      expect(some).toHaveLength(2);
      const all = await content({ operation: 'getAll', returnAll: true });
      expect(all.length).toBeGreaterThan(2);
      expect(all).toContainEqual(some[0]);
    });

    test('posts with what the options name', async () => {
      const [post] = await content({
        operation: 'getAll',
        limit: 1,
        options: { include: ['authors', 'tags'], formats: ['html', 'plaintext'] },
      });
      expect(post).toMatchObject({
        authors: expect.any(Array),
        tags: expect.any(Array),
        html: expect.any(String),
        plaintext: expect.any(String),
      });
      const few = await content({ operation: 'getAll', options: { fields: 'id, title' } });
      expect(Object.keys(few[0] ?? {}).toSorted()).toEqual(['id', 'title']);
      const [lexical] = await content({ operation: 'getAll', options: { formats: ['lexical'] } });
      expect(lexical).not.toHaveProperty('lexical');
    });

    test('one post, by id and by slug', async () => {
      const [first] = await content({ operation: 'getAll', limit: 1 });
      const [byId] = await content({ operation: 'get', by: 'id', identifier: first?.id });
      const [bySlug] = await content({
        operation: 'get',
        by: 'slug',
        identifier: first?.slug,
        options: { formats: ['plaintext'], fields: 'title,plaintext' },
      });
      expect(byId).toMatchObject({ title: first?.title });
      expect(bySlug).toMatchObject({ title: first?.title, plaintext: expect.any(String) });
      const none = content({ operation: 'get', by: 'id', identifier: 'f'.repeat(24) });
      await expect(none).rejects.toThrow(/not be found/);
    });
  });

  describe('admin', () => {
    const bodies = [
      ['html', '<p>By n8n</p>'],
      ['lexical', lexicalOf(paragraph(words('By n8n')))],
      ['mobileDoc', mobiledocOf('By n8n')],
    ] as const;

    test.each(bodies)(
      'a post of %s is created, read, updated and deleted',
      async (contentFormat, body) => {
        const { id, slug } = await create({ contentFormat, content: body });
        expect(await read(id)).toMatchObject({ html: '<p>By n8n</p>', status: 'draft' });
        const formats = await read(id, ['html', 'mobiledoc', 'lexical']);
        expect(formats).toMatchObject({ lexical: expect.any(String), mobiledoc: null });
        const field = contentFormat === 'html' ? 'content' : 'contentJson';
        const [updated] = await admin({
          operation: 'update',
          postId: id,
          contentFormat,
          updateFields: {
            [field]: body.replace('By n8n', 'Again'),
            title: 'Updated',
            status: 'published',
          },
        });
        expect(updated).toMatchObject({ title: 'Updated', status: 'published' });
        expect(await read(id)).toMatchObject({ html: '<p>Again</p>' });
        const [bySlug] = await admin({ operation: 'get', by: 'slug', identifier: slug });
        expect(bySlug).toMatchObject({ id });
        await admin({ operation: 'delete', postId: id });
        await expect(read(id)).rejects.toThrow(/not be found/);
      },
    );

    test('posts, a page and all, with what the options name', async () => {
      const options = { include: ['authors', 'tags'], formats: ['html', 'lexical'] };
      const [first] = await admin({ operation: 'getAll', limit: 1, options });
      expect(first).toMatchObject({
        authors: expect.any(Array),
        tags: expect.any(Array),
        html: expect.any(String),
      });
      const all = await admin({ operation: 'getAll', returnAll: true, options: { fields: 'id' } });
      expect(all).toContainEqual({ id: first?.id });
    });

    test('every field of a post', async () => {
      const authors = await node.load('getAuthors');
      const [tag, other] = await node.load('getTags');
      const values = {
        authors: authors.map(({ value }) => value),
        canonical_url: 'https://example.com/first/',
        codeinjection_foot: '<b>f</b>',
        codeinjection_head: '<b>h</b>',
        featured: true,
        meta_description: 'm',
        meta_title: 'mt',
        og_description: 'o',
        og_image: 'https://example.com/o.png',
        og_title: 'ot',
        published_at: '2026-01-31T10:00:00',
        slug: 'of-n8n',
        status: 'published',
        tags: [tag?.value, other?.value, 'New tag'],
        twitter_description: 't',
        twitter_image: 'https://example.com/t.png',
        twitter_title: 'tt',
      };
      for (const form of ['additionalFields', 'updateFields']) {
        const fields = node.properties.find(({ name }) => name === form)?.options ?? [];
        const known = [...Object.keys(values), 'title', 'content', 'contentJson'];
        expect(fields.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
      }
      const saved = {
        ...values,
        authors: authors.map(({ value }) => ({ id: value })),
        tags: [{ name: tag?.value }, { name: other?.value }, { name: 'New tag' }],
        // What a workflow says is the time of its zone.
        published_at: '2026-01-31T09:00:00.000Z',
      };
      const made = await create({ content: '<p>a</p>', additionalFields: values });
      expect(made).toMatchObject(saved);
      const { id } = await create({ content: '<p>b</p>' });
      const [updated] = await admin({
        operation: 'update',
        postId: id,
        updateFields: { ...values, slug: 'of-n8n-too', content: '<p>b</p>' },
      });
      expect(updated).toMatchObject({ ...saved, slug: 'of-n8n-too' });
    });

    test('a post is scheduled', async () => {
      const later = new Date(Date.now() + 3_600_000_000).toISOString();
      const additionalFields = { status: 'scheduled', published_at: later };
      const { id } = await create({ content: '<p>a</p>', additionalFields });
      expect(await read(id)).toMatchObject({ status: 'scheduled' });
    });

    test('what cannot be stored is refused with a sentence that n8n shows', async () => {
      // n8n has its own words for a status; the answer stands below them, as "Full message".
      const said = (refused: Promise<unknown>): Promise<string> =>
        refused.then(
          () => 'It was not refused.',
          ({ messages = [] }: { readonly messages?: readonly string[] }) => messages.join(),
        );
      const lexical = create({ contentFormat: 'lexical', content: '{"root":1}' });
      expect(await said(lexical)).toMatch(/lexical .+\./);
      const mobiledoc = create({ contentFormat: 'mobileDoc', content: '{"a":1}' });
      expect(await said(mobiledoc)).toMatch(/mobiledoc has no sections/);
      const long = create({ additionalFields: { meta_title: 'm'.repeat(301) } });
      expect(await said(long)).toMatch(/meta_title .+300/);
    });
  });
});
