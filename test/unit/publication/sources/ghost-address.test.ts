// A site that is read through its content interface gives the same content as its export, where the interface shows it.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { syncOnce } from '../../../../src/publication/follow/sync-once.ts';
import {
  type ImportReport,
  importSource,
} from '../../../../src/publication/import/import-source.ts';
import { openGhostAddress } from '../../../../src/publication/sources/ghost-address/source.ts';
import { openGhostExport } from '../../../../src/publication/sources/ghost-export/source.ts';
import { LEFT_OUT } from '../../../../src/publication/sources/source.ts';
import { CAPTURED_EXPORT, CAPTURED_SITE_URL } from '../../../helpers/captured-site.ts';
import {
  CONTENT_KEY,
  type ContentRecord,
  type ContentServer,
  capturedContentSite,
  IS_CUT,
  startContentSite,
} from '../../../helpers/content-site.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';
import { buildInto, readTree, testConfig } from '../../../helpers/tree.ts';
import { changesAfter, dump } from '../import/ghost-import.ts';

const NOW = Date.parse('2026-11-22T00:00:00.000Z');
const clock = { now: () => NOW };
const config = testConfig({ siteUrl: CAPTURED_SITE_URL });

const importAddress = async (
  { store }: Publication,
  server: ContentServer,
  options: { permalinks?: string } = {},
): Promise<ImportReport> => {
  const source = openGhostAddress(server.url, { key: CONTENT_KEY, sleep: async () => {} });
  try {
    return await importSource(store, source, { clock, ...options });
  } finally {
    await source.close();
  }
};

const importExport = ({ store }: Publication): Promise<ImportReport> =>
  importSource(store, openGhostExport(CAPTURED_EXPORT), { clock });

const treeOf = async ({ store, folder }: Publication, name: string) => {
  await buildInto(store, join(folder, name), { config, full: true });
  return readTree(join(folder, name, 'content'));
};

describe('the captured site', () => {
  let server: ContentServer;
  let publication: Publication;
  beforeEach(async () => {
    server = await startContentSite(capturedContentSite());
    publication = await createPublication();
  });
  afterEach(() => server.close());

  const lastChange = (): number =>
    publication.shell.prepare('SELECT max(seq) FROM changes').pluck().get() as number;

  test('reads again without a change, and a change alone is taken', async () => {
    await importAddress(publication, server);
    const stored = dump(publication.shell, 'without log');
    const last = lastChange();
    await importAddress(publication, server);
    expect(changesAfter(publication.shell, last)).toEqual([]);
    expect(dump(publication.shell, 'without log')).toBe(stored);
    const post = postOf('html-urls');
    Object.assign(post, { title: 'Changed', updated_at: '2026-11-22T00:00:00.000+00:00' });
    await importAddress(publication, server);
    expect(changesAfter(publication.shell, last)).toEqual([`posts u ${post.id}`]);
  });

  test('after its export, changes nothing that a page shows, and keeps what is not shown', async () => {
    await importExport(publication);
    const before = await treeOf(publication, 'tree');
    const bodies = bodiesOf();
    const report = await importAddress(publication, server);
    expect(await treeOf(publication, 'tree')).toEqual(before);
    expect(bodiesOf()).toEqual(bodies);
    expect(report.tables.users).toMatchObject({ added: 0 });
    expect(storedIn('users', 'email', 'owner')).toBe('owner@example.com');
    expect(report.warnings.join()).toContain('drafts, scheduled posts, members');
  });

  const postOf = (slug: string): Record<string, unknown> => {
    const post = server.site.posts.find((one) => one.slug === slug);
    if (post === undefined) throw new Error(`no post ${slug}`);
    return post;
  };
  const bodiesOf = (): unknown[] =>
    publication.shell.prepare('SELECT id, html, lexical FROM posts ORDER BY id').all();
  const storedIn = (table: string, column: string, slug: string): unknown =>
    publication.shell
      .prepare(`SELECT "${column}" FROM "${table}" WHERE slug = ?`)
      .pluck()
      .get(slug);

  test('a preview that changed is taken, and what is behind the paywall stays', async () => {
    await importExport(publication);
    const [shown, hidden = ''] = String(storedIn('posts', 'html', 'members-paywall')).split(
      '<!--members-only-->',
    );
    expect(postOf('members-paywall').html).toBe(shown);
    postOf('members-paywall').html = '<p>New preview</p>';
    postOf('members-nopaywall').html = '<p>Now with a preview</p>';
    await importAddress(publication, server);
    expect(storedIn('posts', 'html', 'members-paywall')).toBe(
      `<p>New preview</p><!--members-only-->${hidden}`,
    );
    expect(storedIn('posts', 'html', 'members-nopaywall')).toBe(
      '<p>Now with a preview</p><!--members-only--><p>secret only</p>',
    );
  });

  test('a body without its blocks for members is known to be cut, and has theirs where they are known', async () => {
    await importAddress(publication, server);
    const shown = String(postOf('gated').html);
    expect(storedIn('posts', 'html', 'gated')).toBe(shown + LEFT_OUT);
    expect(storedIn('posts', 'html', 'html-urls')).not.toContain(LEFT_OUT);
    await importExport(publication);
    const whole = String(storedIn('posts', 'html', 'gated'));
    expect(whole).toContain('memberSegment');
    Object.assign(postOf('html-urls'), { [IS_CUT]: true });
    await importAddress(publication, server);
    expect(storedIn('posts', 'html', 'gated')).toBe(whole);
    expect(String(storedIn('posts', 'html', 'html-urls')).endsWith(LEFT_OUT)).toBe(true);
  });

  test('addresses of the site are stored as placeholders, links without what tagging adds', async () => {
    await importAddress(publication, server);
    const html = String(storedIn('posts', 'html', 'public-link'));
    expect(String(postOf('public-link').html)).toMatch(/[?&]ref=127\.0\.0\.1/);
    expect(html).not.toMatch(/[?&]ref=127\.0\.0\.1/);
    expect(html).toContain('__GHOST_URL__/');
    expect(storedIn('posts', 'feature_image', 'public-link')).toMatch(/^__GHOST_URL__\//);
    const icon = publication.shell.prepare("SELECT value FROM settings WHERE key = 'icon'");
    expect(icon.pluck().get()).toBe('__GHOST_URL__/content/images/icon.png');
  });

  test('addresses that the permalinks of the publication do not give are named', async () => {
    const warningsAt = async (path: (year: string, post: ContentRecord) => string) => {
      for (const post of server.site.posts)
        post.url = `${CAPTURED_SITE_URL}${path(String(post.published_at).slice(0, 4), post)}`;
      const found: Record<string, string | undefined> = {};
      for (const permalinks of ['/{slug}/', '/{year}/{slug}/']) {
        const { warnings } = await importAddress(publication, server, { permalinks });
        found[permalinks] = warnings.find((one) => one.includes('"permalinks"'));
      }
      return found;
    };
    const toKeep = (pattern: string): string =>
      `Posts have other addresses in the source: set "permalinks" to "${pattern}" to keep them.`;
    expect(await warningsAt((_, { slug }) => `/${slug}/`)).toEqual({
      '/{year}/{slug}/': toKeep('/{slug}/'),
    });
    expect(await warningsAt((year, { slug }) => `/${year}/${slug}/`)).toEqual({
      '/{slug}/': toKeep('/{year}/{slug}/'),
    });
    const inFolder = toKeep('/log/{primary_author}/{id}/');
    const author = (post: ContentRecord): unknown => (post.authors as { slug: string }[])[0]?.slug;
    expect(await warningsAt((_, post) => `/log/${author(post)}/${post.id}/`)).toEqual({
      '/{slug}/': inFolder,
      '/{year}/{slug}/': inFolder,
    });
    const { id } = postOf('vary');
    const mixed = await warningsAt((_, post) =>
      post.id === id ? '/podcast/vary/' : post.slug === 'tier' ? '/404/' : `/${post.slug}/`,
    );
    expect(new Set(Object.values(mixed)).size).toBe(1);
    expect(mixed['/{slug}/']).toMatch(
      /^No pattern of "permalinks" gives all .*such as \S+ and \S+\/podcast\/vary\/: redirect those that differ/,
    );
    const source = openGhostAddress(server.url, { key: CONTENT_KEY, sleep: async () => {} });
    const deps = { store: publication.store, source, clock };
    const look = await syncOnce(deps, { begins: true, permalinks: '/{slug}/' });
    expect(look?.warnings).toContain(mixed['/{slug}/']);
    await source.close();
  });

  test('a tier that is no longer offered is known from the posts that show it', async () => {
    const [offered] = server.site.tiers as [ContentRecord];
    const archived = { ...offered, id: 'a'.repeat(24), slug: 'old', name: 'Old', active: false };
    const listed = { ...archived, currency: 'usd', monthly_price_id: null };
    Object.assign(postOf('public-link'), { tiers: [offered, listed] });
    const closed = postOf('tier');
    Object.assign(closed, { tiers: [{ ...listed, currency: 'USD' }] });
    await importAddress(publication, server);
    const { shell } = publication;
    const stored = shell.prepare('SELECT active, currency FROM tiers WHERE slug = ?').get('old');
    expect(stored).toEqual({ active: 0, currency: 'USD' });
    const linked = shell.prepare('SELECT tier_id FROM posts_tiers WHERE post_id = ?').pluck();
    expect(linked.all(closed.id)).toEqual([archived.id]);
  });

  test('its rowHashes change with what is shown, deletions of tags among it', async () => {
    const marksOf = async (): Promise<Map<string, string>> => {
      const source = openGhostAddress(server.url, { key: CONTENT_KEY });
      const state = await source.open();
      const hashes = new Map<string, string>();
      const wanted = ['posts', 'posts_tags', 'tags', 'users'].map((table) => ({ table }));
      for await (const { table, rowHashes } of state.rowHashes(wanted)) {
        for (const { id, hash } of rowHashes) hashes.set(`${table} ${id}`, hash);
      }
      await source.close();
      return hashes;
    };
    const before = await marksOf();
    expect(await marksOf()).toEqual(before);
    const [tag] = server.site.tags.splice(2, 1);
    for (const post of server.site.posts) {
      post.tags = (post.tags as { id: string }[]).filter(({ id }) => id !== tag?.id);
    }
    Object.assign(postOf('html-urls'), { featured: true });
    const after = await marksOf();
    const gone = [...before.keys()].filter((key) => !after.has(key));
    expect(gone).toContain(`tags ${tag?.id}`);
    expect(gone.filter((key) => key.startsWith('posts_tags')).length).toBeGreaterThan(1);
    const changed = [...after].filter(
      ([key, hash]) => !key.startsWith('posts_tags') && before.get(key) !== hash,
    );
    expect(changed.map(([key]) => key)).toEqual([`posts ${postOf('html-urls').id}`]);
  });

  test('is followed: what is shown no more is out of sight, and stays known', async () => {
    const source = openGhostAddress(server.url, { key: CONTENT_KEY, sleep: async () => {} });
    const deps = { store: publication.store, source, clock };
    // An import schedules what is published for 2099.
    postOf('vary').published_at = '2026-11-21T00:00:00.000+00:00';
    const expectSame = async (): Promise<void> => {
      const clean = await createPublication();
      await importAddress(clean, server);
      expect(await treeOf(publication, 'tree')).toEqual(await treeOf(clean, 'tree'));
    };
    const begun = await syncOnce(deps, { begins: true });
    expect(begun?.warnings.join()).toContain('drafts, scheduled posts, members');
    await expectSame();
    expect(await syncOnce(deps)).toBeNull();
    const unpublished = postOf('members-paywall');
    const html = storedIn('posts', 'html', 'members-paywall');
    server.site.posts = server.site.posts.filter((post) => post !== unpublished);
    const [tag] = server.site.tags.splice(2, 1);
    for (const post of server.site.posts) {
      post.tags = (post.tags as { id: string }[]).filter(({ id }) => id !== tag?.id);
    }
    const edited = { title: 'Edited', updated_at: '2026-11-21T23:00:00.000+00:00' };
    Object.assign(postOf('html-urls'), edited);
    Object.assign(server.site.settings, { title: 'Another title' });
    await syncOnce(deps);
    await expectSame();
    expect(storedIn('posts', 'status', 'members-paywall')).toBe('draft');
    expect(storedIn('posts', 'html', 'members-paywall')).toBe(html);
    server.site.posts.push(unpublished as ContentRecord);
    await syncOnce(deps);
    await expectSame();
    expect(storedIn('posts', 'status', 'members-paywall')).toBe('published');
    await source.close();
  });
});
