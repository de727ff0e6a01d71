// One site, from each place that a Ghost can be read from: its SQLite file, the same rows in a real MariaDB, its JSON
// export and its content address. In both shapes all give the same content bytes, where each can know them; what was
// captured of the site itself is compared with the first in test/end-to-end/ghost-{site,shape}.test.ts. What its admin
// interface answered equals ours from each.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importSource } from '../../src/publication/import/import-source.ts';
import { openSource } from '../../src/publication/sources/open-source.ts';
import type { Store } from '../../src/publication/store/store.ts';
import { CAPTURED_ADMIN } from '../helpers/captured-admin.ts';
import {
  CAPTURED_DATABASE,
  CAPTURED_EXPORT,
  CAPTURED_SITE_URL,
  readCapture,
} from '../helpers/captured-site.ts';
import {
  CONTENT_KEY,
  type ContentServer,
  capturedContentSite,
  startContentSite,
} from '../helpers/content-site.ts';
import { fillFromSqlite } from '../helpers/fill-mariadb.ts';
import { openPublication, type Publication } from '../helpers/publication.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { buildInto, readTree, testConfig } from '../helpers/tree.ts';
import { serve } from '../unit/serve/server/harness.ts';
import { MARIADB_INSTALL, type Mariadb, startMariadb } from './mariadb-process.ts';
import { missing } from './program.ts';

const SETTINGS = 'settings/index.json';

/** Of the configuration of its mail, which no database or export holds. */
const MAIL = ['default_email_address', 'support_email_address'];

/** Settings in Ghost's shape that a source cannot know; an export has no group `core`. */
const UNKNOWN: Readonly<Record<string, readonly string[]>> = {
  file: MAIL,
  mariadb: MAIL,
  export: [...MAIL, 'site_uuid'],
  address: [],
};

const known = (settings: Readonly<Record<string, unknown>>, unknown: readonly string[]) =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => !unknown.includes(key)));

const settingsIn = (tree: ReadonlyMap<string, string>, unknown: readonly string[]) =>
  known(JSON.parse(tree.get(SETTINGS) ?? '{}').settings, unknown);

const MEMBERS = ['single members', 'members with newsletters', 'members with all'];

/** An export has no members and their labels, and an address shows what is published alone: of the admin's answers tiers. */
const UNKNOWN_ADMIN: Readonly<Record<string, readonly string[]>> = {
  export: [...MEMBERS, 'labels'],
  address: [...MEMBERS, 'labels', 'newsletters', 'offers', 'posts'],
};

const START_MS = 120_000;
const clock = { now: () => Date.parse('2026-11-22T00:00:00.000Z') };

const without = missing('mariadbd', MARIADB_INSTALL);
const names = ['file', 'export', 'address', ...(without === null ? ['mariadb'] : [])] as const;
const reason = without === null ? '' : ` (without MariaDB: ${without})`;

describe(`ghost-small${reason}`, () => {
  const suite = suiteFolder();
  const publications = new Map<string, Awaited<ReturnType<typeof openPublication>>>();
  let places: ReadonlyMap<string, string> = new Map();
  let site: ContentServer;
  let server: Mariadb | undefined;

  beforeAll(async () => {
    const file = join(suite.path, 'ghost.db');
    copyFileSync(CAPTURED_DATABASE, file);
    site = await startContentSite(capturedContentSite());
    if (without === null) {
      server = await startMariadb(suite.path);
      await fillFromSqlite(server.root, 'small', file);
    }
    places = new Map([
      ['file', file],
      ['export', CAPTURED_EXPORT],
      ['address', site.url],
      ['mariadb', (await server?.addressOf('small')) ?? ''],
    ]);
    for (const name of names) {
      const folder = join(suite.path, `from-${name}`);
      mkdirSync(folder);
      const publication = await openPublication(folder);
      publications.set(name, publication);
      await importFrom(name, publication.store);
    }
  }, START_MS);
  afterAll(async () => {
    for (const publication of publications.values()) await publication.close();
    await site?.close();
    await server?.end();
    suite.remove();
  });

  const importFrom = async (name: string, store: Store): Promise<void> => {
    const source = await openSource(places.get(name) ?? '', { key: CONTENT_KEY });
    await importSource(store, source, { clock, siteUrl: CAPTURED_SITE_URL });
    await source.close();
  };

  const treeOf = async (name: string, shape: 'interface' | 'ghost') => {
    const { store, folder } = publications.get(name) as Publication;
    const output = join(folder, shape);
    await buildInto(store, output, { config: testConfig({ siteUrl: CAPTURED_SITE_URL, shape }) });
    return readTree(join(output, 'content'));
  };

  test.each(['interface', 'ghost'] as const)('in the shape %s', async (shape) => {
    const first = await treeOf('file', shape);
    expect(first.size).toBeGreaterThan(100);
    for (const name of names) {
      const tree = await treeOf(name, shape);
      const paths = new Set([...first.keys(), ...tree.keys()]);
      const other = [...paths].filter((path) => tree.get(path) !== first.get(path));
      const allowed = shape === 'ghost' ? [SETTINGS] : [];
      expect([name, other.filter((path) => !allowed.includes(path))]).toEqual([name, []]);
      const unknown = [...MAIL, ...(UNKNOWN[name] ?? [])];
      expect(settingsIn(tree, unknown)).toEqual(settingsIn(first, unknown));
    }
  });

  // That of the file is compared in test/contract/admin-captures.test.ts.
  test.each(names.filter((name) => name !== 'file'))('its admin answers, from %s', async (name) => {
    const { admin, context, shell } = await serve({ siteUrl: CAPTURED_SITE_URL });
    shell.exec('DELETE FROM users');
    await importFrom(name, context.store);
    for (const [what, differences] of Object.entries(CAPTURED_ADMIN)) {
      if (UNKNOWN_ADMIN[name]?.includes(what)) continue;
      expect([what, await differences(admin)]).toEqual([what, []]);
    }
  });

  test.each(names)('its settings are those that the site showed, from %s', async (name) => {
    const unknown = UNKNOWN[name] ?? [];
    const ours = settingsIn(await treeOf(name, 'ghost'), unknown);
    const theirs = readCapture('content-settings.json').settings as Record<string, unknown>;
    expect(ours).toEqual(known(theirs, unknown));
  });
});
