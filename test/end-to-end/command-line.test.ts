// The command line as a promise: help, exit codes (0 done, 1 failed, 2 bad usage), one clear sentence for
// what goes wrong, JSON and nothing else with --json, and a server that ends when it is told to.
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../../src/sqlite/driver.ts';
import { cleanTree, expectTree, SITE } from '../helpers/clean-tree.ts';
import { eventually } from '../helpers/eventually.ts';
import { flipBit } from '../helpers/flip-bit.ts';
import { insertRow } from '../helpers/publication.ts';
import { type Finished, prepress, runPrepress, spawnPrepress } from '../helpers/run-prepress.ts';
import { CONTENT, copyPublication, DATABASE, openShell, serve } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const EXPORT = join(import.meta.dirname, '../fixtures/ghost-export.json');
const DRAFT = 'notes-towards-an-issue-about-silt';

// A test here starts up to fifteen processes.
let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  await prepress(template, ['init', '--site-url', SITE]);
  return folder.remove;
});

describe('help', () => {
  const commandsIn = (help: string): string[] =>
    [...(help.split('Commands:\n')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z]+) /gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'help');
  const helpOf = (...command: string[]): Promise<string> =>
    prepress(template, [...command, '--help']);

  test('is printed by every command, with the options that all of them take', async () => {
    const checked: string[] = [];
    const check = async (command: readonly string[]): Promise<void> => {
      const help = await helpOf(...command);
      expect(help).toMatch(new RegExp(`^Usage: prepress ${command.join(' ')} `));
      const inner = commandsIn(help);
      for (const name of inner) await check([...command, name]);
      if (inner.length > 0) return;
      for (const option of ['database', 'output', 'base-path', 'config', 'json', 'help']) {
        expect(help, command.join(' ')).toContain(`--${option} `);
      }
      checked.push(command.join(' '));
    };
    const names = commandsIn(await helpOf());
    const half = Math.ceil(names.length / 2);
    const checkAll = async (some: readonly string[]): Promise<void> => {
      for (const name of some) await check([name]);
    };
    await Promise.all([checkAll(names.slice(0, half)), checkAll(names.slice(half))]);
    const promised =
      'init build serve watch import publish unpublish status verify backup keys webhooks';
    expect(names).toEqual(expect.arrayContaining(promised.split(' ')));
    expect(checked).toEqual(
      expect.arrayContaining(['keys create', 'webhooks redeliver', 'build', 'serve']),
    );
  });
});

/** One sentence, perhaps what to do, and nothing of the program's inside. */
const expectSentence = ({ stdout, stderr }: Finished, sentence: RegExp): void => {
  expect(stdout).toBe('');
  expect(stderr).toMatch(sentence);
  expect(stderr).toMatch(/^(?:prepress|error): \S.*\n(?:\S.*\n)?$/);
  expect(stderr).not.toMatch(/\n\s+at |undefined|\[object/);
};

describe('bad usage', () => {
  test.each<[string, RegExp]>([
    ['nonsense', /unknown command 'nonsense'/],
    ['build --nonsense', /unknown option '--nonsense'/],
    ['build something', /too many arguments/],
    ['publish', /missing required argument 'slug'/],
    ['keys create --name x --type gold', /content, admin or hook/],
    ['keys create --name x --type hook --owner', /Only an admin key can be an owner key/],
    ['webhooks redeliver', /Name either a delivery or a time/],
    ['webhooks deliveries --limit many', /--limit takes a whole number from 1, got "many"/],
    ['serve --port http', /Setting port \(--port\)/],
    ['build --base-path ../x', /Setting basePath/],
    ['build --site-url nowhere', /Setting siteUrl/],
    ['status --config none.json', /no settings file at .*none\.json/],
  ])('%s exits with 2', async (line, sentence) => {
    const finished = await runPrepress(template, line.split(' '));
    expect(finished.code).toBe(2);
    expectSentence(finished, sentence);
  });

  test('a settings file with a name that is no setting exits with 2', async () => {
    const folder = copyPublication(template);
    writeFileSync(join(folder, 'prepress.config.json'), '{"ports": 4000}');
    const finished = await runPrepress(folder, ['status']);
    expect(finished.code).toBe(2);
    expectSentence(finished, /a setting that does not exist: "ports"\. Did you mean port\?/);
  });
});

describe('a failure is told in one sentence and exits with 1', () => {
  const failsWith = async (folder: string, line: string, sentence: RegExp): Promise<void> => {
    const finished = await runPrepress(folder, line.split(' '));
    expect(finished.code, line).toBe(1);
    expectSentence(finished, sentence);
  };

  test('the database is missing, and is not made by the way', async () => {
    const folder = temporaryFolder();
    for (const line of [
      'build',
      'serve --port 0',
      'status',
      'publish a',
      'backup b',
      'keys list',
    ]) {
      await failsWith(folder, line, /no database at .*publication\.db/);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test('the database is something else, and stays what it is', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'data'));
    const text = 'A shopping list: eggs, rope, two lamps.\n';
    writeFileSync(join(folder, DATABASE), text);
    for (const line of ['build', `import ${EXPORT}`, 'backup copy.db']) {
      await failsWith(folder, line, /publication\.db cannot be opened: file is not a database\./);
    }
    expect(readFileSync(join(folder, DATABASE), 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual(['data']);
  });

  test('init finds a database', async () => {
    const folder = copyPublication(template);
    const before = statSync(join(folder, DATABASE), { bigint: true });
    await failsWith(folder, 'init', /publication\.db exists already\./);
    await failsWith(folder, 'init --empty', /publication\.db exists already\./);
    const after = statSync(join(folder, DATABASE), { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  });

  test('the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => {
      other.close();
    });
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const folder = copyPublication(template);
    await failsWith(folder, `serve --port ${port}`, new RegExp(`127.0.0.1:${port} is in use`));
    expect(existsSync(join(folder, CONTENT))).toBe(false);
  });

  test('the output cannot be written, and is built once it can', async () => {
    const folder = copyPublication(template);
    writeFileSync(join(folder, 'output'), 'not a folder');
    await failsWith(folder, 'build', /The output cannot be written: .*output/);
    rmSync(join(folder, 'output'));
    await prepress(folder, ['build']);
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(join(folder, 'elsewhere/content'), 'not a folder');
    await failsWith(folder, 'build --output elsewhere', /The output cannot be written: /);
    await prepress(folder, ['verify']);
  });

  test('a file to import is no export, and the database stays as it was', async () => {
    const folder = copyPublication(template);
    const before = openShell(folder).serialize();
    const whole = readFileSync(EXPORT, 'utf8');
    const files: readonly [string, string, RegExp][] = [
      ['empty.json', '', /The file empty.json is empty\./],
      ['text.json', 'Dear reader,', /is not a Ghost export: it is not valid JSON\./],
      ['other.json', '{"posts": []}', /is not a Ghost export: /],
      ['cut.json', whole.slice(0, whole.length / 2), /ends in the middle\./],
    ];
    for (const [name, text, sentence] of files) {
      writeFileSync(join(folder, name), text);
      await failsWith(folder, `import ${name}`, sentence);
    }
    await failsWith(folder, 'import none.json', /none\.json cannot be read \(ENOENT\)\./);
    expect(openShell(folder).serialize().equals(before)).toBe(true);
  });

  test.each([
    ['timezone', 'Sea/Atlantis', /"Sea\/Atlantis" is not a known timezone\./],
    ['url', 'hottps//x', /"hottps\/\/x" is no absolute http or https address of a site\./],
    ['url', 'file:///x', /"file:\/\/\/x" is no absolute http or https address of a site\./],
  ])(
    'the publication has the %s %s; the tree stays until it is mended',
    async (key, value, error) => {
      const folder = copyPublication(template);
      await prepress(folder, ['build']);
      const shell = openShell(folder);
      const clean = await cleanTree(shell);
      const find = shell.prepare('SELECT value FROM settings WHERE key = ?').pluck();
      const set = shell.prepare('UPDATE settings SET value = ? WHERE key = ?');
      const before = find.get(key);
      set.run(value, key);
      await failsWith(folder, 'build', error);
      expectTree(join(folder, CONTENT), clean);
      const { last_build, site_url } = JSON.parse(await prepress(folder, ['status', '--json']));
      expect(last_build).toMatchObject({ state: 'failed', error: expect.stringMatching(error) });
      expect(site_url).toBe(key === 'url' ? value : SITE);
      set.run(before, key);
      await prepress(folder, ['build']);
      expectTree(join(folder, CONTENT), clean);
    },
  );

  test('a record that is named is not there', async () => {
    await failsWith(template, 'publish no-such-slug', /no post or page with the slug/);
    await failsWith(template, `keys revoke ${'0'.repeat(24)}`, /key/i);
    await failsWith(template, `webhooks test ${'0'.repeat(24)}`, /webhook/i);
    writeFileSync(join(template, 'taken.db'), '');
    await failsWith(template, 'backup taken.db', /taken\.db exists already\./);
  });
});

describe('--json', () => {
  type Answer = Readonly<Record<string, unknown>>;
  const answerOf = async (folder: string, line: string, code = 0): Promise<Answer> => {
    const finished = await runPrepress(folder, [...line.split(' '), '--json']);
    expect(finished.code, `${line}: ${finished.stderr}`).toBe(code);
    expect(finished.stderr, line).toBe('');
    return JSON.parse(finished.stdout) as Answer;
  };

  test('is all that a command prints, from the first to the last', async () => {
    const folder = temporaryFolder();
    const database = join(folder, DATABASE);
    expect(await answerOf(folder, 'init')).toEqual({ database });
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

  test('also says what went wrong, with its code', async () => {
    const folder = temporaryFolder();
    expect(await answerOf(folder, 'build', 1)).toMatchObject({
      error: { code: 'DATABASE_MISSING', message: expect.any(String), hint: expect.any(String) },
    });
    expect(await answerOf(folder, 'status --config none.json', 2)).toMatchObject({
      error: { code: 'CONFIG_INVALID' },
    });
  });
});

describe('a server', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'ends cleanly after %s, readers or not',
    async (signal) => {
      const folder = copyPublication(template);
      const serving = await serve(folder);
      const idle = connect(Number(new URL(serving.url).port), '127.0.0.1');
      onTestFinished(() => {
        idle.destroy();
      });
      idle.on('error', () => undefined);
      await once(idle, 'connect');
      idle.write('GET /health HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n');
      await once(idle, 'data');
      expect(await serving.end(signal)).toBe(0);
      expect(readdirSync(join(folder, 'data')).join(' ')).not.toMatch(/-(?:wal|shm|journal)/);
      expect(serving.log()).not.toContain('"level":50');
    },
  );

  test('ends cleanly in the middle of a build', async () => {
    const folder = copyPublication(template);
    const serving = await serve(folder);
    openShell(folder).exec("UPDATE posts SET title = title || '!'");
    expect(await serving.end('SIGTERM')).toBe(0);
    await prepress(folder, ['build']);
    expectTree(join(folder, CONTENT), await cleanTree(openShell(folder)));
  });

  test('ends cleanly when it is told to while it starts', async () => {
    const folder = copyPublication(template);
    const child = spawnPrepress(folder, ['serve', '--port', '0']);
    const closed = once(child, 'close');
    const [line] = (await once(child.stderr, 'data')) as [Buffer];
    expect(line.toString()).toContain('Server listening');
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
    await prepress(folder, ['verify']);
  });

  test('can be backed up while somebody writes: the copy is one moment of the database', async () => {
    const folder = copyPublication(template);
    const serving = await serve(folder);
    const shell = openShell(folder);
    const paired = "WHERE title = 'Paired'";
    const count = (from: typeof shell, rest: string): number =>
      from.prepare(`SELECT count(*) FROM posts ${rest}`).pluck().get() as number;
    // Somebody who reads keeps what is written now out of the main file.
    const reader = openShell(folder);
    reader.exec('BEGIN');
    count(reader, '');
    // A post and its link are always written together.
    const author_id = shell.prepare('SELECT id FROM users').pluck().get() as string;
    const write = shell.transaction(() => {
      const post_id = insertRow(shell, 'posts', { title: 'Paired', html: 'x'.repeat(20_000) });
      insertRow(shell, 'posts_authors', { post_id, author_id });
    });
    const writing = setInterval(() => write(), 2);
    onTestFinished(() => clearInterval(writing));
    await eventually(() => expect(count(shell, paired)).toBeGreaterThan(0));
    const committed = count(shell, paired);
    await prepress(folder, ['backup', 'copy.db']);
    clearInterval(writing);
    const copy = new (loadDriver())(join(folder, 'copy.db'), { readonly: true });
    onTestFinished(() => {
      copy.close();
    });
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(copy.pragma('foreign_key_check')).toEqual([]);
    expect(count(copy, paired)).toBeGreaterThanOrEqual(committed);
    expect(count(copy, paired)).toBeLessThanOrEqual(count(shell, paired));
    expect(count(copy, `${paired} AND id NOT IN (SELECT post_id FROM posts_authors)`)).toBe(0);
    expect(readdirSync(folder)).not.toContain('copy.db.partial');
    expect((await serving.get('/health')).status).toBe(200);
  });

  test('says when what it copies is damaged, as verify does', async () => {
    const folder = copyPublication(template);
    await prepress(folder, ['build']);
    const shell = openShell(folder);
    const post = shell.prepare('SELECT id FROM posts').pluck().get() as string;
    flipBit(join(folder, DATABASE), 'sqlite_autoindex_posts_1', post);
    const finished = await runPrepress(folder, ['backup', 'copy.db']);
    expect(finished.code).toBe(1);
    expectSentence(
      finished,
      /^prepress: The database is damaged, and so is its copy .*copy\.db: .+\.$/m,
    );
    expect(existsSync(join(folder, 'copy.db'))).toBe(true);
    const verified = await runPrepress(folder, ['verify']);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toMatch(/^the database is damaged: .*sqlite_autoindex_posts_1$/m);
  });
});
