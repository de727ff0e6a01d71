// What a client read and sends back unchanged is no change: every post and page of a captured Ghost, through a running
// server, with and without ?source=html.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepress } from '../helpers/run-prepress.ts';
import { openShell, type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { GHOST_SMALL } from '../unit/importers/ghost-import.ts';

const TABLES = [
  'posts',
  'posts_meta',
  'posts_tags',
  'posts_authors',
  'posts_tiers',
  'tags',
  'users',
];
const ALL =
  'limit=100&formats=html,lexical,mobiledoc,plaintext&include=tags,authors,tiers,newsletter';

type Listed = { readonly [type: string]: readonly { readonly id: string }[] };

const suite = suiteFolder();
let serving: Serving;
beforeAll(async () => {
  await prepress(suite.path, ['import', GHOST_SMALL, '--site-url', 'https://site.test']);
  serving = await startServing(suite.path);
});
afterAll(async () => {
  await serving.end();
  suite.remove();
});

test.each(['posts', 'pages'])('%s that are sent back stay as they are', async (type) => {
  const shell = openShell(suite.path);
  const rows = () => TABLES.map((table) => shell.prepare(`SELECT * FROM ${table}`).all());
  const before = rows();
  const { [type]: listed = [] } = (await serving.admin('GET', `/${type}/?${ALL}`)) as Listed;
  expect(listed.length).toBeGreaterThan(0);
  for (const source of ['', '?source=html']) {
    for (const one of listed) {
      await serving.admin('PUT', `/${type}/${one.id}/${source}`, { [type]: [one] });
    }
  }
  expect(rows()).toEqual(before);
});
