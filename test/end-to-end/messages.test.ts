// What commands say to people: lists that are empty, values that cannot be used, secrets only where asked for.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { CAPTURED_DATABASE } from '../helpers/captured-site.ts';
import { makeGhostDatabase } from '../helpers/ghost-database.ts';
import { insertRow } from '../helpers/publication.ts';
import { type Finished, prepress, runPrepress } from '../helpers/run-prepress.ts';
import { copyPublication, openShell, serve } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

let sample = '';
let empty = '';
beforeAll(async () => {
  const folder = suiteFolder();
  sample = join(folder.path, 'sample');
  empty = join(folder.path, 'empty');
  const flag = '--site-url=https://site.test';
  for (const path of [sample, empty]) mkdirSync(path);
  await prepress(sample, ['init', flag]);
  await prepress(empty, ['init', '--empty', flag]);
  return folder.remove;
});

const refused = async (folder: string, args: readonly string[]): Promise<Finished> => {
  const finished = await runPrepress(folder, args);
  expect(finished.stdout).toBe('');
  expect(finished.code).toBe(2);
  return finished;
};

test('lists that are empty say so', async () => {
  expect(await prepress(empty, ['posts', 'list'])).toBe('There are no posts or pages.\n');
  expect(await prepress(empty, ['posts', 'list', '--type=page', '--status=draft'])).toBe(
    'There are no draft pages.\n',
  );
  expect(await prepress(empty, ['webhooks', 'list'])).toMatch(/^There are no webhooks\. .*create/);
  const listed = ['webhooks', 'deliveries'];
  expect(await prepress(empty, listed)).toBe('There are no deliveries yet.\n');
  expect(await prepress(empty, [...listed, '--failed'])).toBe('No delivery has failed.\n');
  const file = join(temporaryFolder(), 'export.json');
  const data = { posts: [], tags: [] };
  writeFileSync(file, JSON.stringify({ db: [{ meta: { version: '6.0.0' }, data }] }));
  expect(await prepress(copyPublication(empty), ['import', file])).toContain(
    'The source holds no rows.',
  );
});

test.each([
  ['import', 'mysq://me:s3cret@127.0.0.1/ghost'],
  ['import', 'postgres://me:s3cret@127.0.0.1/ghost'],
  ['import', 'mysql:me:s3cret@127.0.0.1/ghost'],
  ['import', 'me:s3cret@127.0.0.1/ghost'],
  ['import', '--images=ftp://me:s3cret@127.0.0.1'],
  ['follow', 'mysq:me:s3cret@127.0.0.1/ghost', '--once'],
  ['follow', 'mysql:me:s3cret@127.0.0.1/ghost', '--once'],
  ['follow', 'm:s3cret@127.0.0.1/ghost', '--once'],
])('an address with an unknown scheme is not repeated: %s %s', async (...args) => {
  const { stderr } = await refused(copyPublication(empty), args);
  expect(stderr).not.toMatch(/s3cret|127\.0\.0\.1/);
});

test('a members CSV cannot be followed, and a database that was cut says what to do', async () => {
  const folder = copyPublication(empty);
  writeFileSync(join(folder, 'm.csv'), 'email\na@example.com\n');
  const { stderr } = await refused(folder, ['follow', 'm.csv', '--once']);
  expect(stderr).toContain('import it with "prepress import m.csv"');
  const served = await runPrepress(folder, ['serve', '--port=0', '--follow', 'm.csv']);
  expect([served.code, served.stderr]).toEqual([2, expect.stringContaining('cannot be followed')]);
  copyFileSync(CAPTURED_DATABASE, join(folder, 'g.db'));
  chmodSync(join(folder, 'g.db'), 0o600);
  truncateSync(join(folder, 'g.db'), 100_000);
  const cut = await runPrepress(folder, ['import', 'g.db']);
  expect([cut.code, cut.stderr]).toEqual([1, expect.stringContaining('restore it from a backup')]);
  expect(cut.stderr).not.toContain('Check the path');
});

test('a first import from a source that is refused makes nothing', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'notes.txt'), 'notes');
  makeGhostDatabase(join(folder, 'old.db'), '4.48').close();
  for (const name of ['notes.txt', 'old.db', 'absent.db']) {
    const { code, stderr } = await runPrepress(folder, ['import', name]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(name)]);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  }
});

test('status names the port of the server that runs', async () => {
  const folder = copyPublication(empty);
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  await serve(folder, { args: ['--port', String(port)] });
  const { build_hook } = JSON.parse(await prepress(folder, ['status', '--secrets', '--json']));
  expect(build_hook).toContain(`:${port}/hooks/build/`);
});

test('a source in the environment is not repeated either', async () => {
  const environment = { PREPRESS_FOLLOW: 'mysq://me:s3cret@127.0.0.1/ghost' };
  for (const args of [
    ['follow', '--once'],
    ['serve', '--port=0'],
  ]) {
    const { code, stdout, stderr } = await runPrepress(copyPublication(empty), args, {
      environment,
    });
    expect(code).toBe(2);
    expect(stdout + stderr).toContain('begins with "mysq:"');
    expect(stdout + stderr).not.toMatch(/s3cret|127\.0\.0\.1\/ghost/);
  }
});

test('posts list shows posts and pages of any status, and says how many more there are', async () => {
  const folder = copyPublication(sample);
  insertRow(openShell(folder), 'posts', { slug: 'odd', title: 'a\u001b[2J\nb', status: 'draft' });
  const all = await prepress(folder, ['posts', 'list', '--limit', '3']);
  expect(all.split('\n')).toHaveLength(5);
  expect(all).toMatch(/\.\.\. and \d+ more; --limit \d+ lists all\./);
  const drafts = await prepress(folder, ['posts', 'list', '--status', 'draft']);
  expect(drafts).toContain('odd  post  draft  -  a\\u001b[2J\\nb\n');
  const { posts, total } = JSON.parse(
    await prepress(folder, ['posts', 'list', '--type=page', '--limit=200', '--json']),
  ) as { posts: { type: string }[]; total: number };
  expect(total).toBe(posts.length);
  expect(new Set(posts.map(({ type }) => type))).toEqual(new Set(['page']));
  const { stderr } = await refused(folder, ['posts', 'list', '--status', 'public']);
  expect(stderr).toContain('--status is one of draft, published, scheduled, sent, got "public".');
});

test('webhooks create makes one that owner keys change, and helps with names of events', async () => {
  const folder = copyPublication(empty);
  const create = ['webhooks', 'create', '--url', 'https://1.1.1.1/hook', '--event'];
  const { stderr } = await refused(folder, [...create, 'post.publish']);
  expect(stderr).toContain('There is no event "post.publish". Did you mean post.published?');
  const printed = await prepress(folder, [...create, 'post.published', '--name', 'CI']);
  expect(printed).toMatch(/^Created webhook [0-9a-f]{24}: post\.published to https:\/\/1\.1\.1\.1/);
  expect(printed).toMatch(/\nwhsec_\S+\n$/);
  expect(printed.match(/whsec_/g)).toHaveLength(1);
  const [, id = ''] = /webhook ([0-9a-f]{24})/.exec(printed) ?? [];
  const listed = await prepress(folder, ['webhooks', 'list']);
  expect(listed).toMatch(new RegExp(`^${id}  post\\.published  .*  "CI"\\n$`));
  const twice = await runPrepress(folder, [...create, 'post.published']);
  expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('already been used')]);
  const { admin } = await serve(folder);
  await admin('DELETE', `/webhooks/${id}/`);
  expect(await prepress(folder, ['webhooks', 'list'])).toContain('There are no webhooks.');
});

test('redeliver --since says the form of a time', async () => {
  const redeliver = ['webhooks', 'redeliver'];
  expect((await refused(empty, redeliver)).stderr).toContain('--since 2026-01-31T00:00:00Z.');
  const { stderr } = await refused(empty, [...redeliver, '--since', 'yesterday']);
  expect(stderr).toContain('--since takes a time in UTC such as 2026-01-31T00:00:00Z');
  expect(stderr).toContain('got "yesterday"');
  expect(await prepress(empty, [...redeliver, '--since', '2026-01-31'])).toBe(
    'No delivery has failed since 2026-01-31.\n',
  );
});

test('several bad settings are listed, one a line', async () => {
  const { stderr } = await refused(empty, ['serve', '--port', 'x', '--base-path', 'y']);
  expect(stderr.split('\n')).toEqual([
    'prepress: 2 settings cannot be used.',
    expect.any(String),
    '  Setting basePath (--base-path): must be a path such as /blog, got "y".',
    '  Setting port (--port): must be a whole number from 0 to 65535, got "x".',
    '',
  ]);
});

test('secrets are printed only where they are asked for', async () => {
  const folder = copyPublication(empty);
  const plain = await prepress(folder, ['status']);
  const secrets = await prepress(folder, ['status', '--secrets']);
  const [, token = ''] =
    /build hook +POST http:\S+\/hooks\/build\/([0-9a-f]{48})\n/.exec(secrets) ?? [];
  const [, key = ''] = /admin key +([0-9a-f]{24}:[0-9a-f]{64})\n/.exec(secrets) ?? [];
  expect([token.length, key.length]).toEqual([48, 89]);
  expect(plain).not.toContain(token);
  const { url, end, log } = await serve(folder);
  expect((await fetch(`${url}/hooks/build/${token}`, { method: 'POST' })).status).toBe(202);
  await end();
  expect(log()).not.toContain(token);
});

test.each([
  [[], 'Name the region of the bucket with --region.'],
  [['--region', 'eu-west-1'], 'Set AWS_ACCESS_KEY_ID'],
  [['--region', 'eu-west-1', '--endpoint', 'nowhere'], 'Name the store with --endpoint'],
  [['--region', 'eu-west-1', '--endpoint', 'http://127.0.0.1:1'], 'Name the store with --endpoint'],
])('deploy s3://bucket %j says which option mends it', async (options, advice) => {
  const folder = copyPublication(sample);
  await prepress(folder, ['build']);
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  const { code, stderr } = await runPrepress(folder, ['deploy', 's3://bucket', ...options], {
    environment: {
      HOME: folder,
      AWS_EC2_METADATA_DISABLED: 'true',
      ...(advice.startsWith('Set AWS') ? {} : keys),
    },
  });
  expect(code).toBe(1);
  expect(stderr).toContain('The bucket bucket');
  expect(stderr).toContain(advice);
});

test('what is quoted of the command line is shown escaped', async () => {
  for (const args of [['b\u001b[31mild'], ['build', '--f\u001b]0;x\u0007ull']]) {
    const { stderr } = await refused(sample, args);
    expect(stderr).toMatch(/^error: unknown (?:command|option) '.*\\u001b.*'\n/);
    expect(stderr).not.toContain('\u001b');
  }
});
