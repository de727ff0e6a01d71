// What a client read and sends back unchanged is no change: every record of a captured Ghost through a running server, as
// it is answered here, and as Ghost answered it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CAPTURED_DATABASE, CAPTURED_SITE_URL, readCapture } from '../helpers/captured-site.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { openShell, type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const TABLES = [
  ...['posts', 'posts_meta', 'posts_tags', 'posts_authors', 'posts_tiers', 'tags', 'users'],
  ...['members', 'members_labels', 'members_newsletters', 'members_tiers', 'labels'],
  ...['newsletters', 'tiers', 'benefits', 'tiers_benefits', 'offers', 'settings'],
];

/** By resource: all that its list shows. */
const LISTS = {
  posts:
    '?limit=100&formats=html,lexical,mobiledoc,plaintext&include=tags,authors,tiers,newsletter',
  pages: '?limit=100&formats=html,lexical,mobiledoc,plaintext&include=tags,authors,tiers',
  tags: '?limit=100&include=count.posts',
  members: '?limit=100&include=newsletters,labels,tiers,email_recipients',
  labels: '?limit=100',
  tiers: '?limit=100',
  offers: '?limit=100',
  newsletters: '?limit=100',
} as const;

const CAPTURES: readonly (readonly [keyof typeof LISTS, string])[] = [
  ['posts', 'admin-posts.json'],
  ['members', 'admin-members-browse-all-includes.json'],
  ...(['free', 'paid', 'comped', 'gift'] as const).map(
    (name) => ['members', `admin-member-read-${name}.json`] as const,
  ),
  ['labels', 'admin-labels.json'],
  ['tiers', 'admin-tiers.json'],
  ['offers', 'admin-offers.json'],
  ['newsletters', 'admin-newsletters.json'],
];

type Listed = { readonly [root: string]: readonly { readonly id: string }[] };

const suite = suiteFolder();
let serving: Serving;
beforeAll(async () => {
  await prepress(suite.path, ['import', CAPTURED_DATABASE, '--site-url', CAPTURED_SITE_URL]);
  serving = await startServing(suite.path);
});
afterAll(async () => {
  await serving.end();
  suite.remove();
});

const rows = (): unknown => {
  const shell = openShell(suite.path);
  return Object.fromEntries(
    TABLES.map((table) => [table, shell.prepare(`SELECT * FROM ${table}`).all()]),
  );
};

/** What is refused, by record; the others are stored. */
const sendBack = async (root: string, listed: Listed): Promise<string[]> => {
  const records = listed[root] ?? [];
  expect(records.length).toBeGreaterThan(0);
  const refused: string[] = [];
  for (const source of root === 'posts' || root === 'pages' ? ['', '?source=html'] : ['']) {
    for (const one of records) {
      const sent = serving.admin('PUT', `/${root}/${one.id}/${source}`, { [root]: [one] });
      await sent.catch((error: Error) => refused.push(error.message));
    }
  }
  return refused;
};

test.each(Object.entries(LISTS))('%s that are sent back stay as they are', async (root, query) => {
  const before = rows();
  const listed = (await serving.admin('GET', `/${root}/${query}`)) as Listed;
  expect(await sendBack(root, listed)).toEqual([]);
  expect(rows()).toEqual(before);
});

test.each(CAPTURES)('%s of %s that are sent back stay as they are', async (root, file) => {
  const before = rows();
  expect(await sendBack(root, readCapture(file) as Listed)).toEqual([]);
  expect(rows()).toEqual(before);
});

test('settings that are sent back stay as they are', async () => {
  const before = rows();
  const { settings } = (await serving.admin('GET', '/settings/')) as { settings: object[] };
  expect(settings.length).toBeGreaterThan(10);
  await serving.admin('PUT', '/settings/', { settings });
  expect(rows()).toEqual(before);
});
