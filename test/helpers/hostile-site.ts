// A publication whose titles, names, links and pictures try to run a script that sets `ran`, wherever a page may show them.
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { insertRow } from './publication.ts';

const SCRIPT =
  '</title></style></script><script>window.ran = 1</script><img src=x onerror="ran=1">';
const QUOTED = '"\' onload=ran=1 onerror=ran=1 autofocus onfocus=ran=1 x="';
const HOSTILE = `${SCRIPT}${QUOTED}{{ 7 * 7 }}{% nonsense %}`;
const LINK = 'javascript:ran=1';
/** What no document of XML may hold. */
const NOT_IN_XML = '\u0008\u000b\uffff';

/** Fills the publication `database`, which does not exist yet. */
export const fillHostile = async (database: string): Promise<void> => {
  const store = await openStore(database, { create: true });
  await store.close();
  const shell = new (loadDriver())(database);
  const insert = (table: string, row: Record<string, unknown>): string =>
    insertRow(shell, table, row);
  const settings = {
    title: HOSTILE,
    description: `${HOSTILE}${NOT_IN_XML}`,
    accent_color: 'red;}</style><script>ran=1</script>',
    locale: '"><script>ran=1</script>',
    logo: LINK,
    icon: QUOTED,
    cover_image: LINK,
    twitter: HOSTILE,
    meta_title: HOSTILE,
    og_title: HOSTILE,
    members_support_address: 'a@example.com',
    navigation: JSON.stringify([
      { label: HOSTILE, url: LINK },
      { label: HOSTILE, url: `/${QUOTED}` },
      { label: 'data', url: 'data:text/html,<script>ran=1</script>' },
    ]),
  };
  for (const [key, value] of Object.entries(settings)) {
    insert('settings', { key, value, type: 'string' });
  }
  const author_id = insert('users', {
    name: HOSTILE,
    slug: 'ada',
    bio: HOSTILE,
    website: LINK,
    profile_image: LINK,
  });
  const tag_id = insert('tags', {
    name: `${HOSTILE}${NOT_IN_XML}`,
    slug: 'tides',
    description: HOSTILE,
  });
  for (const [at, slug] of ['one', 'two\'"<b>', 'content', 'über', '..'].entries()) {
    const post_id = insert('posts', {
      status: 'published',
      published_at: `2026-01-0${at + 1}T10:00:00.000Z`,
      slug,
      title: HOSTILE,
      html: '<p>A body.</p>',
      custom_excerpt: HOSTILE,
      // One has a picture, so that its caption is shown.
      feature_image: `${at === 0 ? '__GHOST_URL__/content/images/a.png' : LINK}${QUOTED}`,
      visibility: at === 1 ? 'members' : 'public',
    });
    insert('posts_meta', {
      post_id,
      meta_title: HOSTILE,
      og_title: HOSTILE,
      feature_image_alt: HOSTILE,
      feature_image_caption: HOSTILE,
    });
    insert('posts_authors', { post_id, author_id });
    insert('posts_tags', { post_id, tag_id });
  }
  shell.close();
};
