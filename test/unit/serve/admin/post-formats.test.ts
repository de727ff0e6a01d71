// Posts and pages whose body comes as a document of Ghost's editors, or as html from which one is made.
import { afterAll, describe, expect, test } from 'vitest';
import type { PostType } from '../../../../src/publication/store/content/posts.ts';
import { copyPost } from '../../../../src/serve/admin/posts/copy-post.ts';
import { createPost, editPost } from '../../../../src/serve/admin/posts/posts.ts';
import { readPost } from '../../../../src/serve/admin/posts/read-post.ts';
import { parseInput } from '../../../../src/serve/contract/input/parse-input.ts';
import { postCreateInput, postEditInput } from '../../../../src/serve/contract/input/post-input.ts';
import { createFormatThread } from '../../../../src/serve/editor/format-thread.ts';
import { FORMAT_WORKER, skipFormats } from '../../../helpers/format-thread.ts';
import { lexicalOf, link, mobiledocOf, paragraph, words } from '../editor/documents.ts';
import { createHarness, type Harness, SITE } from './harness.ts';

type Payload = Readonly<Record<string, unknown>>;
type Shown = Readonly<Record<'id' | 'updated_at', string>> &
  Readonly<Record<'html' | 'lexical' | 'mobiledoc' | 'plaintext', string | null>>;

const formats = createFormatThread({ workerFile: FORMAT_WORKER });
afterAll(() => formats.close());

const harnessed = async (): Promise<Harness> => {
  const harness = await createHarness();
  return { ...harness, context: { ...harness.context, formats } };
};

const ALL = ['html', 'plaintext', 'lexical', 'mobiledoc'] as const;

const read = async ({ context }: Harness, id: string, type: PostType = 'post'): Promise<Shown> =>
  (await readPost(context, { type, id }, { formats: ALL })) as unknown as Shown;

const create = async (
  harness: Harness,
  payload: Payload,
  { sourceHtml = false, type = 'post' as PostType } = {},
): Promise<Shown> => {
  const input = parseInput(postCreateInput, { title: 'T', ...payload });
  const id = await createPost(harness.context, { type, input }, { sourceHtml });
  return read(harness, id, type);
};

const edit = async (
  harness: Harness,
  post: Shown,
  changes: Payload,
  { sourceHtml = false } = {},
): Promise<Shown> => {
  harness.passTime(1_000);
  const input = parseInput(postEditInput, { updated_at: post.updated_at, ...changes });
  await editPost(harness.context, { type: 'post', id: post.id, input }, { sourceHtml });
  return read(harness, post.id);
};

const stored = ({ shell }: Harness, id: string): Shown =>
  shell.prepare('SELECT * FROM posts WHERE id = ?').get(id) as Shown;

const FIRST = lexicalOf(paragraph(words('Read '), link(`${SITE}/more/`, 'more')));
/** What Ghost 6.65 answers of a post that was made without a body. */
const GHOSTS_BLANK =
  '{"root":{"children":[{"children":[],"direction":null,"format":"","indent":0,"type":"paragraph","version":1}],"direction":null,"format":"","indent":0,"type":"root","version":1}}';
const FIRST_HTML = `<p>Read <a href="${SITE}/more/">more</a></p>`;

describe.skipIf(skipFormats)('the body of a post', () => {
  test.each(['post', 'page'] as const)('a %s is written as lexical', async (type) => {
    const harness = await harnessed();
    const post = await create(harness, { lexical: FIRST }, { type });
    expect(post).toMatchObject({ html: FIRST_HTML, lexical: FIRST, mobiledoc: null });
    expect(post.plaintext).toContain('Read more');
    expect(stored(harness, post.id).lexical).toBe(FIRST.replace(SITE, '__GHOST_URL__'));
    expect(stored(harness, post.id).html).toBe(FIRST_HTML.replace(SITE, '__GHOST_URL__'));
  });

  test('a mobiledoc is stored as lexical', async () => {
    const harness = await harnessed();
    const post = await create(harness, { mobiledoc: mobiledocOf('Old') });
    expect(post).toMatchObject({ html: '<p>Old</p>', mobiledoc: null });
    expect(post.lexical).toContain('"text":"Old"');
    const again = await edit(harness, post, { mobiledoc: mobiledocOf('Old') });
    expect(again).toEqual(post);
  });

  test('the cards that Ghost 1 wrote Markdown and widths of pictures in are rendered', async () => {
    const card = ['card-markdown', { cardName: 'card-markdown', markdown: 'x *y*' }];
    const wide = ['image', { src: '/content/images/a.png', imageStyle: 'wide' }];
    const mobiledoc = {
      version: '0.3.1',
      markups: [],
      atoms: [],
      cards: [card, wide],
      sections: [
        [10, 0],
        [10, 1],
      ],
    };
    const post = await create(await harnessed(), { mobiledoc: JSON.stringify(mobiledoc) });
    expect(post.html).toContain('x <em>y</em>');
    expect(post.html).toContain('kg-width-wide');
  });

  describe('with nodes that are unknown here', () => {
    const video = { type: 'hologram', version: 1, url: `${SITE}/h/` };
    const other = { type: 'scent', version: 2, name: 'rose' };
    const mark = { type: 'paywall', version: 1 };
    const imported = async (children: readonly unknown[], html: string) => {
      const harness = await harnessed();
      const own = (text: string) => text.replaceAll(SITE, '__GHOST_URL__');
      const texts = { html: own(html), lexical: own(lexicalOf(...children)) };
      const id = harness.insert('posts', { title: 'T', ...texts });
      return { harness, post: await read(harness, id) };
    };
    const VIDEO = `<!--h--><figure class="kg-card"><video src="${SITE}/h.mp4"></video></figure><p>note</p>`;

    test('those that are stored may stay, move and go, with what they show', async () => {
      const [first, last] = [paragraph(words('First')), paragraph(words('Last'))];
      // The stored html need not be what is rendered here.
      const html = `<p class="old">First</p>${VIDEO}<!--members-only--><p>Last</p>`;
      const { harness, post } = await imported([first, video, mark, last], html);
      const reordered = { version: 1, url: `${SITE}/h/`, type: 'hologram' };
      const changed = lexicalOf(paragraph(words('New')), reordered, mark, last);
      const saved = await edit(harness, post, { lexical: changed });
      expect(saved.html).toBe(`<p>New</p>${VIDEO}<!--members-only--><p>Last</p>`);
      expect(saved.lexical).toBe(lexicalOf(paragraph(words('New')), video, mark, last));
      expect(stored(harness, post.id).lexical).toContain('"url":"__GHOST_URL__/h/"');
      const moved = await edit(harness, saved, { lexical: lexicalOf(mark, last, video) });
      expect(moved.html).toBe(`<!--members-only--><p>Last</p>${VIDEO}`);
      const gone = await edit(harness, moved, { lexical: lexicalOf(last) });
      expect(gone.html).toBe('<p>Last</p>');
    });

    test('several are told apart where each shows one element', async () => {
      const html = '<div>h</div><p>x</p><i>rose</i><b>rose</b>';
      const both = [video, paragraph(words('x')), other, { ...other, name: 'bold' }];
      const { harness, post } = await imported(both, html);
      const saved = await edit(harness, post, { lexical: lexicalOf(other, both[3], video) });
      expect(saved.html).toBe('<i>rose</i><b>rose</b><div>h</div>');
      const unclear = await imported(both, `${html}<p>y</p>`);
      const save = edit(unclear.harness, unclear.post, { lexical: lexicalOf(other) });
      await expect(save).rejects.toThrow('does not tell what it shows');
    });

    test.each([
      ['a new one', other],
      ['a changed one', { ...video, url: 'https://x.example/' }],
      ['one in another node', paragraph(video)],
    ])('%s is refused', async (_what, node) => {
      const { harness, post } = await imported([paragraph(words('x')), video], `<p>x</p>${VIDEO}`);
      const save = edit(harness, post, { lexical: lexicalOf(paragraph(words('x')), node) });
      await expect(save).rejects.toMatchObject({ code: 'VALIDATION', property: 'lexical' });
      expect(await read(harness, post.id)).toEqual(post);
    });
  });

  test('html is kept, and a document for editors is stored with it', async () => {
    const harness = await harnessed();
    const html = `<div class="own"><p>Kept <a href="${SITE}/more/">more</a></p></div>`;
    const post = await create(harness, { html, lexical: FIRST }, { sourceHtml: true });
    expect(post.html).toBe(html);
    expect(post.lexical).toContain('"text":"Kept "');
    expect(stored(harness, post.id).lexical).toContain('"url":"__GHOST_URL__/more/"');
  });

  test('an edit of either keeps the other true', async () => {
    const harness = await harnessed();
    const post = await create(harness, { lexical: FIRST });
    const second = await edit(harness, post, { lexical: lexicalOf(paragraph(words('Second'))) });
    expect(second).toMatchObject({ html: '<p>Second</p>', plaintext: 'Second' });
    const third = await edit(harness, second, { html: '<p>Third</p>' }, { sourceHtml: true });
    expect(third.lexical).toContain('"text":"Third"');
    expect(third.lexical).not.toContain('Second');
    const fourth = await edit(harness, third, {
      mobiledoc: mobiledocOf('Fourth'),
      lexical: third.lexical,
    });
    expect(fourth).toMatchObject({ html: '<p>Fourth</p>', mobiledoc: null });
    const same = await edit(harness, fourth, { html: '' }, { sourceHtml: true });
    expect(same).toEqual(fourth);
    const none = await edit(harness, fourth, { html: null }, { sourceHtml: true });
    expect(none).toMatchObject({ html: null, lexical: GHOSTS_BLANK, mobiledoc: null });
  });

  test.each([true, false])(
    'what was read and is sent back is no change (source=html: %s)',
    async (sourceHtml) => {
      const harness = await harnessed();
      for (const payload of [{ lexical: FIRST }, { mobiledoc: mobiledocOf('Old') }]) {
        const post = await create(harness, payload);
        expect(await edit(harness, post, { ...post }, { sourceHtml })).toEqual(post);
      }
      const post = await create(harness, { html: '<section>Own</section>' }, { sourceHtml: true });
      expect(await edit(harness, post, { ...post }, { sourceHtml })).toEqual(post);
    },
  );

  test('documents that an import brought are kept until the body changes', async () => {
    const harness = await harnessed();
    const post = await create(harness, { html: '<p>Old</p>' }, { sourceHtml: true });
    // Shown with the site's address, and stored with its placeholder.
    const mobiledoc = mobiledocOf(`Old ${SITE}/`);
    harness.shell
      .prepare('UPDATE posts SET mobiledoc = ?, lexical = NULL WHERE id = ?')
      .run(mobiledoc.replace(SITE, '__GHOST_URL__'), post.id);
    const imported = await read(harness, post.id);
    const kept = await edit(harness, imported, { ...imported, custom_excerpt: 'Other' });
    expect(kept).toMatchObject({ html: '<p>Old</p>', mobiledoc, lexical: null });
    expect(await edit(harness, kept, { lexical: FIRST })).toMatchObject({
      html: FIRST_HTML,
      mobiledoc: null,
    });
  });

  test('a copy has the document too', async () => {
    const harness = await harnessed();
    const post = await create(harness, { lexical: FIRST });
    const id = await copyPost(harness.context, { type: 'post', id: post.id });
    expect(await read(harness, id)).toMatchObject({ html: FIRST_HTML, lexical: FIRST });
  });

  test('what cannot be read is refused, and nothing is stored', async () => {
    const harness = await harnessed();
    const post = await create(harness, { lexical: FIRST });
    for (const [changes, message] of [
      [{ lexical: '{"root":{}}' }, 'lexical has a root that is not of type "root".'],
      [{ mobiledoc: '{}' }, 'mobiledoc has no sections.'],
      [
        { lexical: lexicalOf(), mobiledoc: mobiledocOf('x') },
        'Send either lexical or mobiledoc, not both.',
      ],
    ] as const) {
      await expect(edit(harness, post, changes)).rejects.toThrow(message);
    }
    expect(await read(harness, post.id)).toEqual(post);
  });
});

test.each([{}, { lexical: null }, { mobiledoc: null }])(
  'a post without a body (%j) is shown as a blank document, and stored without one, also when it is sent back',
  async (payload) => {
    const harness = await createHarness();
    const post = await create(harness, payload);
    expect(post).toMatchObject({ html: null, lexical: GHOSTS_BLANK, mobiledoc: null });
    const before = stored(harness, post.id);
    expect(before).toMatchObject({ html: null, lexical: null });
    expect(await edit(harness, post, { ...post })).toEqual(post);
    expect(stored(harness, post.id)).toEqual(before);
  },
);

test.each([
  ['scripts', '<p>x</p><script async src="https://other.example/w.js"></script>'],
  ['own addresses', `<p><a href="${SITE}/x/">x</a></p>`],
  ['placeholders', '<p><a href="__GHOST_URL__/x/">x</a></p>'],
])('imported html with %s that is sent back is no change', async (_what, html) => {
  const harness = await createHarness();
  const { id } = await create(harness, { html: '<p>x</p>' }, { sourceHtml: true });
  harness.shell
    .prepare('UPDATE posts SET html = ?, lexical = ?, plaintext = ? WHERE id = ?')
    .run(html, FIRST, 'Imported', id);
  const before = stored(harness, id);
  const post = await read(harness, id);
  await edit(harness, post, { ...post }, { sourceHtml: true });
  expect(stored(harness, id)).toEqual(before);
});

test('html of which no document can be made is stored all the same', async () => {
  const harness = await createHarness();
  const failing = {
    convert: async () => ({ fault: 'cannot be rendered' }),
    installCommand: () => null,
  };
  const context = { ...harness.context, formats: failing };
  const post = await create({ ...harness, context }, { html: '<p>x</p>' }, { sourceHtml: true });
  expect(post).toMatchObject({ html: '<p>x</p>', lexical: null });
});
