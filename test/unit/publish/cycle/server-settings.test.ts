import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { publish, unpublish } from '../../../../src/cli/commands/content/publish.ts';
import { DB, db } from '../../../../src/publication/store/db.ts';
import { holdPresence } from '../../../../src/publication/store/locks/deliverer-presence.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import {
  besideServer,
  joinServers,
  leaveServers,
  PLACES,
  sharedSettingsOf,
  throwIfServerDiffers,
  writeServerSettings,
} from '../../../../src/publish/cycle/server-settings.ts';
import { openManifest } from '../../../../src/publish/manifest/open-manifest.ts';
import { createReport } from '../../../../src/serve/workspace/report.ts';
import { dataPathsOf } from '../../../../src/settings/data-paths.ts';
import type { Config } from '../../../../src/settings/settings.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { testConfig } from '../../../helpers/tree.ts';

/** Time passes faster than the looks at the server's settings; null when nothing was refused. */
const refusalOf = async (asked: Promise<unknown>): Promise<unknown> => {
  const timer = setInterval(() => vi.advanceTimersByTime(1_000), 5);
  const refusal = await asked.then(
    () => null,
    (error: unknown) => error,
  );
  clearInterval(timer);
  return refusal;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  return () => void vi.useRealTimers();
});

/** A publication whose address is not stored, and a server that runs with the given settings. */
const serveWith = async (flags: Record<string, unknown>) => {
  const { folder, store, shell, insert } = await createPublication();
  const places = { database: join(folder, 'publication.db'), output: join(folder, 'output') };
  const configOf = (more: Record<string, unknown>): Config => testConfig({ ...places, ...more });
  const paths = dataPathsOf(configOf({}));
  const manifest = openManifest(paths.manifest);
  writeServerSettings(paths, configOf(flags));
  const presence = await holdPresence(paths.delivererLock);
  onTestFinished(() => {
    presence.release();
    manifest.close();
  });
  const build = (more: Record<string, unknown>, options: object = {}) => {
    const config = configOf(more);
    const deps = { config, paths: dataPathsOf(config), store, manifest, clock: { now: Date.now } };
    return publishOnce(deps, options);
  };
  return { build, presence, paths, shell, insert, store, configOf };
};

test('without an address of its own, a program beside the server has that of the server', async () => {
  const { configOf, presence } = await serveWith({ port: 4748 });
  const portOf = (more: Record<string, unknown>): number =>
    besideServer({ ...configOf(more), siteUrl: more.siteUrl as string | undefined }).port;
  const { port } = configOf({});
  expect(port).not.toBe(4748);
  expect([portOf({}), portOf({ siteUrl: 'https://site.test' })]).toEqual([4748, port]);
  presence.release();
  expect(portOf({})).toBe(port);
});

test('a build with other settings than the server refuses, names them, and writes nothing', async () => {
  const { build, presence, paths } = await serveWith({ permalinks: '/{id}/' });
  expect(await refusalOf(build({ variants: 'index' }))).toMatchObject({
    code: 'SETTINGS_DIFFER',
    message:
      'A server runs on this database with other settings: permalinks is "/{id}/" there and "/{slug}/" here; variants is not set there and ["index"] here.',
  });
  expect(existsSync(paths.output)).toBe(false);
  // The server itself asks nobody, and what reaches no file may differ.
  await build({ permalinks: '/{id}/', logLevel: 'warn', connectionsMax: 20 });
  await build({}, { isServer: true });
  presence.release();
  await build({});
});

test('no secret stands in the file, nor in what other servers are told', async () => {
  const secrets = {
    sourceKey: 'source-hush',
    followSecret: 'follow-hush',
    follow: 'mysql://user:hush@127.0.0.1/ghost',
    smtp: 'smtp://user:hush@127.0.0.1',
    deploy: 'exec:put --key hush',
  };
  const { build, paths, configOf } = await serveWith(secrets);
  const told = JSON.stringify(sharedSettingsOf(configOf(secrets)));
  expect(told + readFileSync(paths.serverSettings, 'utf8')).not.toContain('hush');
  const refusal = await refusalOf(build({ sourceKey: 'another' }));
  expect(String(refusal)).toContain('deploy is ["exec:put"] there');
  expect(String(refusal)).not.toMatch(/hush|another/);
});

test('servers have one bucket in common, and each its own folder', async () => {
  const { configOf } = await serveWith({});
  const told = (media: unknown): string => JSON.stringify(sharedSettingsOf(configOf({ media })));
  expect(told('/srv/one')).toBe(told('/srv/other'));
  const [one, other] = ['s3://one', 's3://other'];
  expect(new Set([one, other, '/srv/one'].map(told)).size).toBe(3);
  const { build, paths } = await serveWith({ media: one });
  expect(String(await refusalOf(build({ media: other })))).toContain(
    'media is "s3://one" there and "s3://other" here',
  );
  expect(existsSync(paths.output)).toBe(false);
});

test('publish and unpublish that the build would refuse change nothing', async () => {
  const { shell, insert, configOf } = await serveWith({});
  insert('posts', { slug: 'shown', status: 'published', published_at: '2026-01-01 10:00:00' });
  insert('posts', { slug: 'draft', status: 'draft' });
  const rows = (): unknown[] => shell.prepare('SELECT slug, status FROM posts').all();
  const before = rows();
  const config = configOf({ siteUrl: 'https://env.example' });
  const context = {
    config,
    ownConfig: config,
    reload: () => Promise.reject(new Error('No settings are read again.')),
    settingsFile: '',
    report: createReport({ json: false }),
    options: {},
  };
  for (const [command, slug] of [
    [unpublish, 'shown'],
    [publish, 'draft'],
  ] as const) {
    const refused = command({ ...context, args: [slug] });
    expect(await refusalOf(refused)).toMatchObject({ code: 'SETTINGS_DIFFER' });
  }
  expect(rows()).toEqual(before);
});

test('a port counts only where it stands for the address of the site', async () => {
  const { build, shell } = await serveWith({ siteUrl: undefined, port: 4001 });
  const other = { siteUrl: undefined, port: 4000 };
  expect(await refusalOf(build(other))).toMatchObject({
    message: expect.stringContaining('siteUrl is "http://localhost:4001" there'),
  });
  shell.exec(
    `INSERT INTO settings (id, "group", key, value, type, created_at)
     VALUES ('a', 'site', 'url', 'https://stored.test', 'string', '2026-01-01')`,
  );
  await build(other);
});

test('what only places files asks for its places alone', async () => {
  const { paths, configOf, store } = await serveWith({ permalinks: '/{id}/' });
  const check = (more: Record<string, unknown>): Promise<void> =>
    throwIfServerDiffers({ config: configOf(more), paths, store }, PLACES);
  await check({ siteUrl: 'https://other.test' });
  expect(await refusalOf(check({ basePath: '/blog' }))).toMatchObject({
    message:
      'A server runs on this database with other settings: basePath is "" there and "/blog" here.',
  });
});

test('settings that the server takes up while a build waits are no difference', async () => {
  const { paths, configOf, store } = await serveWith({ permalinks: '/{id}/' });
  let looks = 0;
  const watchedStore = {
    ...store,
    // Asked once the server's settings are read.
    get [DB]() {
      looks += 1;
      if (looks === 1) writeServerSettings(paths, configOf({}));
      return db(store);
    },
  };
  await throwIfServerDiffers({ config: configOf({}), paths, store: watchedStore });
  expect(looks).toBe(2);
});

test('of servers that start at once, all that run have the same settings', async () => {
  const { presence, paths, configOf, store } = await serveWith({});
  presence.release();
  const join = (permalinks: string): Promise<unknown> =>
    joinServers({ config: configOf({ permalinks }), paths, store });
  const refusals = await refusalOf(
    Promise.allSettled(['/{id}/', '/{slug}/'].map(join)).then((joined) => {
      throw joined.map(({ status }) => status).toSorted();
    }),
  );
  expect(refusals).toEqual(['fulfilled', 'rejected']);
});

test('the settings go with the last server', async () => {
  const { presence, paths, configOf, store } = await serveWith({});
  const other = await joinServers({ config: configOf({}), paths, store });
  await leaveServers(paths, presence);
  expect(existsSync(paths.serverSettings)).toBe(true);
  await leaveServers(paths, other);
  expect(existsSync(paths.serverSettings)).toBe(false);
});
