// Commands by what they answer: their help, JSON and nothing else with --json, and what they do where they cannot work.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../../../src/base/sqlite/driver.ts';
import { holdPresence } from '../../../src/publication/store/locks/deliverer-presence.ts';
import { openStore } from '../../../src/publication/store/open-store.ts';
import { writeServerSettings } from '../../../src/publish/cycle/server-settings.ts';
import { planBulkDelete, selectMembers } from '../../../src/serve/admin/members/bulk-members.ts';
import { dataPathsOf } from '../../../src/settings/data-paths.ts';
import { expectTree, SITE } from '../../helpers/clean-tree.ts';
import { listCommands } from '../../helpers/list-commands.ts';
import { insertRow } from '../../helpers/publication.ts';
import { runHere, sayHere } from '../../helpers/run-here.ts';
import { CONTENT, copyPublication, DATABASE, openShell } from '../../helpers/serve.ts';
import { suiteFolder } from '../../helpers/suite-folder.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { readTree, testConfig } from '../../helpers/tree.ts';

const EXPORT = join(import.meta.dirname, '../../fixtures/ghost-export.json');
const DRAFT = 'notes-towards-an-issue-about-silt';

/** The sample, built. */
let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  await sayHere(template, ['init', '--site-url', SITE]);
  await sayHere(template, ['build']);
  return folder.remove;
});

const say = (folder: string, line: string): Promise<string> => sayHere(folder, line.split(' '));

const failsWith = async (folder: string, line: string, sentence: RegExp): Promise<void> => {
  const { code, stderr } = await runHere(folder, line.split(' '));
  expect([code, stderr], line).toEqual([1, expect.stringMatching(sentence)]);
};

type Answer = Readonly<Record<string, unknown>>;

/** What a command answers with --json. */
const answerOf = async (folder: string, line: string, code = 0): Promise<Answer> => {
  const finished = await runHere(folder, [...line.split(' '), '--json']);
  expect([finished.code, finished.stderr], line).toEqual([code, '']);
  return JSON.parse(finished.stdout) as Answer;
};

test('every command prints its help, with the options that all of them take', async () => {
  const names = listCommands().map(({ name }) => name);
  const promised =
    'init build serve watch import publish unpublish status verify backup follow deploy';
  expect(names).toEqual(
    expect.arrayContaining([...promised.split(' '), 'keys create', 'webhooks redeliver']),
  );
  for (const name of names) {
    const help = await say(template, `${name} --help`);
    expect(help).toMatch(new RegExp(`^Usage: prepress ${name} `));
    for (const option of ['database', 'output', 'base-path', 'config', 'json', 'help']) {
      expect(help, name).toContain(`--${option} `);
    }
  }
});

test('--json is all that a command prints, from the first to the last', async () => {
  const folder = temporaryFolder();
  expect(await answerOf(folder, 'build', 1)).toMatchObject({
    error: { code: 'DATABASE_MISSING', message: expect.any(String), hint: expect.any(String) },
  });
  expect(await answerOf(folder, 'status --config none.json', 2)).toMatchObject({
    error: { code: 'CONFIG_INVALID' },
  });
  expect(await answerOf(folder, 'init')).toEqual({ database: join(folder, DATABASE) });
  expect(await answerOf(folder, 'verify', 1)).toMatchObject({
    findings: expect.arrayContaining([{ path: '', reason: 'no build has been finished' }]),
  });
  expect(await answerOf(folder, 'build')).toMatchObject({ kind: 'full', generation: 1 });
  expect(await answerOf(folder, 'verify')).toEqual({ findings: [], notes: [] });
  expect(await answerOf(folder, 'status')).toMatchObject({ generation: 1, changes_waiting: 0 });
  const published = await answerOf(folder, `publish ${DRAFT}`);
  expect(published).toMatchObject({ slug: DRAFT, status: 'published' });
  expect(await answerOf(folder, `unpublish ${DRAFT}`)).toMatchObject({ status: 'draft' });
  const key = await answerOf(folder, 'keys create --type content --name reader');
  expect(await answerOf(folder, `keys revoke ${key.id}`)).toEqual({ id: key.id });
  const owner = await answerOf(folder, 'keys create --type admin --name second --owner');
  expect(owner).toMatchObject({ type: 'admin', is_owner: true });
  const { keys } = await answerOf(folder, 'keys list');
  expect(keys).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'Default admin key', is_owner: true, last_seen_at: null }),
      expect.objectContaining({ name: 'reader', is_owner: false }),
    ]),
  );
  expect(JSON.stringify(keys)).not.toContain(key.key);
  expect(await answerOf(folder, 'webhooks list')).toEqual({ webhooks: [] });
  expect(await answerOf(folder, 'webhooks deliveries')).toEqual({ deliveries: [] });
  expect(await answerOf(folder, 'backup copy.db')).toEqual({
    file: join(folder, 'copy.db'),
    // The sample's five pictures.
    media: { folder: join(folder, 'copy-media'), files: 5, skipped: [] },
  });
  expect(await answerOf(folder, `import ${EXPORT}`)).toMatchObject({
    tables: { posts: { read: expect.any(Number) } },
  });
});

test('what a server that runs has yet to build is a note, unless its last build failed or is old', async () => {
  const folder = copyPublication(template);
  const shell = openShell(folder);
  const presence = await holdPresence(join(folder, 'data/deliverer.lock.db'));
  onTestFinished(() => presence.release());
  const verify = async (site: string) =>
    (await runHere(folder, ['verify'], { PREPRESS_SITE: site })).code;
  const setLast = (set: string) =>
    shell.exec(`UPDATE builds SET ${set} WHERE rowid = (SELECT max(rowid) FROM builds)`);
  setLast(`finished_at = ${Date.now()}`);
  expect([await verify('false'), await verify('true')]).toEqual([0, 0]);
  setLast('finished_at = 0');
  expect([await verify('false'), await verify('true')]).toEqual([0, 1]);
  shell.exec("UPDATE posts SET title = 'Not built yet'");
  expect(await verify('false')).toBe(0);
  setLast("state = 'failed'");
  expect(await verify('false')).toBe(1);
});

test('pages that no build has rendered are a finding of verify and a line of status', async () => {
  const folder = copyPublication(template);
  const site = { PREPRESS_SITE: 'true' };
  expect((await runHere(folder, ['verify'], { PREPRESS_SITE: 'false' })).stdout).not.toMatch(
    'HTML',
  );
  const { code, stdout } = await runHere(folder, ['verify'], site);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^HTML pages are missing, or older/m)]);
  expect((await runHere(folder, ['status'], site)).stdout).toMatch(/^HTML pages are missing,/m);
  rmSync(join(folder, 'output/content'), { recursive: true });
  expect((await runHere(folder, ['verify'], site)).stdout).toMatch('the file is missing');
});

test('verify says in one sentence that there is no output, and where it may be', async () => {
  const folder = copyPublication(template);
  const output = join(folder, 'output');
  rmSync(output, { recursive: true });
  const { code, stdout } = await runHere(folder, ['verify']);
  expect([code, stdout.split('\n')]).toEqual([
    1,
    [
      `${output}: there is no such folder; relative paths are those of the folder that a command runs in: run it in the folder of the publication, or name the output with --output`,
      '1 finding. If somebody removed the output, "prepress build --full" writes it again.',
      '',
    ],
  ]);
});

test('status says in plain words what is built, and what is kept', async () => {
  const folder = temporaryFolder();
  await sayHere(folder, ['init']);
  expect(await say(folder, 'status')).toMatch(/^built {15}nothing yet$/m);
  const lines = await say(template, 'status');
  expect(lines).toMatch(/^built {15}authors 3, /m);
  expect(lines).toMatch(/^replaced files {6}files 0, 0\.0 MB$/m);
  expect(lines).toMatch(/^webhook payloads {4}bodies 0, 0\.0 MB, at most 268\.4 MB, kept days 7$/m);
});

test('an output that cannot be written is built once it can', async () => {
  const folder = copyPublication(template);
  rmSync(join(folder, 'output'), { recursive: true });
  writeFileSync(join(folder, 'output'), 'not a folder');
  await failsWith(folder, 'build', /The output cannot be written: .*output/);
  rmSync(join(folder, 'output'));
  symlinkSync('/away', join(folder, 'output'));
  await failsWith(folder, 'build', /output is a link to \/away, which does not exist\./);
  rmSync(join(folder, 'output'));
  await say(folder, 'build');
  mkdirSync(join(folder, 'elsewhere'));
  writeFileSync(join(folder, 'elsewhere/content'), 'not a folder');
  await failsWith(folder, 'build --output elsewhere', /The output cannot be written: /);
  await say(folder, 'verify');
});

test.each([
  ['timezone', 'Sea/Atlantis', /"Sea\/Atlantis" is not a known timezone\./],
  ['url', 'hottps//x', /"hottps\/\/x" is not an absolute http or https address\./],
  ['url', 'file:///x', /"file:\/\/\/x" is not an absolute http or https address\./],
])('with the %s %s the tree stays until it is mended', async (key, value, error) => {
  const folder = copyPublication(template);
  const shell = openShell(folder);
  const whole = readTree(join(folder, CONTENT));
  const find = shell.prepare('SELECT value FROM settings WHERE key = ?').pluck();
  const set = shell.prepare('UPDATE settings SET value = ? WHERE key = ?');
  const before = find.get(key);
  set.run(value, key);
  await failsWith(folder, 'build', error);
  expectTree(join(folder, CONTENT), whole);
  const { last_build, site_url } = await answerOf(folder, 'status');
  expect(last_build).toMatchObject({ state: 'failed', error: expect.stringMatching(error) });
  expect(site_url).toBe(key === 'url' ? value : SITE);
  set.run(before, key);
  await say(folder, 'build');
  expectTree(join(folder, CONTENT), whole);
});

test('a link to a preview says where no page is shown, or how to allow links', async () => {
  const folder = copyPublication(template);
  const off = /set "previewLinks": .* own preview page, with \{uuid\}, \{type\} and \{token\}/;
  await failsWith(folder, 'preview the-foghorn-tuner', off);
  const preview = async (site: boolean): Promise<string> => {
    const config = { previewLinks: 'on', site, siteUrl: 'https://site.test' };
    writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify(config));
    return say(folder, 'preview the-foghorn-tuner');
  };
  expect(await preview(false)).toMatch(/\/page\/.*\n.*\nThere are no pages here/);
  expect(await preview(true)).not.toContain('no pages');
});

test('a clock that is behind is said by build, status and clock, until clock accept', async () => {
  const folder = copyPublication(template);
  const warned = async (): Promise<boolean[]> => {
    const said: boolean[] = [];
    for (const command of ['build', 'status', 'clock']) {
      said.push((await say(folder, command)).includes('"prepress clock accept"'));
    }
    return said;
  };
  expect(await warned()).toEqual([false, false, false]);
  expect(await say(folder, 'clock')).toMatch(/^The clock is right: it says 2.+ build was at 2/);
  const shell = openShell(folder);
  shell.prepare('UPDATE published_position SET finished_at = ?').run(Date.parse('9000-01-01'));
  expect(await warned()).toEqual([true, true, true]);
  expect(await answerOf(folder, 'status')).toMatchObject({
    clock: expect.stringMatching(/^The clock says 20/),
  });
  expect(await answerOf(folder, 'clock')).toMatchObject({ behind: true });
  expect(await answerOf(folder, 'clock accept')).toEqual({ accepted: true });
  expect(await warned()).toEqual([false, false, false]);
  expect(await answerOf(folder, 'clock accept')).toEqual({ accepted: false });
  expect(await answerOf(folder, 'status')).toMatchObject({ clock: null });
});

test('status names work on members that is half done, and the next import does it first', async () => {
  const folder = copyPublication(template);
  const store = await openStore(join(folder, DATABASE));
  onTestFinished(() => store.close());
  await planBulkDelete({ store, nowMs: 1 }, selectMembers({ all: 'true' } as never, 1));
  expect(await answerOf(folder, 'status')).toMatchObject({
    bulk_work: [expect.stringMatching(/^0 of \d+ members were deleted\. A server, or/)],
  });
  writeFileSync(join(folder, 'members.csv'), 'email\nada@example.com\n');
  expect(await say(folder, 'import members.csv')).toMatch(
    /Earlier work: (\d+) of \1 members were deleted\.\nmembers: 1 imported, /,
  );
  expect(await answerOf(folder, 'status')).toMatchObject({ bulk_work: [] });
  const shell = openShell(folder);
  const fail = shell.prepare(
    "UPDATE bulk_jobs SET state = 'failed', error = 'Gone.', created_at = ?",
  );
  fail.run(Date.now());
  expect(await answerOf(folder, 'status')).toMatchObject({
    bulk_work: [/deleted/, /imported/].map((work) => expect.stringMatching(work)),
  });
  fail.run(1);
  expect(await answerOf(folder, 'status')).toMatchObject({ bulk_work: [] });
  const emails = shell.prepare('SELECT email FROM members').pluck().all();
  expect(emails).toEqual(['ada@example.com']);
  await planBulkDelete({ store, nowMs: 2 }, selectMembers({ all: 'true' } as never, 2));
  writeFileSync(join(folder, 'more.csv'), 'email\neve@example.com\n');
  expect(await answerOf(folder, 'import more.csv')).toMatchObject({
    earlier: [{ work: expect.stringMatching(/^(\d+) of \1 members? w\w+ deleted\.$/) }],
  });
});

test('publish refuses a post that is e-mail only, and status names one that is due', async () => {
  const folder = copyPublication(template);
  const shell = openShell(folder);
  const post_id = shell.prepare('SELECT id FROM posts WHERE slug = ?').pluck().get(DRAFT);
  shell.prepare('DELETE FROM posts_meta WHERE post_id = ?').run(post_id);
  insertRow(shell, 'posts_meta', { post_id, email_only: 'perhaps' });
  const publish = `publish ${DRAFT}`;
  await failsWith(folder, publish, /" is e-mail only, and the web never shows it\./);
  const set = shell.prepare('UPDATE posts SET status = ?, published_at = ? WHERE id = ?');
  set.run('scheduled', '2026-01-01T10:00:00.000Z', post_id);
  await say(folder, 'build');
  const sentence = `The post "${DRAFT}" stays scheduled after 2026-01-01T10:00:00.000Z: it is e-mail only, and Prepress sends no newsletters.`;
  expect(await say(folder, 'status')).toContain(sentence);
  expect(await answerOf(folder, 'status')).toMatchObject({ held_posts: [sentence] });
  set.run('sent', '2026-01-01T10:00:00.000Z', post_id);
  shell.exec('UPDATE posts_meta SET email_only = 0');
  await failsWith(folder, publish, /" was sent by e-mail only\./);
  await say(folder, `un${publish}`);
  await say(folder, publish);
  expect(existsSync(join(folder, CONTENT, `posts/slug/${DRAFT}/index.json`))).toBe(true);
});

test('each command that renders pages says how many', async () => {
  const folder = copyPublication(template);
  const pagesOf = async (...line: string[]): Promise<string> => {
    const said = await sayHere(folder, line, { PREPRESS_SITE: 'true' });
    return /^Pages: .+$/m.exec(said)?.[0] ?? said;
  };
  expect(await pagesOf('build')).toMatch(/: [1-9]\d* written, 0 removed\.$/);
  expect(await pagesOf('publish', DRAFT)).toMatch(/: [1-9]\d* written, 0 removed\.$/);
  expect(await pagesOf('unpublish', DRAFT)).toMatch(/: [1-9]\d* written, 1 removed\.$/);
});

test('an admin key that is empty, cut or of another database is written again', async () => {
  const folder = copyPublication(template);
  const file = join(folder, 'data/admin-key');
  const key = readFileSync(file, 'utf8');
  const damages: readonly (() => void)[] = [
    () => truncateSync(file, 0),
    () => truncateSync(file, 40),
    () => writeFileSync(file, `${'e'.repeat(24)}:${'ab'.repeat(32)}\n`, { mode: 0o644 }),
    () => rmSync(file),
  ];
  for (const damage of damages) {
    damage();
    // Left by a run that was killed.
    writeFileSync(`${file}.new`, 'half', { mode: 0o644 });
    await say(folder, 'status');
    expect(readFileSync(file, 'utf8')).toBe(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.new`)).toBe(false);
  }
});

test('an admin key of its own stays, also when it was revoked', async () => {
  const folder = copyPublication(template);
  const made = await say(folder, 'keys create --type admin --name CMS');
  const key = `${made.trim().split('\n').at(-1)}\n`;
  const file = join(folder, 'data/admin-key');
  writeFileSync(file, key);
  await say(folder, 'status');
  await say(folder, `keys revoke ${key.split(':')[0]}`);
  await say(folder, 'status');
  expect(readFileSync(file, 'utf8')).toBe(key);
});

test('a sealing key that is gone is asked for, and not made anew', async () => {
  const folder = copyPublication(template);
  const file = join(folder, 'data/secret.key');
  renameSync(file, join(folder, 'kept.key'));
  for (const command of ['status', 'build', 'serve --port 0']) {
    const { code, stderr } = await runHere(folder, command.split(' '));
    expect(code, command).toBe(1);
    expect(stderr).toMatch(
      /^prepress: There is no key file at .*secret\.key, and .*\nPut back the file secret\.key .*\n$/,
    );
    expect(existsSync(file)).toBe(false);
  }
  writeFileSync(file, 'ab'.repeat(32), { mode: 0o600 });
  for (const command of ['status', 'keys create --type admin --name x', 'serve --port 0']) {
    const { code, stderr } = await runHere(folder, command.split(' '));
    expect(code, command).toBe(1);
    expect(stderr).toMatch(
      /^prepress: The key in .*secret\.key is not the one that .* sealed with\.\nPut back/,
    );
  }
  renameSync(join(folder, 'kept.key'), file);
  await say(folder, 'build');
});

test('a new database is not laid under the log of one that was removed', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'data'));
  const old = new (loadDriver())(join(folder, 'old.db'));
  old.exec('PRAGMA journal_mode = WAL; CREATE TABLE other (id)');
  renameSync(join(folder, 'old.db-wal'), join(folder, `${DATABASE}-wal`));
  old.close();
  await say(folder, 'init');
  const count = (place: string) => openShell(place).prepare('SELECT count(*) FROM posts').pluck();
  expect(count(folder).get()).toBe(count(template).get());
});

test('status names the port of the server that runs', async () => {
  const folder = copyPublication(template);
  const config = testConfig({
    database: join(folder, DATABASE),
    output: join(folder, 'output'),
    port: 4321,
  });
  const paths = dataPathsOf(config);
  const hookOf = async () => (await answerOf(folder, 'status --secrets')).build_hook;
  expect(await hookOf()).toContain(':4000/hooks/build/');
  const presence = await holdPresence(join(folder, 'data/deliverer.lock.db'));
  onTestFinished(() => presence.release());
  writeServerSettings(paths, config);
  expect(await hookOf()).toContain(':4321/hooks/build/');
});

test('a database is not moved while a server saves into its file', async () => {
  const folder = copyPublication(template);
  const presence = await holdPresence(join(folder, 'data/deliverer.lock.db'));
  onTestFinished(() => presence.release());
  const environment = { PREPRESS_DATABASE: 'postgres://nobody@127.0.0.1:1/none' };
  const { code, stderr } = await runHere(folder, ['database', 'move', DATABASE], environment);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/later saves would not be moved/)]);
});

test('hosts write says where the desk would stand beside pages with scripts of posts', async () => {
  const folder = copyPublication(template);
  const write = (adminUrl: string): Promise<string> => {
    writeFileSync(
      join(folder, 'prepress.config.json'),
      JSON.stringify({ siteUrl: SITE, adminUrl }),
    );
    return say(folder, 'hosts write nginx');
  };
  expect(await write(`${SITE}/`)).toContain('adminUrl and siteUrl have one origin');
  const printed = await write('https://desk.example.com');
  expect(printed).not.toContain('one origin');
  expect(printed).toMatch(
    / [\d,]+ bytes in the longest quoted text .*; the host takes up to 4,096\./,
  );
});

test('a build names the host whose limitations it counts', async () => {
  const folder = copyPublication(template);
  const settings = { siteUrl: SITE, hosts: ['caddy'] };
  writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify(settings));
  await say(folder, 'build');
  expect(await say(folder, 'build --full')).toMatch(
    /^Note: Caddy has \d limitations; "prepress hosts write caddy" lists them\.$/m,
  );
});

test('files of a host that is no longer written are named, with the command that removes them', async () => {
  const folder = copyPublication(template);
  await say(folder, 'hosts write github-pages');
  const printed = await say(folder, 'hosts write netlify');
  expect(printed).toContain('run "prepress hosts remove github-pages".');
});

test('copies that were removed with their host are no fault of the list of changes', async () => {
  const folder = copyPublication(template);
  await say(folder, 'build');
  await say(folder, 'hosts write github-pages');
  await say(folder, 'unpublish the-foghorn-tuner');
  await say(folder, 'hosts remove github-pages');
  expect(await say(folder, 'verify')).toBe('All is well.\n');
});

test('imported redirects are said to lack in rules that no build writes', async () => {
  const folder = copyPublication(template);
  const file = join(folder, 'redirects.json');
  writeFileSync(file, '[{"from": "/a/", "to": "/b/"}]');
  const told = 'run "prepress hosts write HOST" again';
  expect(await say(folder, `import redirects ${file}`)).toContain(told);
  writeFileSync(join(folder, 'prepress.config.json'), '{"hosts": ["caddy"]}');
  expect(await say(folder, `import redirects ${file}`)).not.toContain(told);
});
