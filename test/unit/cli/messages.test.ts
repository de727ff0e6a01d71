// What commands say to people: lists that are empty, values that cannot be used, secrets only where asked for.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { holdPresence } from '../../../src/publication/store/locks/deliverer-presence.ts';
import { CAPTURED_DATABASE } from '../../helpers/captured-site.ts';
import { makeGhostDatabase } from '../../helpers/ghost-database.ts';
import { insertRow } from '../../helpers/publication.ts';
import { runHere, sayHere } from '../../helpers/run-here.ts';
import type { Finished } from '../../helpers/run-prepress.ts';
import { copyPublication, DATABASE, openShell } from '../../helpers/serve.ts';
import { suiteFolder } from '../../helpers/suite-folder.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const EXPORT = join(import.meta.dirname, '../../fixtures/ghost-export.json');

let sample = '';
let empty = '';
beforeAll(async () => {
  const folder = suiteFolder();
  sample = join(folder.path, 'sample');
  empty = join(folder.path, 'empty');
  const flag = '--site-url=https://site.test';
  for (const path of [sample, empty]) mkdirSync(path);
  await sayHere(sample, ['init', flag]);
  await sayHere(sample, ['build']);
  await sayHere(empty, ['init', '--empty', flag]);
  return folder.remove;
});

const refused = async (folder: string, args: readonly string[]): Promise<Finished> => {
  const finished = await runHere(folder, args);
  expect([finished.code, finished.stdout]).toEqual([2, '']);
  return finished;
};

/** One sentence, perhaps what to do, and nothing of the program's inside. */
const SENTENCE = /^(?:prepress|error): \S.*\n(?:\S.*\n)?$/;
const INSIDE = /\n\s+at |undefined|\[object/;

type Failure = readonly [line: string, sentence: RegExp];

/** Each says what was wrong in one sentence, prints nothing else and ends with the code. */
const expectFailures = async (
  folder: string,
  code: number,
  failures: readonly Failure[],
): Promise<void> => {
  for (const [line, sentence] of failures) {
    const { stdout, stderr, ...finished } = await runHere(folder, line.split(' '));
    expect({ code: finished.code, stdout }, line).toEqual({ code, stdout: '' });
    expect(stderr, line).toMatch(sentence);
    expect(stderr, line).toMatch(SENTENCE);
    expect(stderr, line).not.toMatch(INSIDE);
  }
};

test('a database that is something else stays what it is, and so does one that init finds', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'data'));
  const text = 'A shopping list: eggs, rope, two lamps.\n';
  writeFileSync(join(folder, DATABASE), text);
  const lines = ['build', `import ${EXPORT}`, 'backup copy.db'];
  await expectFailures(
    folder,
    1,
    lines.map(
      (line): Failure => [line, /publication\.db cannot be opened: file is not a database\./],
    ),
  );
  expect(readFileSync(join(folder, DATABASE), 'utf8')).toBe(text);
  expect(readdirSync(folder)).toEqual(['data']);
  const before = statSync(join(empty, DATABASE), { bigint: true });
  await expectFailures(empty, 1, [
    ['init', /publication\.db already exists\./],
    ['init --empty', /publication\.db already exists\./],
  ]);
  const after = statSync(join(empty, DATABASE), { bigint: true });
  expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
});

test('lists that are empty say so', async () => {
  expect(await sayHere(empty, ['posts', 'list'])).toBe('There are no posts or pages.\n');
  expect(await sayHere(empty, ['posts', 'list', '--type=page', '--status=draft'])).toBe(
    'There are no draft pages.\n',
  );
  expect(await sayHere(empty, ['webhooks', 'list'])).toMatch(/^There are no webhooks\. .*create/);
  const listed = ['webhooks', 'deliveries'];
  expect(await sayHere(empty, listed)).toBe('There are no deliveries yet.\n');
  expect(await sayHere(empty, [...listed, '--failed'])).toBe('No delivery has failed.\n');
  expect(await sayHere(empty, ['webhooks', 'redeliver', '--since', '2026-01-31'])).toBe(
    'No delivery has failed since 2026-01-31.\n',
  );
});

test('a post that has the status already is said to have it', async () => {
  const folder = copyPublication(sample);
  const say = async (command: string) =>
    (await sayHere(folder, [command, 'the-foghorn-tuner'])).split('\n')[0];
  expect([
    await say('publish'),
    await say('unpublish'),
    await say('unpublish'),
    await say('publish'),
  ]).toEqual([
    'The post the-foghorn-tuner is already published.',
    'Unpublished post the-foghorn-tuner.',
    'The post the-foghorn-tuner is already a draft.',
    'Published post the-foghorn-tuner.',
  ]);
});

test('an address with an unknown scheme is not repeated', async () => {
  const folder = copyPublication(empty);
  for (const line of [
    'import mysq://me:s3cret@127.0.0.1/ghost',
    'import postgres://me:s3cret@127.0.0.1/ghost',
    'import mysql:me:s3cret@127.0.0.1/ghost',
    'import me:s3cret@127.0.0.1/ghost',
    'import --images=ftp://me:s3cret@127.0.0.1',
    'follow mysq:me:s3cret@127.0.0.1/ghost --once',
    'follow mysql:me:s3cret@127.0.0.1/ghost --once',
    'follow m:s3cret@127.0.0.1/ghost --once',
  ]) {
    const { stderr } = await refused(folder, line.split(' '));
    expect(stderr, line).not.toMatch(/s3cret|127\.0\.0\.1/);
  }
  for (const line of ['follow --once', 'serve --port=0']) {
    const environment = { PREPRESS_FOLLOW: 'mysq://me:s3cret@127.0.0.1/ghost' };
    const { code, stdout, stderr } = await runHere(folder, line.split(' '), environment);
    expect(code).toBe(2);
    expect(stdout + stderr).toContain('begins with "mysq:"');
    expect(stdout + stderr).not.toMatch(/s3cret|127\.0\.0\.1\/ghost/);
  }
});

test('a members CSV cannot be followed, and a database that was cut says what to do', async () => {
  const folder = copyPublication(empty);
  writeFileSync(join(folder, 'm.csv'), 'email\na@example.com\n');
  const { stderr } = await refused(folder, ['follow', 'm.csv', '--once']);
  expect(stderr).toContain('import it with "prepress import m.csv"');
  const served = await runHere(folder, ['serve', '--port=0', '--follow', 'm.csv']);
  expect([served.code, served.stderr]).toEqual([2, expect.stringContaining('cannot be followed')]);
  copyFileSync(CAPTURED_DATABASE, join(folder, 'g.db'));
  chmodSync(join(folder, 'g.db'), 0o600);
  truncateSync(join(folder, 'g.db'), 100_000);
  const cut = await runHere(folder, ['import', 'g.db']);
  expect([cut.code, cut.stderr]).toEqual([1, expect.stringContaining('restore it from a backup')]);
  expect(cut.stderr).not.toContain('Check the path');
});

test('a first import from a source that is refused makes nothing', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'notes.txt'), 'notes');
  makeGhostDatabase(join(folder, 'old.db'), '4.48').exec('DROP TABLE posts_meta').close();
  for (const name of ['notes.txt', 'old.db', 'absent.db']) {
    const { code, stderr } = await runHere(folder, ['import', name]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(name)]);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  }
});

test('posts list shows posts and pages of any status, and says how many more there are', async () => {
  const folder = copyPublication(sample);
  insertRow(openShell(folder), 'posts', { slug: 'odd', title: 'a\u001b[2J\nb', status: 'draft' });
  const all = await sayHere(folder, ['posts', 'list', '--limit', '3']);
  expect(all.split('\n')).toHaveLength(5);
  expect(all).toMatch(/\.\.\. and \d+ more; --limit \d+ lists all\./);
  const drafts = await sayHere(folder, ['posts', 'list', '--status', 'draft']);
  expect(drafts).toContain('odd  post  draft  -  a\\u001b[2J\\nb\n');
  const { posts, total } = JSON.parse(
    await sayHere(folder, ['posts', 'list', '--type=page', '--limit=200', '--json']),
  ) as { posts: { type: string }[]; total: number };
  expect(total).toBe(posts.length);
  expect(new Set(posts.map(({ type }) => type))).toEqual(new Set(['page']));
});

test('webhooks create makes a webhook, shows its secret once, and helps with names of events', async () => {
  const folder = copyPublication(empty);
  const create = ['webhooks', 'create', '--url', 'https://1.1.1.1/hook', '--event'];
  const { stderr } = await refused(folder, [...create, 'post.publish']);
  expect(stderr).toContain('There is no event "post.publish". Did you mean post.published?');
  const printed = await sayHere(folder, [...create, 'post.published', '--name', 'CI']);
  expect(printed).toMatch(/^Created webhook [0-9a-f]{24}: post\.published to https:\/\/1\.1\.1\.1/);
  expect(printed).toMatch(/\nwhsec_\S+\n$/);
  expect(printed.match(/whsec_/g)).toHaveLength(1);
  const [, id = ''] = /webhook ([0-9a-f]{24})/.exec(printed) ?? [];
  const listed = await sayHere(folder, ['webhooks', 'list']);
  expect(listed).toMatch(new RegExp(`^${id}  post\\.published  .*  "CI"\\n$`));
  const twice = await runHere(folder, [...create, 'post.published']);
  expect([twice.code, twice.stderr]).toEqual([
    1,
    expect.stringContaining('"prepress webhooks list" shows it.'),
  ]);
});

test('several bad settings are listed, one a line', async () => {
  const { stderr } = await refused(empty, ['serve', '--port', 'x', '--base-path', 'y']);
  expect(stderr.split('\n')).toEqual([
    'prepress: 2 settings cannot be used.',
    'Correct the settings and try again.',
    '  Setting basePath (--base-path): must be a path such as /blog, got "y".',
    '  Setting port (--port): must be a whole number from 0 to 65535, got "x".',
    '',
  ]);
});

test('secrets are printed only where they are asked for', async () => {
  const plain = await sayHere(empty, ['status']);
  const secrets = await sayHere(empty, ['status', '--secrets']);
  const [, token = ''] =
    /build hook +POST http:\S+\/hooks\/build\/([0-9a-f]{48})\n/.exec(secrets) ?? [];
  const [, key = ''] = /admin key +([0-9a-f]{24}:[0-9a-f]{64})\n/.exec(secrets) ?? [];
  expect([token.length, key.length]).toEqual([48, 89]);
  expect(plain).not.toContain(token);
});

test('deploy s3://bucket says which option mends it', async () => {
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  const region = ['--region', 'eu-west-1'];
  // The client's own, which nobody can act on.
  const warned = vi.spyOn(process, 'emitWarning');
  for (const [options, environment, advice] of [
    [[], keys, 'Name the region of the bucket with --region or AWS_REGION.'],
    [region, {}, 'Set AWS_ACCESS_KEY_ID'],
    [[...region, '--endpoint', 'nowhere'], keys, 'Name the store with --endpoint'],
    [[...region, '--endpoint', 'http://127.0.0.1:1'], keys, 'Check that the store answers'],
  ] as const) {
    const { code, stderr } = await runHere(sample, ['deploy', 's3://bucket', ...options], {
      HOME: sample,
      AWS_EC2_METADATA_DISABLED: 'true',
      ...environment,
    });
    expect(code).toBe(1);
    expect(stderr).toContain('The bucket bucket');
    expect(stderr).toContain(advice);
  }
  expect(String(warned.mock.calls)).not.toContain('NodeVersionSupport');
  warned.mockRestore();
});

test('verify of an output with another address says how to verify it, and not to rebuild a served one', async () => {
  const folder = copyPublication(sample);
  const say = async (): Promise<string[]> => {
    const { code, stdout } = await runHere(folder, ['verify', '--site-url=https://other.test']);
    expect(code).toBe(1);
    return stdout.trimEnd().split('\n');
  };
  const same =
    '1 finding. Run "prepress verify" with the settings of the output, such as --site-url, or keep them in prepress.config.json.';
  expect(await say()).toEqual([
    'the output was built with other settings than this command has: siteUrl is "https://site.test" there and "https://other.test" here',
    `${same} Only if those here are meant, run "prepress build --full".`,
  ]);
  const presence = await holdPresence(join(folder, 'data/deliverer.lock.db'));
  onTestFinished(() => presence.release());
  expect((await say()).at(-1)).toBe(same);
});

test('a target is refused by its place in the list, never with its text', async () => {
  const folder = copyPublication(empty);
  const says = async (deploy: unknown): Promise<string> => {
    writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify({ deploy }));
    return (await refused(folder, ['status'])).stderr;
  };
  expect(await says(['dir:one', 'ftp:SECRET'])).toContain(
    'target 2 cannot be used: a target is dir:/path, s3://bucket/prefix or exec:COMMAND',
  );
  expect(await says({ target: 'dir:one', region: 'SECRET' })).toContain(
    'target 1 cannot be used: region is an option of buckets',
  );
  expect(await says([{ target: 's3://one', secret: 'SECRET' }])).toContain(
    '"secret" is not a part',
  );
  expect(await says(['dir:one', 'dir:./one/'])).toContain('target 2 is named twice');
  expect(await says('dir:output/site')).toContain('must not contain each other');
  expect(await says(['exec:SECRET', 'x'])).not.toContain('SECRET');
});

test.each(['build --output content', 'build --output content/out', 'deploy dir:content'])(
  '%s: nothing is written among the templates of pages',
  async (args) => {
    const folder = copyPublication(empty);
    mkdirSync(join(folder, 'content/_includes'), { recursive: true });
    const { stderr } = await refused(folder, args.split(' '));
    expect(stderr).toMatch(/templates.* must not contain each other[;:] name another folder\./);
    expect(readdirSync(join(folder, 'content'))).toEqual(['_includes']);
  },
);

test('what is quoted of the command line is shown escaped', async () => {
  for (const args of [['b\u001b[31mild'], ['build', '--f\u001b]0;x\u0007ull']]) {
    const { stderr } = await refused(empty, args);
    expect(stderr).toMatch(/^prepress: unknown (?:command|option) '.*\\u001b.*'\n/);
    expect(stderr).not.toContain('\u001b');
  }
});

test("an import says what it skipped or took without a value, and that siteUrl looks like Ghost's admin", async () => {
  const folder = copyPublication(empty);
  const tag = { id: '1'.repeat(24), name: 'X', slug: 'x', created_at: 'soon' };
  const file = join(folder, 'export.json');
  writeFileSync(
    file,
    JSON.stringify({
      meta: { version: '5.0.0' },
      data: {
        posts: ['hello', 'again'].map((slug) => ({ id: 'world', title: 'Hello', slug })),
        tags: [tag],
        settings: [{ ...tag, created_at: null, key: 'title', value: 'T' }],
      },
    }),
  );
  writeFileSync(join(folder, 'prepress.config.json'), '{"siteUrl": "https://b.test"}');
  const said = await sayHere(folder, ['import', file, '--site-url=https://a.test/ghost/']);
  expect(said).toContain('Note: later builds use https://b.test, which the settings give');
  expect(said).toMatch(
    /^Note: siteUrl \S+ looks like .*\. If the site is https:\/\/a\.test, name/m,
  );
  expect(said.match(/^(?:Imported|Skipped) .*$/gm)).toEqual([
    'Skipped posts/world: id appears twice ("again")',
    `Imported tags/${tag.id} without a usable created_at: it is not a time that can be read`,
  ]);
});

test('verify counts the files beside the tree that others wrote, and names the only one', async () => {
  const folder = copyPublication(sample);
  const saidWith = async (name: string): Promise<string> => {
    writeFileSync(join(folder, 'output', name), '');
    return await sayHere(folder, ['verify']);
  };
  const end = '\nThe output is whole; see the notes above.\n';
  expect(await saidWith('a.html')).toBe(
    `Note: ../a.html: Prepress did not write this file, and leaves it.${end}`,
  );
  expect(await saidWith('b.html')).toBe(
    `Note: Prepress did not write 2 files, such as ../a.html, and leaves them.${end}`,
  );
});

test('a PostgreSQL that does not answer is named once, with why, and no password is doubted', async () => {
  const environment = { PREPRESS_DATABASE: 'postgres://u:s3cret@127.0.0.1:1/x' };
  const { code, stderr } = await runHere(temporaryFolder(), ['status'], environment);
  expect([code, stderr]).toEqual([
    1,
    `prepress: postgres://127.0.0.1:1/x cannot be reached: connection refused (ECONNREFUSED).
Check the address in the setting database, and that PostgreSQL runs there, and try again.
`,
  ]);
});
